"""A model as it came out of its config.json: the card and how it was made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.reading_log import Reading
    from kentino_desk.domain.model_card import ModelCard


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedModel:
    """Counts are whole numbers; prediction blocks (MTP) are in none of them.

    ``kv_bytes_per_token`` is the cache of the layers that keep every token, in 16 bit, on one GPU.
    """

    card: ModelCard
    params_decoder: int
    params_towers: int
    params_total: int
    params_active: int
    kv_bytes_per_token: int
    index_bytes_per_token: int
    state_bytes_per_sequence: int
    window_tokens: int
    layers: int
    layers_by_kind: tuple[tuple[str, int], ...]
    read: tuple[Reading, ...]
    derived: tuple[Reading, ...]
    assumed: tuple[Reading, ...]
    warnings: tuple[str, ...]

    def document(self) -> dict[str, object]:
        """The figures as one JSON object."""
        return {
            "id": self.card.id,
            "name": self.card.name,
            "family": self.card.family,
            "params_decoder": self.params_decoder,
            "params_towers": self.params_towers,
            "params_total": self.params_total,
            "params_active": self.params_active,
            "kv_bytes_per_token": self.kv_bytes_per_token,
            "index_bytes_per_token": self.index_bytes_per_token,
            "state_bytes_per_sequence": self.state_bytes_per_sequence,
            "window_tokens": self.window_tokens,
            "layers": self.layers,
            "layers_by_kind": dict(self.layers_by_kind),
            "mtp_layers": self.card.mtp_layers,
            "native_format": self.card.native_format.value,
            "native_expert_format": self.card.native_expert_format.value,
            "derived": [str(item) for item in self.derived],
            "assumed": [str(item) for item in self.assumed],
            "warnings": list(self.warnings),
        }
