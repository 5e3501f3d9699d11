"""Which layers hold experts, by the rules of the published configurations in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.layer_lists import cut, number_list, word_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.catalog.model_config.fields import Fields
    from kentino_desk.catalog.model_config.text_part import TextPart

Flags = tuple[bool, ...]


def plan_experts(part: TextPart, layers: int) -> Flags:
    """Whether each layer holds experts, for a model that has them.

    Raises:
        InputError: a rule that cannot be read.
    """
    for rule in _RULES:
        flags = rule(part.text, layers)
        if flags is not None:
            return flags
    return _by_family(part, layers)


def _by_mlp_layer_types(text: Fields, layers: int) -> Flags | None:
    words = word_list(text, "mlp_layer_types", layers)
    if words is None:
        return None
    unknown = sorted(set(words) - {"dense", "sparse"})
    if unknown:
        problem = f"has the unknown kind {unknown[0][:40]}"
        raise text.refusal("mlp_layer_types", problem, "dense, sparse")
    return tuple(word == "sparse" for word in words)


def _by_frequency_list(text: Fields, layers: int) -> Flags | None:
    kinds = number_list(text, "moe_layer_freq", layers)
    return None if kinds is None else tuple(kind > 0 for kind in kinds)


def _by_enumeration(text: Fields, layers: int) -> Flags | None:
    """Step: the layers with experts as numbers with commas between."""
    if isinstance(text.value("moe_layers_enum"), list):
        listed = text.wholes("moe_layers_enum")
        return None if listed is None else _flags(frozenset(listed), layers)
    numbers = text.word("moe_layers_enum").replace(" ", "")
    if not numbers:
        return None
    items = [item for item in numbers.split(",") if item]
    if not all(item.isascii() and item.isdigit() and len(item) <= 6 for item in items):
        raise text.refusal("moe_layers_enum", "is not a list of layer numbers")
    return _flags(frozenset(int(item) for item in items), layers)


def _by_listed_or_step(text: Fields, layers: int) -> Flags | None:
    """Llama 4: a list of layers, or the last layer of each step."""
    listed = text.wholes("moe_layers")
    if listed is not None:
        return _flags(frozenset(listed), layers)
    step = text.whole("interleave_moe_layer_step", low=1)
    return None if step is None else tuple((i + 1) % step == 0 for i in range(layers))


def _by_period(text: Fields, layers: int) -> Flags | None:
    """Jamba."""
    period = text.whole("expert_layer_period", low=1)
    if period is None:
        return None
    offset = text.whole_or(0, "the first layer of a period", "expert_layer_offset")
    return tuple(i % period == offset for i in range(layers))


def _by_bounds(text: Fields, layers: int) -> Flags | None:
    """ERNIE: from a first to a last layer, every so many."""
    first = text.whole("moe_layer_start_index")
    if first is None:
        return None
    end = text.whole("moe_layer_end_index", low=-1)
    last = layers - 1 if end is None or end < 0 else end
    step = text.whole("moe_layer_interval", low=1) or 1
    return tuple(first <= i <= last and (i + 1) % step == 0 for i in range(layers))


def _by_first_dense(text: Fields, layers: int) -> Flags | None:
    dense = text.whole("first_k_dense_replace")
    if dense is None:
        return None
    step = text.whole("moe_layer_freq", low=1) or 1
    return tuple(i >= dense and i % step == 0 for i in range(layers))


def _by_sparse_step(text: Fields, layers: int) -> Flags | None:
    """Qwen."""
    step = text.whole("decoder_sparse_step", low=1)
    dense = text.wholes("mlp_only_layers")
    if step is None and not dense:
        return None
    listed = frozenset(dense or ())
    return tuple(i not in listed and (i + 1) % (step or 1) == 0 for i in range(layers))


_RULES: tuple[Callable[[Fields, int], Flags | None], ...] = (
    _by_mlp_layer_types,
    _by_frequency_list,
    _by_enumeration,
    _by_listed_or_step,
    _by_period,
    _by_bounds,
    _by_first_dense,
    _by_sparse_step,
)


def _by_family(part: TextPart, layers: int) -> Flags:
    dense = part.family.first_dense
    basis = f"the default of {part.family.title}" if dense else "no rule stands in the file"
    if dense or not part.family.is_known:
        part.text.log.note_assumed("layers without experts", dense, basis)
    return tuple(i >= dense for i in range(layers))


def _flags(listed: frozenset[int], layers: int) -> Flags:
    return tuple(i in listed for i in range(layers))


def plan_block_index(text: Fields, layers: int) -> tuple[bool, ...] | None:
    """MiniMax-M3: layers whose attention has a block index, or None for other models."""
    nested = text.part("sparse_attention_config")
    kinds = number_list(nested, "sparse_attention_freq", layers) if nested else None
    if kinds is not None:
        return tuple(kind > 0 for kind in kinds)
    words = text.words("layer_types") or ()
    if "minimax_m3_sparse" not in words:
        return None
    return tuple(word == "minimax_m3_sparse" for word in cut(text, "layer_types", words, layers))
