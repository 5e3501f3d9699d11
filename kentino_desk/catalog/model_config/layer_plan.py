"""All layers of a decoder, one after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.expert_plan import plan_block_index, plan_experts
from kentino_desk.catalog.model_config.layer import FeedForwardKind, Layer, Mixer
from kentino_desk.catalog.model_config.layer_lists import block_words, number_list, word_list
from kentino_desk.catalog.model_config.mixer_plan import plan_mixers
from kentino_desk.catalog.model_config.nas_blocks import read_blocks

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.basics import Basics
    from kentino_desk.catalog.model_config.feed_forward import FeedForward
    from kentino_desk.catalog.model_config.fields import Fields
    from kentino_desk.catalog.model_config.text_part import TextPart

_WINDOW = ("sliding_window", "sliding_window_size", "attention_chunk_size")
_BLOCKS = {"moe": FeedForwardKind.EXPERTS, "mlp": FeedForwardKind.DENSE}

Layers = tuple[Layer, ...]


def read_window(text: Fields) -> int:
    """Tokens that a layer with a window sees, 0 where the file gives none.

    Raises:
        InputError: out of range.
    """
    return text.whole(*_WINDOW, high=100_000_000) or 0


def plan_layers(part: TextPart, basics: Basics, feed_forward: FeedForward) -> Layers:
    """Every layer with its mixer, feed-forward and exceptions.

    Raises:
        InputError: a kind that is not known, or a list of the wrong length.
    """
    blocks = read_blocks(part.text, basics)
    if blocks is not None:
        return blocks
    mixers = _within_window(part, basics, plan_mixers(part, basics.layers))
    kinds = _feed_forward_kinds(part, basics.layers, feed_forward)
    plain = tuple(
        Layer(mixer=mixer, feed_forward=kind) for mixer, kind in zip(mixers, kinds, strict=True)
    )
    return _with_exceptions(part.text, basics, feed_forward, plain)


def _within_window(part: TextPart, basics: Basics, mixers: tuple[Mixer, ...]) -> tuple[Mixer, ...]:
    """A window as long as the context is none."""
    if not any(mixer.has_window for mixer in mixers):
        return mixers
    window = read_window(part.text)
    if not window:
        raise part.text.refusal(
            "sliding_window", "is missing, although layers have a window", hint="add it"
        )
    if basics.max_context is None or window < basics.max_context:
        return mixers
    part.text.log.note_derived(
        "window", "none", f"{window:,} tokens are no less than the context of the model"
    )
    return tuple(Mixer.FULL if mixer.has_window else mixer for mixer in mixers)


def _feed_forward_kinds(
    part: TextPart, layers: int, feed_forward: FeedForward
) -> tuple[FeedForwardKind, ...]:
    words = block_words(part.text, layers)
    if words is not None:
        return tuple(_BLOCKS.get(word, FeedForwardKind.NONE) for word in words)
    if not feed_forward.experts:
        return (FeedForwardKind.DENSE,) * layers
    flags = plan_experts(part, layers)
    return tuple(FeedForwardKind.EXPERTS if flag else FeedForwardKind.DENSE for flag in flags)


def _with_exceptions(
    text: Fields, basics: Basics, feed_forward: FeedForward, layers: Layers
) -> Layers:
    count = basics.layers
    heads = number_list(text, "num_attention_heads_per_layer", count) or (0,) * count
    ratios = number_list(text, "compress_ratios", count) or (0,) * count
    rotated = number_list(text, "no_rope_layers", count) or (1,) * count
    shared = _shared_caches(text, count)
    indexed = _indexed(text, count)
    double = 2 * feed_forward.dense_width if text.flag("use_double_wide_mlp") else None
    return tuple(
        replace(
            layer,
            heads=heads[i] or None,
            ratio=ratios[i],
            has_rope=bool(rotated[i]),
            shares_cache=shared[i],
            has_index=indexed[i] and layer.mixer is Mixer.FULL,
            dense_width=double if shared[i] else None,
        )
        for i, layer in enumerate(layers)
    )


def _shared_caches(text: Fields, layers: int) -> tuple[bool, ...]:
    """Gemma 4: the last layers use the cache of earlier ones; Hunyuan: every second one does."""
    last = text.whole("num_kv_shared_layers") or 0
    factor = text.whole("cla_share_factor", low=1) or 1
    if text.flag("use_cla") and factor > 1:
        return tuple(i % factor > 0 for i in range(layers))
    if last >= layers:
        raise text.refusal("num_kv_shared_layers", f"leaves none of the {layers} layers a cache")
    return tuple(i >= layers - last for i in range(layers))


def _indexed(text: Fields, layers: int) -> tuple[bool, ...]:
    """Layers with an index of their own; where nothing is listed all have one."""
    types = word_list(text, "indexer_types", layers)
    if types is not None:
        return tuple(word == "full" for word in types)
    return plan_block_index(text, layers) or (text.has("index_head_dim"),) * layers
