"""The detail of the selected row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from kentino_desk.ui.catalog.fact_list import FactList
from kentino_desk.ui.labels import CutLabel, PlainLabel, button, plain_tip, rule

if TYPE_CHECKING:
    from kentino_desk.present.catalog_detail import RowDetail
    from kentino_desk.ui.look import Look

_NOTES_HEIGHT = 104
"""Six lines; a longer note is cut by the panel and whole in the tool tip."""


class DetailPanel(QFrame):
    """Title, what to look at, every field, notes; one deed for a model of the user."""

    deed_asked = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName("Detail")
        self.title = PlainLabel("", "name", wraps=True)
        self.subtitle = CutLabel("note")
        self.warning = PlainLabel("", "warning", wraps=True)
        self.facts = FactList(look, "Fields of the row")
        self.notes = PlainLabel("", "note", wraps=True)
        self.notes.setMaximumHeight(_NOTES_HEIGHT)
        self.notes.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.deed = button("")
        self.deed.clicked.connect(self.deed_asked)
        self._build()
        self.show_detail(None)
        self.offer("")

    def show_detail(self, detail: RowDetail | None) -> None:
        """Another row, or none."""
        self.title.show_text(detail.title if detail else "")
        self.subtitle.show_text(detail.subtitle if detail else "")
        self.warning.show_text(detail.warning if detail else "")
        self.warning.setVisible(bool(detail and detail.warning))
        self.notes.show_text(detail.notes if detail else "")
        self.notes.setToolTip(plain_tip(detail.notes if detail else ""))
        self._notes_place.setVisible(bool(detail and detail.notes))
        self.facts.setVisible(detail is not None)
        self.facts.show_lines(detail.lines if detail else ())

    def offer(self, text: str) -> None:
        """What can be done about the row, nothing where the text is empty."""
        self.deed.setText(text)
        self.deed.setAccessibleName(text)
        self.deed.setVisible(bool(text))

    def hasHeightForWidth(self) -> bool:
        """Texts that wrap must not push the importer out of a low window."""
        return False

    def _build(self) -> None:
        head = QVBoxLayout()
        head.setContentsMargins(16, 12, 16, 8)
        head.setSpacing(4)
        head.addWidget(self.title)
        head.addWidget(self.subtitle)
        head.addWidget(self.warning)
        head.addWidget(self.deed, 0, Qt.AlignmentFlag.AlignLeft)
        self._notes_place = QFrame()
        notes = QVBoxLayout(self._notes_place)
        notes.setContentsMargins(16, 8, 16, 8)
        notes.addWidget(self.notes)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(rule())
        column.addWidget(self.facts, 1)
        column.addWidget(self._notes_place)
