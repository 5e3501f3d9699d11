"""The catalog in force: read at the start, replaced here and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.catalog.snapshot import with_models
from kentino_desk.domain.errors import CatalogError
from kentino_desk.session.own_models import load_with_own_models
from kentino_desk.store.model_overlay import add_to_overlay, remove_from_overlay

if TYPE_CHECKING:
    from pathlib import Path

    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot


class CatalogInUse:
    """Holds the snapshot, so that whoever asks later sees a model added meanwhile.

    ``snapshot`` is None while the catalog is refused; ``blocked`` then says why and what mends it.
    """

    def __init__(
        self, snapshot: CatalogSnapshot | None, own_folder: Path, blocked: str = ""
    ) -> None:
        self.snapshot = snapshot
        self.blocked = blocked
        self._own_folder = own_folder

    def with_model(self, card: ModelCard) -> CatalogSnapshot:
        """The catalog as it would be with the model; nothing is kept.

        Raises:
            InputError: a model of that id stands there already.
            CatalogError: the catalog is refused.
        """
        if self.snapshot is None:
            raise CatalogError(self.blocked or "The catalog is refused.")
        return with_models(self.snapshot, (card,))

    def keep(self, card: ModelCard) -> CatalogSnapshot:
        """Add a model for good and put the catalog with it in force.

        Raises:
            InputError: a model of that id stands there already.
            StorageError: the catalog is refused, or the user's folder cannot be written.
        """
        after = self.with_model(card)
        add_to_overlay(self._own_folder, card)
        self.snapshot = after
        return after

    def remove(self, model_id: str) -> tuple[CatalogSnapshot, ModelCard]:
        """Take one of the user's models out for good; the card can be kept again.

        Raises:
            InputError: it is none of the user's models.
            StorageError: the catalog is refused, or the user's folder cannot be written.
        """
        card = remove_from_overlay(self._own_folder, model_id)
        after, _ = load_with_own_models(self._own_folder)
        self.snapshot = after
        return after, card
