"""Vector painter of the memory chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reportlab.platypus import Flowable

from kentino_desk.report import palette
from kentino_desk.report.fonts import REGULAR, SEMIBOLD, text_width
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
    from collections.abc import Sequence

    from kentino_desk.present.charts import Bar, MemoryChart, Segment
    from kentino_desk.present.numbers import Numbers


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
        draw_grid(self.canv, plot, named_ticks(round_ticks(top), self.shown), chart.unit)
        self._draw_band(plot)
        self._draw_bars(plot)
        draw_axis(self.canv, plot)
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
        self.canv.setFont(REGULAR, SMALL_PT)
        self.canv.setFillColor(palette.TEXT2)
        self.canv.drawRightString(plot.left - 5, 18, "GPU")

    def _draw_labels(self, plot: Plot) -> None:
        x = plot.left + plot.width + 7
        rows = list(_labelled(self.chart.bars[0].segments, plot))
        wished = [plot.y(self.chart.capacity) - 3, *(height for height, _ in rows)]
        placed = spread_labels(wished, LABEL_GAP_PT, 18, plot.bottom + plot.height + 2)
        self.canv.setFillColor(palette.TEXT)
        self.canv.setFont(SEMIBOLD, SMALL_PT)
        self.canv.drawString(x, placed[0], self.chart.capacity_text)
        for baseline, (_, segment) in zip(placed[1:], rows, strict=True):
            _draw_swatch(self.canv, x, baseline, segment.key)
            self.canv.setFillColor(palette.TEXT)
            self.canv.setFont(SEMIBOLD, SMALL_PT)
            self.canv.drawString(x + 11, baseline, segment.text)
            shift = text_width(segment.text + " ", SEMIBOLD, SMALL_PT)
            self.canv.setFont(REGULAR, SMALL_PT)
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
    canvas.setFont(REGULAR, SMALL_PT)
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
    if text_width(text, SEMIBOLD, SMALL_PT) > width:
        return
    canvas.setFont(SEMIBOLD, SMALL_PT)
    canvas.setFillColor(palette.TEXT)
    canvas.drawCentredString(x, y, text)
