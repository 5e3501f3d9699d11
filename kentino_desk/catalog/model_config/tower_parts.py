"""Blocks that the towers share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.fields import Fields

WIDTH = ("hidden_size", "width", "vt_hidden_size", "embed_dim")
DEPTH = ("num_hidden_layers", "depth", "layers", "vt_num_hidden_layers")
HEADS = ("num_attention_heads", "num_heads", "heads", "attention_heads")
INNER = ("intermediate_size", "vt_intermediate_size")
MOST_DEPTH = 1_000
MOST_TOWER_WIDTH = 100_000


def linear(inputs: int, outputs: int, bias: bool = True) -> int:
    """Weights of a projection."""
    return inputs * outputs + outputs * bias


def plain_block(width: int, inner: int) -> int:
    """Attention and feed-forward with biases, and two LayerNorms."""
    attention = 4 * linear(width, width)
    return attention + linear(width, inner) + linear(inner, width) + 4 * width


def read_width(tower: Fields) -> int:
    """Width of a tower.

    Raises:
        InputError: missing or out of range.
    """
    return tower.need(*WIDTH, high=MOST_TOWER_WIDTH)


def read_depth(tower: Fields) -> int:
    """Layers of a tower.

    Raises:
        InputError: missing or out of range.
    """
    return tower.need(*DEPTH, high=MOST_DEPTH)


def read_inner(tower: Fields) -> int:
    """Width of the feed-forward of a tower.

    Raises:
        InputError: missing or out of range.
    """
    return tower.need(*INNER, high=MOST_TOWER_WIDTH)


def read_patch(tower: Fields, default_time: int) -> int:
    """Inputs of a patch embedding: channels, pixels, and frames where they are joined.

    Raises:
        InputError: out of range.
    """
    channels = tower.whole("in_channels", "in_chans", "num_channels", low=1, high=16) or 3
    patch = tower.need("patch_size", high=1_000)
    time = tower.whole("temporal_patch_size", "patch_temporal", low=1, high=64) or default_time
    return channels * patch * patch * time


def read_merge(fields: Fields) -> int:
    """Patches that become one token.

    Raises:
        InputError: out of range.
    """
    basis = "two by two patches become one token in every published model"
    edge = fields.whole_or(2, basis, "spatial_merge_size", "merge_size", low=1, high=64)
    return edge * edge
