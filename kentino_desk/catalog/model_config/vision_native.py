"""Vision towers that take images of any size: Qwen, Pixtral, Kimi, Gemma 4, GLM, Hunyuan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.tower_parts import (
    HEADS,
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


def qwen_2(_whole: Fields, tower: Fields, text_width: int) -> int:
    """Qwen2-VL; its ``hidden_size`` is the width of the text."""
    width = tower.need("embed_dim", high=MOST_TOWER_WIDTH)
    inner = width * tower.whole_or(4, "the default of qwen2_vl", "mlp_ratio", low=1, high=64)
    joined = width * read_merge(tower)
    merger = 2 * width + linear(joined, joined) + linear(joined, text_width)
    return read_patch(tower, 2) * width + read_depth(tower) * plain_block(width, inner) + merger


def qwen_2_5(_whole: Fields, tower: Fields, text_width: int) -> int:
    """Qwen2.5-VL: gated feed-forward, RMSNorm."""
    width, inner = read_width(tower), read_inner(tower)
    block = 4 * linear(width, width) + 2 * linear(width, inner) + linear(inner, width) + 2 * width
    joined = width * read_merge(tower)
    out = tower.whole("out_hidden_size", low=1, high=MOST_TOWER_WIDTH) or text_width
    merger = width + linear(joined, joined) + linear(joined, out)
    return read_patch(tower, 2) * width + read_depth(tower) * block + merger


def qwen_3(_whole: Fields, tower: Fields, text_width: int) -> int:
    """Qwen3-VL and 3.5: one more merger for each deepstack index, its norm behind the merge."""
    width, inner = read_width(tower), read_inner(tower)
    joined = width * read_merge(tower)
    out = tower.whole("out_hidden_size", low=1, high=MOST_TOWER_WIDTH) or text_width
    projection = linear(joined, joined) + linear(joined, out)
    deep = len(tower.wholes("deepstack_visual_indexes") or ())
    positions = tower.need("num_position_embeddings", high=1_000_000) * width
    total = linear(read_patch(tower, 2), width) + positions
    total += read_depth(tower) * plain_block(width, inner)
    return total + 2 * width + projection + deep * (2 * joined + projection)


def pixtral(whole: Fields, tower: Fields, text_width: int) -> int:
    """Pixtral with the projector of Mistral 3."""
    width, inner = read_width(tower), read_inner(tower)
    block = 4 * width * width + 3 * width * inner + 2 * width
    total = read_patch(tower, 1) * width + width + read_depth(tower) * block
    has_bias = whole.flag("multimodal_projector_bias") or False
    projector = width + read_merge(whole) * width * width
    projector += linear(width, text_width, has_bias) + linear(text_width, text_width, has_bias)
    return total + projector


def kimi(_whole: Fields, tower: Fields, text_width: int) -> int:
    """MoonViT with a patch merger (Kimi K2.5, agrees with its instantiated count)."""
    width, inner = read_width(tower), read_inner(tower)
    rows = tower.need("init_pos_emb_height", high=10_000)
    columns = tower.need("init_pos_emb_width", high=10_000)
    merge = tower.wholes("merge_kernel_size") or (2, 2)
    joined = width * merge[0] * merge[-1] if merge else width
    out = tower.whole("text_hidden_size", low=1, high=MOST_TOWER_WIDTH) or text_width
    total = linear(read_patch(tower, 1), width) + rows * columns * width
    total += read_depth(tower) * plain_block(width, inner) + 2 * width
    return total + 2 * width + linear(joined, joined) + linear(joined, out)


def gemma_4(_whole: Fields, tower: Fields, text_width: int) -> int:
    """Gemma 4 (agrees with the instantiated counts of 31B, 26B, E4B and E2B)."""
    width, inner = read_width(tower), read_inner(tower)
    heads = tower.need(*HEADS, high=10_000)
    head_dim = tower.whole("head_dim", low=1, high=100_000) or width // heads
    block = 4 * width * heads * head_dim + 3 * width * inner + 4 * width + 2 * head_dim
    positions = 2 * tower.need("position_embedding_size", high=1_000_000) * width
    return (
        read_patch(tower, 1) * width
        + positions
        + read_depth(tower) * block
        + linear(width, text_width, bias=False)
    )


def glm_next(_whole: Fields, tower: Fields, _text_width: int) -> int:
    """GLM-5.3 Flash."""
    width, inner = read_width(tower), read_inner(tower)
    out = tower.need("out_hidden_size", high=MOST_TOWER_WIDTH)
    inner_out = tower.need("projection_intermediate_size", high=MOST_TOWER_WIDTH)
    head_dim = width // tower.need(*HEADS, high=10_000)
    has_bias = tower.flag("attention_bias") or False
    block = 4 * linear(width, width, has_bias) + 2 * linear(width, inner, has_bias)
    block += linear(inner, width, has_bias) + 2 * width + 2 * head_dim
    total = linear(read_patch(tower, 2), width) + read_depth(tower) * block + width
    merger = out * out + 2 * out + 3 * out * inner_out
    return total + linear(width * read_merge(tower), out) + merger


def hunyuan(_whole: Fields, tower: Fields, text_width: int) -> int:
    """Hy4."""
    width, inner = read_width(tower), read_inner(tower)
    merge = read_merge(tower)
    edge = tower.need("max_image_size", high=100_000) // tower.need("patch_size", high=1_000)
    out = tower.whole("out_hidden_size", low=1, high=MOST_TOWER_WIDTH) or text_width
    total = linear(read_patch(tower, 1), width) + (edge * edge + 1) * width
    total += read_depth(tower) * plain_block(width, inner)
    joined = width * merge
    return total + linear(width * merge, joined) + linear(joined, out) + out + width
