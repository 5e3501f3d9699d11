"""Mixers that keep a state: gated DeltaNet, KDA, lightning attention, Mamba."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.basics import MOST_HEADS, MOST_WIDTH
from kentino_desk.catalog.model_config.family import Recurrent

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.catalog.model_config.basics import Basics
    from kentino_desk.catalog.model_config.fields import Fields
    from kentino_desk.catalog.model_config.text_part import TextPart


@dataclass(frozen=True, slots=True)
class StateMixer:
    """Weights of one layer, and the elements that one sequence keeps in it."""

    kind: Recurrent
    params: int
    state_elements: int
    conv_elements: int
    is_fp32: bool

    @property
    def state_bytes(self) -> int:
        """Bytes of one layer and sequence: the convolution is always 16 bit."""
        return (4 if self.is_fp32 else 2) * self.state_elements + 2 * self.conv_elements


def read_state_mixer(part: TextPart, basics: Basics, name: str) -> StateMixer:
    """Read the mixer of the layers that keep a state; ``name`` is the field that asks for it.

    Raises:
        InputError: a mixer that no formula covers, or a width that is missing.
    """
    kind = part.family.recurrent or _told_by_fields(part.text)
    if kind is None:
        raise part.text.refusal(
            name, "asks for a mixer that no formula covers", ", ".join(sorted(Recurrent))
        )
    return _READERS[kind](part, basics)


def _told_by_fields(text: Fields) -> Recurrent | None:
    named = (
        (Recurrent.GATED_DELTA, ("linear_num_value_heads",)),
        (Recurrent.KDA, ("linear_attn_config", "linear_num_heads")),
        (Recurrent.MAMBA_2, ("mamba_num_heads", "mamba_n_heads")),
        (Recurrent.MAMBA_1, ("mamba_dt_rank",)),
    )
    kind = next((kind for kind, names in named if text.has(*names)), None)
    if kind is not None:
        text.log.note_assumed("state layers", kind.value, "told by the fields of the file")
    return kind


def _gated_delta(part: TextPart, basics: Basics) -> StateMixer:
    text, hidden = part.text, basics.hidden
    key_heads = text.need("linear_num_key_heads", high=MOST_HEADS)
    value_heads = text.need("linear_num_value_heads", high=MOST_HEADS)
    key_dim = text.need("linear_key_head_dim", high=MOST_WIDTH)
    value_dim = text.need("linear_value_head_dim", high=MOST_WIDTH)
    kernel = text.need("linear_conv_kernel_dim", high=1_000)
    keys, values = key_heads * key_dim, value_heads * value_dim
    convolved = 2 * keys + values
    params = hidden * (2 * keys + 2 * values + 2 * value_heads) + convolved * kernel
    params += 2 * value_heads + value_dim + values * hidden
    return StateMixer(
        Recurrent.GATED_DELTA,
        params,
        value_heads * key_dim * value_dim,
        convolved * (kernel - 1),
        _is_fp32(text),
    )


def _kda(part: TextPart, basics: Basics) -> StateMixer:
    text, hidden = part.text, basics.hidden
    nested = text.part("linear_attn_config")
    own, prefix = (text, "linear_") if nested is None else (nested, "")
    heads = own.need(f"{prefix}num_heads", high=MOST_HEADS)
    dim = own.need(f"{prefix}head_dim", high=MOST_WIDTH)
    kernel = own.need("short_conv_kernel_size", f"{prefix}conv_kernel_dim", high=1_000)
    width = heads * dim
    low_rank, full_rank = hidden * dim + dim * width, hidden * width
    params = 3 * hidden * width + 3 * width * kernel + width * hidden
    params += full_rank if part.family.kda_full_forget else low_rank
    params += full_rank if part.family.kda_full_gate else low_rank
    params += width + heads + hidden * heads + dim
    conv = 3 * width * (kernel - 1)
    return StateMixer(Recurrent.KDA, params, heads * dim * dim, conv, _is_fp32(text))


def _lightning(part: TextPart, basics: Basics) -> StateMixer:
    width = basics.heads * basics.head_dim
    return StateMixer(
        Recurrent.LIGHTNING,
        5 * basics.hidden * width + width,
        width * basics.head_dim,
        0,
        _is_fp32(part.text),
    )


def _mamba_2(part: TextPart, basics: Basics) -> StateMixer:
    text, hidden = part.text, basics.hidden
    heads = text.need("mamba_num_heads", "mamba_n_heads", high=MOST_HEADS)
    inner = heads * text.need("mamba_head_dim", "mamba_d_head", high=MOST_WIDTH)
    groups = text.need("n_groups", "mamba_n_groups", high=MOST_HEADS)
    size = text.need("ssm_state_size", "mamba_d_state", high=MOST_WIDTH)
    kernel = text.need("conv_kernel", "mamba_d_conv", high=1_000)
    convolved = inner + 2 * groups * size
    params = hidden * (inner + convolved + heads) + convolved * kernel + convolved
    params += 3 * heads + inner + inner * hidden
    return StateMixer(
        Recurrent.MAMBA_2,
        params,
        inner * size,
        convolved * (kernel - 1),
        _is_fp32(text, is_mamba=True),
    )


def _mamba_1(part: TextPart, basics: Basics) -> StateMixer:
    text, hidden = part.text, basics.hidden
    inner = text.need("mamba_expand", high=1_000) * hidden
    size = text.need("mamba_d_state", high=MOST_WIDTH)
    kernel = text.need("mamba_d_conv", high=1_000)
    rank = text.need("mamba_dt_rank", high=MOST_WIDTH)
    params = hidden * 2 * inner + inner * kernel + inner + inner * (rank + 2 * size)
    params += rank * inner + inner + inner * size + inner + inner * hidden + rank + 2 * size
    return StateMixer(
        Recurrent.MAMBA_1,
        params,
        inner * size,
        inner * (kernel - 1),
        _is_fp32(text, is_mamba=True),
    )


def _is_fp32(text: Fields, is_mamba: bool = False) -> bool:
    """Mamba keeps its state in 32 bit unless the file says otherwise."""
    stated = text.word("mamba_ssm_dtype", "mamba_ssm_cache_dtype")
    if not stated and is_mamba:
        text.log.note_assumed("state format", "float32", "what serving engines use for Mamba")
    return "32" in stated if stated else is_mamba


_READERS: dict[Recurrent, Callable[[TextPart, Basics], StateMixer]] = {
    Recurrent.GATED_DELTA: _gated_delta,
    Recurrent.KDA: _kda,
    Recurrent.LIGHTNING: _lightning,
    Recurrent.MAMBA_1: _mamba_1,
    Recurrent.MAMBA_2: _mamba_2,
}
