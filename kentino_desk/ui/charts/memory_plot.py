"""Draws the memory chart: stacked bars against the capacity of the card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen

from kentino_desk.present.numbers import numbers
from kentino_desk.ui.charts.geometry import (
    Span,
    bar_spans,
    group_spans,
    round_ticks,
    spread,
)
from kentino_desk.ui.charts.items import Bars
from kentino_desk.ui.charts.plot import Margins, Plot, Point
from kentino_desk.ui.fonts import NOTE_PX
from kentino_desk.ui.painting import RIGHT, paint_text, text_width

if TYPE_CHECKING:
    from kentino_desk.present.charts import MemoryChart, Segment
    from kentino_desk.ui.look import Look

_MARGINS = Margins(left=44, top=22, right=150, bottom=42)
_SWATCH = 9
_LABEL_OFFSET = 8
_GROUPS_MOST = 9


class MemoryPlot(Plot):
    """One bar item for each part of the stack, kept for good."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, _MARGINS, "Memory per GPU")
        self.chart: MemoryChart | None = None
        self._bars: dict[str, Bars] = {}
        self._spans: tuple[Span, ...] = ()
        self._ticks: tuple[tuple[float, str], ...] = ()

    def show_chart(self, chart: MemoryChart | None) -> None:
        """Draw another chart, if it is another one."""
        if chart == self.chart:
            return
        self.chart = chart
        self._place()
        self.setAccessibleName(chart.title if chart else "Memory per GPU, no figures yet")

    def after_resize(self) -> None:
        """Bars have a width in pixels."""
        self._place()

    def apply_look(self) -> None:
        """Colours of the bars."""
        for key, item in self._bars.items():
            item.set_look(*self._style(key))

    def paint_under(self, painter: QPainter) -> None:
        """Band of the weights, then the grid over it."""
        chart = self.chart
        if chart is None:
            return
        area = self.area
        top, bottom = self.pixel(0, chart.band_high).y(), self.pixel(0, chart.band_low).y()
        box = QRectF(area.left(), top, area.width(), bottom - top)
        painter.fillRect(box, self.look.color("band"))
        self.paint_grid(painter, self._ticks)
        self.paint_unit(painter, chart.unit)

    def paint_over(self, painter: QPainter) -> None:
        """Capacity line, names of the bars, names of the parts."""
        chart = self.chart
        if chart is None or not self._spans:
            return
        area = self.area
        y = self.pixel(0, chart.capacity).y()
        painter.setPen(QPen(self.look.color("text"), 1.5))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        self._paint_names(painter, chart)
        self._paint_parts(painter, chart, y)
        self.paint_focus(painter)

    def _place(self) -> None:
        chart = self.chart
        shown = {part.key for part in chart.bars[0].segments} if chart and chart.bars else set()
        for key, item in self._bars.items():
            item.setVisible(key in shown)
        if chart is None or not chart.bars:
            self._spans = ()
            self.set_points(())
            self.redraw("empty")
            return
        total = sum(part.value for part in chart.bars[0].segments)
        ticks = round_ticks(max(chart.capacity, total))
        self._ticks = tuple((tick, numbers("en").short(tick)) for tick in ticks)
        self.set_ranges((0.0, self.area.width()), (0.0, ticks[-1]))
        self._spans = bar_spans([bar.group for bar in chart.bars], self.area.width())
        self._stack(chart)
        self.redraw((self._ticks, chart.band_low, chart.band_high, chart.unit))

    def _stack(self, chart: MemoryChart) -> None:
        points: list[Point] = []
        _, (_, top) = self.ranges
        margin = (1.0, top / self.area.height())
        base = 0.0
        for part in chart.bars[0].segments:
            boxes = [QRectF(span.left, base, span.width, part.value) for span in self._spans]
            self._bar(part.key).show_boxes(boxes, margin)
            words = f"{part.label} {part.text} GiB"
            points.append(Point(self._spans[0].middle, base + part.value / 2, words))
            base += part.value
        self.set_points(tuple(points))

    def _bar(self, key: str) -> Bars:
        if key not in self._bars:
            item = Bars(*self._style(key))
            self.plotItem.vb.addItem(item, ignoreBounds=True)
            self._bars[key] = item
        return self._bars[key]

    def _style(self, key: str) -> tuple[QBrush, QPen]:
        code = self.look.tokens.segment(key)
        brush = QBrush(self.look.coded(code)) if code else QBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(self.look.color("panel" if code else "line2"), 1)
        pen.setCosmetic(True)
        return brush, pen

    def _paint_names(self, painter: QPainter, chart: MemoryChart) -> None:
        area = self.area
        narrow = self._spans[0].width < text_width("88", NOTE_PX)
        if not narrow:
            for bar, span in zip(chart.bars, self._spans, strict=True):
                self.paint_below_axis(painter, area.left() + span.middle, bar.label)
            box = QRectF(0, area.bottom() + 4, area.left() - 8, 16)
            paint_text(painter, box, "GPU", self.ink("text2"), RIGHT)
        groups = group_spans([bar.group for bar in chart.bars], self._spans)
        step = -(-len(groups) // _GROUPS_MOST)
        for index, (name, span) in enumerate(groups):
            if index % step == 0:
                self.paint_below_axis(painter, area.left() + span.middle, name, row=1)

    def _paint_parts(self, painter: QPainter, chart: MemoryChart, capacity_y: float) -> None:
        parts, middles = self._middles(chart)
        places = spread([capacity_y, *middles], 8, self.area.bottom() - 4)
        left = self.area.right() + _LABEL_OFFSET
        at = QPointF(left, places[0])
        self.write(painter, at, chart.capacity_text, self.look.color("text"))
        for part, y in zip(parts, places[1:], strict=True):
            self._paint_part(painter, part, left, y)

    def _middles(self, chart: MemoryChart) -> tuple[list[Segment], list[float]]:
        parts: list[Segment] = []
        middles: list[float] = []
        base = 0.0
        for part in chart.bars[0].segments:
            parts.append(part)
            middles.append(self.pixel(0, base + part.value / 2).y())
            base += part.value
        return parts, middles

    def _paint_part(self, painter: QPainter, part: Segment, left: float, y: float) -> None:
        code = self.look.tokens.segment(part.key)
        swatch = QRectF(round(left) + 0.5, round(y) - _SWATCH / 2, _SWATCH - 1, _SWATCH)
        painter.setPen(QPen(self.look.coded(code) if code else self.look.color("line2"), 1))
        painter.setBrush(self.look.coded(code) if code else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(swatch, 1, 1)
        at = left + _SWATCH + 6
        self.write(painter, QPointF(at, y), part.text, self.look.color("text"))
        at += text_width(part.text, NOTE_PX, strong=True) + 4
        box = QRectF(at, y - 8, self.width() - at, 16)
        paint_text(painter, box, part.label, self.ink("text2"))
