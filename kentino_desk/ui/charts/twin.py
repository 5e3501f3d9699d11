"""The text twin of a chart: the same as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

    from kentino_desk.present.charts import Cells

_Index = QModelIndex | QPersistentModelIndex
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_ROOT = QModelIndex()


class RowsModel(QAbstractTableModel):
    """Plain rows with a head: the text twin of a chart."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[Cells] = ()

    def show_rows(self, rows: Sequence[Cells]) -> None:
        """Show other rows, the head first."""
        if rows is not self._rows and rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """All rows but the head."""
        return 0 if parent.isValid() else max(len(self._rows) - 1, 0)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """As many as the head has."""
        return 0 if parent.isValid() or not self._rows else len(self._rows[0])

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The head."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < self.columnCount():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[0][section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section else _LEFT
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text and alignment of a cell."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            cells = self._rows[index.row() + 1]
            return cells[index.column()] if index.column() < len(cells) else ""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() else _LEFT
        return None
