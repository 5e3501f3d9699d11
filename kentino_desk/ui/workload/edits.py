"""Fields: a line edit with its unit beside the number, a choice, a slider, segments."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSlider,
)

from kentino_desk.ui.fonts import NOTE_PX
from kentino_desk.ui.labels import plain_tip, set_role
from kentino_desk.ui.marks import paint_check
from kentino_desk.ui.painting import RIGHT, Ink, paint_text, text_width

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

    from kentino_desk.session.field_views import FieldView
    from kentino_desk.ui.look import Look

_EDGE = 9
_GAP = 6
_KEPT = frozenset({Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_V, Qt.Key.Key_X})


class FieldEdit(QLineEdit):
    """A line edit that leaves the shortcuts of the window to the window.

    Undo is one history for the whole window, and Ctrl+K or Ctrl+E must not edit text.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)

    def event(self, event: QEvent) -> bool:
        """Claim no letter with Ctrl but those that copy, paste and select."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            held = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            if held and Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z and not _is_kept(event):
                event.ignore()
                return False
        return super().event(event)


def _is_kept(event: QKeyEvent) -> bool:
    plain = not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
    return plain and Qt.Key(event.key()) in _KEPT


class UnitEdit(FieldEdit):
    """A line edit that keeps its text a number and paints the unit beside it."""

    def __init__(self, look: Look, unit: str = "") -> None:
        super().__init__()
        self._look = look
        self._unit = ""
        self.setMaxLength(60)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.set_unit(unit)
        self.setProperty("state", "given")

    def set_unit(self, unit: str) -> None:
        """Change the unit or note at the right end."""
        if unit != self._unit:
            self._unit = unit
            right = int(text_width(unit, NOTE_PX)) + _GAP if unit else 0
            self.setTextMargins(0, 0, right, 0)
            self.update()

    def has_room_for(self, text: str, unit: str) -> bool:
        """Whether number and unit both fit; digits are never pushed out by a unit."""
        room = self.maximumWidth() - 2 * _EDGE - _GAP - text_width(unit, NOTE_PX)
        return text_width(text) <= room

    def set_state(self, state: str) -> None:
        """given, assumed or invalid: the edge changes, nothing moves."""
        set_role(self, state, "state")

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text by Qt, then the unit, then the cross of a refused entry."""
        super().paintEvent(event)
        painter = QPainter(self)
        color = "text2" if self.isEnabled() else "line2"
        box = QRectF(0, 0, self.width() - _EDGE, self.height())
        paint_text(painter, box, self._unit, Ink(self._look.color(color), NOTE_PX), RIGHT)
        if self.property("state") == "invalid":
            paint_check(painter, self._look, QPointF(13, self.height() / 2), "bad", 0.8)
        painter.end()


class Choice(QComboBox):
    """A choice that the wheel does not change by accident."""

    chosen = Signal(str)

    def __init__(self, choices: tuple[tuple[str, str], ...]) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for value, word in choices:
            self.addItem(word, value)
        self.activated.connect(self._on_activated)

    def show_value(self, value: str) -> None:
        """Select a value without telling anybody."""
        index = self.findData(value)
        if index != self.currentIndex():
            self.setCurrentIndex(index)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the form, not the choice."""
        event.ignore()

    def _on_activated(self, index: int) -> None:
        self.chosen.emit(str(self.itemData(index)))


_HANDLE = 11
"""Width of the handle of a slider with its edge."""


class LogSlider(QSlider):
    """A slider over a logarithmic range."""

    moved_to = Signal(float)
    _STEPS = 400

    def __init__(self, low: float, high: float) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._low, self._high = low, high
        self.setRange(0, self._STEPS)
        self.setSingleStep(4)
        self.setPageStep(40)
        self._ticks: tuple[float, ...] = ()
        self._tick_color = QColor()
        self.valueChanged.connect(self._on_value_changed)

    @property
    def ticks(self) -> tuple[float, ...]:
        """Values that flip the verdict."""
        return self._ticks

    def show_ticks(self, ticks: tuple[float, ...], color: QColor) -> None:
        """Mark values that flip the verdict, where the slider reaches them."""
        if (ticks, color) != (self._ticks, self._tick_color):
            self._ticks, self._tick_color = ticks, color
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The slider by Qt, then a short line at each tick."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(QPen(self._tick_color, 2))
        for value in self._ticks:
            share = math.log(max(value, self._low) / self._low) / math.log(self._high / self._low)
            if value >= self._low and share <= 1.0:
                half = _HANDLE / 2
                x = round(half + share * (self.width() - _HANDLE))
                painter.drawLine(x, self.height() // 2 + 5, x, self.height() - 2)
        painter.end()

    def show_value(self, value: float | None) -> None:
        """Move the handle without telling anybody; without a value it rests at the low end."""
        self.setEnabled(value is not None)
        value = self._low if value is None else value
        share = math.log(max(value, self._low) / self._low) / math.log(self._high / self._low)
        position = min(round(share * self._STEPS), self._STEPS)
        if position != self.value():
            self.blockSignals(True)
            self.setValue(position)
            self.blockSignals(False)
            self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the form, not the slider."""
        event.ignore()

    def _on_value_changed(self, position: int) -> None:
        raw = self._low * (self._high / self._low) ** (position / self._STEPS)
        self.moved_to.emit(_two_digits(raw))


def _two_digits(value: float) -> float:
    """Rounded to two significant digits: nobody drags to 47.31 users."""
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return max(round(value / step) * step, 1.0)


class Segments(QFrame):
    """A few words side by side, one of them chosen; arrow keys move."""

    chosen = Signal(str)

    def __init__(self, choices: tuple[tuple[str, str], ...], name: str) -> None:
        super().__init__()
        self.setProperty("role", "segments")
        self.setAccessibleName(name)
        self.setFixedHeight(28)
        self._buttons: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for value, word in choices:
            row.addWidget(self._segment(value, word, name), 1)
        list(self._buttons.values())[-1].setProperty("last", "true")

    def _segment(self, value: str, word: str, name: str) -> QPushButton:
        made = QPushButton(word)
        made.setProperty("role", "segment")
        made.setCheckable(True)
        made.setAccessibleName(f"{name}: {word}")
        made.clicked.connect(lambda _checked, value=value: self.chosen.emit(value))
        self._group.addButton(made)
        self._buttons[value] = made
        return made

    def show_value(self, value: str) -> None:
        """Select a value; one that has no segment selects none."""
        if value in self._buttons:
            self._buttons[value].setChecked(True)
            return
        self._group.setExclusive(False)
        for made in self._buttons.values():
            made.setChecked(False)
        self._group.setExclusive(True)


def show_in_edit(edit: UnitEdit, view: FieldView, *, keep_text: bool) -> None:
    """Draw a field: state and message always, the text unless the edit caused the change."""
    edit.set_state(view.state.value)
    edit.set_unit(view.unit if edit.has_room_for(view.text, view.unit) else "")
    if not keep_text and edit.text() != view.text:
        edit.setText(view.text)
    set_tip(edit, view.message)


def set_tip(widget: QWidget, text: str) -> None:
    """Change a tool tip, if it is another one."""
    tip = plain_tip(text)
    if widget.toolTip() != tip:
        widget.setToolTip(tip)
