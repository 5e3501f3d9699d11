"""Vision and audio towers with their projectors: counted by formula, or refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.audio_towers import conv_audio
from kentino_desk.catalog.model_config.vision_clip import (
    cross_attention_tiles,
    minimax,
    muse,
    siglip,
    step,
)
from kentino_desk.catalog.model_config.vision_native import (
    gemma_4,
    glm_next,
    hunyuan,
    kimi,
    pixtral,
    qwen_2,
    qwen_2_5,
    qwen_3,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.catalog.model_config.fields import Fields

LLAMA_4_TOWER = 455_178_240
"""Published value of the tower that Scout and Maverick share (param_count_method, section 5)."""

_VISION: dict[str, Callable[[Fields, Fields, int], int]] = {
    "qwen2_vl": qwen_2,
    "qwen2_5_vl": qwen_2_5,
    "qwen3_vl": qwen_3,
    "qwen3_vl_moe": qwen_3,
    "qwen3_5": qwen_3,
    "qwen3_5_moe": qwen_3,
    "gemma3": siglip,
    "gemma4": gemma_4,
    "mistral3": pixtral,
    "ministral3": pixtral,
    "mistral_large4": pixtral,
    "kimi_k25": kimi,
    "kimi_k3": kimi,
    "glm5_next": glm_next,
    "hy_v4_vl": hunyuan,
    "mllama": cross_attention_tiles,
    "muse_glimmer": muse,
    "muse_spark": muse,
    "step3p7": step,
    "step3p5": step,
    "minimax_m3": minimax,
    "minimax_m3_vl": minimax,
}
_AUDIO: dict[str, Callable[[Fields, Fields, int], int]] = {"muse_spark": conv_audio}
_NESTED = ("vision_config", "visual", "vision_tower", "audio_config", "vit_config")
_TABLES = {"audio_config": _AUDIO}


def count_towers(whole: Fields, text_width: int) -> int:
    """Parameters of all towers and projectors.

    Raises:
        InputError: a tower that no formula covers, or a width that is missing.
    """
    outer = whole.word("model_type")
    total = 0
    for name in _NESTED:
        tower = whole.part(name)
        if tower is None:
            continue
        counted = _TABLES.get(name, _VISION).get(outer)
        if counted is None and outer != "llama4":
            raise whole.refusal(
                name,
                "describes a tower that no formula covers",
                hint="take it out to count the rest",
            )
        total += counted(whole, tower, text_width) if counted else _llama_4(whole)
    return total if total or outer != "llama4" else _llama_4(whole)


def _llama_4(whole: Fields) -> int:
    whole.log.note_assumed(
        "vision tower", f"{LLAMA_4_TOWER:,} parameters", "published for Llama 4; not counted here"
    )
    return LLAMA_4_TOWER
