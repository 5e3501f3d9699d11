"""Labels that never guess at markup, and tool tips that do not either."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent


def plain_tip(text: str) -> str:
    """A tool tip that shows ``text`` letter by letter, wrapped, whatever is in it."""
    return f"<qt>{escape(text)}</qt>" if text else ""


def set_role(widget: QWidget, role: str, name: str = "role") -> None:
    """Set a property that the style sheet reads, and polish only when it changed."""
    if widget.property(name) == role:
        return
    widget.setProperty(name, role)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class PlainLabel(QLabel):
    """A label in plain text with a role of the style sheet."""

    def __init__(self, text: str = "", role: str = "body", *, wraps: bool = False) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setWordWrap(wraps)
        self.setText(text)

    def show_text(self, text: str) -> None:
        """Change the text, if it is another one."""
        if self.text() != text:
            self.setText(text)


class CutLabel(QLabel):
    """One line, cut in the middle where it is too long, whole in the tool tip."""

    def __init__(self, role: str = "body") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._whole = ""

    def show_text(self, text: str) -> None:
        """Change the text, if it is another one."""
        if self._whole != text:
            self._whole = text
            self.setAccessibleName(text)
            self.updateGeometry()
            self._cut()

    def sizeHint(self) -> QSize:
        """Wide enough for the whole text."""
        return QSize(
            self.fontMetrics().horizontalAdvance(self._whole) + 2, super().sizeHint().height()
        )

    def minimumSizeHint(self) -> QSize:
        """The text may be cut down to a few letters."""
        return QSize(min(40, self.sizeHint().width()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut anew."""
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        shown = self.fontMetrics().elidedText(
            self._whole, Qt.TextElideMode.ElideMiddle, max(self.width(), 1)
        )
        self.setText(shown)
        self.setToolTip("" if shown == self._whole else plain_tip(self._whole))


def rule() -> QFrame:
    """A hairline."""
    line = QFrame()
    line.setProperty("role", "rule")
    line.setFixedHeight(1)
    return line


def button(text: str, role: str = "", name: str = "") -> QPushButton:
    """A push button with a role of the style sheet."""
    made = QPushButton(text)
    made.setProperty("role", role)
    made.setAccessibleName(name or text)
    made.setAutoDefault(False)
    return made
