"""Vision towers of one image size or one grid: SigLIP, Llama 3.2, Step, MiniMax, Muse."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.tower_parts import (
    MOST_TOWER_WIDTH,
    linear,
    plain_block,
    read_depth,
    read_inner,
    read_merge,
    read_patch,
    read_width,
)

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.fields import Fields


def _grid(tower: Fields) -> int:
    patch = tower.need("patch_size", high=1_000)
    return (tower.need("image_size", high=100_000) // patch) ** 2


def siglip(_whole: Fields, tower: Fields, text_width: int) -> int:
    """SigLIP without its head, with the projector of Gemma 3."""
    width, inner = read_width(tower), read_inner(tower)
    total = linear(read_patch(tower, 1), width) + _grid(tower) * width
    total += read_depth(tower) * plain_block(width, inner) + 2 * width
    return total + width * text_width + width


def cross_attention_tiles(_whole: Fields, tower: Fields, text_width: int) -> int:
    """Llama 3.2 Vision: tiles with gated positions, and a second stack of gated layers."""
    width, inner = read_width(tower), read_inner(tower)
    tiles = tower.need("max_num_tiles", high=64)
    ratios = 1 + tower.whole_or(8, "the default of mllama", "max_aspect_ratio_id", high=1_000)
    positions = _grid(tower) + 1
    block = 4 * width * width + linear(width, inner) + linear(inner, width) + 4 * width
    gated = tower.need("num_global_layers", high=1_000)
    total = read_patch(tower, 1) * width + width + 4 * width
    total += positions * width + ratios * tiles * positions * width + 1
    total += 2 * (ratios * tiles * width + 1)
    total += read_depth(tower) * block + gated * (block + 2)
    return total + linear(tower.need("vision_output_dim", high=MOST_TOWER_WIDTH), text_width)


def step(whole: Fields, tower: Fields, text_width: int) -> int:
    """Step 3.7: scaled layers, two convolutions that halve the grid."""
    width = read_width(tower)
    inner = _inner_of_ratio(tower, width)
    scaled = 2 * width
    total = read_patch(tower, 1) * width + _grid(tower) * width + 2 * width
    total += read_depth(tower) * (plain_block(width, inner) + scaled)
    total += linear(9 * width, 2 * width) + linear(18 * width, 4 * width)
    return total + linear(4 * width, text_width, whole.flag("projector_bias") or False)


def _inner_of_ratio(tower: Fields, width: int) -> int:
    ratio = tower.value("mlp_ratio")
    if ratio is None:
        return read_inner(tower)
    if not isinstance(ratio, int | float) or not math.isfinite(ratio) or not 0 < ratio < 100:
        raise tower.refusal("mlp_ratio", "is no ratio", "above 0, below 100")
    tower.log.note_read(tower.path("mlp_ratio"), ratio)
    return int(width * ratio)


def minimax(whole: Fields, tower: Fields, text_width: int) -> int:
    """MiniMax-M3: a projector of two stages."""
    width, inner = read_width(tower), read_inner(tower)
    middle = whole.whole_or(
        text_width,
        "the width of the text",
        "projector_hidden_size",
        low=1,
        high=MOST_TOWER_WIDTH,
    )
    merged = text_width * read_merge(tower)
    total = read_patch(tower, 2) * width + 2 * width
    total += read_depth(tower) * plain_block(width, inner)
    total += linear(width, middle) + linear(middle, text_width)
    return total + linear(merged, middle) + linear(middle, text_width)


def muse(whole: Fields, tower: Fields, text_width: int) -> int:
    """Muse: a learned grid, an adapter and a projection."""
    width, inner = read_width(tower), read_inner(tower)
    rows = tower.need("pos_emb_height", high=10_000)
    columns = tower.need("pos_emb_width", high=10_000)
    joined = whole.need("out_hidden_size", high=MOST_TOWER_WIDTH)
    middle = whole.need("projector_hidden_size", high=MOST_TOWER_WIDTH)
    total = read_patch(tower, 2) * width + rows * columns * width + 4 * width
    total += read_depth(tower) * plain_block(width, inner)
    return total + joined * middle + middle * middle + middle * text_width
