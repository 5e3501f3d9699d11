"""A chart with its title, the key of one mark, and its text twin behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from kentino_desk.ui.charts.twin import RowsModel
from kentino_desk.ui.fonts import BODY_PX, NOTE_PX
from kentino_desk.ui.labels import plain_tip
from kentino_desk.ui.painting import Ink, Painted, paint_text, text_width
from kentino_desk.ui.workload.tables import QuietTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from kentino_desk.present.charts import Cells, CostChart, EfficiencyChart, MapChart, MemoryChart
    from kentino_desk.ui.charts.plot import Plot
    from kentino_desk.ui.look import Look

_HEAD = 34
_SIDE = 16


class ChartHead(Painted):
    """A sentence with the result in it, and at the right the key of one mark."""

    def __init__(self, look: Look, mark: str) -> None:
        super().__init__(look)
        self._mark = mark
        self._title = ""
        self._key = ""
        self._two_lines = False
        self.setFixedHeight(_HEAD)

    def show_words(self, title: str, key: str) -> None:
        """Draw other words."""
        if (title, key) != (self._title, self._key):
            self._title, self._key = title, key
            self.describe(title, full_text=plain_tip(title))
            self.update()

    def set_two_lines(self, *, two_lines: bool) -> None:
        """The key goes under the title where charts stand side by side."""
        self._two_lines = two_lines
        self.setFixedHeight(_HEAD + (18 if two_lines else 0))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Title at the left, key at the right where there is room for both."""
        painter = self.begin()
        end = float(self.width() - _SIDE)
        key_width = text_width(self._key, NOTE_PX) + 20
        room = end - _SIDE - key_width - 16
        if self._key and self._two_lines:
            self._paint_key(painter, _SIDE, 18)
        elif self._key and room > 0:
            self._paint_key(painter, end - key_width, 0)
            end -= key_width + 12
        ink = Ink(self.look.color("text"), BODY_PX, strong=True)
        paint_text(painter, QRectF(_SIDE, 10, end - _SIDE, 20), self._title, ink)
        painter.end()

    def _paint_key(self, painter: QPainter, left: float, down: float) -> None:
        if self._mark == "dash":
            pen = QPen(self.look.color("text"), 1.4)
            pen.setDashPattern([3.5, 2.5])
            painter.setPen(pen)
            painter.drawLine(QPointF(left, 20 + down), QPointF(left + 16, 20 + down))
        elif self._mark == "band":
            painter.fillRect(QRectF(left, 14 + down, 14, 11), self.look.color("band"))
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.look.color("text2"), 1.4))
            middle = QPointF(left + 7, 20 + down)
            corners = (QPointF(0, -5), QPointF(5, 0), QPointF(0, 5), QPointF(-5, 0))
            painter.drawPolygon(QPolygonF([middle + corner for corner in corners]))
        note = Ink(self.look.color("text2"), NOTE_PX)
        paint_text(painter, QRectF(left + 20, 11 + down, self.width(), 18), self._key, note)


class ChartFrame(QWidget):
    """Title over the plot, or over the table with the same numbers."""

    def __init__(self, look: Look, plot: Plot, mark: str) -> None:
        super().__init__()
        self.plot = plot
        self.head = ChartHead(look, mark)
        self._rows = RowsModel(self)
        self._twin_rows: Sequence[Cells] = ()
        self._twin = QuietTable(self._rows, "Chart as a table")
        self._stack = QStackedLayout()
        inner = QWidget()
        inner_column = QVBoxLayout(inner)
        inner_column.setContentsMargins(_SIDE - 8, 0, _SIDE, 4)
        inner_column.addWidget(plot)
        self._stack.addWidget(inner)
        self._stack.addWidget(self._twin)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addLayout(self._stack, 1)

    def show_words(
        self,
        chart: MemoryChart | EfficiencyChart | CostChart | MapChart | None,
        key: str,
        empty: str,
    ) -> None:
        """Title, key and twin of another chart."""
        self.head.show_words(chart.title if chart else empty, key if chart else "")
        self._twin_rows = chart.twin if chart else ()
        if self.shows_twin:
            table = self.twin
            if table.isVisible():
                table.resizeColumnsToContents()

    @property
    def twin(self) -> QuietTable:
        """The table; while the plot is in front, it is filled only for who asks for it."""
        self._rows.show_rows(self._twin_rows)
        return self._twin

    @property
    def shows_twin(self) -> bool:
        """Whether the table is in front."""
        return self._stack.currentWidget() is self._twin

    def flip(self) -> None:
        """Chart to table and back, with the focus."""
        had_focus = self.plot.hasFocus() or self._twin.hasFocus()
        self._stack.setCurrentIndex(0 if self.shows_twin else 1)
        if self.shows_twin:
            self.twin.resizeColumnsToContents()
        if had_focus:
            front = self.twin if self.shows_twin else self.plot
            front.setFocus(Qt.FocusReason.OtherFocusReason)
