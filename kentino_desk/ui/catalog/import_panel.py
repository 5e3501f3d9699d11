"""The importer: what came in, what was read, what must be known before it is added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from kentino_desk.present.import_words import import_findings, import_lines, size_words
from kentino_desk.present.views import Tone
from kentino_desk.session.model_import import NAME_MAX_LETTERS
from kentino_desk.session.shown import SCREEN_LANGUAGE
from kentino_desk.ui.catalog.fact_list import FactList
from kentino_desk.ui.catalog.find_field import FindField
from kentino_desk.ui.labels import CutLabel, PlainLabel, button, rule, set_role
from kentino_desk.ui.marks import paint_check
from kentino_desk.ui.painting import Painted

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from kentino_desk.session.model_import import ModelDraft
    from kentino_desk.ui.layout import Density
    from kentino_desk.ui.look import Look

HEIGHT = 272
_FACTS_WIDTH = 640
"""Wider, and the eye loses the way from a title to its value."""
_LETTERS_SHOWN = 6_000
_HOW = (
    "Drop a config.json on this screen, paste its text with Ctrl+V, or open the file. "
    "Nothing is added before you say so."
)


class CheckMark(Painted):
    """Tick, triangle or cross before a sentence."""

    def __init__(self, look: Look, tone: Tone) -> None:
        super().__init__(look)
        self._tone = tone
        self.setFixedSize(20, 20)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """One mark."""
        painter = self.begin()
        paint_check(painter, self.look, QPointF(8, 10), self._tone.value)
        painter.end()


class Findings(QScrollArea):
    """Sentences with their marks."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sentences: tuple[tuple[Tone, str], ...] = ()

    def show_findings(self, sentences: tuple[tuple[Tone, str], ...]) -> None:
        """Show other sentences, if they are others."""
        if sentences == self.sentences and self.widget() is not None:
            return
        self.sentences = sentences
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(8)
        for tone, sentence in sentences:
            row = QHBoxLayout()
            row.setSpacing(6)
            row.addWidget(CheckMark(self._look, tone), 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(PlainLabel(sentence, wraps=True), 1)
            column.addLayout(row)
        column.addStretch(1)
        self.setWidget(content)


class ImportPanel(QFrame):
    """Draws the draft; what is done goes out as signals."""

    open_asked = Signal()
    paste_asked = Signal()
    renamed = Signal(str)
    add_asked = Signal()
    closed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName("Import a model")
        self.setFixedHeight(HEIGHT)
        self._look = look
        self._title = PlainLabel("Import a model", "strong")
        self.open = button(" Open")
        self.paste = button("Paste")
        self.close_panel = button("", "quiet", "Close the importer")
        self.source = CutLabel("note")
        self.text = QPlainTextEdit()
        self.facts = FactList(look, "What was read", 0)
        self.facts.setMaximumWidth(_FACTS_WIDTH)
        self.message = PlainLabel("", wraps=True)
        self._message_mark = CheckMark(look, Tone.BAD)
        self._middle = QStackedWidget()
        self.findings = Findings(look)
        self.name = FindField("Name of the model", "Name")
        self.name_message = PlainLabel("", "message", wraps=True)
        self.add = button("Add to my models", "primary")
        self._build()
        self._connect()
        self._draw_icons()
        self.show_draft(None)

    def show_draft(self, draft: ModelDraft | None) -> None:
        """Draw what came in and what became of it."""
        self._show_source(draft)
        self._show_read(draft)
        model = draft.model if draft else None
        self.findings.show_findings(import_findings(model, SCREEN_LANGUAGE) if model else ())
        name = draft.name if draft else ""
        if self.name.text() != name:
            self.name.setText(name)
        problem = draft.name_problem if draft else ""
        self.name_message.show_text(problem)
        self.name_message.setVisible(bool(problem))
        set_role(self.name, "invalid" if problem else "given", "state")
        self.name.setEnabled(model is not None)
        self.add.setEnabled(draft is not None and draft.can_be_added)

    def set_density(self, density: Density) -> None:
        """Widths of the first and the last step."""
        narrow = density.form_is_drawer
        self._title.setVisible(not narrow)
        self._first.setFixedWidth(200 if narrow else 308)
        self._last.setFixedWidth(232 if narrow else 280 if density.compact else 332)

    def _show_source(self, draft: ModelDraft | None) -> None:
        size = size_words(draft.size_bytes, SCREEN_LANGUAGE) if draft else ""
        self.source.show_text(f"{draft.source} · {size}" if draft else "config.json")
        text = draft.data[: 4 * _LETTERS_SHOWN].decode("utf-8", "replace") if draft else ""
        cut = f"{text[:_LETTERS_SHOWN]}…" if len(text) > _LETTERS_SHOWN else text
        if self.text.toPlainText() != cut:
            self.text.setPlainText(cut)

    def _show_read(self, draft: ModelDraft | None) -> None:
        if draft is not None and draft.model is not None:
            self.facts.show_lines(import_lines(draft.model, SCREEN_LANGUAGE))
            self._middle.setCurrentIndex(0)
            return
        self._message_mark.setVisible(draft is not None)
        self.message.show_text(draft.problem if draft else _HOW)
        set_role(self.message, "body" if draft else "muted")
        self._middle.setCurrentIndex(1)

    def _build(self) -> None:
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAcceptDrops(False)
        self.text.setAccessibleName("What came in")
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.name.setMaxLength(NAME_MAX_LETTERS)
        row = QHBoxLayout(self)
        row.setContentsMargins(1, 1, 1, 1)
        row.setSpacing(0)
        self._first, self._last = self._what_came(), self._before_adding()
        row.addWidget(self._first)
        row.addWidget(_upright())
        row.addWidget(self._what_was_read(), 1)
        row.addWidget(_upright())
        row.addWidget(self._last)

    def _what_came(self) -> QWidget:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._title, 1)
        head.addWidget(self.open)
        head.addWidget(self.paste)
        return _step(head, self.source, self.text)

    def _what_was_read(self) -> QWidget:
        head = QHBoxLayout()
        head.addWidget(PlainLabel("What was read", "strong"), 1)
        refusal = QWidget()
        row = QHBoxLayout(refusal)
        row.setContentsMargins(0, 8, 0, 0)
        row.addWidget(self._message_mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.message, 1, Qt.AlignmentFlag.AlignTop)
        self._middle.addWidget(self.facts)
        self._middle.addWidget(refusal)
        return _step(head, self._middle)

    def _before_adding(self) -> QWidget:
        head = QHBoxLayout()
        head.addWidget(PlainLabel("Before it is added", "strong"), 1)
        head.addWidget(self.close_panel)
        return _step(head, self.findings, self.name_message, self.name, self.add)

    def _connect(self) -> None:
        self.open.clicked.connect(self.open_asked)
        self.paste.clicked.connect(self.paste_asked)
        self.close_panel.clicked.connect(self.closed)
        self.name.textEdited.connect(self.renamed)
        self.name.returnPressed.connect(self.add_asked)
        self.add.clicked.connect(self.add_asked)
        self._look.changed.connect(self._draw_icons)

    def _draw_icons(self) -> None:
        self.open.setIcon(self._look.icon("folder", "text"))
        self.close_panel.setIcon(self._look.icon("close", "text"))
        for made in (self.open, self.close_panel):
            made.setIconSize(QSize(20, 20))
        self.close_panel.setFixedWidth(32)


def _step(head: QHBoxLayout, *parts: QWidget) -> QWidget:
    """One of the three steps: a head of one height, so that the steps stand in a line."""
    step = QWidget()
    column = QVBoxLayout(step)
    column.setContentsMargins(16, 8, 16, 12)
    column.setSpacing(6)
    place = QWidget()
    place.setFixedHeight(32)
    head.setContentsMargins(0, 0, 0, 0)
    place.setLayout(head)
    column.addWidget(place)
    for part in parts:
        column.addWidget(part, int(isinstance(part, QScrollArea | QStackedWidget | QPlainTextEdit)))
    return step


def _upright() -> QFrame:
    line = rule()
    line.setMaximumSize(1, HEIGHT)
    line.setStyleSheet(f"max-width: 1px; min-width: 1px; max-height: {HEIGHT}px;")
    return line
