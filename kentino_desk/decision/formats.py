"""The order in which number formats are tried (decision_rules, section 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kentino_desk.domain.choices import Format
from kentino_desk.engine.card_inputs import supports

if TYPE_CHECKING:
    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.domain.model_card import ModelCard


class Step(NamedTuple):
    """One trial: formats, its place in the order, and whether it counts as a 4-bit step."""

    weights: Format
    kv_cache: Format
    order: int
    four_bit: bool


def eight_bit_format(model: ModelCard, gpu: Gpu) -> Format | None:
    """Native format of a model released at 8 bit or less, else FP8, or INT8 without FP8."""
    native = model.native_expert_format if model.is_moe else model.native_format
    if native is not Format.BF16 and native is not Format.FP8:
        return native if supports(gpu, native) or native is not Format.NVFP4 else Format.INT4
    if supports(gpu, Format.FP8):
        return Format.FP8
    return Format.INT8 if supports(gpu, Format.INT8) else None


def four_bit_formats(gpu: Gpu) -> tuple[Format, ...]:
    """NVFP4 first where the card computes it, then INT4."""
    if supports(gpu, Format.NVFP4):
        return (Format.NVFP4, Format.INT4)
    return (Format.INT4,)


def is_native_four_bit(model: ModelCard) -> bool:
    """Whether the model is released in 4 bit, so that question 2 has nothing to ask."""
    native = model.native_expert_format if model.is_moe else model.native_format
    return native.bits_class == 4


def format_steps(model: ModelCard, gpu: Gpu, weights: Format, kv_cache: Format) -> tuple[Step, ...]:
    """Formats to try on a card, in order; a format fixed by the workload is the only one tried."""
    caches = (Format.BF16, Format.FP8) if kv_cache is Format.AUTO else (kv_cache,)
    steps: list[Step] = []
    for four_bit, choices in _weight_groups(model, gpu, weights):
        for choice in choices:
            for cache in caches:
                steps.append(Step(choice, cache, len(steps), four_bit))
    return tuple(steps)


def _weight_groups(
    model: ModelCard, gpu: Gpu, weights: Format
) -> tuple[tuple[bool, tuple[Format, ...]], ...]:
    if weights is Format.AUTO:
        eight = eight_bit_format(model, gpu)
        first = (False, (eight,) if eight else ())
        if is_native_four_bit(model):
            return (first,)
        return (first, (True, four_bit_formats(gpu)))
    if not supports(gpu, weights):
        return ()
    native = is_native_four_bit(model) and weights is eight_bit_format(model, gpu)
    return ((weights.bits_class == 4 and not native, (weights,)),)
