"""The table of the comparison; row names stay while the builds scroll sideways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from kentino_desk.ui.compare.model import CompareModel
from kentino_desk.ui.compare.painting import CellInk, CompareHeader, NameHeader
from kentino_desk.ui.workload.tables import QuietTable

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent

    from kentino_desk.present.compare_views import CompareView
    from kentino_desk.ui.look import Look

NAME_WIDTH = 172
LEAST_WIDTH = 136
_ROW, _GROUP, _NOTE = 26, 24, 68
_DIFFERENCE = 104


class CompareTable(QuietTable):
    """Arrows move, P takes the pin of a column away, Enter looks at its build, F1 explains."""

    chosen = Signal(str)
    why_asked = Signal(int, str)
    """Row of a candidate, and key of a figure."""

    def __init__(self, look: Look) -> None:
        self._model = CompareModel(look)
        super().__init__(self._model, "Comparison")
        self._model.setParent(self)
        self.setHorizontalHeader(CompareHeader(look, self._model, self))
        self.setVerticalHeader(NameHeader(look, self._model, self))
        self._look = look
        self._ink = CellInk(look, self._model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        side = self.verticalHeader()
        side.setVisible(True)
        side.setDefaultSectionSize(_ROW)
        side.setFixedWidth(NAME_WIDTH)
        side.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        side.setHighlightSections(False)
        side.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head = self.horizontalHeader()
        head.setStretchLastSection(False)
        head.setMinimumSectionSize(48)
        self.setCornerButtonEnabled(False)
        # The ground is drawn here: what lies below need not be drawn at every pin.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        look.changed.connect(self.viewport().update)

    def show_view(self, view: CompareView | None, *, differences_only: bool) -> None:
        """Draw another comparison."""
        column = self.currentIndex().column()
        if self._model.show_view(view, differences_only=differences_only):
            for place, line in enumerate(self._model.lines):
                height = _GROUP if line.is_group else _NOTE if line.is_note else _ROW
                # Qt keeps the heights of the rows that stood here before.
                if self.rowHeight(place) != height:
                    self.setRowHeight(place, height)
            self._share_width()
            if view is not None:
                row = next((n for n, line in enumerate(self._model.lines) if line.row), 0)
                self.setCurrentIndex(self._model.index(row, max(column, 0)))

    @property
    def current_id(self) -> str:
        """Id of the build of the current column."""
        head = self._model.head_at(self.currentIndex().column())
        return head.id if head else ""

    def ask_why(self) -> bool:
        """Explain the figure of the current cell; False where the row is words."""
        index = self.currentIndex()
        head = self._model.head_at(index.column())
        line = self._model.lines[index.row()] if index.isValid() else None
        if head is None or line is None or line.row is None or not line.row.key:
            return False
        self.why_asked.emit(head.row, line.row.key)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter looks at the build of the column; Delete takes its pin away, as P does."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.current_id:
            self.chosen.emit(self.current_id)
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows in sight: grounds first, then words."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._look.color("panel"))
        wide, high = self.viewport().width(), self.viewport().height()
        columns = [
            (column, float(self.columnViewportPosition(column)), float(self.columnWidth(column)))
            for column in range(self._model.columnCount())
        ]
        seen = [item for item in columns if item[1] < wide and item[1] + item[2] > 0]
        end = min(self.verticalHeader().length() - self.verticalOffset(), high)
        for column, left, width in seen:
            head = self._model.head_at(column)
            if head is not None and head.chosen:
                self._ink.paint_column(painter, QRectF(left, 0, width, end))
        last = columns[-1][1] + columns[-1][2] if columns else 0.0
        for row in range(self._model.rowCount()):
            top, height = float(self.rowViewportPosition(row)), float(self.rowHeight(row))
            if top + height > 0 and top < high:
                self._ink.paint_row(painter, QRectF(0, top, last, height), row)
                for column, left, width in seen:
                    self._ink.paint(painter, QRectF(left, top, width, height), row, column)
        if self.hasFocus() and self.currentIndex().isValid():
            self._ink.paint_current(painter, QRectF(self.visualRect(self.currentIndex())))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """Builds share the room, none below its least width; the difference keeps its own."""
        builds = self._model.columnCount() - 1
        if builds < 1:
            return
        room = self.viewport().width() - _DIFFERENCE
        each = max(room // builds, LEAST_WIDTH)
        for column in range(builds):
            self.setColumnWidth(column, each)
        self.setColumnWidth(builds, _DIFFERENCE)
