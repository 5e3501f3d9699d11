"""Finding a model by a few letters of its name or id."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.model_card import ModelCard

LETTERS_MIN = 3


class ModelSearch:
    """The lines of the model field: language models by name, those that can be sized first."""

    def __init__(self, models: Mapping[str, ModelCard]) -> None:
        self._cards = models
        shown = [card for card in models.values() if is_language_model(card)]
        shown.sort(key=lambda card: (not card.can_be_sized, card.name.lower()))
        self._ids = {_line(card): card.id for card in shown}

    def find(self, typed: str) -> list[str]:
        """Lines that hold all the words typed, those that begin with them first."""
        wanted = typed.strip().lower()
        if len(wanted) < LETTERS_MIN:
            return []
        found = [line for line in self._ids if all(word in line.lower() for word in wanted.split())]
        return sorted(found, key=lambda line: not line.lower().startswith(wanted))

    def id_of(self, line: str) -> str:
        """Id of the model of a line."""
        return self._ids[line]

    def name_of(self, model_id: str) -> str:
        """Name of a model, or its id where nobody knows it."""
        card = self._cards.get(model_id)
        return card.name if card else model_id

    def note_of(self, model_id: str) -> str:
        """Parameters and layers, for the right end of the field."""
        card = self._cards.get(model_id)
        if card is None:
            return ""
        return f"{card.params_total / 1e9:,.1f}\u00a0B · {card.layers}\u00a0layers"


def is_language_model(card: ModelCard) -> bool:
    """Whether the field offers it: it reads text and writes text."""
    return card.modality.startswith("text") and not card.modality.startswith("text-to")


def _line(card: ModelCard) -> str:
    tail = "" if card.can_be_sized else ", cannot be sized yet"
    return f"{card.name}  ({card.id}){tail}"
