"""The "why?": value, formula, inputs and error of one figure; over the charts, never modal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from kentino_desk.ui.fonts import BODY_PX, NOTE_PX
from kentino_desk.ui.labels import PlainLabel, button, plain_tip, rule
from kentino_desk.ui.marks import paint_evidence
from kentino_desk.ui.painting import RIGHT, Ink, Painted, paint_text, text_width

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from kentino_desk.present.views import TraceInput, WhyView
    from kentino_desk.ui.look import Look

WIDTH = 620
_ROW = 26
_MARKED = frozenset({"measured", "vendor", "estimate"})


class EvidenceMark(Painted):
    """Shape and word of a grade of evidence."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._word = ""
        self.setFixedSize(90, 20)

    def show_word(self, word: str) -> None:
        """Another grade."""
        self._word = word
        self.describe(word)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The shape left of the word, both at the right end."""
        painter = self.begin()
        paint_grade_of_evidence(painter, self.look, QRectF(self.rect()), self._word, at_right=True)
        painter.end()


def paint_grade_of_evidence(
    painter: QPainter, look: Look, box: QRectF, word: str, *, at_right: bool = False
) -> None:
    """Shape and word; other words, such as "assumed", stand without a shape."""
    left = box.right() - text_width(word, NOTE_PX) - 18 if at_right else box.left()
    if word in _MARKED:
        paint_evidence(painter, look, QPointF(left + 6, box.center().y()), word)
        left += 18
    rest = QRectF(left, box.top(), box.right() - left, box.height())
    paint_text(painter, rest, word, Ink(look.color("text2"), NOTE_PX))


class TraceRow(Painted):
    """One input: name, value, source, evidence; Enter explains it where it can be explained."""

    opened = Signal(str)

    def __init__(self, look: Look, item: TraceInput) -> None:
        super().__init__(look)
        self.item = item
        self.setFixedHeight(_ROW)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if item.key else Qt.FocusPolicy.NoFocus)
        said = ", ".join(
            part for part in (item.name, item.value, item.source, item.evidence) if part
        )
        self.describe(said, full_text=plain_tip(said))
        if item.key:
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click explains."""
        if self.item.key and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(self.item.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter explains."""
        if self.item.key and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F1}:
            self.opened.emit(self.item.key)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Wide as the panel."""
        return QSize(400, _ROW)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Four columns under a hairline."""
        painter = self.begin()
        width, item, look = float(self.width()), self.item, self.look
        painter.fillRect(QRectF(0, 0, width, 1), look.color("line"))
        grade_left = width - 90
        value_end = 0.46 * width
        color = "accent" if item.key else "text"
        value_width = min(text_width(item.value, strong=True), value_end)
        value_box = QRectF(value_end - value_width, 0, value_width, _ROW)
        name_box = QRectF(0, 0, max(value_box.left() - 8, 60), _ROW)
        paint_text(painter, name_box, item.name, Ink(look.color(color), BODY_PX))
        paint_text(
            painter, value_box, item.value, Ink(look.color("text"), BODY_PX, strong=True), RIGHT
        )
        source = QRectF(value_end + 20, 0, grade_left - value_end - 28, _ROW)
        paint_text(painter, source, item.source, Ink(look.color("text2"), NOTE_PX))
        paint_grade_of_evidence(painter, look, QRectF(grade_left, 0, 90, _ROW), item.evidence)
        if self.hasFocus():
            painter.fillRect(QRectF(0, 1, 2, _ROW - 1), look.color("accent"))
        painter.end()


class WhyPanel(QFrame):
    """Closes on Esc; refreshes in place when its figure changes."""

    input_opened = Signal(str)
    went_back = Signal()
    closed = Signal()

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "popup")
        self.setAccessibleName("Why?")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._look = look
        self.view: WhyView | None = None
        self._title = PlainLabel("", "name")
        self._value = PlainLabel("", "figure")
        self._range = PlainLabel("", wraps=True)
        self._evidence = EvidenceMark(look)
        self._sentence = PlainLabel("", wraps=True)
        self._equation = PlainLabel("", wraps=True)
        self._symbols = PlainLabel("", "muted", wraps=True)
        self._numbers = PlainLabel("", "strong", wraps=True)
        self._tail = PlainLabel("", "muted", wraps=True)
        self._back = button("Back", "quiet", "Back to the figure before")
        self._copy = button("Copy", "quiet", "Copy the explanation")
        self._close = button("Close", "quiet")
        self._rows = QVBoxLayout()
        self._build()
        self.hide()

    def show_why(self, view: WhyView, *, can_go_back: bool) -> None:
        """Explain a figure; rows are made anew only when the figure is another one."""
        self._back.setVisible(can_go_back)
        if view == self.view:
            return
        self.view = view
        self._title.show_text(view.title)
        self._value.show_text(view.value)
        self._range.show_text(view.range)
        self._evidence.show_word(view.evidence)
        self._evidence.setVisible(bool(view.evidence))
        texts = (
            (self._sentence, view.sentence),
            (self._equation, view.equation),
            (self._symbols, "" if view.symbols in view.equation else view.symbols),
            (self._numbers, view.numbers),
            (self._tail, _tail(view)),
        )
        for label, text in texts:
            label.show_text(text)
            label.setVisible(bool(text))
        self._show_rows(view)
        self.setAccessibleDescription(view.text)

    def copy(self) -> None:
        """The whole of it to the clipboard."""
        if self.view is not None:
            QGuiApplication.clipboard().setText(self.view.text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, Backspace goes back, Ctrl+C copies."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() == Qt.Key.Key_Backspace:
            self.went_back.emit()
        elif (
            event.key() == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.copy()
        else:
            super().keyPressEvent(event)

    @property
    def rows(self) -> list[TraceRow]:
        """Rows of inputs and constants."""
        return self.findChildren(TraceRow)

    def wanted_height(self) -> int:
        """Height of everything, before the centre cuts it."""
        return self._body.sizeHint().height() + 48 + 36 + 8

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 8, 8)
        head.addWidget(self._title, 1)
        for made in (self._back, self._copy, self._close):
            head.addWidget(made)
        self._back.clicked.connect(self.went_back)
        self._copy.clicked.connect(self.copy)
        self._close.clicked.connect(self.closed)
        self._body = self._made_body()
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._body)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(rule())
        column.addWidget(area, 1)
        column.addWidget(rule())
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 8, 16, 8)
        foot.addWidget(PlainLabel("Enter on an input explains it", "note"), 1)
        foot.addWidget(PlainLabel("F1 open · Esc close · Ctrl+C copy", "note"))
        column.addLayout(foot)

    def _made_body(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self._value)
        top.addWidget(self._range, 1, Qt.AlignmentFlag.AlignBottom)
        top.addWidget(self._evidence, 0, Qt.AlignmentFlag.AlignBottom)
        column.addLayout(top)
        column.addWidget(self._sentence)
        column.addWidget(self._made_formula())
        self._rows.setSpacing(0)
        column.addLayout(self._rows)
        column.addWidget(self._tail)
        column.addStretch(1)
        return body

    def _made_formula(self) -> QFrame:
        frame = QFrame()
        frame.setProperty("role", "sunk")
        column = QVBoxLayout(frame)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        for label in (self._equation, self._symbols, self._numbers):
            column.addWidget(label)
        return frame

    def _show_rows(self, view: WhyView) -> None:
        while (entry := self._rows.takeAt(0)) is not None:
            widget = entry.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for title, items in (("Inputs", view.inputs), ("Constants", view.constants)):
            if not items:
                continue
            label = PlainLabel(title, "note")
            label.setFixedHeight(28)
            self._rows.addWidget(label)
            for item in items:
                row = TraceRow(self._look, item)
                row.opened.connect(self.input_opened)
                self._rows.addWidget(row)


def _tail(view: WhyView) -> str:
    parts = (("Expected error", view.expected_error), ("Source", view.source))
    return "\n".join(f"{name}: {text}" for name, text in parts if text)
