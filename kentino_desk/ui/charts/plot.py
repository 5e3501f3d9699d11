"""What both charts share: a plot without a frame, ink in pixels around it, hover and keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from kentino_desk.ui.fonts import NOTE_PX
from kentino_desk.ui.painting import CENTER, LEFT, RIGHT, Ink, paint_text, text_width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent

    from kentino_desk.ui.look import Look

HOVER_WITHIN_PX = 16.0


@dataclass(frozen=True, slots=True)
class Margins:
    """Room around the plot for numbers and names."""

    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True, slots=True)
class Point:
    """A point that hover and arrow keys reach, in data coordinates, with its words."""

    x: float
    y: float
    text: str


class PixelInk(QGraphicsItem):
    """Ink in pixels of the widget, under or over the data."""

    def __init__(self, paint: Callable[[QPainter], None], z_value: float) -> None:
        super().__init__()
        self._paint = paint
        self._box = QRectF()
        self.setZValue(z_value)

    def set_box(self, box: QRectF) -> None:
        """The whole of the widget."""
        self.prepareGeometryChange()
        self._box = box

    def boundingRect(self) -> QRectF:
        """The whole of the widget."""
        return self._box

    def paint(
        self,
        painter: QPainter,
        _option: QStyleOptionGraphicsItem,
        _widget: QWidget | None = None,
    ) -> None:
        """Let the chart draw."""
        self._paint(painter)


class Plot(pg.PlotWidget):  # type: ignore[misc] # pyqtgraph has no types
    """A plot that keeps its items; subclasses say what is drawn around them."""

    def __init__(self, look: Look, margins: Margins, name: str) -> None:
        super().__init__(background=look.color("panel"))
        self.look = look
        self._margins = margins
        self._name = name
        self.points: Sequence[Point] = ()
        self._current = -1
        self.area = QRectF(0, 0, 1, 1)
        """The rectangle of the data, in pixels."""
        self._ranges: tuple[tuple[float, float], tuple[float, float]] = ((0.0, 1.0), (0.0, 1.0))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self._quiet_plot()
        self._under = PixelInk(self.paint_under, -50)
        self._over = PixelInk(self.paint_over, 50)
        # Grid and axis stay the same while somebody types: they are drawn once and kept.
        self._under.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self._under_state: object = None
        for ink in (self._under, self._over):
            self.scene().addItem(ink)
        look.changed.connect(self._on_look_changed)

    def paint_under(self, painter: QPainter) -> None:
        """Grid and bands; drawn before the data."""
        raise NotImplementedError

    def paint_over(self, painter: QPainter) -> None:
        """Limits and names; drawn after the data."""
        raise NotImplementedError

    def apply_look(self) -> None:
        """Colours of the data items."""
        raise NotImplementedError

    def pixel(self, x: float, y: float) -> QPointF:
        """Pixels of a point of the data."""
        (x_low, x_high), (y_low, y_high) = self.ranges
        area = self.area
        right = (x - x_low) / (x_high - x_low)
        up = (y - y_low) / (y_high - y_low)
        return QPointF(area.left() + right * area.width(), area.bottom() - up * area.height())

    @property
    def ranges(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Range of both axes."""
        return self._ranges

    def set_ranges(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Change the range of both axes, if it is another one."""
        if (x, y) != self._ranges:
            self._ranges = (x, y)
            self.plotItem.vb.setRange(xRange=x, yRange=y, padding=0, disableAutoRange=True)

    def redraw(self, under_state: object = None) -> None:
        """Paint the names anew; the grid only when what it shows is another."""
        if under_state is not None and under_state != self._under_state:
            self._under_state = under_state
            self._under.update()
        self._over.update()

    @property
    def current(self) -> int:
        """Place of the point that is pointed at, -1 for none."""
        return self._current

    def set_points(self, points: Sequence[Point]) -> None:
        """Points that hover and keys reach."""
        self.points = points
        if self._current >= len(points):
            self._current = -1

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Keep the ink as large as the widget."""
        super().resizeEvent(event)
        if hasattr(self, "_over"):
            box = QRectF(0, 0, self.width(), self.height())
            room = self._margins
            width = max(self.width() - room.left - room.right, 1)
            height = max(self.height() - room.top - room.bottom, 1)
            self.area = QRectF(room.left, room.top, width, height)
            self._under.set_box(box)
            self._over.set_box(box)
            self.after_resize()

    def after_resize(self) -> None:
        """What depends on the size in pixels."""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the value of the nearest point within 16 px."""
        near = self._nearest(event.position())
        if near != self._current:
            self._current = near
            self.redraw()

    def leaveEvent(self, event: object) -> None:
        """The hover label goes with the mouse."""
        super().leaveEvent(event)
        self.step_to(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows step through the points, Home and End go to the ends."""
        last = len(self.points) - 1
        targets = {
            Qt.Key.Key_Right: min(self._current + 1, last),
            Qt.Key.Key_Down: min(self._current + 1, last),
            Qt.Key.Key_Left: max(self._current - 1, 0),
            Qt.Key.Key_Up: max(self._current - 1, 0),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        target = targets.get(Qt.Key(event.key()))
        if target is None or last < 0:
            event.ignore()
            return
        self.step_to(target)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Draw the edge of focus."""
        super().focusInEvent(event)
        self.redraw()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the edge and the label away."""
        super().focusOutEvent(event)
        self.step_to(-1)
        self.redraw()

    @property
    def spoken(self) -> str:
        """The words of the current point."""
        return self.points[self._current].text if 0 <= self._current < len(self.points) else ""

    def paint_grid(self, painter: QPainter, ticks: tuple[tuple[float, str], ...]) -> None:
        """Horizontal lines at round numbers, the numbers left of them, the axis at zero."""
        area = self.area
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        (x_low, _), _ = self.ranges
        for value, text in ticks:
            y = round(self.pixel(x_low, value).y())
            painter.setPen(QPen(self.look.color("line2" if value == 0 else "grid"), 1))
            painter.drawLine(int(area.left()), y, int(area.right()), y)
            box = QRectF(0, y - 8, area.left() - 8, 16)
            paint_text(painter, box, text, self.ink("text2"), RIGHT)

    def paint_unit(self, painter: QPainter, unit: str) -> None:
        """The unit, once, at the top left."""
        paint_text(painter, QRectF(8, 0, 240, 16), unit, self.ink("text2"))

    def paint_below_axis(self, painter: QPainter, x: float, text: str, *, row: int = 0) -> None:
        """A word under the axis, in the middle of ``x`` pixels."""
        box = QRectF(x - 60, self.area.bottom() + 4 + 18 * row, 120, 16)
        paint_text(
            painter, box, text, self.ink("text" if row else "text2", strong=bool(row)), CENTER
        )

    def paint_focus(self, painter: QPainter) -> None:
        """The label of the current point, and the edge of focus."""
        if 0 <= self._current < len(self.points):
            self._paint_label(painter, self.points[self._current])
        if self.hasFocus():
            painter.setPen(QPen(self.look.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(1, 1, self.width() - 2, self.height() - 2), 4, 4)

    def ink(self, color: str, *, strong: bool = False) -> Ink:
        """12 px text in a colour of the theme."""
        return Ink(self.look.color(color), NOTE_PX, strong)

    def write(
        self,
        painter: QPainter,
        at: QPointF,
        text: str,
        color: QColor,
        *,
        halo: QColor | None = None,
    ) -> None:
        """A name in weight 600 with its middle at the left of ``at``."""
        width = text_width(text, NOTE_PX, strong=True)
        box = QRectF(at.x(), at.y() - 8, width + 1, 16)
        if halo is not None:
            painter.fillRect(box.adjusted(-2, 1, 2, -1), halo)
        paint_text(painter, box, text, Ink(color, NOTE_PX, strong=True), LEFT)

    def _paint_label(self, painter: QPainter, point: Point) -> None:
        at = self.pixel(point.x, point.y)
        width = text_width(point.text, NOTE_PX) + 16
        left = min(max(at.x() - width / 2, 2), self.width() - width - 2)
        top = at.y() - 32 if at.y() > 36 else at.y() + 10
        box = QRectF(round(left) + 0.5, round(top) + 0.5, width, 22)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(self.look.color("panel"))
        painter.setPen(QPen(self.look.color("accent"), 2))
        painter.drawEllipse(at, 3.5, 3.5)
        painter.setPen(QPen(self.look.color("line2"), 1))
        painter.drawRoundedRect(box, 3, 3)
        paint_text(painter, box, point.text, self.ink("text"), CENTER)

    def _nearest(self, at: QPointF) -> int:
        best, best_distance = -1, HOVER_WITHIN_PX
        for index, point in enumerate(self.points):
            offset = self.pixel(point.x, point.y) - at
            distance = (offset.x() ** 2 + offset.y() ** 2) ** 0.5
            if distance < best_distance:
                best, best_distance = index, distance
        return best

    def step_to(self, index: int) -> None:
        """Point at another point."""
        if index != self._current:
            self._current = index
            self.setAccessibleDescription(self.spoken)
            self.redraw()

    def _quiet_plot(self) -> None:
        item = self.plotItem
        item.hideAxis("left")
        item.hideAxis("bottom")
        item.hideButtons()
        item.setMenuEnabled(False)
        item.setMouseEnabled(x=False, y=False)
        item.vb.disableAutoRange()
        room = self._margins
        item.layout.setContentsMargins(room.left, room.top, room.right, room.bottom)
        self.setFrameShape(self.Shape.NoFrame)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def _on_look_changed(self) -> None:
        self.setBackground(self.look.color("panel"))
        self.apply_look()
        self._under.update()
        self.redraw()
