"""Weights: bytes per GPU of a serving engine."""

from __future__ import annotations

from typing import Any

import numpy as np

from kentino_desk.engine.quantity import quantity

_SOURCE = "memory_fit_notes, section 2"
_ERROR = "median 0.5 %, 90 % of 47 rows within 5 %"


@quantity(
    title="Weights per GPU, parts that are split",
    unit="B",
    symbol="W_s",
    source=_SOURCE,
    error=_ERROR,
)
def split_weight_bytes(
    routed_params: Any,
    routed_bits: Any,
    routed_padding: Any,
    other_params: Any,
    replicated_params: Any,
    other_bits: Any,
    embedding_params: Any,
    head_params: Any,
    attention_tp: Any,
    tp: Any,
    ep: Any,
    pp: Any,
) -> Any:
    """Experts, all other decoder weights, embedding and head, divided over the GPUs of a copy.

    W_s = R·q_r·pad/8 / (max(TP, EP)·PP) + ( (N − N_rep)·q_n/8 + 2·(E_emb + E_head) ) / (T·PP)
    """
    routed = routed_params * routed_bits * routed_padding / 8.0
    other = (other_params - replicated_params) * other_bits / 8.0
    tables = 2.0 * (embedding_params + head_params)
    return routed / (np.maximum(tp, ep) * pp) + (other + tables) / (attention_tp * pp)


@quantity(
    title="Weights per GPU, parts held by every rank",
    unit="B",
    symbol="W_r",
    source=_SOURCE,
    error=_ERROR,
)
def replicated_weight_bytes(
    replicated_params: Any, other_bits: Any, vision_params: Any, rotary_bytes: Any, tp: Any, pp: Any
) -> Any:
    """Router, latent projections and index, which no rank divides; vision tower; tables.

    W_r = N_rep·q_n/8/PP + 2·vision/√TP + rotary
    """
    towers = 2.0 * vision_params / np.sqrt(tp)
    return replicated_params * other_bits / 8.0 / pp + towers + rotary_bytes


@quantity(title="Weights per GPU", unit="B", symbol="W", source=_SOURCE, error=_ERROR)
def weight_bytes(
    split_weight_bytes: Any,
    replicated_weight_bytes: Any,
    checkpoint_bytes: Any,
    latent_copy_params: Any,
    other_bits: Any,
    tp: Any,
    pp: Any,
) -> Any:
    """Bytes of weights that one GPU holds; a checkpoint whose size is known wins.

    W = W_s + W_r; size known: size/(TP·PP) + N_lat·(1 − 1/TP)·q_n/8
    """
    counted = split_weight_bytes + replicated_weight_bytes
    copies = latent_copy_params * (1.0 - 1.0 / tp) * other_bits / 8.0
    known = checkpoint_bytes / (tp * pp) + copies
    return np.where(checkpoint_bytes > 0, known, counted)


@quantity(
    title="Weights, share of the card", unit="share", symbol="w", source="decision_rules, section 2"
)
def weight_share(weight_bytes: Any, card_bytes: Any) -> Any:
    """Part of the usable card memory that weights take.

    w = W / V
    """
    return weight_bytes / card_bytes
