"""Carries a model from what came in to the user's models."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from kentino_desk.domain.errors import UserError
from kentino_desk.session.model_import import draft_of_file, draft_of_text, renamed

if TYPE_CHECKING:
    from pathlib import Path

    from kentino_desk.session.catalog_in_use import CatalogInUse
    from kentino_desk.session.model_import import ModelDraft
    from kentino_desk.ui.bridge import Bridge
    from kentino_desk.ui.catalog.import_panel import ImportPanel


class Importer(QObject):
    """Holds the draft; reading takes a few milliseconds and runs in place."""

    added = Signal(str, str)
    """Id and name of the model."""

    def __init__(self, panel: ImportPanel, bridge: Bridge, catalog: CatalogInUse) -> None:
        super().__init__(panel)
        self.draft: ModelDraft | None = None
        self._panel = panel
        self._bridge = bridge
        self._catalog = catalog
        panel.renamed.connect(self._on_panel_renamed)
        panel.add_asked.connect(self.add)

    def take_file(self, path: Path) -> None:
        """Read a config.json."""
        self._show(draft_of_file(path, self._catalog))
        self._focus_name()

    def take_text(self, text: str) -> None:
        """Read pasted text."""
        self._show(draft_of_text(text, self._catalog))
        self._focus_name()

    def add(self) -> None:
        """Add the model for good; a refusal is shown and nothing is lost."""
        draft = self.draft
        if draft is None or draft.model is None or not draft.can_be_added:
            return
        card = draft.model.card
        try:
            snapshot = self._catalog.keep(card)
        except UserError as error:
            self._show(replace(draft, name_problem=str(error)))
            return
        self._bridge.use_catalog(snapshot)
        self._show(None)
        self.added.emit(card.id, card.name)

    def _show(self, draft: ModelDraft | None) -> None:
        self.draft = draft
        self._panel.show_draft(draft)

    def _focus_name(self) -> None:
        if self._panel.name.isEnabled():
            self._panel.name.setFocus()
            self._panel.name.selectAll()

    def _on_panel_renamed(self, name: str) -> None:
        if self.draft is not None:
            self._show(renamed(self.draft, name, self._catalog))
