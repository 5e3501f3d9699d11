"""Widgets that paint their own text: cheap to change, and nothing moves when a number grows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QStaticText, QTextLayout, QTextOption, QTransform
from PySide6.QtWidgets import QWidget

from kentino_desk.ui.fonts import BODY_PX, font, metrics

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QFont

    from kentino_desk.ui.look import Look

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTER = Qt.AlignmentFlag.AlignCenter
_SHARES = {LEFT: 0.0, CENTER: 0.5, RIGHT: 1.0}


@dataclass(frozen=True, slots=True)
class Ink:
    """How a text is written."""

    color: QColor
    size_px: int = BODY_PX
    strong: bool = False


@lru_cache(maxsize=4096)
def text_width(text: str, size_px: int = BODY_PX, *, strong: bool = False) -> float:
    """Width of a text on one line."""
    return metrics(size_px, strong=strong).horizontalAdvance(text)


def paint_text(
    painter: QPainter, box: QRectF, text: str, ink: Ink, align: Qt.AlignmentFlag = LEFT
) -> bool:
    """Write one line into a box, cut with an ellipsis where it is too long; True when cut."""
    left, top, room, height = box.left(), box.top(), box.width(), box.height()
    laid = _laid_out(text, ink.size_px, ink.strong)
    if laid.width > room + 0.5:
        laid = _laid_out(_cut(text, ink.size_px, ink.strong, room + 0.5), ink.size_px, ink.strong)
    painter.setFont(laid.font)
    painter.setPen(ink.color)
    at = QPointF(left + _SHARES[align] * (room - laid.width), top + (height - laid.height) / 2)
    painter.drawStaticText(at, laid.text)
    return laid.shown != text


class _LaidOut(NamedTuple):
    """A text shaped once, because shaping costs more than drawing, and its size on one line."""

    shown: str
    text: QStaticText
    font: QFont
    width: float
    height: float


@lru_cache(maxsize=4096)
def _laid_out(text: str, size_px: int, strong: bool) -> _LaidOut:
    made = QStaticText(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    face = font(size_px, strong=strong)
    made.prepare(QTransform(), face)
    width = text_width(text, size_px, strong=strong)
    return _LaidOut(text, made, face, width, metrics(size_px, strong=strong).height())


@lru_cache(maxsize=4096)
def _cut(text: str, size_px: int, strong: bool, width: float) -> str:
    if text_width(text, size_px, strong=strong) <= width:
        return text
    mode = Qt.TextElideMode.ElideRight
    return metrics(size_px, strong=strong).elidedText(text, mode, width)


@lru_cache(maxsize=1024)
def lines_of(
    text: str, width: float, size_px: int, count: int, *, strong: bool = False
) -> tuple[str, ...]:
    """A text broken into at most ``count`` lines, the last one cut where needed."""
    layout = QTextLayout(text, font(size_px, strong=strong))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout.setTextOption(option)
    layout.beginLayout()
    starts: list[int] = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        starts.append(line.textStart())
    layout.endLayout()
    ends = [*starts[1:], len(text)]
    lines = [text[a:b].rstrip() for a, b in zip(starts, ends, strict=True)]
    if len(lines) <= count:
        return tuple(lines)
    rest = text[starts[count - 1] :]
    cut = metrics(size_px, strong=strong).elidedText(rest, Qt.TextElideMode.ElideRight, width)
    return (*lines[: count - 1], cut)


class Painted(QWidget):
    """A widget with one paint method and the look of the window."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        # The widget paints all of itself, so that nothing behind it is painted for each key.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        look.changed.connect(self.update)

    def begin(self, ground: str = "panel") -> QPainter:
        """A painter over an empty ground."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.look.color(ground))
        return painter

    def describe(self, name: str, *, full_text: str = "") -> None:
        """Say to a screen reader what is shown, and show in a tool tip what was cut."""
        if self.accessibleName() != name:
            self.setAccessibleName(name)
        if self.toolTip() != full_text:
            self.setToolTip(full_text)
