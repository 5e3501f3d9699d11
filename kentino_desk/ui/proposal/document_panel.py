"""Language, customer and project of the document, and its export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from kentino_desk.session.actions import SetCustomer, SetLanguage, SetProject
from kentino_desk.ui.labels import CutLabel, PlainLabel, button
from kentino_desk.ui.workload.edits import Choice, FieldEdit

if TYPE_CHECKING:
    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.bridge import Bridge

LANGUAGES = (("cs", "Čeština"), ("en", "English"))
_NAME_MAX_LETTERS = 120


class DocumentPanel(QFrame):
    """Three fields."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName("Document")
        self._bridge = bridge
        self.language = Choice(LANGUAGES)
        self.customer = FieldEdit()
        self.project = FieldEdit()
        self._build()

    def show_moment(self, new: Shown, initiator: object) -> None:
        """Draw what differs."""
        state = new.moment.state
        self.language.show_value(state.view.language)
        for edit, text in ((self.customer, state.customer), (self.project, state.project)):
            if initiator is not edit and edit.text() != text:
                edit.setText(text)

    def focus_customer(self) -> None:
        """Put the cursor into the first field that is missing."""
        self.customer.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _build(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(16, 12, 16, 16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        grid.addWidget(PlainLabel("Document", "strong"), 0, 0, 1, 2)
        rows: tuple[tuple[str, QWidget], ...] = (
            ("Language", self.language),
            ("Customer", self.customer),
            ("Project", self.project),
        )
        for index, (name, field) in enumerate(rows, start=1):
            grid.addWidget(PlainLabel(name), index, 0)
            grid.addWidget(field, index, 1)
            field.setAccessibleName(f"{name} on the proposal")
        for edit in (self.customer, self.project):
            edit.setMaxLength(_NAME_MAX_LETTERS)
            edit.setPlaceholderText("none")
        self.language.chosen.connect(lambda code: self._bridge.dispatch(SetLanguage(code)))
        self.customer.textEdited.connect(
            lambda text: self._bridge.dispatch(SetCustomer(text), self.customer)
        )
        self.project.textEdited.connect(
            lambda text: self._bridge.dispatch(SetProject(text), self.project)
        )


class ExportPanel(QFrame):
    """The large button, with the file name that it will give."""

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName("Export")
        self.export = button("Export PDF", "primary")
        self._name = CutLabel("note")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.addWidget(self.export)
        column.addWidget(self._name)
        self.export.clicked.connect(self.asked)

    def show_name(self, name: str, *, can_export: bool) -> None:
        """The file name, or why there is no export."""
        self._name.show_text(name if can_export else "Needs figures: see the checklist")
        self.export.setEnabled(can_export)
