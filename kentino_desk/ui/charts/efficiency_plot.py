"""Draws the scaling chart: throughput per GPU against one GPU, on a log2 axis."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen, QPolygonF

from kentino_desk.present.charts import Dash
from kentino_desk.present.numbers import numbers
from kentino_desk.ui.charts.geometry import any_crosses, spread
from kentino_desk.ui.charts.plot import Margins, Plot, Point
from kentino_desk.ui.fonts import NOTE_PX
from kentino_desk.ui.painting import CENTER, RIGHT, paint_text, text_width

if TYPE_CHECKING:
    from kentino_desk.present.charts import EfficiencyChart, Line, Mark
    from kentino_desk.ui.look import Look

_MARGINS = Margins(left=44, top=22, right=176, bottom=40)
_X_MOST = 6.0
_Y_TOP = 104.0
_TICKS = (0, 20, 40, 60, 80, 100)
_DASHES = {Dash.PARTNER: [6.0 / 2.5, 4.0 / 2.5], Dash.VARIANT: [2.0 / 2.5, 3.0 / 2.5]}
_MARK_HALF = 6.0
_LABEL_OFFSET = 8.0


class EfficiencyPlot(Plot):
    """One curve for each line, kept for good."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, _MARGINS, "Scaling")
        self.chart: EfficiencyChart | None = None
        self._curves: list[pg.PlotCurveItem] = []
        self._pixels: dict[str, list[tuple[float, float]]] = {}
        self.set_ranges((0.0, _X_MOST), (0.0, _Y_TOP))

    def show_chart(self, chart: EfficiencyChart | None) -> None:
        """Draw another chart, if it is another one."""
        if chart == self.chart:
            return
        old, self.chart = self.chart, chart
        lines = chart.lines if chart else ()
        for index, line in enumerate(lines):
            curve = self._curve(index)
            before = old.lines[index] if old and index < len(old.lines) else None
            if before is None or (before.xs, before.ys) != (line.xs, line.ys):
                curve.setData(x=[math.log2(x) for x in line.xs], y=list(line.ys))
            if before is None or _looks(before) != _looks(line):
                curve.setPen(self._pen(line))
        for index, curve in enumerate(self._curves):
            curve.setVisible(index < len(lines))
        self.set_points(tuple(_points(lines)))
        self.setAccessibleName(chart.title if chart else "Scaling, no figures yet")
        self.redraw((chart.limit, chart.unit, chart.x_label) if chart else "empty")

    def apply_look(self) -> None:
        """Colours of the curves."""
        for line, curve in zip(self.chart.lines if self.chart else (), self._curves, strict=False):
            curve.setPen(self._pen(line))

    def paint_under(self, painter: QPainter) -> None:
        """The forbidden side, the grid, the limit."""
        chart = self.chart
        if chart is None:
            return
        area = self.area
        limit_y = self.pixel(0, chart.limit).y()
        below = QRectF(area.left(), limit_y, area.width(), area.bottom() - limit_y)
        painter.fillRect(below, self.look.color("sunk"))
        ticks = tuple((float(tick), str(tick)) for tick in _TICKS if tick != chart.limit)
        self.paint_grid(painter, ticks)
        self._paint_limit(painter, chart, limit_y)
        self.paint_unit(painter, chart.unit)
        self._paint_x_axis(painter, chart)

    def paint_over(self, painter: QPainter) -> None:
        """Names of the lines, then the seller's marks."""
        chart = self.chart
        if chart is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._pixels = {line.key: self._pixels_of(line) for line in chart.lines}
        self._paint_limit_name(painter, chart)
        self._paint_end_names(painter, chart.lines)
        self._paint_inner_names(painter, chart.lines)
        for index, mark in enumerate(chart.marks):
            self._paint_mark(painter, mark, left_side=index % 2 == 1)
        self.paint_focus(painter)

    def _pixels_of(self, line: Line) -> list[tuple[float, float]]:
        found = (self.pixel(math.log2(x), y) for x, y in zip(line.xs, line.ys, strict=True))
        return [(at.x(), at.y()) for at in found]

    def _curve(self, index: int) -> pg.PlotCurveItem:
        while len(self._curves) <= index:
            curve = pg.PlotCurveItem(antialias=True)
            self.plotItem.vb.addItem(curve, ignoreBounds=True)
            self._curves.append(curve)
        return self._curves[index]

    def _pen(self, line: Line) -> QPen:
        color = self.look.coded(self.look.tokens.series(line.series))
        width = 2.5 if line.series == 1 else 2
        pen = QPen(color, width)
        pen.setCosmetic(True)
        if line.dash in _DASHES:
            pen.setDashPattern(_DASHES[line.dash])
        return pen

    def _paint_limit(self, painter: QPainter, chart: EfficiencyChart, y: float) -> None:
        area = self.area
        painter.setPen(QPen(self.look.color("text"), 1.5))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        box = QRectF(0, y - 8, area.left() - 8, 16)
        word = numbers("en").short(chart.limit)
        paint_text(painter, box, word, self.ink("text", strong=True), RIGHT)

    def _paint_limit_name(self, painter: QPainter, chart: EfficiencyChart) -> None:
        at = self._limit_name_place(chart)
        ground = self.look.color("sunk")
        self.write(painter, at, chart.limit_text, self.look.color("text"), halo=ground)

    def _limit_name_place(self, chart: EfficiencyChart) -> QPointF:
        """Under the limit line, at the left, else where no line runs through the name."""
        width = text_width(chart.limit_text, NOTE_PX, strong=True)
        limit_y = self.pixel(0, chart.limit).y()
        room = self.area.width() - width - 16
        lefts = [self.area.left() + 8 + share * room for share in (0.0, 1.0, 0.5, 0.75, 0.25)]
        boxes = [QRectF(left, limit_y + 3, width, 16) for left in lefts]
        clear = (box for box in boxes if not any(self._crosses(line, box) for line in chart.lines))
        box = next(clear, boxes[0])
        return QPointF(box.left(), box.center().y())

    def _paint_x_axis(self, painter: QPainter, chart: EfficiencyChart) -> None:
        for power in range(int(_X_MOST) + 1):
            self.paint_below_axis(painter, self.pixel(power, 0).x(), str(2**power))
        box = QRectF(self.area.left(), self.area.bottom() + 21, self.area.width(), 16)
        paint_text(painter, box, chart.x_label, self.ink("text2"), CENTER)

    def _paint_end_names(self, painter: QPainter, lines: tuple[Line, ...]) -> None:
        ending = [line for line in lines if line.label and math.log2(line.xs[-1]) >= _X_MOST - 0.1]
        wanted = [self.pixel(_X_MOST, line.ys[-1]).y() for line in ending]
        places = spread(wanted, 8, self.area.bottom() - 4)
        left = self.area.right() + _LABEL_OFFSET
        for line, y in zip(ending, places, strict=True):
            color = self.look.coded(self.look.tokens.series(line.series))
            self.write(painter, QPointF(left, y), line.label, color)

    def _paint_inner_names(self, painter: QPainter, lines: tuple[Line, ...]) -> None:
        """Lines that end inside: the name stands left of the last point, under the line."""
        taken: list[QRectF] = []
        for line in lines:
            if not line.label or math.log2(line.xs[-1]) >= _X_MOST - 0.1:
                continue
            box = self._free_box(line, taken)
            taken.append(box)
            color = self.look.coded(self.look.tokens.series(line.series))
            self.write(painter, QPointF(box.left(), box.center().y()), line.label, color)

    def _free_box(self, line: Line, taken: list[QRectF]) -> QRectF:
        width = text_width(line.label, NOTE_PX, strong=True)
        candidates = [
            *self._boxes_below(line, width),
            QRectF(self.area.left() + 8, self.area.bottom() - 24, width, 16),
        ]
        free = [box for box in candidates if not any(box.intersects(other) for other in taken)]
        clear = (box for box in free if not self._is_crossed(box))
        return next(clear, (free or candidates)[0])

    def _boxes_below(self, line: Line, width: float) -> list[QRectF]:
        end = self.pixel(math.log2(line.xs[-1]), line.ys[-1])
        right = QRectF(end.x() + _LABEL_OFFSET, end.y() - 8, width, 16)
        boxes = [right, right.translated(0, 12), right.translated(0, -14)]
        for x, y in reversed(list(zip(line.xs, line.ys, strict=True))[:-1]):
            at = self.pixel(math.log2(x), y)
            boxes.append(QRectF(at.x() - width - 10, at.y() + 4, width, 16))
            boxes.append(QRectF(at.x() + 10, at.y() - 22, width, 16))
        inside = self.area
        return [
            box for box in boxes if box.left() >= inside.left() and box.right() <= inside.right()
        ]

    def _is_crossed(self, box: QRectF) -> bool:
        chart = self.chart
        if chart is None:
            return False
        if any(box.intersects(self._mark_box(mark)) for mark in chart.marks):
            return True
        limit_y = self.pixel(0, chart.limit).y()
        if box.top() < limit_y < box.bottom():
            return True
        return any(self._crosses(line, box) for line in chart.lines)

    def _crosses(self, line: Line, box: QRectF) -> bool:
        return any_crosses(
            self._pixels[line.key],
            (box.left() - 4, box.top() - 3, box.right() + 4, box.bottom() + 3),
        )

    def _mark_box(self, mark: Mark) -> QRectF:
        at = self.pixel(math.log2(mark.x), mark.y)
        width = text_width(mark.label, NOTE_PX, strong=True) + _MARK_HALF + 6
        return QRectF(at.x() - width, at.y() - 18, 2 * width, 30)

    def _paint_mark(self, painter: QPainter, mark: Mark, *, left_side: bool) -> None:
        at = self.pixel(math.log2(mark.x), mark.y)
        half = _MARK_HALF
        painter.setPen(QPen(self.look.color("text"), 1.6))
        painter.setBrush(self.look.color("panel"))
        painter.drawPolygon(
            QPolygonF(
                [
                    at + QPointF(0, -half),
                    at + QPointF(half, 0),
                    at + QPointF(0, half),
                    at + QPointF(-half, 0),
                ]
            )
        )
        text = self.look.color("text")
        width = text_width(mark.label, NOTE_PX, strong=True)
        offset = QPointF(-half - 5 - width, 0) if left_side else QPointF(half + 4, -10)
        self.write(painter, at + offset, mark.label, text, halo=self.look.color("panel"))


def _looks(line: Line) -> tuple[int, Dash]:
    return line.series, line.dash


def _points(lines: tuple[Line, ...]) -> list[Point]:
    shown = numbers("en")
    return [
        Point(math.log2(x), y, f"{line.label}: {shown.percent(y / 100)} at {shown.whole(x)} GPUs")
        for line in lines
        for x, y in zip(line.xs, line.ys, strict=True)
    ]
