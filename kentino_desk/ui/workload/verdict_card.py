"""The verdict card: the answer is the largest thing on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from kentino_desk.ui.fonts import BODY_PX, NAME_PX, NOTE_PX, TITLE_PX
from kentino_desk.ui.labels import plain_tip
from kentino_desk.ui.marks import PIPS_WIDTH, grade_token, paint_check, paint_pips
from kentino_desk.ui.painting import Ink, Painted, lines_of, paint_text, text_width
from kentino_desk.ui.workload.figure_rows import FigureLine

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter, QPaintEvent

    from kentino_desk.present.views import VerdictView
    from kentino_desk.ui.layout import Density
    from kentino_desk.ui.look import Look

_LINES = 2
_ROWS = 7
_MEMORY = "memory"


class VerdictHead(Painted):
    """Grade, title and sentence, each on its fixed number of lines."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._view: VerdictView | None = None
        self._compact = False
        self.set_density_compact(compact=False)

    def show_verdict(self, view: VerdictView) -> None:
        """Draw another verdict."""
        self._view = view
        self.describe(
            f"Verdict: {view.title}. {view.sentence} {view.grade_word} {view.close_call}".strip(),
            full_text=plain_tip(f"{view.sentence} {view.close_call}".strip()),
        )
        self.update()

    def set_density_compact(self, *, compact: bool) -> None:
        """Tighter lines in the compact form."""
        self._compact = compact
        self.setFixedHeight((54 if compact else 62) + _LINES * 20)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Note and grade, title, sentence."""
        painter = self.begin()
        if self._view is not None:
            self._paint_view(painter, self._view)
        painter.end()

    def _paint_view(self, painter: QPainter, view: VerdictView) -> None:
        self._paint_top(painter, view)
        top = 20 if self._compact else 24
        fits = text_width(view.title, TITLE_PX, strong=True) <= self.width()
        title = Ink(self.look.color("text"), TITLE_PX if fits else NAME_PX, strong=True)
        paint_text(painter, QRectF(0, top, self.width(), 28), view.title, title)
        body = Ink(self.look.color("text"), BODY_PX)
        for line in lines_of(view.sentence, self.width(), BODY_PX, _LINES):
            paint_text(painter, QRectF(0, top + 30, self.width(), 20), line, body)
            top += 20

    def _paint_top(self, painter: QPainter, view: VerdictView) -> None:
        muted = Ink(self.look.color("text2"), NOTE_PX)
        left = 0.0
        if view.close_call or view.stale or view.blocked:
            paint_check(painter, self.look, QPointF(8, 10), "bad" if view.blocked else "warn")
            left = 22
        word = "Close call" if view.close_call else "Verdict"
        paint_text(painter, QRectF(left, 0, 120, 20), word, muted)
        if view.grade is None:
            return
        grade = Ink(self.look.color(grade_token(view.grade)), BODY_PX, strong=True)
        memory_left = self.width() - text_width(_MEMORY, NOTE_PX)
        word_left = memory_left - 6 - text_width(view.grade_word, strong=True)
        paint_text(painter, QRectF(memory_left, 0, 80, 20), _MEMORY, muted)
        paint_text(
            painter, QRectF(word_left, 0, memory_left - word_left, 20), view.grade_word, grade
        )
        paint_pips(painter, self.look, word_left - PIPS_WIDTH - 8, 10.5, view.grade)


class VerdictNote(Painted):
    """Two lines that are always there: what is stale, a close call, what flips the verdict."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._text = ""
        self._warns = False
        self.setFixedHeight(36)

    def show_verdict(self, view: VerdictView) -> None:
        """Draw another note."""
        text = " ".join(part for part in (view.stale, view.close_call, view.flips) if part)
        warns = bool(view.stale or view.close_call)
        if (text, warns) != (self._text, self._warns):
            self._text, self._warns = text, warns
            self.describe(text, full_text=plain_tip(text))
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """At most two lines in the colour of a warning."""
        painter = self.begin()
        ink = Ink(self.look.color("warn" if self._warns else "text2"), NOTE_PX)
        for index, line in enumerate(lines_of(self._text, self.width(), NOTE_PX, 2)):
            paint_text(painter, QRectF(0, 4 + 16 * index, self.width(), 16), line, ink)
        painter.end()


class VerdictCard(QFrame):
    """Head, rows, note."""

    why_asked = Signal(str, int)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName("Verdict")
        self._look = look
        self.head = VerdictHead(look)
        self._note = VerdictNote(look)
        self.lines: list[FigureLine] = []
        self._row_height = 25
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        self._column.addWidget(self.head)
        self._column.addWidget(self._note)
        self._column.addStretch(1)

    def show_verdict(self, view: VerdictView) -> None:
        """Draw the rows that differ."""
        self.head.show_verdict(view)
        self._note.show_verdict(view)
        while len(self.lines) < len(view.rows):
            self._add_line()
        for index, line in enumerate(self.lines):
            if index < len(view.rows):
                line.show_figure(view.rows[index])
            if line.isHidden() != (index >= len(view.rows)):
                line.setVisible(index < len(view.rows))

    def set_density(self, density: Density) -> None:
        """Paddings and row heights of one class of window."""
        pad = density.padding
        self._column.setContentsMargins(pad, pad - 2, pad, 4)
        self.head.set_density_compact(compact=density.compact)
        self._row_height = 22 if density.compact else 25
        for line in self.lines:
            line.setFixedHeight(self._row_height)

    def wanted_height(self) -> int:
        """Room for the rows that a verdict has, also while it has fewer: nothing moves."""
        margins = self._column.contentsMargins()
        shown = sum(not line.isHidden() for line in self.lines)
        rows = max(shown, _ROWS) * self._row_height
        around = margins.top() + margins.bottom()
        return self.head.height() + rows + self._note.height() + around + 2

    def sizeHint(self) -> QSize:
        """Width by the page, height by content."""
        return QSize(300, self.wanted_height())

    def line_of(self, key: str) -> FigureLine | None:
        """The row of a figure."""
        return next((line for line in self.lines if line.key == key), None)

    def _add_line(self) -> None:
        line = FigureLine(self._look)
        line.setFixedHeight(self._row_height)
        line.why_asked.connect(self.why_asked)
        self.lines.append(line)
        self._column.insertWidget(len(self.lines), line)
