"""Models of the user taken out, and put back while the window is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from kentino_desk.domain.errors import UserError

if TYPE_CHECKING:
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.session.catalog_in_use import CatalogInUse
    from kentino_desk.ui.bridge import Bridge

_REMOVE = "Remove from my models"


class OwnModels(QObject):
    """Removes without a question, because the last one removed can be put back."""

    changed = Signal(str)
    """Id of the model put back, empty where one was removed."""
    told = Signal(str)

    def __init__(self, bridge: Bridge, catalog: CatalogInUse, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._catalog = catalog
        self._removed: ModelCard | None = None

    def deed(self, is_own: bool) -> str:
        """What the button of the detail offers for the row in front; empty for nothing."""
        if is_own:
            return _REMOVE
        return f"Put {self._removed.name} back" if self._removed else ""

    def remove(self, model_id: str) -> None:
        """Take a model out; the one that the workload is about stays."""
        if self._bridge.session.state.inputs.get("workload.model") == model_id:
            self.told.emit("The workload is about this model. Choose another one first: Ctrl+K.")
            return
        try:
            snapshot, self._removed = self._catalog.remove(model_id)
        except UserError as error:
            self.told.emit(str(error))
            return
        self._bridge.use_catalog(snapshot)
        self.changed.emit("")
        self.told.emit(f"Removed {self._removed.name}. The detail offers to put it back.")

    def put_back(self) -> None:
        """Add the model that was removed last."""
        card = self._removed
        if card is None:
            return
        try:
            snapshot = self._catalog.keep(card)
        except UserError as error:
            self.told.emit(str(error))
            return
        self._removed = None
        self._bridge.use_catalog(snapshot)
        self.changed.emit(card.id)
        self.told.emit(f"{card.name} is one of your models again.")
