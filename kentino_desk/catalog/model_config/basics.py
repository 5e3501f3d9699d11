"""Widths and counts that every decoder has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.fields import Fields
    from kentino_desk.catalog.model_config.text_part import TextPart

HIDDEN = ("hidden_size", "d_model", "n_embd")
LAYERS = ("num_hidden_layers", "n_layers", "num_layers")
HEADS = ("num_attention_heads", "n_heads")
KV_HEADS = ("num_key_value_heads", "num_kv_heads", "num_attention_groups", "n_head_kv")
CONTEXT = ("max_position_embeddings", "model_max_length", "max_seq_len", "seq_length")
MOST_LAYERS = 2_000
MOST_HEADS = 10_000
MOST_WIDTH = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Basics:
    """Widths of the decoder; ``head_dim`` is that of keys in full layers."""

    hidden: int
    layers: int
    vocab: int
    heads: int
    kv_heads: int
    head_dim: int
    is_latent: bool
    tied: bool
    max_context: int | None


def read_basics(part: TextPart) -> Basics:
    """Read the widths.

    Raises:
        InputError: one that is missing or out of range.
    """
    text = part.text
    hidden = text.need(*HIDDEN, high=MOST_WIDTH)
    heads = text.need(*HEADS, high=MOST_HEADS)
    is_latent = text.has("kv_lora_rank")
    return Basics(
        hidden=hidden,
        layers=_layers(text),
        vocab=text.need("vocab_size"),
        heads=heads,
        kv_heads=_kv_heads(text, part.model_type, heads),
        head_dim=0 if is_latent else read_head_dim(text, hidden, heads),
        is_latent=is_latent,
        tied=part.tied_embeddings(),
        max_context=_max_context(part),
    )


def _layers(text: Fields) -> int:
    """Newer hybrids state the kind of every block instead of a count."""
    stated = text.whole(*LAYERS, low=1, high=MOST_LAYERS)
    if stated is not None:
        return stated
    blocks = text.words("layers_block_type") or text.words("layer_types")
    if blocks:
        text.log.note_derived("layers", len(blocks), "one for each entry of the list of kinds")
        return len(blocks)
    return text.need(*LAYERS, high=MOST_LAYERS)


def _max_context(part: TextPart) -> int | None:
    for fields in (part.text, part.whole):
        stated = fields.whole(*CONTEXT, low=1, high=100_000_000)
        if stated is not None:
            return stated
    part.text.log.note_warning("The file states no maximum context.")
    return None


def _kv_heads(text: Fields, model_type: str, heads: int) -> int:
    if model_type in {"falcon", "refinedweb", "refinedwebmodel"}:
        return _falcon_kv_heads(text, heads)
    nested = text.part("attn_config")
    if nested is not None and nested.has("kv_n_heads"):
        return nested.need("kv_n_heads", high=MOST_HEADS)
    stated = text.whole(*KV_HEADS, low=1, high=MOST_HEADS)
    if stated is not None:
        return stated
    if not text.has("kv_lora_rank", "block_configs"):
        text.log.note_assumed(
            text.path("num_key_value_heads"), heads, "as many as attention heads, the usual default"
        )
    return heads


def _falcon_kv_heads(text: Fields, heads: int) -> int:
    if text.flag("new_decoder_architecture"):
        return text.need(*KV_HEADS, high=MOST_HEADS)
    multi_query = text.flag("multi_query")
    if multi_query is None:
        text.log.note_assumed(text.path("multi_query"), value=True, basis="the default of falcon")
    return heads if multi_query is False else 1


def read_head_dim(text: Fields, hidden: int, heads: int) -> int:
    """Width of a head: stated, or the hidden width over the heads.

    Raises:
        InputError: not stated, and the heads do not divide the hidden width.
    """
    stated = text.whole("head_dim", low=1, high=100_000)
    if stated is not None:
        return stated
    if hidden % heads:
        raise text.refusal(
            "head_dim", "is missing, and the heads do not divide the hidden width", hint="add it"
        )
    text.log.note_derived("head_dim", hidden // heads, "hidden width over attention heads")
    return hidden // heads
