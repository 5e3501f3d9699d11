"""Text fields of the catalog screen, which leave a pasted configuration to the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence

from kentino_desk.ui.workload.edits import FieldEdit

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData


class FindField(FieldEdit):
    """A line edit; JSON and files in the clipboard are for the importer, not for one line."""

    def __init__(self, name: str, placeholder: str = "") -> None:
        super().__init__(name)
        self.setPlaceholderText(placeholder)
        self.setAcceptDrops(False)

    def event(self, event: QEvent) -> bool:
        """Leave Ctrl+V to the screen where the clipboard holds a configuration."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Paste)
            and is_configuration(QGuiApplication.clipboard().mimeData())
        ):
            event.ignore()
            return False
        return super().event(event)


def is_configuration(content: QMimeData) -> bool:
    """Whether something is a file, or text that looks like a JSON object."""
    return content.hasUrls() or content.text().lstrip()[:1] == "{"
