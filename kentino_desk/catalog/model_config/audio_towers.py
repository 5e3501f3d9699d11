"""Audio towers that a formula covers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.tower_parts import MOST_TOWER_WIDTH, linear

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.fields import Fields


def conv_audio(_whole: Fields, tower: Fields, text_width: int) -> int:
    """Muse Spark: stages of convolution blocks, each stage wider than the last."""
    widths = tower.wholes("hidden_sizes") or ()
    patches = tower.wholes("patch_sizes") or ()
    depths = tower.wholes("depths") or ()
    if not widths or not len(widths) == len(patches) == len(depths):
        raise tower.refusal("hidden_sizes", "is not as long as patch_sizes and depths")
    kernel = tower.need("conv_kernel_size", high=1_000)
    inputs = (1, *widths)
    total = sum(
        linear(before * patch, width) + width + depth * _block(tower, width, kernel)
        for before, patch, width, depth in zip(inputs, patches, widths, depths, strict=False)
    )
    out = tower.whole("out_hidden_size", low=1, high=MOST_TOWER_WIDTH) or text_width
    return total + widths[-1] + linear(widths[-1], out) + out


def _block(tower: Fields, width: int, kernel: int) -> int:
    ratio = tower.value("mlp_ratio")
    if not isinstance(ratio, int | float) or not math.isfinite(ratio) or not 0 < ratio < 100:
        raise tower.refusal("mlp_ratio", "is no ratio", "above 0, below 100")
    inner = int(width * ratio)
    return linear(kernel, width) + width + linear(width, inner) + linear(inner, width)
