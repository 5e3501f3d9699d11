"""What flips the verdict, as a table."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QHeaderView

from kentino_desk.ui.charts.twin import RowsModel
from kentino_desk.ui.labels import plain_tip
from kentino_desk.ui.workload.tables import QuietTable

_Index = QModelIndex | QPersistentModelIndex
_VALUES = 2
"""Columns of name and value, before the flips."""
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_HEIGHT = 122


class _FlipRows(RowsModel):
    """Rows whose flips are sentences: they begin at the left, whole on the tool tip."""

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, tip and alignment of a cell."""
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() >= _VALUES:
            return _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(str(super().data(index)))
        return super().data(index, role)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The head, over the text."""
        if role == Qt.ItemDataRole.TextAlignmentRole and section >= _VALUES:
            return _LEFT
        return super().headerData(section, orientation, role)


class FlipTable(QuietTable):
    """Name, value now, flip upwards, flip downwards."""

    def __init__(self) -> None:
        self._rows = _FlipRows()
        super().__init__(self._rows, "What flips the verdict")
        self.setFixedHeight(_HEIGHT)

    def show_flips(self, table: tuple[tuple[str, ...], ...]) -> None:
        """Show other flips, the head first."""
        self._rows.show_rows(table)
        mode = QHeaderView.ResizeMode
        for column in range(self._rows.columnCount()):
            wide = column >= _VALUES
            self.horizontalHeader().setSectionResizeMode(
                column, mode.Stretch if wide else mode.ResizeToContents
            )
