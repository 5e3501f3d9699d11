"""Vector painter of cost against throughput."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reportlab.platypus import Flowable

from kentino_desk.report import palette
from kentino_desk.report.fonts import REGULAR, SEMIBOLD
from kentino_desk.report.plot import (
    LABEL_GAP_PT,
    SMALL_PT,
    Plot,
    draw_axis,
    draw_grid,
    named_ticks,
    round_ticks,
    spread_labels,
)

if TYPE_CHECKING:
    from kentino_desk.present.charts import CostChart, CostPoint
    from kentino_desk.present.numbers import Numbers

_ROOM = 1.15
"""Room above the fastest and right of the dearest build."""
_CHOSEN, _OTHER = 4.2, 2.8
_NAMES_WIDTH = 150.0


class CostDrawing(Flowable):  # type: ignore[misc]
    """A dot for each build, the efficient frontier joined by dashes, names at the right."""

    def __init__(self, chart: CostChart, shown: Numbers, width: float) -> None:
        super().__init__()
        self.chart, self.shown, self.width, self.height = chart, shown, width, 170.0

    def wrap(self, *_: Any) -> tuple[float, float]:
        """The size is fixed."""
        return self.width, self.height

    def draw(self) -> None:
        """Grid, axes, frontier, dots, names."""
        points = self.chart.points
        top = max(point.rate for point in points) * _ROOM
        right = max(point.cost for point in points) * _ROOM
        plot = Plot(38, 34, self.width - 38 - _NAMES_WIDTH, self.height - 54, top)
        draw_grid(self.canv, plot, named_ticks(round_ticks(top), self.shown), self.chart.unit)
        draw_axis(self.canv, plot)
        self._draw_costs(plot, right)
        self._draw_frontier(plot, right)
        for point in points:
            self._draw_dot(plot, right, point)
        self._draw_names(plot, right)

    def _x(self, plot: Plot, right: float, cost: float) -> float:
        return plot.left + plot.width * cost / right

    def _draw_costs(self, plot: Plot, right: float) -> None:
        self.canv.setFont(REGULAR, SMALL_PT)
        self.canv.setFillColor(palette.TEXT2)
        for tick, name in named_ticks(round_ticks(right), self.shown):
            self.canv.drawCentredString(self._x(plot, right, tick), plot.bottom - 12, name)
        middle = plot.left + plot.width / 2
        self.canv.drawCentredString(middle, plot.bottom - 25, self.chart.x_label)

    def _draw_frontier(self, plot: Plot, right: float) -> None:
        places = [(self._x(plot, right, cost), plot.y(rate)) for cost, rate in self.chart.frontier]
        if len(places) < 2:
            return
        path = self.canv.beginPath()
        path.moveTo(*places[0])
        for place in places[1:]:
            path.lineTo(*place)
        self.canv.setStrokeColor(palette.TEXT)
        self.canv.setLineWidth(1.0)
        self.canv.setDash([4, 3])
        self.canv.drawPath(path, stroke=1, fill=0)
        self.canv.setDash([])

    def _draw_dot(self, plot: Plot, right: float, point: CostPoint) -> None:
        x, y = self._x(plot, right, point.cost), plot.y(point.rate)
        radius = _CHOSEN if point.chosen else _OTHER
        self.canv.setFillColor(palette.PANEL)
        self.canv.circle(x, y, radius + 1.2, stroke=0, fill=1)
        self.canv.setFillColor(palette.SERIES[point.series])
        self.canv.circle(x, y, radius, stroke=0, fill=1)

    def _draw_names(self, plot: Plot, right: float) -> None:
        """Names in a column at the right, each joined to its dot by a thin line."""
        ordered = sorted(self.chart.points, key=lambda point: -point.rate)
        wished = [plot.y(point.rate) - 3 for point in ordered]
        high = plot.bottom + plot.height
        placed = spread_labels(wished, LABEL_GAP_PT, plot.bottom, high)
        edge = plot.left + plot.width
        for point, baseline in zip(ordered, placed, strict=True):
            colour = palette.SERIES[point.series]
            self.canv.setStrokeColor(colour)
            self.canv.setLineWidth(0.3)
            x, y = self._x(plot, right, point.cost), plot.y(point.rate)
            self.canv.line(x + _CHOSEN + 1, y, edge + 4, baseline + 3)
            self.canv.setFont(SEMIBOLD, SMALL_PT)
            self.canv.setFillColor(colour)
            self.canv.drawString(edge + 6, baseline, point.label)
