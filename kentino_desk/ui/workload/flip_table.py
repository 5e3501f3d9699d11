"""What flips the verdict, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QHeaderView

from kentino_desk.ui.charts.twin import RowsModel
from kentino_desk.ui.labels import plain_tip
from kentino_desk.ui.workload.tables import QuietTable

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

_Index = QModelIndex | QPersistentModelIndex
_VALUES = 2
"""Columns of name and value, before the flips."""
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_HEIGHT = 122
_NAME_SHARE = 0.24


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
        mode, head = QHeaderView.ResizeMode, self.horizontalHeader()
        for column in range(self._rows.columnCount()):
            wide = column >= _VALUES
            head.setSectionResizeMode(column, mode.Stretch if wide else mode.ResizeToContents)
        if self._rows.columnCount():
            head.setSectionResizeMode(0, mode.Interactive)
            self._fit_names()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names take a part of the new width."""
        super().resizeEvent(event)
        self._fit_names()

    def _fit_names(self) -> None:
        """A long name is cut before the flips are: those are what is looked for."""
        most = round(_NAME_SHARE * self.viewport().width())
        self.setColumnWidth(0, min(self.sizeHintForColumn(0), most))
