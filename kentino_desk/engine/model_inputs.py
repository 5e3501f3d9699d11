"""Facts of a model as inputs of the graph: counts, bytes per element, widths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Attention, Format
from kentino_desk.engine import policy
from kentino_desk.engine.policy_memory import (
    CHECKPOINT_BITS,
    COMPRESSED_ENTRY_BYTES,
    COMPRESSED_FACTOR,
    MXFP4_LATENT_OTHER_BITS,
    NATIVE_GROUP_BITS,
    WEIGHT_UNCERTAINTY,
    CheckpointBits,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.model_card import ModelCard

INDEX_HEADS = 32
"""Heads of the sparse index of every published model that has one."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Parameters of a model by what happens to them when it is split."""

    embedding: float
    head: float
    routed: float
    expert: float
    other: float
    replicated: float


@lru_cache(maxsize=512)
def parts(model: ModelCard) -> Parts:
    """Embedding, head, routed experts, the rest, and what every tensor rank holds in full.

    Source: memory_fit_notes, section 2.
    """
    table = float(model.vocab * model.hidden)
    head = 0.0 if model.tied_embeddings else table
    expert = float((3 if model.gated_ffn else 2) * model.expert_width * model.expert_ffn)
    routed = model.moe_layers * model.experts * expert
    other = model.params_total - model.vision_params - table - head - routed
    if model.attention is Attention.COMPRESSED:
        return Parts(table, head, routed, expert, other, other)
    return Parts(table, head, routed, expert, other, min(_replicated(model), other))


def _replicated(model: ModelCard) -> float:
    router = float(model.moe_layers * model.hidden * model.experts)
    if not model.is_mla:
        return router
    latent = model.kv_lora_rank + model.rope_head_dim + model.q_lora_rank
    index = model.hidden + model.q_lora_rank * INDEX_HEADS
    return (
        router
        + model.layers * model.hidden * latent
        + (model.index_layers * model.index_key_elements * index)
    )


def with_draft_block(model: ModelCard) -> Parts:
    """The parts with one draft head: a layer of experts and the rest, and a projection of 2h².

    Source: memory_fit_notes, section 2.
    """
    split = parts(model)
    layer = 1.0 + 1.0 / model.layers
    return Parts(
        embedding=split.embedding,
        head=split.head + 2.0 * model.hidden**2,
        routed=split.routed * (1.0 + 1.0 / max(model.moe_layers, 1)),
        expert=split.expert,
        other=split.other * layer,
        replicated=split.replicated * layer,
    )


def stored_bits(model: ModelCard, weights: Format, layout: str = "") -> tuple[float, float]:
    """Bits per routed-expert weight and per other weight of a checkpoint in a format.

    ``layout`` names a checkpoint that differs from the usual one of its format.
    Source: memory_fit_notes, section 2, table of formats.
    """
    four_bit = weights.bits_class == 4 and not layout
    if four_bit and model.is_moe and weights is model.native_expert_format:
        return NATIVE_GROUP_BITS[weights], 8.0 if model.native_format is Format.FP8 else 16.0
    bits = CHECKPOINT_BITS[layout or weights]
    if model.is_moe:
        return bits.routed, _moe_other_bits(model, weights, bits)
    mixed = weights in {Format.NVFP4, Format.MXFP4} and model.has_state
    return bits.routed, _mixed_dense_bits(model, bits.dense) if mixed else bits.dense


def _moe_other_bits(model: ModelCard, weights: Format, bits: CheckpointBits) -> float:
    if model.has_state:
        return bits.hybrid_moe
    if weights is Format.MXFP4 and model.is_mla:
        return MXFP4_LATENT_OTHER_BITS
    return bits.moe


def _mixed_dense_bits(model: ModelCard, bits: float) -> float:
    """Dense models with state layers keep their mixers at 12 bits on average [D, 1 row]."""
    ffn = model.layers * (3 if model.gated_ffn else 2) * model.hidden * model.ffn
    share = min(ffn / max(parts(model).other, 1.0), 1.0)
    return share * bits + (1.0 - share) * 12.0


def whole_weight_bytes(model: ModelCard, weights: Format) -> float:
    """Bytes of a whole checkpoint in a format, before it is split over cards."""
    split = parts(model)
    routed, other = stored_bits(model, weights)
    tables = 2.0 * (split.embedding + split.head + model.vision_params)
    return split.routed * routed / 8.0 + split.other * other / 8.0 + tables


def computed_bits(model: ModelCard, weights: Format) -> float:
    """Bits of attention, dense and shared weights as they are streamed and computed.

    MoE checkpoints below 8 bit keep these in 16 bit (engine_fit_notes, section 2).
    """
    if weights is Format.BF16:
        return 16.0
    if weights.bits_class == 8:
        return 8.0
    return 16.0 if model.is_moe else stored_bits(model, weights)[1]


def weight_uncertainty(weights: Format) -> float:
    """Share by which weights may differ (memory_fit_notes, section 4)."""
    return WEIGHT_UNCERTAINTY[weights.bits_class]


@lru_cache(maxsize=512)
def model_inputs(model: ModelCard) -> Mapping[str, float]:
    """Inputs that depend on the model alone."""
    split = parts(model)
    inputs = {
        "embedding_params": split.embedding,
        "head_params": split.head,
        "routed_params": split.routed,
        "expert_params": split.expert,
        "other_params": split.other,
        "dense_params": split.other,
        "replicated_params": split.replicated,
        "vision_params": model.vision_params,
        "params_total": model.params_total,
        "vocab": float(model.vocab),
        "hidden": float(model.hidden),
        "layers": float(model.layers),
        "moe_layers": float(model.moe_layers),
        "experts": float(model.experts),
        "experts_per_token": float(model.experts_per_token if model.is_moe else 0),
        "expert_ffn": float(model.expert_ffn),
        "dense_ffn": float(model.shared_ffn if model.is_moe else model.ffn),
    }
    return MappingProxyType(inputs | _attention_inputs(model))


def _attention_inputs(model: ModelCard) -> dict[str, float]:
    full = _cached_full_layers(model)
    heads = _full_heads(model)
    latent = model.is_mla or model.attention is Attention.COMPRESSED
    state_elements = (4.0 if model.state_is_fp32 else 2.0) * model.state_elements
    state_layers = float(model.linear_layers + model.mamba_layers)
    return {
        "full_layers": full,
        "sliding_layers": float(cached_window_layers(model)),
        "kv_heads": heads,
        "kv_elements_per_head": 0.0 if latent else model.kv_elements_full / heads,
        "window_heads": float(max(model.kv_heads, 1)),
        "window_elements_per_head": model.kv_elements_sliding / max(model.kv_heads, 1),
        "window_tokens": float(model.window_tokens),
        "index_layers": float(model.index_layers),
        "sparse_attention": 1.0 if model.attention is Attention.MLA_SPARSE else 0.0,
        "attention_width": _attention_width(model),
        "state_layers": state_layers,
        "state_layer_bytes": state_elements + 2.0 * model.conv_elements,
        "state_read_bytes": state_layers * model.state_elements * 8.0,
        "latent_decode_flops": _latent_decode_flops(model),
    }


def _cached_full_layers(model: ModelCard) -> float:
    """Full layers with a cache of their own (Gemma 4 E2B shares that of the last layers)."""
    kept = model.layers - model.kv_shared_layers
    return float(round(model.full_layers * kept / model.layers))


def _full_heads(model: ModelCard) -> float:
    """KV heads of full layers; Gemma 4 gives them heads of twice the width."""
    heads = max(model.kv_heads, 1)
    if model.is_mla or model.kv_elements_full == heads * 2 * model.head_dim:
        return float(heads)
    if model.sliding_layers and model.kv_elements_full != model.kv_elements_sliding:
        return max(1.0, round(model.kv_elements_full / (4 * model.head_dim)))
    return float(heads)


def _attention_width(model: ModelCard) -> float:
    if model.is_mla:
        return model.heads * (model.nope_head_dim + model.rope_head_dim + model.v_head_dim) / 2.0
    return float(model.heads * model.head_dim)


def _latent_decode_flops(model: ModelCard) -> float:
    if not model.is_mla:
        return 0.0
    return 2.0 * model.layers * model.heads * (2 * model.kv_lora_rank + model.rope_head_dim)


def kv_element_bytes(kv_cache: Format, *, scaled: bool = False) -> float:
    """Bytes of one cached element; one byte for both 8-bit formats.

    ``scaled`` adds a 4-byte scale per token and head of 256 elements.
    """
    if kv_cache is Format.BF16:
        return 2.0
    return 1.0 + 4.0 / 256.0 if scaled else 1.0


def latent_bytes_per_token(
    model: ModelCard, kv_cache: Format, *, layers: int | None = None, step: int = 1
) -> float:
    """Latent cache of all layers per token; a sparse FP8 entry carries its scales.

    ``layers`` counts a draft head too; ``step`` is the multiple an engine pads entries to.
    """
    kept = model.full_layers if layers is None else layers
    if model.attention is Attention.COMPRESSED:
        return _compressed_bytes_per_token(model, kv_cache) * kept / model.full_layers
    if not model.is_mla:
        return 0.0
    if model.attention is Attention.MLA_SPARSE and kv_cache is not Format.BF16:
        return kept * policy.value("sparse_fp8_entry_bytes")
    padded = -(-model.kv_elements_full // step) * step
    return kept * padded * kv_element_bytes(kv_cache)


def _compressed_bytes_per_token(model: ModelCard, kv_cache: Format) -> float:
    """Entries divided by their layer's ratio, with an index where the ratio is 4."""
    entry = COMPRESSED_ENTRY_BYTES[kv_cache is Format.BF16]
    index = policy.value("index_bytes_per_token") * model.ratio_4_layers / 4.0
    entries = entry * (model.ratio_4_layers / 4.0 + model.ratio_128_layers / 128.0)
    return COMPRESSED_FACTOR * (entries + index)


def cached_window_layers(model: ModelCard) -> float:
    """Window layers that keep a cache of their own."""
    kept = model.layers - model.kv_shared_layers
    return kept - _cached_full_layers(model) if model.kv_shared_layers else model.sliding_layers
