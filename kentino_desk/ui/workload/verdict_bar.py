"""The verdict in one line, above the tabs of a narrow window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from kentino_desk.ui.fonts import BODY_PX, NOTE_PX, TITLE_PX
from kentino_desk.ui.labels import plain_tip
from kentino_desk.ui.marks import PIPS_WIDTH, grade_token, paint_pips
from kentino_desk.ui.painting import Ink, paint_text, text_width
from kentino_desk.ui.workload.figure_rows import Explainable

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from kentino_desk.present.views import FigureRow, VerdictView
    from kentino_desk.ui.look import Look

_FIGURES = 3
_PAD = 16


class VerdictBar(Explainable):
    """Title, grade and the first figures."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._view: VerdictView | None = None

    def show_verdict(self, view: VerdictView) -> None:
        """Draw another verdict."""
        self._view = view
        figures = [f"{row.name} {row.value}" for row in view.rows[:_FIGURES]]
        self.key = view.rows[0].key if view.rows else ""
        self.row = view.rows[0].row if view.rows else -1
        said = ", ".join([f"Verdict: {view.title}", view.grade_word, *figures])
        self.describe(said, full_text=plain_tip(f"{view.sentence} {view.stale}".strip()))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A panel with the title at the left and the figures at the right."""
        painter = self.begin("bg")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.look.color("line"), 1))
        painter.setBrush(self.look.color("panel"))
        painter.drawRoundedRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1), 6, 6)
        if self._view is not None:
            end = self._paint_figures(painter, self._view.rows[:_FIGURES])
            self._paint_title(painter, self._view, end)
        self.paint_outline(painter, QRectF(self.rect()))
        painter.end()

    def _paint_figures(self, painter: QPainter, rows: tuple[FigureRow, ...]) -> float:
        end = self.width() - float(_PAD)
        muted = Ink(self.look.color("text2"), NOTE_PX)
        for row in reversed(rows):
            tone = self.look.coded(self.look.tokens.tone(row.tone))
            width = max(text_width(row.name, NOTE_PX), text_width(row.value, strong=True))
            paint_text(
                painter,
                QRectF(end - width, 8, width, 20),
                row.value,
                Ink(tone, BODY_PX, strong=True),
            )
            paint_text(painter, QRectF(end - width, 29, width, 16), row.name, muted)
            end -= width + 24
        return end

    def _paint_title(self, painter: QPainter, view: VerdictView, end: float) -> None:
        title = Ink(self.look.color("text"), TITLE_PX, strong=True)
        box = QRectF(_PAD, 4, max(end - _PAD, 60), 28)
        paint_text(painter, box, view.title, title)
        muted = Ink(self.look.color("text2"), NOTE_PX)
        left = float(_PAD)
        if view.grade is not None:
            grade = Ink(self.look.color(grade_token(view.grade)), NOTE_PX, strong=True)
            word = f"{view.grade_word} memory"
            paint_pips(painter, self.look, left, 41, view.grade)
            left += PIPS_WIDTH + 8
            paint_text(painter, QRectF(left, 32, 160, 18), word, grade)
            left += text_width(word, NOTE_PX, strong=True) + 12
        note = view.stale or view.close_call or view.blocked
        paint_text(painter, QRectF(left, 32, max(end - left, 1), 18), note, muted)
