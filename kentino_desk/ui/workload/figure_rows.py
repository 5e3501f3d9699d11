"""Rows of the verdict card: name, value, range and wish; each answers "why?"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen

from kentino_desk.ui.fonts import BODY_PX, NOTE_PX
from kentino_desk.ui.labels import plain_tip
from kentino_desk.ui.painting import RIGHT, Ink, Painted, paint_text, text_width

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from kentino_desk.present.views import FigureRow
    from kentino_desk.ui.look import Look

_VALUE_SHARE = 0.60
_GAP = 8


class Explainable(Painted):
    """Something that a click, Enter or F1 explains."""

    why_asked = Signal(str, int)

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.key = ""
        self.row = -1
        self.explained = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_explained(self, *, explained: bool) -> None:
        """Draw the outline of the figure that is being explained."""
        if self.explained != explained:
            self.explained = explained
            self.update()

    def ask_why(self) -> bool:
        """Ask for the explanation; False when there is nothing to explain."""
        if self.key:
            self.why_asked.emit(self.key, self.row)
        return bool(self.key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click explains."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.ask_why()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter explains."""
        if event.key() not in {Qt.Key.Key_Return, Qt.Key.Key_Enter} or not self.ask_why():
            super().keyPressEvent(event)

    def paint_outline(self, painter: QPainter, box: QRectF) -> None:
        """The edge of focus, or of the figure that is explained."""
        if self.hasFocus() or self.explained:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.look.color("accent"), 2))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)


class FigureLine(Explainable):
    """One figure of the verdict card."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._figure: FigureRow | None = None

    def show_figure(self, figure: FigureRow) -> None:
        """Draw another figure, if it is another one."""
        if figure == self._figure:
            return
        self._figure = figure
        self.key, self.row = figure.key, figure.row
        self.setCursor(
            Qt.CursorShape.PointingHandCursor if figure.key else Qt.CursorShape.ArrowCursor
        )
        parts = (figure.name, figure.value, figure.beside, figure.evidence)
        name = ", ".join(part for part in parts if part)
        self.describe(name, full_text=plain_tip(name))
        self.update()

    def sizeHint(self) -> QSize:
        """As high as the card says."""
        return QSize(200, self.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Hairline above, name at the left, value at 60 %, range and wish at the right."""
        painter = self.begin()
        width, height = self.width(), self.height()
        painter.fillRect(0, 0, width, 1, self.look.color("line"))
        if self._figure is not None:
            self._paint_figure(painter, self._figure, width, height)
        painter.end()

    def _paint_figure(self, painter: QPainter, figure: FigureRow, width: int, height: int) -> None:
        size_px, beside = _fitting(figure, width)
        end = width - text_width(beside, NOTE_PX) - _GAP if beside else width
        # A short note leaves the value in its column; a long one pushes it to the left.
        value_width = text_width(figure.value, size_px, strong=True)
        wanted = max(_VALUE_SHARE * width, text_width(figure.name) + 2 * _GAP + value_width)
        value_end = min(wanted, end) if figure.key else end
        value_width = min(value_width, value_end)
        tone = self.look.coded(self.look.tokens.tone(figure.tone))
        muted = self.look.color("text2")
        value_box = QRectF(value_end - value_width, 0, value_width, height)
        name_box = QRectF(0, 0, max(value_box.left() - _GAP, 40), height)
        paint_text(painter, name_box, figure.name, Ink(self.look.color("text")))
        paint_text(painter, value_box, figure.value, Ink(tone, size_px, strong=True), RIGHT)
        beside_box = QRectF(value_end + _GAP, 0, width - value_end - _GAP, height)
        paint_text(painter, beside_box, beside, Ink(muted, NOTE_PX), RIGHT)
        self.paint_outline(painter, value_box.adjusted(-_GAP, 1, 6, 0))


def _fitting(figure: FigureRow, width: float) -> tuple[int, str]:
    """Size of the value and the note beside it: smaller, then without note, until all fits."""
    name = text_width(figure.name) + 2 * _GAP
    note = text_width(figure.beside, NOTE_PX) + _GAP if figure.beside else 0
    if name + text_width(figure.value, BODY_PX, strong=True) + note <= width:
        return BODY_PX, figure.beside
    if name + text_width(figure.value, NOTE_PX, strong=True) + note <= width:
        return NOTE_PX, figure.beside
    return NOTE_PX, ""
