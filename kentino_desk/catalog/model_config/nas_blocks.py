"""Nemotron-NAS: every layer has its own number of heads and its own width, or nothing at all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.basics import MOST_HEADS
from kentino_desk.catalog.model_config.layer import FeedForwardKind, Layer, Mixer

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.basics import Basics
    from kentino_desk.catalog.model_config.fields import Fields

_STEP = 256
"""Widths are rounded up to a multiple of this."""


def read_blocks(text: Fields, basics: Basics) -> tuple[Layer, ...] | None:
    """The layers that ``block_configs`` describes, or None for other models.

    Raises:
        InputError: a block that cannot be read, or one layer too few.
    """
    blocks = text.parts("block_configs")
    if blocks is None:
        return None
    if len(blocks) < basics.layers:
        problem = f"has {len(blocks)} entries for {basics.layers} layers"
        raise text.refusal("block_configs", problem)
    return tuple(_layer(block, basics) for block in blocks[: basics.layers])


def _layer(block: Fields, basics: Basics) -> Layer:
    kv_heads = _kv_heads(block, basics)
    width = _width(block, basics)
    return Layer(
        mixer=Mixer.FULL if kv_heads else Mixer.NONE,
        feed_forward=FeedForwardKind.DENSE if width else FeedForwardKind.NONE,
        kv_heads=kv_heads or None,
        dense_width=width or None,
    )


def _kv_heads(block: Fields, basics: Basics) -> int:
    attention = block.part("attention")
    if attention is None:
        raise block.refusal("attention", "is missing")
    if attention.flag("no_op"):
        return 0
    _refuse_linear(attention)
    stated = attention.whole("num_key_value_heads", low=1, high=MOST_HEADS)
    if stated is not None:
        return stated
    group = attention.need("n_heads_in_group", high=MOST_HEADS)
    return max(basics.heads // group, 1)


def _width(block: Fields, basics: Basics) -> int:
    feed_forward = block.part("ffn")
    if feed_forward is None:
        raise block.refusal("ffn", "is missing")
    if feed_forward.flag("no_op"):
        return 0
    _refuse_linear(feed_forward)
    stated = feed_forward.whole("intermediate_size", low=1)
    if stated is not None:
        return stated
    factor = feed_forward.value("ffn_mult")
    if not isinstance(factor, int | float) or not math.isfinite(factor) or not 0 < factor < 1_000:
        raise feed_forward.refusal("ffn_mult", "is no factor", "above 0, below 1000")
    width = int(2 * factor * basics.hidden / 3)
    return -(-width // _STEP) * _STEP


def _refuse_linear(part: Fields) -> None:
    if part.flag("replace_with_linear"):
        raise part.refusal("replace_with_linear", "is a layer that no formula covers")
