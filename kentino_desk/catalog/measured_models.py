"""Models by the names that measured rows use: aliases to the catalog, and shapes outside it.

The shapes are recalled from public configurations and serve validation only.
"""

from __future__ import annotations

import csv
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from kentino_desk.catalog.places import ROOT
from kentino_desk.domain.choices import Attention, Evidence, Format
from kentino_desk.domain.model_card import ModelCard
from kentino_desk.domain.source import Source

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kentino_desk.domain.snapshot import CatalogSnapshot

FOLDER = ROOT / "resources" / "validation"


class Alias(NamedTuple):
    """Where a name leads: id, table (models or shapes), and why."""

    model_id: str
    table: str
    basis: str


@lru_cache(maxsize=4)
def aliases(folder: Path = FOLDER) -> Mapping[tuple[str, str], Alias]:
    """Aliases by name and kind of validation."""
    with (folder / "aliases.csv").open(encoding="utf-8", newline="") as stream:
        return MappingProxyType(
            {
                (row["name"], row["kind"]): Alias(row["model_id"], row["table"], row["basis"])
                for row in csv.DictReader(stream)
            }
        )


@lru_cache(maxsize=4)
def shapes(folder: Path = FOLDER) -> Mapping[str, ModelCard]:
    """Cards of the shapes by id."""
    with (folder / "shapes.csv").open(encoding="utf-8", newline="") as stream:
        return MappingProxyType({row["shape_id"]: _card(row) for row in csv.DictReader(stream)})


def measured_model(name: str, kind: str, snapshot: CatalogSnapshot) -> ModelCard | None:
    """The card that a measured row of a kind means by a name; None where nobody knows."""
    alias = aliases().get((name, kind))
    if alias is None:
        card = snapshot.models.get(name)
        return card if card is not None and card.can_be_sized else None
    if alias.table == "shapes":
        return shapes().get(alias.model_id)
    card = snapshot.models.get(alias.model_id)
    return card if card is not None and card.can_be_sized else None


def _whole(row: Mapping[str, str], name: str) -> int:
    return int(row[name]) if row[name] else 0


def _card(row: Mapping[str, str]) -> ModelCard:
    latent = _whole(row, "mla_kv_lora") + _whole(row, "mla_rope")
    layers, experts = _whole(row, "layers"), _whole(row, "experts")
    total = float(row["params_b"]) * 1e9
    return ModelCard(
        id=row["shape_id"],
        name=row["name"],
        vendor="",
        family=row["name"],
        modality="text",
        params_total=total,
        params_active=_active(row, total),
        vision_params=0.0,
        hidden=_whole(row, "hidden"),
        layers=layers,
        heads=_whole(row, "heads"),
        kv_heads=_whole(row, "kv_heads"),
        head_dim=_whole(row, "head_dim"),
        ffn=_whole(row, "ffn"),
        gated_ffn=row["gated"] == "yes",
        vocab=_whole(row, "vocab"),
        tied_embeddings=row["tied"] == "yes",
        max_context=None,
        attention=Attention.MLA if latent else Attention.GQA,
        experts=experts,
        experts_per_token=_whole(row, "experts_per_token"),
        expert_ffn=_whole(row, "moe_ffn"),
        expert_width=_whole(row, "hidden"),
        shared_ffn=_whole(row, "shared_ffn"),
        moe_layers=layers - _whole(row, "dense_layers") if experts else 0,
        full_layers=layers,
        sliding_layers=0,
        linear_layers=0,
        mamba_layers=0,
        window_tokens=0,
        kv_elements_full=latent or 2 * _whole(row, "kv_heads") * _whole(row, "head_dim"),
        kv_elements_sliding=0.0,
        state_elements=0.0,
        conv_elements=0.0,
        state_is_fp32=False,
        index_key_elements=0.0,
        index_layers=0,
        kv_shared_layers=0,
        q_lora_rank=_whole(row, "mla_q_lora"),
        kv_lora_rank=_whole(row, "mla_kv_lora"),
        rope_head_dim=_whole(row, "mla_rope"),
        nope_head_dim=_whole(row, "mla_nope"),
        v_head_dim=_whole(row, "mla_v"),
        native_format=Format.BF16,
        native_expert_format=Format.BF16,
        native_format_note="recalled shape",
        mtp_layers=0,
        unsized_reason="",
        source=Source(row["source_url"], "2026-12-02", Evidence.ESTIMATE, frozenset({"all"})),
    )


def _active(row: Mapping[str, str], total: float) -> float:
    experts, used = _whole(row, "experts"), _whole(row, "experts_per_token")
    if not experts:
        return total
    layers = _whole(row, "layers") - _whole(row, "dense_layers")
    routed = float(layers * experts * 3 * _whole(row, "hidden") * _whole(row, "moe_ffn"))
    return total - routed * (1.0 - used / experts)
