"""Which mixer every layer has: lists first, then patterns, then what the architecture does."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.family import OtherLayers, Recurrent
from kentino_desk.catalog.model_config.layer import Mixer
from kentino_desk.catalog.model_config.layer_lists import block_words, number_list, word_list

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kentino_desk.catalog.model_config.fields import Fields
    from kentino_desk.catalog.model_config.text_part import TextPart

_WORDS: Mapping[str, Mixer] = MappingProxyType(
    {
        "full_attention": Mixer.FULL,
        "attention": Mixer.FULL,
        "global_attention": Mixer.FULL,
        "indexed_attention": Mixer.FULL,
        "minimax_m3_sparse": Mixer.FULL,
        "sliding_attention": Mixer.SLIDING,
        "local_attention": Mixer.SLIDING,
        "chunked_attention": Mixer.CHUNKED,
        "linear_attention": Mixer.LINEAR,
        "mamba": Mixer.MAMBA,
        "mamba2": Mixer.MAMBA,
        "moe": Mixer.NONE,
        "mlp": Mixer.NONE,
    }
)
_PERIOD_LETTERS: Mapping[str, Mixer] = MappingProxyType({"L": Mixer.SLIDING, "G": Mixer.FULL})
_OTHERS: Mapping[OtherLayers, Mixer] = MappingProxyType(
    {
        OtherLayers.NONE: Mixer.FULL,
        OtherLayers.SLIDING: Mixer.SLIDING,
        OtherLayers.CHUNKED: Mixer.CHUNKED,
        OtherLayers.LINEAR: Mixer.LINEAR,
    }
)
_MAMBA = frozenset({Recurrent.MAMBA_1, Recurrent.MAMBA_2})

Mixers = tuple[Mixer, ...]


def plan_mixers(part: TextPart, layers: int) -> Mixers:
    """The mixer of every layer.

    Raises:
        InputError: a kind that is not known, or a list of the wrong length.
    """
    for rule in _RULES:
        mixers = rule(part, layers)
        if mixers is not None:
            return _with_cross(part.text, mixers)
    return _with_cross(part.text, _by_family(part, layers))


def _from_words(text: Fields, name: str, words: Sequence[str], part: TextPart) -> Mixers:
    unknown = sorted(set(words) - set(_WORDS))
    if unknown:
        raise text.refusal(name, f"has the unknown kind {unknown[0][:40]}", ", ".join(_WORDS))
    mixers = tuple(_WORDS[word] for word in words)
    if part.family.recurrent not in _MAMBA:
        return mixers
    return tuple(Mixer.MAMBA if mixer is Mixer.LINEAR else mixer for mixer in mixers)


def _by_blocks(part: TextPart, layers: int) -> Mixers | None:
    words = block_words(part.text, layers)
    name = part.text.first(("layers_block_type", "hybrid_override_pattern"))
    return None if words is None else _from_words(part.text, name, words, part)


def _by_layer_types(part: TextPart, layers: int) -> Mixers | None:
    words = word_list(part.text, "layer_types", layers)
    return None if words is None else _from_words(part.text, "layer_types", words, part)


def _by_attn_type_list(part: TextPart, layers: int) -> Mixers | None:
    """MiniMax-01: 0 is lightning attention, 1 is full."""
    kinds = number_list(part.text, "attn_type_list", layers)
    return None if kinds is None else tuple(Mixer.FULL if k else Mixer.LINEAR for k in kinds)


def _by_hybrid_layer_pattern(part: TextPart, layers: int) -> Mixers | None:
    """MiMo-V2: 1 is a sliding layer."""
    kinds = number_list(part.text, "hybrid_layer_pattern", layers)
    return None if kinds is None else tuple(Mixer.SLIDING if k else Mixer.FULL for k in kinds)


def _by_linear_config(part: TextPart, layers: int) -> Mixers | None:
    """Kimi Linear: the full layers are listed, counted from 1."""
    nested = part.text.part("linear_attn_config")
    full = nested.wholes("full_attn_layers") if nested else None
    if full is None:
        return None
    listed = frozenset(full)
    return tuple(Mixer.FULL if i + 1 in listed else Mixer.LINEAR for i in range(layers))


def _by_attention_period(part: TextPart, layers: int) -> Mixers | None:
    """Jamba: one attention layer in each period, Mamba for the rest."""
    period = part.text.whole("attn_layer_period", low=1)
    if period is None:
        return None
    offset = part.text.whole_or(0, "the first layer of a period", "attn_layer_offset")
    return tuple(Mixer.FULL if i % period == offset else Mixer.MAMBA for i in range(layers))


def _by_interval(part: TextPart, layers: int) -> Mixers | None:
    interval = part.text.whole("full_attention_interval", "layer_group_size", low=1)
    if interval is None or part.family.recurrent is None:
        return None
    return _every(interval, Mixer.LINEAR, layers)


def _by_no_rope_layers(part: TextPart, layers: int) -> Mixers | None:
    """Llama 4: a layer without rotary positions sees everything, the others their chunk."""
    if part.family.others is not OtherLayers.CHUNKED:
        return None
    kinds = number_list(part.text, "no_rope_layers", layers) or ()
    return tuple(Mixer.CHUNKED if kind else Mixer.FULL for kind in kinds) or None


def _by_window_pattern(part: TextPart, layers: int) -> Mixers | None:
    """Gemma 3 and Cohere give a period, EXAONE 4 its letters."""
    value = part.text.value("sliding_window_pattern")
    if value is None or not _has_window(part):
        return None
    if isinstance(value, str):
        letters = part.text.word("sliding_window_pattern")
        if not letters or set(letters) - set(_PERIOD_LETTERS):
            raise part.text.refusal("sliding_window_pattern", "has unknown letters", "L, G")
        return tuple(_PERIOD_LETTERS[letters[i % len(letters)]] for i in range(layers))
    return _every(part.text.need("sliding_window_pattern"), Mixer.SLIDING, layers)


def _by_window_flag(part: TextPart, layers: int) -> Mixers | None:
    """Qwen: with the flag, layers from max_window_layers on are sliding."""
    flag = part.text.flag("use_sliding_window")
    if flag is None or part.family.others is not OtherLayers.NONE:
        return None
    if not flag:
        return (Mixer.FULL,) * layers
    full = min(part.text.whole("max_window_layers") or 0, layers)
    return (Mixer.FULL,) * full + (Mixer.SLIDING,) * (layers - full)


_RULES: tuple[Callable[[TextPart, int], Mixers | None], ...] = (
    _by_blocks,
    _by_layer_types,
    _by_attn_type_list,
    _by_hybrid_layer_pattern,
    _by_linear_config,
    _by_attention_period,
    _by_interval,
    _by_no_rope_layers,
    _by_window_pattern,
    _by_window_flag,
)


def _has_window(part: TextPart) -> bool:
    return part.text.has("sliding_window", "sliding_window_size", "attention_chunk_size")


def _every(period: int, others: Mixer, layers: int) -> Mixers:
    return tuple(Mixer.FULL if (i + 1) % period == 0 else others for i in range(layers))


def _by_family(part: TextPart, layers: int) -> Mixers:
    family = part.family
    if family.full_every:
        others = _OTHERS[family.others]
        if others.has_window and not _has_window(part):
            part.text.log.note_warning("The file states no window: every layer is counted as full.")
            return (Mixer.FULL,) * layers
        basis = f"every {family.full_every}th layer is full in {family.title}, the others {others}"
        part.text.log.note_assumed("layer kinds", f"1 of {family.full_every} full", basis)
        mixers = _every(family.full_every, others, layers)
        return (Mixer.FULL, *mixers[1:]) if family.first_is_full else mixers
    if _has_window(part) and not family.ignores_window:
        return (Mixer.SLIDING,) * layers
    return (Mixer.FULL,) * layers


def _with_cross(text: Fields, mixers: Mixers) -> Mixers:
    """Llama 3.2 Vision: these layers look at the image instead of the text."""
    cross = text.wholes("cross_attention_layers")
    if cross is None:
        return mixers
    listed = frozenset(cross)
    return tuple(Mixer.CROSS if i in listed else mixer for i, mixer in enumerate(mixers))
