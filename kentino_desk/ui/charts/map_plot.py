"""Draws the decision map: regions with their names, lines between, the customer's point."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from kentino_desk.ui.charts.plot import Margins, Plot, Point
from kentino_desk.ui.fonts import NOTE_PX
from kentino_desk.ui.painting import CENTER, RIGHT, paint_text, text_width

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from kentino_desk.present.charts import Axis, MapChart
    from kentino_desk.ui.look import Look

_MARGINS = Margins(left=72, top=22, right=24, bottom=40)
_POINT_RADIUS = 6.0
_NAME_HEIGHT = 16.0
_KEY_STEPS = 48
"""Arrow keys cross the map in that many steps, however fine it is."""


class _Name(NamedTuple):
    """A word on the map and its middle, in data coordinates."""

    label: str
    x: float
    y: float


class _Cells(Sequence[Point]):
    """One point a cell, made when somebody looks at it."""

    def __init__(self, chart: MapChart | None) -> None:
        self._chart = chart
        self._columns = len(chart.x.values) if chart else 0

    @overload
    def __getitem__(self, place: int) -> Point: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Point]: ...

    def __getitem__(self, place: int | slice) -> Point | Sequence[Point]:
        if isinstance(place, slice):
            return [self[item] for item in range(*place.indices(len(self)))]
        chart = self._chart
        if chart is None:
            raise IndexError(place)
        row, column = divmod(place, self._columns)
        label = chart.answers[chart.exact[row][column]]
        words = f"{chart.x.shown[column]}, {chart.y.shown[row]}: {label}"
        x, y = chart.x.values[column], chart.y.values[row]
        return Point(scaled(chart.x, x), scaled(chart.y, y), words)

    def __len__(self) -> int:
        return self._columns * len(self._chart.y.values) if self._chart else 0


class MapPlot(Plot):
    """Cells as one picture, names and lines as ink over it."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, _MARGINS, "Decision map")
        self.chart: MapChart | None = None
        self._picture = pg.ImageItem(axisOrder="row-major")
        self._picture.setVisible(False)
        self.plotItem.vb.addItem(self._picture, ignoreBounds=True)
        self._names: tuple[_Name, ...] = ()
        self._edges: tuple[QLineF, ...] = ()
        self._fine_edges: tuple[QLineF, ...] = ()

    def show_chart(self, chart: MapChart | None) -> None:
        """Draw another map, if it is another one."""
        if chart == self.chart:
            return
        self.chart = chart
        self.set_points(_Cells(chart))
        self._picture.setVisible(chart is not None)
        if chart is not None:
            self.set_ranges(_range(chart.x), _range(chart.y))
            self._show_cells(chart)
        self.setAccessibleName(chart.title if chart else "Decision map, no figures yet")
        self.redraw((chart.x.ticks, chart.y.ticks, chart.y.label) if chart else "empty")

    def apply_look(self) -> None:
        """Colours of the regions."""
        if self.chart is not None:
            self._picture.setLookupTable(self._colors(self.chart))

    def after_resize(self) -> None:
        """Names and lines stand in pixels."""
        self._place_ink()

    def paint_under(self, painter: QPainter) -> None:
        """Numbers of both axes; the cells cover the rest."""
        chart = self.chart
        if chart is None:
            return
        for tick, words in chart.y.ticks:
            y = self.pixel(0, scaled(chart.y, tick)).y()
            box = QRectF(0, y - 8, self.area.left() - 8, _NAME_HEIGHT)
            paint_text(painter, box, words, self.ink("text2"), RIGHT)
        for tick, words in chart.x.ticks:
            self.paint_below_axis(painter, self.pixel(scaled(chart.x, tick), 0).x(), words)
        self.paint_unit(painter, chart.y.label)
        box = QRectF(self.area.left(), self.area.bottom() + 21, self.area.width(), _NAME_HEIGHT)
        paint_text(painter, box, chart.x.label, self.ink("text2"), CENTER)

    def paint_over(self, painter: QPainter) -> None:
        """Lines between regions, their names, the customer's point."""
        chart = self.chart
        if chart is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        # Builds of one size share a colour: a thin line is enough between them.
        painter.setPen(QPen(self.look.color("line2"), 1))
        painter.drawLines(list(self._fine_edges))
        painter.setPen(QPen(self.look.color("text"), 1.2))
        painter.drawLines(list(self._edges))
        painter.setPen(QPen(self.look.color("line2"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for name in self._names:
            half = text_width(name.label, NOTE_PX, strong=True) / 2
            at = self.pixel(name.x, name.y) - QPointF(half, 0)
            self.write(painter, at, name.label, self.look.color("text"))
        self._paint_point(painter, chart)
        self.paint_focus(painter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move over the map, from the customer's point where nothing was chosen yet."""
        chart = self.chart
        steps = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, 1),
            Qt.Key.Key_Down: (0, -1),
        }
        step = steps.get(Qt.Key(event.key()))
        if chart is None or step is None:
            super().keyPressEvent(event)
            return
        columns, rows = len(chart.x.values), len(chart.y.values)
        row, column = divmod(self.current if self.current >= 0 else self._start(chart), columns)
        column += step[0] * max(round(columns / _KEY_STEPS), 1)
        row += step[1] * max(round(rows / _KEY_STEPS), 1)
        self.step_to(min(max(row, 0), rows - 1) * columns + min(max(column, 0), columns - 1))

    def _nearest(self, at: QPointF) -> int:
        chart = self.chart
        if chart is None or not self.area.contains(at):
            return -1
        columns, rows = len(chart.x.values), len(chart.y.values)
        column = int((at.x() - self.area.left()) / self.area.width() * columns)
        row = int((self.area.bottom() - at.y()) / self.area.height() * rows)
        return min(row, rows - 1) * columns + min(column, columns - 1)

    def _start(self, chart: MapChart) -> int:
        if chart.point is None:
            return 0
        at = self.pixel(scaled(chart.x, chart.point[0]), scaled(chart.y, chart.point[1]))
        return max(self._nearest(at), 0)

    def _show_cells(self, chart: MapChart) -> None:
        self._picture.setImage(
            np.array(chart.cells, dtype=np.int16),
            autoLevels=False,
            levels=(0, max(len(chart.regions), 1)),
        )
        self._picture.setLookupTable(self._colors(chart))
        (x_low, x_high), (y_low, y_high) = self.ranges
        self._picture.setRect(QRectF(x_low, y_low, x_high - x_low, y_high - y_low))
        self._place_ink()

    def _colors(self, chart: MapChart) -> object:
        colors = [self.look.coded(self.look.tokens.map_fill(item.fill)) for item in chart.regions]
        return np.array([(c.red(), c.green(), c.blue()) for c in colors], dtype=np.ubyte)

    def _place_ink(self) -> None:
        if self.chart is None:
            return
        cells = np.array(self.chart.cells)
        fills = np.array([item.fill for item in self.chart.regions])[cells]
        self._edges = tuple(self._lines(fills))
        self._fine_edges = tuple(self._lines(cells))
        self._names = tuple(self._places_of_names(self.chart))

    def _lines(self, cells: np.ndarray) -> list[QLineF]:
        """Edges between cells that differ, in pixels; neighbours in a row are one line."""
        rows, columns = cells.shape
        width, height = self.area.width() / columns, self.area.height() / rows
        left, bottom = self.area.left(), self.area.bottom()
        lines = []
        for column, low, high in _runs(cells[:, 1:] != cells[:, :-1]):
            x = left + (column + 1) * width
            lines.append(QLineF(x, bottom - low * height, x, bottom - high * height))
        for row, low, high in _runs((cells[1:, :] != cells[:-1, :]).T):
            y = bottom - (row + 1) * height
            lines.append(QLineF(left + low * width, y, left + high * width, y))
        return lines

    def _places_of_names(self, chart: MapChart) -> list[_Name]:
        """The middle of each region that has room for its name, else of all of its colour."""
        cells = np.array(chart.cells)
        fills = np.array([item.fill for item in chart.regions])[cells]
        found = []
        for fill, class_label in enumerate(chart.class_labels):
            own = [
                self._named(item.label, cells == region)
                for region, item in enumerate(chart.regions)
                if item.fill == fill
            ]
            named = [name for name in own if name is not None]
            shared = None if named else self._named(class_label, fills == fill)
            found += named or ([shared] if shared else [])
        return found

    def _named(self, label: str, mask: np.ndarray) -> _Name | None:
        rows, columns = mask.shape
        (x_low, x_high), (y_low, y_high) = self.ranges
        width = text_width(label, NOTE_PX, strong=True) + 8
        wide = math.ceil(width / (self.area.width() / columns))
        high = math.ceil(_NAME_HEIGHT / (self.area.height() / rows))
        place = _room(mask, wide, high)
        if place is None:
            return None
        x = x_low + (place[1] + wide / 2) / columns * (x_high - x_low)
        y = y_low + (place[0] + high / 2) / rows * (y_high - y_low)
        return _Name(label, x, y)

    def _paint_point(self, painter: QPainter, chart: MapChart) -> None:
        if chart.point is None:
            return
        at = self.pixel(scaled(chart.x, chart.point[0]), scaled(chart.y, chart.point[1]))
        dashed = QPen(self.look.color("text"), 1, Qt.PenStyle.DashLine)
        painter.setPen(dashed)
        painter.drawLine(QPointF(self.area.left(), at.y()), at)
        painter.drawLine(at, QPointF(at.x(), self.area.bottom()))
        painter.setPen(QPen(self.look.color("onaccent"), 2))
        painter.setBrush(self.look.color("accent"))
        painter.drawEllipse(at, _POINT_RADIUS, _POINT_RADIUS)
        width = text_width(chart.point_text, NOTE_PX, strong=True)
        left = at.x() + 10 if at.x() + 14 + width < self.area.right() else at.x() - 10 - width
        up = -14 if at.y() - 24 > self.area.top() else 14
        self.write(
            painter,
            QPointF(left, at.y() + up),
            chart.point_text,
            self.look.color("text"),
            halo=self.look.color("panel"),
        )


def scaled(axis: Axis, value: float) -> float:
    """Where a value stands along its axis."""
    return math.log(value) if axis.is_log else value


def _range(axis: Axis) -> tuple[float, float]:
    """From the outer edge of the first cell to that of the last."""
    return scaled(axis, axis.low), scaled(axis, axis.high)


def _runs(edges: np.ndarray) -> list[tuple[int, int, int]]:
    """Line, start and end of each run of true along the first axis."""
    padded = np.pad(edges.astype(np.int8), ((1, 1), (0, 0)))
    change = np.diff(padded, axis=0)
    starts, ends = np.argwhere(change.T == 1), np.argwhere(change.T == -1)
    return [
        (int(line), int(low), int(high))
        for (line, low), (_, high) in zip(starts, ends, strict=True)
    ]


def _room(mask: np.ndarray, wide: int, high: int) -> tuple[int, int] | None:
    """Lower left cell of a free rectangle of that size, the one nearest the region's middle."""
    rows, columns = mask.shape
    if wide > columns or high > rows or not mask.any():
        return None
    sums = np.pad(mask.astype(int).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    filled = sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
    free = np.argwhere(filled == wide * high)
    if not len(free):
        return None
    middle = np.argwhere(mask).mean(axis=0) - (high / 2, wide / 2)
    row, column = free[np.abs(free - middle).sum(axis=1).argmin()]
    return int(row), int(column)
