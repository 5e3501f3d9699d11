"""One candidate of the strip: name, memory grade, figure, price, one reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen

from kentino_desk.ui.fonts import BODY_PX, NAME_PX, NOTE_PX, TITLE_PX
from kentino_desk.ui.labels import plain_tip
from kentino_desk.ui.marks import PIPS_WIDTH, grade_token, paint_pips
from kentino_desk.ui.painting import Ink, Painted, lines_of, paint_text, text_width

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from kentino_desk.present.views import CandidateView
    from kentino_desk.ui.look import Look

_PAD = 12
_REASON_LINES = 2
_ONE_LINE_BELOW = 70


class CandidateCard(Painted):
    """Draws one candidate; a click or the arrow keys choose it."""

    chosen = Signal(str)
    stepped = Signal(int)
    why_asked = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.candidate: CandidateView | None = None
        self.selected = False
        self._pinned = False
        self._hides_price = False
        self._compact = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_candidate(
        self, item: CandidateView, *, selected: bool, pinned: bool, hides_price: bool
    ) -> None:
        """Draw another candidate, if anything of it is another."""
        before = self._drawn()
        self.candidate, self.selected = item, selected
        self._pinned, self._hides_price = pinned, hides_price
        if self._drawn() == before:
            return
        self.describe(self._said(item), full_text=plain_tip(f"{item.name}: {self._reason(item)}"))
        self.update()

    def set_compact(self, *, compact: bool) -> None:
        """Without reasons in the compact form."""
        self._compact = compact
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click chooses; on the figure of the chosen one it explains."""
        if event.button() != Qt.MouseButton.LeftButton or self.candidate is None:
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self.selected and self._figure_box().contains(event.position()):
            self.why_asked.emit(self.candidate.row)
        else:
            self.chosen.emit(self.candidate.id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right step, Enter explains."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is not None:
            self.stepped.emit(step)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.ask_why()
        else:
            super().keyPressEvent(event)

    def ask_why(self) -> bool:
        """Ask for the explanation of the figure."""
        if self.candidate is not None:
            self.why_asked.emit(self.candidate.row)
        return self.candidate is not None

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A panel with its lines."""
        painter = self.begin("bg")
        self._paint_panel(painter)
        if self.candidate is not None:
            self._paint_lines(painter, self.candidate)
        painter.end()

    def _drawn(self) -> object:
        """All that the card shows: other figures may change without a new picture."""
        item = self.candidate
        state = (self.selected, self._pinned, self._hides_price)
        if item is None:
            return state
        lines = (item.name, item.grade, item.grade_word, item.figure, item.figure_unit, item.price)
        return (*state, *lines, self._reason(item), item.reason_tone, item.chosen)

    def _said(self, item: CandidateView) -> str:
        price = "" if self._hides_price else item.price
        pinned = "pinned" if self._pinned else ""
        parts = (
            item.name,
            f"memory {item.grade_word}",
            f"{item.figure} {item.figure_unit}",
            price,
            self._reason(item),
            pinned,
        )
        return ", ".join(part for part in parts if part)

    def _paint_panel(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        strong = self.selected or self.hasFocus()
        color = "accent" if self.selected else "text" if self.hasFocus() else "line"
        width = 2 if strong else 1
        painter.setPen(QPen(self.look.color(color), width))
        painter.setBrush(self.look.color("panel"))
        inset = width / 2
        box = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(box, 6, 6)
        if self.selected and self.hasFocus():
            painter.setPen(QPen(self.look.color("accent"), 1))
            painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), 4, 4)

    def _paint_lines(self, painter: QPainter, item: CandidateView) -> None:
        inner = self.width() - 2 * _PAD
        text, muted = self.look.color("text"), self.look.color("text2")
        if self.height() < _ONE_LINE_BELOW:
            self._paint_one_line(painter, item)
            return
        name_width = inner - (18 if self._pinned else 0)
        name = Ink(text, BODY_PX, strong=True)
        paint_text(painter, QRectF(_PAD, 9, name_width, 20), item.name, name)
        if self._pinned:
            painter.drawPixmap(self.width() - _PAD - 16, 11, self.look.pixmap("pin", "accent", 16))
        self._paint_grade(painter, item, 40)
        if self._compact:
            box = QRectF(_PAD, 52, inner, 24)
            self._paint_figure(painter, item, box, NAME_PX, self._short_tail(item))
            return
        self._paint_figure(painter, item, self._figure_box(), TITLE_PX, item.figure_unit)
        if not self._hides_price:
            paint_text(painter, QRectF(_PAD, 84, inner, 16), item.price, Ink(muted, NOTE_PX))
        self._paint_reason(painter, item, 102)

    def _paint_grade(self, painter: QPainter, item: CandidateView, middle: float) -> None:
        paint_pips(painter, self.look, _PAD, middle, item.grade)
        left = float(_PAD + PIPS_WIDTH + 7)
        grade = Ink(self.look.color(grade_token(item.grade)), BODY_PX, strong=True)
        end = self.width() - _PAD
        paint_text(painter, QRectF(left, middle - 10, end - left, 20), item.grade_word, grade)
        left += text_width(item.grade_word, strong=True) + 7
        note = Ink(self.look.color("text2"), NOTE_PX)
        if end - left > text_width("memory", NOTE_PX):
            paint_text(painter, QRectF(left, middle - 10, end - left, 20), "memory", note)

    def _paint_figure(
        self, painter: QPainter, item: CandidateView, box: QRectF, size_px: int, tail: str
    ) -> None:
        paint_text(painter, box, item.figure, Ink(self.look.color("text"), size_px, strong=True))
        left = box.left() + text_width(item.figure, size_px, strong=True) + 7
        unit = Ink(self.look.color("text2"), NOTE_PX)
        rest = QRectF(left, box.top() + 1, max(box.right() - left, 1), box.height())
        paint_text(painter, rest, tail, unit)

    def _reason(self, item: CandidateView) -> str:
        """The reason, without what names a price in customer view."""
        return item.reason_without_price if self._hides_price else item.reason

    def _short_tail(self, item: CandidateView) -> str:
        unit, _, _ = item.figure_unit.partition(" ")
        return unit if self._hides_price else f"{unit} · {item.price}"

    def _paint_one_line(self, painter: QPainter, item: CandidateView) -> None:
        width, height = float(self.width()), float(self.height())
        columns = (0.0, 0.34, 0.56, 0.74)
        lefts = [_PAD + share * (width - 2 * _PAD) for share in columns]
        text = self.look.color("text")
        name = QRectF(lefts[0], 0, lefts[1] - lefts[0] - 8, height)
        paint_text(painter, name, item.name, Ink(text, BODY_PX, strong=True))
        grade = self.look.color(grade_token(item.grade))
        paint_pips(painter, self.look, lefts[1], height / 2, item.grade)
        word = QRectF(lefts[1] + PIPS_WIDTH + 7, 0, lefts[2] - lefts[1] - PIPS_WIDTH - 14, height)
        paint_text(painter, word, f"{item.grade_word} memory", Ink(grade, NOTE_PX, strong=True))
        figure = QRectF(lefts[2], 0, lefts[3] - lefts[2] - 8, height)
        self._paint_figure(painter, item, figure, NAME_PX, item.figure_unit)
        price = "" if self._hides_price else f"{item.price} · "
        rest = QRectF(lefts[3], 0, width - _PAD - lefts[3], height)
        paint_text(
            painter, rest, price + self._reason(item), Ink(self.look.color("text2"), NOTE_PX)
        )

    def _paint_reason(self, painter: QPainter, item: CandidateView, top: float) -> None:
        color = self.look.coded(self.look.tokens.tone(item.reason_tone))
        ink = Ink(color, NOTE_PX, strong=item.chosen)
        width = self.width() - 2 * _PAD
        for line in lines_of(self._reason(item), width, NOTE_PX, _REASON_LINES, strong=item.chosen):
            paint_text(painter, QRectF(_PAD, top, width, 16), line, ink)
            top += 16

    def _figure_box(self) -> QRectF:
        return QRectF(_PAD, 55, self.width() - 2 * _PAD, 28)
