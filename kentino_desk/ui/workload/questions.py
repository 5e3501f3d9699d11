"""The five questions: answer at the right, deciding figure and limit in the second line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout

from kentino_desk.present.views import Tone
from kentino_desk.ui.fonts import BODY_PX, NOTE_PX
from kentino_desk.ui.labels import PlainLabel, plain_tip
from kentino_desk.ui.marks import paint_check
from kentino_desk.ui.painting import RIGHT, Ink, Painted, lines_of, paint_text, text_width

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter, QPaintEvent

    from kentino_desk.present.views import QuestionView
    from kentino_desk.ui.layout import Density
    from kentino_desk.ui.look import Look

_COUNT = 5
_TICK = 22
_INDENT = 24


class QuestionLine(Painted):
    """One question."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.question: QuestionView | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_question(self, question: QuestionView | None) -> None:
        """Draw another question, if it is another one."""
        if question == self.question:
            return
        self.question = question
        if question is not None:
            said = f"{question.number}. {question.question} {question.answer}. {self._detail()}"
            self.describe(said, full_text=plain_tip(said))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Two lines under a hairline, in the middle of the row."""
        painter = self.begin()
        if self.question is not None:
            painter.fillRect(0, 0, self.width(), 1, self.look.color("line"))
            self._paint_question(painter, self.question)
        if self.hasFocus():
            painter.fillRect(0, 0, 2, self.height(), self.look.color("accent"))
        painter.end()

    def _paint_question(self, painter: QPainter, item: QuestionView) -> None:
        detail = lines_of(self._detail(), self.width() - _INDENT, NOTE_PX, self._detail_lines())
        top = (self.height() - 20 - 16 * len(detail)) / 2
        muted = self.look.color("text2")
        end = self._paint_answer(painter, item, top)
        number = Ink(muted, NOTE_PX, strong=True)
        paint_text(painter, QRectF(2, top, _INDENT, 20), str(item.number), number)
        ink = Ink(self.look.color("text"), BODY_PX, strong=item.decided)
        paint_text(painter, QRectF(_INDENT, top, end - _INDENT - 8, 20), item.question, ink)
        for index, line in enumerate(detail):
            box = QRectF(_INDENT, top + 20 + 16 * index, self.width() - _INDENT, 16)
            paint_text(painter, box, line, Ink(muted, NOTE_PX))

    def _paint_answer(self, painter: QPainter, item: QuestionView, top: float) -> float:
        """Write the answer; the left end of it."""
        end = float(self.width())
        if item.decided and item.tone in {Tone.GOOD, Tone.WARN, Tone.BAD}:
            paint_check(painter, self.look, QPointF(end - 8, top + 10), item.tone.value)
            end -= _TICK
        width = text_width(item.answer, strong=item.decided)
        color = self.look.coded(self.look.tokens.tone(item.tone))
        ink = Ink(color, BODY_PX, strong=item.decided)
        paint_text(painter, QRectF(end - width - 1, top, width + 1, 20), item.answer, ink, RIGHT)
        return end - width

    def _detail(self) -> str:
        if self.question is None:
            return ""
        return self.question.detail

    def _detail_lines(self) -> int:
        return 2 if self.height() >= 58 else 1


class Questions(QFrame):
    """Title and five rows that share the height."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName("Five questions")
        self._look = look
        self.lines = [QuestionLine(look) for _ in range(_COUNT)]
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        self._column.addWidget(PlainLabel("Five questions", "strong"))
        self._column.addSpacing(6)
        for line in self.lines:
            self._column.addWidget(line, 1)

    def show_questions(self, questions: tuple[QuestionView, ...]) -> None:
        """Draw the rows that differ; a rule that was added brings its row."""
        while len(self.lines) < len(questions):
            self.lines.append(QuestionLine(self._look))
            self._column.addWidget(self.lines[-1], 1)
        for index, line in enumerate(self.lines):
            line.show_question(questions[index] if index < len(questions) else None)

    def set_density(self, density: Density) -> None:
        """Paddings of one class of window."""
        pad = density.padding
        self._column.setContentsMargins(pad, pad - 4, pad, 4)
