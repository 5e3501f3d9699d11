"""The top bar: what is open, whether it is saved, undo, customer view, export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from kentino_desk.session.state import Screen, Theme
from kentino_desk.ui.labels import CutLabel, PlainLabel, button, set_role

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.layout import Density
    from kentino_desk.ui.look import Look

_HEIGHT = 48
_MESSAGE_MS = 8_000


class TopBar(QWidget):
    """Everything here is an action of the table or a label."""

    def __init__(self, look: Look, actions: dict[str, QAction], *, is_sample: bool) -> None:
        super().__init__()
        self.setProperty("role", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Top bar")
        self.setFixedHeight(_HEIGHT)
        self._look = look
        self._actions = actions
        self._is_sample = is_sample
        self._name = CutLabel("strong")
        self._customer = CutLabel("muted")
        self._sample = PlainLabel("SAMPLE PRICES", "sample")
        self._logo = QLabel()
        self._state = CutLabel("note")
        self._saved = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_MESSAGE_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self.icons = {name: self._icon_button(name) for name in ("undo", "redo", "open", "theme")}
        self.customer_view = button("Customer view", "quiet")
        self.export = button("Export PDF", "primary")
        self._build()
        look.changed.connect(self._draw_icons)
        self._draw_icons()

    def show_moment(self, new: Shown) -> None:
        """Draw what differs."""
        state = new.moment.state
        customer = state.view.customer
        name = state.file.stem if state.file else "New workload"
        self._name.show_text(state.customer or "Customer view" if customer else name)
        about = (
            state.project if customer else " · ".join(filter(None, (state.customer, state.project)))
        )
        self._customer.show_text(about)
        self._sample.setVisible(self._is_sample and not customer)
        self._saved = "" if customer else _save_words(new)
        if not self._timer.isActive():
            self._state.show_text(self._saved)
        self.customer_view.setText(" Leave customer view  F9" if customer else " Customer view  F9")
        self._show_export(new)

    def show_message(self, text: str) -> None:
        """Say what happened, for eight seconds."""
        self._state.show_text(text)
        self._timer.start()

    @property
    def message(self) -> str:
        """What the bar says at the moment."""
        return self._state.accessibleName()

    def set_history(self, *, can_undo: bool, can_redo: bool) -> None:
        """Whether there is something to undo or to redo."""
        self.icons["undo"].setEnabled(can_undo)
        self.icons["redo"].setEnabled(can_redo)

    def set_density(self, density: Density) -> None:
        """Where the name begins."""
        self._logo.setFixedWidth(density.rail)

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 16, 1)
        row.setSpacing(8)
        self._logo.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._logo.setPixmap(self._look.pixmap("logo", size_px=24))
        self._logo.setAccessibleName("Kentino Desk")
        for label in (self._sample, self._name, self._customer):
            label.setSizePolicy(label.sizePolicy().horizontalPolicy(), QSizePolicy.Policy.Fixed)
        row.addWidget(self._logo)
        row.addSpacing(4)
        for widget in (self._name, self._customer, self._sample):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._state)
        for made in self.icons.values():
            row.addWidget(made)
        row.addWidget(_divider())
        row.addWidget(self.customer_view)
        row.addWidget(self.export)
        self.customer_view.clicked.connect(self._actions["customer_view"].trigger)
        self.customer_view.setToolTip(self._actions["customer_view"].toolTip())
        self.export.clicked.connect(self._actions["export"].trigger)
        self.export.setToolTip(self._actions["export"].toolTip())

    def _icon_button(self, name: str) -> QPushButton:
        action = self._actions[name]
        made = button("", "quiet", action.text())
        made.setFixedWidth(32)
        made.setIconSize(QSize(20, 20))
        made.setToolTip(action.toolTip())
        made.clicked.connect(action.trigger)
        return made

    def _draw_icons(self) -> None:
        names = {"undo": "undo", "redo": "redo", "open": "folder", "theme": "moon"}
        for name, made in self.icons.items():
            made.setIcon(self._look.icon(names[name], "text"))
        self.customer_view.setIcon(self._look.icon("eye", "text"))
        self.customer_view.setIconSize(QSize(20, 20))

    def _show_export(self, new: Shown) -> None:
        on_proposal = new.moment.state.view.screen is Screen.PROPOSAL
        set_role(self.export, "" if on_proposal else "primary")
        self.export.setEnabled(new.moment.evaluated.assessment is not None)

    def _on_timer_timeout(self) -> None:
        self._state.show_text(self._saved)


def _save_words(new: Shown) -> str:
    state = new.moment.state
    if state.file is None:
        return "Not saved in a file"
    return "Changed since it was saved" if state.has_unsaved_changes else "Saved"


def _divider() -> QFrame:
    line = QFrame()
    line.setProperty("role", "rule")
    line.setStyleSheet("max-width: 1px; min-width: 1px; min-height: 20px; max-height: 20px;")
    return line


def other_theme(theme: Theme) -> Theme:
    """Dark for light and light for dark."""
    return Theme.LIGHT if theme is Theme.DARK else Theme.DARK
