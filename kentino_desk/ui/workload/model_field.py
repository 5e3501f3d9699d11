"""The model field: three letters find a model, Enter takes the first one found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCompleter, QListView

from kentino_desk.session.state import Theme
from kentino_desk.ui.theme import style_sheet
from kentino_desk.ui.workload.edits import UnitEdit

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent

    from kentino_desk.session.model_search import ModelSearch
    from kentino_desk.ui.look import Look

_POPUP_WIDTH = 340


class ModelField(UnitEdit):
    """Shows the name of the model in force; typing searches names and ids."""

    model_picked = Signal(str)
    refused = Signal(str)

    def __init__(self, look: Look, search: ModelSearch) -> None:
        super().__init__(look)
        self.setProperty("role", "model")
        self.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.setPlaceholderText("Type three letters")
        self._search = search
        self._shown = ""
        self._popup = QListView()
        self._popup.setMinimumWidth(_POPUP_WIDTH)
        self._completer = self._made_completer()
        self.textEdited.connect(self._on_text_edited)
        self.returnPressed.connect(self._on_return_pressed)

    def use_search(self, search: ModelSearch) -> None:
        """Search other models from now on."""
        self._search = search

    def show_model(self, model_id: str) -> None:
        """Show the model in force."""
        self._shown = self._search.name_of(model_id)
        if not self.hasFocus() or not self.isModified():
            self._restore()
        self.set_unit(self._search.note_of(model_id))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select all, so that typing replaces the name."""
        super().focusInEvent(event)
        self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving without a choice brings the model in force back."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._restore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc brings the model in force back."""
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self._restore()
            self.selectAll()
            return
        super().keyPressEvent(event)

    def _made_completer(self) -> QCompleter:
        completer = QCompleter(self)
        completer.setModel(QStringListModel(self))
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        completer.setMaxVisibleItems(9)
        completer.setPopup(self._popup)
        completer.setWidget(self)
        completer.activated.connect(self._on_completer_activated)
        return completer

    def _on_text_edited(self, typed: str) -> None:
        found = self._search.find(typed)
        model = self._completer.model()
        if isinstance(model, QStringListModel):
            model.setStringList(found)
        if found:
            self._dress_popup()
            self._completer.complete()
            self._popup.setCurrentIndex(self._completer.completionModel().index(0, 0))
        else:
            self._popup.hide()

    def _on_completer_activated(self, line: str) -> None:
        self._pick(line)

    def _on_return_pressed(self) -> None:
        typed = self.text().strip()
        found = self._search.find(typed)
        if self.isModified() and found:
            self._pick(found[0])
        elif self.isModified() and typed:
            self.refused.emit(typed)

    def _dress_popup(self) -> None:
        # A popup is a window of its own and does not inherit the sheet of this one.
        sheet = style_sheet(Theme(self._look.tokens.name))
        if self._popup.styleSheet() != sheet:
            self._popup.setStyleSheet(sheet)

    def _pick(self, line: str) -> None:
        self.setModified(False)
        self._popup.hide()
        self.model_picked.emit(self._search.id_of(line))
        self._restore()
        self.selectAll()

    def _restore(self) -> None:
        if self.text() != self._shown:
            self.setText(self._shown)
            self.setCursorPosition(0)
        self.setModified(False)
