"""Draws cost against throughput: a dot for each build, the efficient frontier joined by dashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from kentino_desk.present.numbers import numbers
from kentino_desk.ui.charts.geometry import round_ticks
from kentino_desk.ui.charts.names import Place, place_names
from kentino_desk.ui.charts.plot import Margins, Plot, Point
from kentino_desk.ui.fonts import NOTE_PX
from kentino_desk.ui.painting import CENTER, Ink, paint_text, text_width

if TYPE_CHECKING:
    from kentino_desk.present.charts import CostChart, CostPoint
    from kentino_desk.ui.look import Look

_MARGINS = Margins(left=52, top=22, right=16, bottom=40)
_CHOSEN, _OTHER, _HALO = 7.0, 4.5, 2.0
_ROOM = 1.12
"""Room above the highest point and right of the dearest, for their names."""


class CostPlot(Plot):
    """Dots with their names; one dashed curve, kept for good."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, _MARGINS, "Cost against throughput")
        self.chart: CostChart | None = None
        self._frontier = pg.PlotCurveItem()
        self.addItem(self._frontier)
        self._ticks: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
        self.apply_look()

    def show_chart(self, chart: CostChart | None) -> None:
        """Draw another chart, if it is another one."""
        if chart == self.chart:
            return
        self.chart = chart
        points = chart.points if chart else ()
        costs = round_ticks(max((point.cost for point in points), default=1.0) * _ROOM)
        rates = round_ticks(max((point.rate for point in points), default=1.0) * _ROOM, 5)
        self._ticks = costs, rates
        self.set_ranges((0.0, costs[-1]), (0.0, rates[-1]))
        joined = chart.frontier if chart else ()
        self._frontier.setData(x=[cost for cost, _ in joined], y=[rate for _, rate in joined])
        self.set_points(tuple(Point(point.cost, point.rate, _said(point)) for point in points))
        self.setAccessibleName(chart.title if chart else "Cost against throughput, no figures yet")
        self.redraw((chart.unit, chart.x_label, costs, rates) if chart else "empty")

    def apply_look(self) -> None:
        """Colour of the frontier."""
        pen = QPen(self.look.color("text"), 1.4)
        pen.setDashPattern([5 / 1.4, 4 / 1.4])
        pen.setCosmetic(True)
        self._frontier.setPen(pen)

    def paint_under(self, painter: QPainter) -> None:
        """Grid, unit, the axis of cost."""
        if self.chart is None:
            return
        shown = numbers("en")
        costs, rates = self._ticks
        self.paint_grid(painter, tuple((tick, shown.short(tick)) for tick in rates))
        self.paint_unit(painter, self.chart.unit)
        for tick in costs:
            self.paint_below_axis(painter, self.pixel(tick, 0).x(), shown.short(tick))
        middle = self.area.center().x()
        box = QRectF(middle - 100, self.area.bottom() + 21, 200, 16)
        paint_text(painter, box, self.chart.x_label, self.ink("text2"), CENTER)

    def paint_over(self, painter: QPainter) -> None:
        """Dots, then names that keep apart."""
        if self.chart is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_names(painter, self.chart.points)
        for point in self.chart.points:
            self._paint_dot(painter, point)
        self.paint_focus(painter)

    def _paint_dot(self, painter: QPainter, point: CostPoint) -> None:
        at = self.pixel(point.cost, point.rate)
        radius = _CHOSEN if point.chosen else _OTHER
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.look.color("panel"))
        painter.drawEllipse(at, radius + _HALO, radius + _HALO)
        painter.setBrush(self.look.coded(self.look.tokens.series(point.series)))
        painter.drawEllipse(at, radius, radius)

    def _paint_names(self, painter: QPainter, points: tuple[CostPoint, ...]) -> None:
        dots = [self.pixel(point.cost, point.rate) for point in points]
        widths = [text_width(point.label, NOTE_PX, strong=True) for point in points]
        area = Place(self.area.left(), self.area.top() - 8, self.width() - 4.0, self.area.bottom())
        places = place_names([(at.x(), at.y()) for at in dots], widths, area)
        for point, place in zip(points, places, strict=True):
            color = self.look.coded(self.look.tokens.series(point.series))
            paint_text(
                painter,
                QRectF(place.left, place.top, place.right - place.left + 1, 16),
                point.label,
                Ink(color, NOTE_PX, strong=True),
            )


def _said(point: CostPoint) -> str:
    shown = numbers("en")
    return (
        f"{point.label}: {shown.plain(point.cost, 1)} thousand, {shown.figure(point.rate, 'tok/s')}"
    )
