"""Vector painter of the scaling chart."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from reportlab.platypus import Flowable

from kentino_desk.present.charts import Dash
from kentino_desk.report import palette
from kentino_desk.report.fonts import REGULAR, SEMIBOLD, text_width
from kentino_desk.report.plot import (
    LABEL_GAP_PT,
    SMALL_PT,
    Plot,
    draw_axis,
    draw_grid,
    draw_on,
    named_ticks,
    spread_labels,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kentino_desk.present.charts import EfficiencyChart, Line
    from kentino_desk.present.numbers import Numbers

_DASHES: dict[Dash, list[float]] = {
    Dash.SOLID: [],
    Dash.PARTNER: [5, 3.5],
    Dash.VARIANT: [1.5, 2.2],
}


class EfficiencyDrawing(Flowable):  # type: ignore[misc]
    """Throughput per GPU against one GPU, over a log2 axis of GPUs."""

    _label_width_pt = 136.0
    _gpus = (1, 2, 4, 8, 16, 32, 64)

    def __init__(self, chart: EfficiencyChart, shown: Numbers, width: float) -> None:
        super().__init__()
        self.shown = shown
        self.chart, self.width, self.height = chart, width, 182.0

    def wrap(self, *_: Any) -> tuple[float, float]:
        """The size is fixed."""
        return self.width, self.height

    def draw(self) -> None:
        """Forbidden side, grid, limit, lines with their names, marks."""
        plot = Plot(31, 34, self.width - 31 - self._label_width_pt, self.height - 54, 104.0)
        self.canv.setFillColor(palette.SUNK)
        limit_y = plot.y(self.chart.limit)
        self.canv.rect(plot.left, plot.bottom, plot.width, limit_y - plot.bottom, stroke=0, fill=1)
        ticks = tuple(tick for tick in (0.0, 20.0, 40.0, 80.0, 100.0) if tick != self.chart.limit)
        draw_grid(self.canv, plot, named_ticks(ticks, self.shown), self.chart.unit)
        draw_axis(self.canv, plot)
        self._draw_limit(plot, limit_y)
        self._draw_x_axis(plot)
        for line in self.chart.lines:
            self._draw_line(plot, line)
        self._draw_names(plot)
        self._draw_marks(plot)
        self._draw_limit_text(plot, limit_y - 12)

    def _x(self, plot: Plot, gpus: float) -> float:
        return plot.left + plot.width * math.log2(gpus) / math.log2(self._gpus[-1])

    def _draw_limit_text(self, plot: Plot, baseline: float) -> None:
        """Under the limit, where no line runs: left, right, or in the middle."""
        text = self.chart.limit_text
        width = text_width(text, SEMIBOLD, SMALL_PT)
        right = plot.left + plot.width - width - 6
        places = (plot.left + 6, right, (plot.left + right) / 2)
        clear = (x for x in places if not self._is_crossed(plot, x, baseline, width))
        draw_on(self.canv, next(clear, places[0]), baseline, text, palette.SUNK)

    def _is_crossed(self, plot: Plot, x: float, baseline: float, width: float) -> bool:
        return any(
            x - 4 <= px <= x + width + 4 and baseline - 4 <= py <= baseline + 11
            for line in self.chart.lines
            for px, py in self._points_between(plot, line)
        )

    def _points_between(self, plot: Plot, line: Line) -> Iterator[tuple[float, float]]:
        ends = [(self._x(plot, x), plot.y(y)) for x, y in zip(line.xs, line.ys, strict=True)]
        for (x0, y0), (x1, y1) in pairwise(ends):
            for part in range(17):
                share = part / 16
                yield x0 + (x1 - x0) * share, y0 + (y1 - y0) * share

    def _draw_limit(self, plot: Plot, y: float) -> None:
        self.canv.setStrokeColor(palette.TEXT)
        self.canv.setLineWidth(1.2)
        self.canv.line(plot.left, y, plot.left + plot.width, y)
        self.canv.setFont(SEMIBOLD, SMALL_PT)
        self.canv.setFillColor(palette.TEXT)
        self.canv.drawRightString(plot.left - 5, y - 3, self.shown.short(self.chart.limit))

    def _draw_x_axis(self, plot: Plot) -> None:
        self.canv.setFont(REGULAR, SMALL_PT)
        self.canv.setFillColor(palette.TEXT2)
        for gpus in self._gpus:
            self.canv.drawCentredString(self._x(plot, gpus), plot.bottom - 12, str(gpus))
        middle = plot.left + plot.width / 2
        self.canv.drawCentredString(middle, plot.bottom - 25, self.chart.x_label)

    def _draw_line(self, plot: Plot, line: Line) -> None:
        self.canv.setStrokeColor(palette.SERIES[line.series])
        self.canv.setLineWidth(2.0 if line.series == 1 else 1.6)
        self.canv.setDash(_DASHES[line.dash])
        path = self.canv.beginPath()
        points = [(self._x(plot, x), plot.y(y)) for x, y in zip(line.xs, line.ys, strict=True)]
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        self.canv.drawPath(path, stroke=1, fill=0)
        self.canv.setDash([])
        if len(points) == 1 or line.xs[0] > 1:
            self.canv.setFillColor(palette.SERIES[line.series])
            self.canv.circle(*points[0], 2.2, stroke=0, fill=1)

    def _draw_names(self, plot: Plot) -> None:
        last = self._gpus[-1]
        ending = [line for line in self.chart.lines if line.xs[-1] >= last]
        ordered = sorted(ending, key=lambda line: -line.ys[-1])
        wished = [plot.y(line.ys[-1]) - 3 for line in ordered]
        placed = spread_labels(wished, LABEL_GAP_PT, plot.bottom - 3, plot.y(101))
        x = plot.left + plot.width
        for line, baseline in zip(ordered, placed, strict=True):
            self._draw_end_name(x, plot.y(line.ys[-1]), baseline, line)
        for line in self.chart.lines:
            if line.xs[-1] < last:
                self._draw_inner_name(plot, line)

    def _draw_end_name(self, x: float, end_y: float, baseline: float, line: Line) -> None:
        colour = palette.SERIES[line.series]
        if abs(baseline + 3 - end_y) > 2:
            self.canv.setStrokeColor(colour)
            self.canv.setLineWidth(0.4)
            self.canv.line(x + 1, end_y, x + 5, baseline + 3)
        self.canv.setFont(SEMIBOLD, SMALL_PT)
        self.canv.setFillColor(colour)
        self.canv.drawString(x + 7, baseline, line.label)

    def _draw_inner_name(self, plot: Plot, line: Line) -> None:
        """The name of a line that ends inside the plot stands in the free corner under it."""
        second = line.ys[min(1, len(line.ys) - 1)]
        taken = plot.y(self.chart.limit) - 12
        baseline = plot.y(second) - 18
        if abs(baseline - taken) < LABEL_GAP_PT:
            baseline = taken - LABEL_GAP_PT
        baseline = max(baseline, plot.bottom + 4)
        ground = palette.PANEL if baseline > plot.y(self.chart.limit) else palette.SUNK
        colour = palette.SERIES[line.series]
        draw_on(self.canv, plot.left + 6, baseline, line.label, ground, colour)

    def _draw_marks(self, plot: Plot) -> None:
        for index, mark in enumerate(sorted(self.chart.marks, key=lambda item: -item.y)):
            x, y, r = self._x(plot, mark.x), plot.y(mark.y), 4.6
            path = self.canv.beginPath()
            path.moveTo(x, y + r)
            for dx, dy in ((r, 0), (0, -r), (-r, 0)):
                path.lineTo(x + dx, y + dy)
            path.close()
            self.canv.setFillColor(palette.PANEL)
            self.canv.setStrokeColor(palette.TEXT)
            self.canv.setLineWidth(1.2)
            self.canv.drawPath(path, stroke=1, fill=1)
            self._draw_mark_label(x, y, mark.label, left=index % 2 == 1)

    def _draw_mark_label(self, x: float, y: float, label: str, *, left: bool) -> None:
        width = text_width(label, SEMIBOLD, SMALL_PT)
        start, baseline = (x - 8 - width, y - 3) if left else (x + 8, y + 3)
        draw_on(self.canv, start, baseline, label, palette.PANEL)
