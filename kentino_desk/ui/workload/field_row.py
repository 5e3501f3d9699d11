"""One row of the form: name, field, slider, message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from kentino_desk.domain.workload_fields import FIELD_BY_KEY, FieldSpec
from kentino_desk.session.field_text import show_value
from kentino_desk.session.field_views import FieldState, choice_words
from kentino_desk.ui.labels import PlainLabel
from kentino_desk.ui.workload.edits import Choice, LogSlider, UnitEdit, set_tip, show_in_edit
from kentino_desk.ui.workload.form_rows import NONE_WHERE_EMPTY

if TYPE_CHECKING:
    from kentino_desk.session.field_views import FieldView
    from kentino_desk.ui.layout import Density
    from kentino_desk.ui.look import Look
    from kentino_desk.ui.workload.form_rows import FormRow

_FIELD_WIDTH = 120
_FIELD_WIDTH_COMPACT = 100
_YES_NO = (("yes", "yes"), ("no", "no"))


class FieldRow(QWidget):
    """Forwards what is typed; draws what it is told."""

    text_edited = Signal(str, str)

    def __init__(self, look: Look, row: FormRow) -> None:
        super().__init__()
        self.row = row
        self._look = look
        self.spec: FieldSpec = FIELD_BY_KEY[row.key]
        self._name = PlainLabel(row.label)
        self._assumed = PlainLabel("", "note")
        self._message = PlainLabel("", "message", wraps=True)
        self._message.hide()
        self.edit = self._made_edit(look)
        self.edit.setObjectName(row.key)
        self.slider = LogSlider(*row.slider) if row.slider else None
        self._told_ticks: object = None
        self._compact = False
        self._head = QHBoxLayout()
        self._names = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._build()
        self._connect()

    def show_view(self, view: FieldView, *, keep_text: bool, note: str = "") -> None:
        """Draw the field."""
        if isinstance(self.edit, UnitEdit):
            show_in_edit(self.edit, view, keep_text=keep_text)
        else:
            self.edit.show_value(view.text)
            set_tip(self.edit, view.message)
        if self.slider is not None:
            number = isinstance(view.value, int | float)
            self.slider.show_value(float(view.value) if number else None)  # type: ignore[arg-type]
        self._show_words(view, note)

    def show_ticks(self, ticks: tuple[float, ...], words: str) -> None:
        """Mark the values that flip the verdict; in words on the tool tip of the slider."""
        told = (ticks, words, self._look.color("text2"))
        if self.slider is not None and told != self._told_ticks:
            self._told_ticks = told
            self.slider.show_ticks(ticks, self._look.color("text2"))
            set_tip(self.slider, words)
            self.slider.setAccessibleDescription(words)

    def set_density(self, density: Density) -> None:
        """Narrow or wide; in the compact form the slider shows while its field has focus."""
        self.edit.setFixedWidth(_FIELD_WIDTH_COMPACT if density.compact else _FIELD_WIDTH)
        self._head.setContentsMargins(0, 2 if density.compact else 6, 0, 2)
        self._compact = density.compact
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._names.setDirection(beside if density.compact else below)
        self._names.setSpacing(4 if density.compact else 0)
        self._name.show_text(self._short_name() if density.compact else self.row.label)
        self._show_slider()

    def show_focus(self) -> None:
        """Show or hide the slider as the focus comes and goes."""
        self._show_slider()

    def has_focus(self) -> bool:
        """Whether the field or its slider has the focus."""
        return self.edit.hasFocus() or (self.slider is not None and self.slider.hasFocus())

    def _made_edit(self, look: Look) -> UnitEdit | Choice:
        if self.spec.kind == "choice":
            return Choice(choice_words(self.spec, "en"))
        if self.spec.kind == "bool":
            return Choice(_YES_NO)
        edit = UnitEdit(look)
        if self.row.key in NONE_WHERE_EMPTY:
            edit.setPlaceholderText("none")
        return edit

    def _build(self) -> None:
        names = self._names
        names.setSpacing(0)
        names.addWidget(self._name)
        names.addWidget(self._assumed, 1)
        for label in (self._name, self._assumed):
            label.setMinimumWidth(1)
        self._assumed.hide()
        self._head.setSpacing(8)
        self._head.addLayout(names, 1)
        self._head.addWidget(self.edit, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addWidget(self._message)
        if self.slider is not None:
            self.slider.setAccessibleName(f"{self.row.label}, slider")
            column.addWidget(self.slider)

    def _connect(self) -> None:
        if isinstance(self.edit, UnitEdit):
            self.edit.textEdited.connect(self._on_text_edited)
        else:
            self.edit.chosen.connect(self._on_text_edited)
        if self.slider is not None:
            self.slider.moved_to.connect(self._on_slider_moved)

    def _short_name(self) -> str:
        return self.row.short or self.row.label

    def _show_words(self, view: FieldView, note: str) -> None:
        assumed = view.state is FieldState.ASSUMED and bool(view.text)
        words = ", ".join(word for word in ("assumed" if assumed else "", note) if word)
        self._assumed.show_text(words)
        self._assumed.setVisible(bool(words))
        self._message.show_text(view.message)
        self._message.setVisible(bool(view.message))
        state = f", {view.state.value}" if view.state is not FieldState.GIVEN else ""
        tail = f", {note}" if note else ""
        value = f"{view.text} {view.unit}".strip() or "none"
        name = f"{self.row.label}, {value}{tail}{state}"
        if self.edit.accessibleName() != name:
            self.edit.setAccessibleName(name)
            self.edit.setAccessibleDescription(view.message)

    def _show_slider(self) -> None:
        if self.slider is not None:
            self.slider.setVisible(not self._compact or self.has_focus())

    def _on_text_edited(self, text: str) -> None:
        self.text_edited.emit(self.row.key, text)

    def _on_slider_moved(self, value: float) -> None:
        text = show_value(self.spec, int(value) if self.spec.kind == "int" else value)
        if isinstance(self.edit, UnitEdit):
            self.edit.setText(text)
        self.text_edited.emit(self.row.key, text)
