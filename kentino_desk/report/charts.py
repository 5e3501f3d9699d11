"""Vector painters of the charts; the numbers and words come ready from ``present``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from reportlab.platypus import Flowable

from kentino_desk.present.charts import Dash, MemoryChart
from kentino_desk.report import palette
from kentino_desk.report.fonts import REGULAR, SEMIBOLD, text_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kentino_desk.present.charts import Bar, EfficiencyChart, Line, Segment
    from kentino_desk.present.numbers import Numbers

_SMALL_PT = 9.0
_LABEL_GAP_PT = 11.0
_DASHES = {Dash.SOLID: [], Dash.PARTNER: [5, 3.5], Dash.VARIANT: [1.5, 2.2]}


@dataclass(frozen=True, slots=True)
class Plot:
    """The inside of a chart in points: its corner, its size, and the top of the y axis."""

    left: float
    bottom: float
    width: float
    height: float
    y_top: float

    def y(self, value: float) -> float:
        """Height on the page of a value."""
        return self.bottom + self.height * value / self.y_top


def round_ticks(top: float, count: int = 4) -> tuple[float, ...]:
    """About ``count`` round numbers from 0 up to ``top``.

    Example:
        >>> round_ticks(100.4)
        (0.0, 25.0, 50.0, 75.0, 100.0)
    """
    raw = top / count
    size = 10.0 ** math.floor(math.log10(raw))
    step = min((factor * size for factor in (1, 2, 2.5, 5, 10)), key=lambda item: abs(item - raw))
    return tuple(step * index for index in range(int(top / step + 1e-9) + 1))


def spread_labels(heights: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Baselines at least ``gap`` apart, as near to ``heights`` (highest first) as that allows."""
    placed: list[float] = []
    for height in heights:
        above = placed[-1] - gap if placed else high
        placed.append(min(height, above))
    floor = low
    for index in range(len(placed) - 1, -1, -1):
        placed[index] = max(placed[index], floor)
        floor = placed[index] + gap
    return placed


class MemoryDrawing(Flowable):  # type: ignore[misc]
    """One stacked bar per GPU against the capacity of the card."""

    _label_width_pt = 108.0

    def __init__(self, chart: MemoryChart, shown: Numbers, width: float) -> None:
        super().__init__()
        self.shown = shown
        self.chart, self.width, self.height = chart, width, 178.0

    def wrap(self, *_: Any) -> tuple[float, float]:
        """The size is fixed."""
        return self.width, self.height

    def draw(self) -> None:
        """Grid, band, bars, capacity line, labels."""
        chart = self.chart
        top = max(chart.capacity, *(_stack_height(bar) for bar in chart.bars)) * 1.08
        plot = Plot(31, 30, self.width - 31 - self._label_width_pt, self.height - 48, top)
        _draw_grid(self.canv, plot, _named(round_ticks(top), self.shown), chart.unit)
        self._draw_band(plot)
        self._draw_bars(plot)
        _draw_axis(self.canv, plot)
        self.canv.setStrokeColor(palette.TEXT)
        self.canv.setLineWidth(1.3)
        y = plot.y(chart.capacity)
        self.canv.line(plot.left, y, plot.left + plot.width, y)
        self._draw_labels(plot)

    def _draw_band(self, plot: Plot) -> None:
        low, high = plot.y(self.chart.band_low), plot.y(self.chart.band_high)
        self.canv.setFillColor(palette.BAND)
        self.canv.rect(plot.left, low, plot.width, high - low, stroke=0, fill=1)

    def _draw_bars(self, plot: Plot) -> None:
        groups: dict[str, list[Bar]] = {}
        for bar in self.chart.bars:
            groups.setdefault(bar.group, []).append(bar)
        slot = plot.width / (len(self.chart.bars) + 0.6 * len(groups))
        x = plot.left + slot * 0.3
        named = len(groups) > 1
        for group, bars in groups.items():
            for index, bar in enumerate(bars):
                width = min(slot - 4, 38.0)
                start = x + slot * index + (slot - width) / 2
                _draw_bar(self.canv, plot, start, width, bar)
            if named:
                middle = x + slot * len(bars) / 2
                _draw_fitting(self.canv, middle, 5, group, slot * (len(bars) + 0.5))
            x += slot * (len(bars) + 0.6)
        if not named:
            _draw_fitting(self.canv, plot.left + plot.width / 2, 5, next(iter(groups)), plot.width)
        self.canv.setFont(REGULAR, _SMALL_PT)
        self.canv.setFillColor(palette.TEXT2)
        self.canv.drawRightString(plot.left - 5, 18, "GPU")

    def _draw_labels(self, plot: Plot) -> None:
        x = plot.left + plot.width + 7
        rows = list(_labelled(self.chart.bars[0].segments, plot))
        wished = [plot.y(self.chart.capacity) - 3, *(height for height, _ in rows)]
        placed = spread_labels(wished, _LABEL_GAP_PT, 18, plot.bottom + plot.height + 2)
        self.canv.setFillColor(palette.TEXT)
        self.canv.setFont(SEMIBOLD, _SMALL_PT)
        self.canv.drawString(x, placed[0], self.chart.capacity_text)
        for baseline, (_, segment) in zip(placed[1:], rows, strict=True):
            _draw_swatch(self.canv, x, baseline, segment.key)
            self.canv.setFillColor(palette.TEXT)
            self.canv.setFont(SEMIBOLD, _SMALL_PT)
            self.canv.drawString(x + 11, baseline, segment.text)
            shift = text_width(segment.text + " ", SEMIBOLD, _SMALL_PT)
            self.canv.setFont(REGULAR, _SMALL_PT)
            self.canv.setFillColor(palette.TEXT2)
            self.canv.drawString(x + 11 + shift, baseline, segment.label)


def _stack_height(bar: Bar) -> float:
    return sum(segment.value for segment in bar.segments if segment.key != "free")


def _labelled(segments: Sequence[Segment], plot: Plot) -> list[tuple[float, Segment]]:
    rows, base = [], 0.0
    for segment in segments:
        rows.append((plot.y(base + segment.value / 2) - 3, segment))
        base += segment.value
    return rows[::-1]


def _draw_bar(canvas: Any, plot: Plot, x: float, width: float, bar: Bar) -> None:
    base = 0.0
    for segment in bar.segments:
        low, high = plot.y(base), plot.y(base + segment.value)
        base += segment.value
        if segment.key == "free":
            canvas.setStrokeColor(palette.LINE2)
            canvas.setFillColor(palette.PANEL)
            canvas.setLineWidth(0.6)
            canvas.rect(x + 0.3, low, width - 0.6, high - low, stroke=1, fill=0)
        elif high - low > 0.05:
            canvas.setFillColor(palette.SEGMENTS[segment.key])
            gap = min(0.8, (high - low) / 3)
            canvas.rect(x, low, width, high - low - gap, stroke=0, fill=1)
    canvas.setFont(REGULAR, _SMALL_PT)
    canvas.setFillColor(palette.TEXT2)
    canvas.drawCentredString(x + width / 2, plot.bottom - 12, bar.label)


def _draw_swatch(canvas: Any, x: float, baseline: float, key: str) -> None:
    canvas.setLineWidth(0.7)
    canvas.setStrokeColor(palette.LINE2)
    if key == "free":
        canvas.roundRect(x + 0.3, baseline - 0.5, 6, 7, 1, stroke=1, fill=0)
        return
    canvas.setFillColor(palette.SEGMENTS[key])
    canvas.roundRect(x, baseline - 0.5, 6.5, 7, 1, stroke=0, fill=1)


def _draw_fitting(canvas: Any, x: float, y: float, text: str, width: float) -> None:
    if text_width(text, SEMIBOLD, _SMALL_PT) > width:
        return
    canvas.setFont(SEMIBOLD, _SMALL_PT)
    canvas.setFillColor(palette.TEXT)
    canvas.drawCentredString(x, y, text)


def _draw_on(
    canvas: Any, x: float, y: float, text: str, ground: Any, colour: Any = palette.TEXT
) -> None:
    """A label on a patch of its ground, readable where a line runs under it."""
    width = text_width(text, SEMIBOLD, _SMALL_PT)
    canvas.setFillColor(ground)
    canvas.rect(x - 1.5, y - 2, width + 3, 10.5, stroke=0, fill=1)
    canvas.setFont(SEMIBOLD, _SMALL_PT)
    canvas.setFillColor(colour)
    canvas.drawString(x, y, text)


def _named(ticks: Sequence[float], shown: Numbers) -> tuple[tuple[float, str], ...]:
    return tuple((tick, shown.short(tick)) for tick in ticks)


def _draw_grid(canvas: Any, plot: Plot, ticks: Sequence[tuple[float, str]], unit: str) -> None:
    canvas.setFont(REGULAR, _SMALL_PT)
    canvas.setFillColor(palette.TEXT2)
    canvas.drawString(6, plot.bottom + plot.height + 8, unit)
    canvas.setStrokeColor(palette.GRID)
    canvas.setLineWidth(0.7)
    for tick, name in ticks:
        canvas.line(plot.left, plot.y(tick), plot.left + plot.width, plot.y(tick))
        canvas.drawRightString(plot.left - 5, plot.y(tick) - 3, name)


def _draw_axis(canvas: Any, plot: Plot) -> None:
    canvas.setStrokeColor(palette.LINE2)
    canvas.setLineWidth(0.8)
    canvas.line(plot.left, plot.bottom, plot.left + plot.width, plot.bottom)


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
        _draw_grid(self.canv, plot, _named(ticks, self.shown), self.chart.unit)
        _draw_axis(self.canv, plot)
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
        width = text_width(text, SEMIBOLD, _SMALL_PT)
        right = plot.left + plot.width - width - 6
        places = (plot.left + 6, right, (plot.left + right) / 2)
        clear = (x for x in places if not self._is_crossed(plot, x, baseline, width))
        _draw_on(self.canv, next(clear, places[0]), baseline, text, palette.SUNK)

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
        self.canv.setFont(SEMIBOLD, _SMALL_PT)
        self.canv.setFillColor(palette.TEXT)
        self.canv.drawRightString(plot.left - 5, y - 3, self.shown.short(self.chart.limit))

    def _draw_x_axis(self, plot: Plot) -> None:
        self.canv.setFont(REGULAR, _SMALL_PT)
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
        placed = spread_labels(wished, _LABEL_GAP_PT, plot.bottom - 3, plot.y(101))
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
        self.canv.setFont(SEMIBOLD, _SMALL_PT)
        self.canv.setFillColor(colour)
        self.canv.drawString(x + 7, baseline, line.label)

    def _draw_inner_name(self, plot: Plot, line: Line) -> None:
        """The name of a line that ends inside the plot stands in the free corner under it."""
        second = line.ys[min(1, len(line.ys) - 1)]
        taken = plot.y(self.chart.limit) - 12
        baseline = plot.y(second) - 18
        if abs(baseline - taken) < _LABEL_GAP_PT:
            baseline = taken - _LABEL_GAP_PT
        baseline = max(baseline, plot.bottom + 4)
        ground = palette.PANEL if baseline > plot.y(self.chart.limit) else palette.SUNK
        colour = palette.SERIES[line.series]
        _draw_on(self.canv, plot.left + 6, baseline, line.label, ground, colour)

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
        width = text_width(label, SEMIBOLD, _SMALL_PT)
        start, baseline = (x - 8 - width, y - 3) if left else (x + 8, y + 3)
        _draw_on(self.canv, start, baseline, label, palette.PANEL)


def drawing_of(chart: MemoryChart | EfficiencyChart, shown: Numbers, width: float) -> Flowable:
    """The painter of a chart."""
    if isinstance(chart, MemoryChart):
        return MemoryDrawing(chart, shown, width)
    return EfficiencyDrawing(chart, shown, width)
