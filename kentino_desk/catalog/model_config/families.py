"""The architectures that can be counted, by model_type."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.family import (
    ALWAYS,
    NO_BIAS,
    Bias,
    Family,
    Gate,
    OtherLayers,
    QkNorm,
    Recurrent,
    Sinks,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_INTERMEDIATE = ("intermediate_size",)
_SLIDING = OtherLayers.SLIDING

_LLAMA = Family(title="Llama", mlp_bias=Bias("mlp_bias"))
_QWEN2 = Family(title="Qwen2", qkv_bias=ALWAYS, out_bias=NO_BIAS, ignores_window=True)
_QWEN2_MOE = replace(_QWEN2, title="Qwen2 MoE", shared_gate=True)
_QWEN3 = Family(title="Qwen3", qk_norm=QkNorm.HEAD, ignores_window=True)
_QWEN3_NEXT = Family(
    title="Qwen3-Next",
    qk_norm=QkNorm.HEAD,
    gate=Gate.ELEMENT,
    shared_gate=True,
    recurrent=Recurrent.GATED_DELTA,
    full_every=4,
    others=OtherLayers.LINEAR,
)
_DEEPSEEK = Family(title="DeepSeek", correction_bias=True)
_GLM = Family(title="GLM", out_bias=NO_BIAS)
_GLM_MOE = replace(_GLM, qk_norm=QkNorm.HEAD, qk_norm_field="use_qk_norm", correction_bias=True)
_GEMMA = Family(title="Gemma", tied=True)
_GEMMA_2 = replace(_GEMMA, title="Gemma 2", norms=4, full_every=2, others=_SLIDING)
_GEMMA_3 = replace(_GEMMA_2, title="Gemma 3", qk_norm=QkNorm.HEAD, full_every=6)
_COHERE = Family(
    title="Command",
    norms=1,
    tied=True,
    qk_norm=QkNorm.ALL_HEADS,
    qk_norm_field="use_qk_norm",
)
_OLMO_2 = Family(title="OLMo 2", qk_norm=QkNorm.ALL_HEADS)
_FALCON = Family(
    title="Falcon",
    norms=1,
    norm_vectors=2,
    tied=True,
    qkv_bias=Bias("bias"),
    out_bias=Bias("bias"),
    mlp_bias=Bias("bias"),
    is_gated=False,
)
_STARCODER_2 = Family(
    title="StarCoder2",
    norm_vectors=2,
    tied=True,
    qkv_bias=Bias("use_bias", default=True),
    out_bias=Bias("use_bias", default=True),
    mlp_bias=Bias("use_bias", default=True),
    is_gated=False,
)
_ERNIE = Family(
    title="ERNIE 4.5",
    tied=True,
    qkv_bias=Bias("use_bias"),
    out_bias=Bias("use_bias"),
    mlp_bias=Bias("use_bias"),
    correction_bias=True,
)
_MOE_IN_INTERMEDIATE = replace(
    _LLAMA, title="Mixtral", mlp_bias=NO_BIAS, expert_width_fields=_INTERMEDIATE
)
_LLAMA_4 = replace(
    _MOE_IN_INTERMEDIATE,
    title="Llama 4",
    dense_width_fields=("intermediate_size_mlp",),
    shared_experts=1,
    full_every=4,
    others=OtherLayers.CHUNKED,
)
_HUNYUAN = Family(title="Hunyuan", qk_norm=QkNorm.HEAD, qk_norm_field="use_qk_norm", tied=True)
_MINIMAX = replace(_MOE_IN_INTERMEDIATE, title="MiniMax-01", recurrent=Recurrent.LIGHTNING)
_KIMI_LINEAR = replace(_DEEPSEEK, title="Kimi Linear", first_dense=1, recurrent=Recurrent.KDA)
_MINISTRAL = Family(title="Mistral")
_MIMO_2 = Family(
    title="MiMo-V2",
    out_bias=NO_BIAS,
    sinks=Sinks.SLIDING,
    correction_bias=True,
    first_dense=1,
    full_every=6,
    first_is_full=True,
    others=_SLIDING,
)
_MUSE = Family(title="Muse", gate=Gate.ELEMENT)

_DENSE: dict[str, Family] = {
    "llama": _LLAMA,
    "mistral": _MINISTRAL,
    "ministral": _MINISTRAL,
    "ministral3": _MINISTRAL,
    "smollm3": replace(_LLAMA, title="SmolLM3", tied=True, ignores_window=True),
    "granite": replace(_LLAMA, title="Granite"),
    "phi3": Family(title="Phi-3"),
    "internlm2": Family(title="InternLM2", qkv_bias=Bias("bias"), out_bias=Bias("bias")),
    "internlm3": Family(title="InternLM3", qkv_bias=Bias("qkv_bias"), out_bias=Bias("bias")),
    "seed_oss": Family(
        title="Seed-OSS",
        qkv_bias=Bias("attention_bias", default=True),
        out_bias=Bias("attention_out_bias"),
    ),
    "qwen2": _QWEN2,
    "qwen2_vl": _QWEN2,
    "qwen2_vl_text": _QWEN2,
    "qwen2_5_vl": _QWEN2,
    "qwen2_5_vl_text": _QWEN2,
    "mimo": replace(_QWEN2, title="MiMo"),
    "qwen3": _QWEN3,
    "qwen3_vl_text": _QWEN3,
    "glm": replace(_GLM, qkv_bias=Bias("attention_bias", default=True)),
    "glm4": replace(_GLM, norms=4),
    "gemma": _GEMMA,
    "gemma2": _GEMMA_2,
    "gemma3_text": _GEMMA_3,
    "cohere": _COHERE,
    "cohere2": replace(_COHERE, qk_norm=QkNorm.NONE, full_every=4, others=_SLIDING),
    "olmo2": _OLMO_2,
    "olmo3": replace(_OLMO_2, title="OLMo 3", full_every=4, others=_SLIDING),
    "starcoder2": _STARCODER_2,
    "falcon": _FALCON,
    "mpt": Family(
        title="MPT",
        tied=True,
        qkv_bias=NO_BIAS,
        out_bias=NO_BIAS,
        is_gated=False,
    ),
    "apertus": Family(title="Apertus", qk_norm=QkNorm.HEAD, is_gated=False, activation_params=2),
    "exaone4": Family(title="EXAONE 4", qk_norm=QkNorm.HEAD, qkv_bias=NO_BIAS, out_bias=NO_BIAS),
    "mllama_text_model": Family(
        title="Llama 3.2 Vision", qkv_bias=NO_BIAS, out_bias=NO_BIAS, extra_vocabulary=8
    ),
    "muse_glimmer_text": replace(_MUSE, norms=4),
    "ernie4_5": replace(_ERNIE, correction_bias=False),
    "hunyuan_v1_dense": _HUNYUAN,
    "nemotron-nas": Family(title="Llama Nemotron"),
}

_EXPERTS: dict[str, Family] = {
    "mixtral": _MOE_IN_INTERMEDIATE,
    "phimoe": replace(
        _MOE_IN_INTERMEDIATE, title="Phi-3.5-MoE", norm_vectors=2, head_bias=Bias("lm_head_bias")
    ),
    "grok-1": replace(_MOE_IN_INTERMEDIATE, title="Grok-1", norms=4, tied=True),
    "grok-2": Family(title="Grok-2", norms=4, dense_beside_experts=True),
    "dbrx": Family(title="DBRX", qkv_bias=NO_BIAS, out_bias=NO_BIAS),
    "qwen2_moe": _QWEN2_MOE,
    "qwen3_moe": replace(_QWEN3, title="Qwen3 MoE"),
    "qwen3_vl_moe_text": replace(_QWEN3, title="Qwen3 MoE"),
    "glm4_moe": replace(_GLM_MOE, title="GLM-4.5"),
    "solar_open": replace(_DEEPSEEK, title="Solar Open"),
    "llama4_text": _LLAMA_4,
    "gpt_oss": Family(
        title="gpt-oss",
        qkv_bias=Bias("attention_bias", default=True),
        out_bias=Bias("attention_bias", default=True),
        sinks=Sinks.EVERY,
        expert_width_fields=_INTERMEDIATE,
        router_bias=True,
        expert_bias=True,
        full_every=2,
        others=_SLIDING,
    ),
    "minimax_m2": replace(
        _MOE_IN_INTERMEDIATE,
        title="MiniMax-M2",
        qk_norm=QkNorm.ALL_HEADS,
        qk_norm_field="use_qk_norm",
        correction_bias=True,
    ),
    "minimax_m3_vl_text": replace(
        _MOE_IN_INTERMEDIATE,
        title="MiniMax-M3",
        qk_norm=QkNorm.HEAD,
        correction_bias=True,
        dense_width_fields=("dense_intermediate_size",),
    ),
    "hunyuan": replace(_HUNYUAN, expert_width_fields=_INTERMEDIATE),
    "hunyuan_v1_moe": _HUNYUAN,
    "hy_v3": Family(title="Hy3", qk_norm=QkNorm.HEAD, correction_bias=True, first_dense=1),
    "ernie4_5_moe": _ERNIE,
    "laguna": Family(
        title="Laguna", qk_norm=QkNorm.HEAD, gate=Gate.HEAD, correction_bias=True, first_dense=1
    ),
    "mellum": Family(title="Mellum 2", qk_norm=QkNorm.HEAD),
    "kolibri1": Family(
        title="Kolibri",
        norms=4,
        qk_norm=QkNorm.HEAD,
        qkv_bias=NO_BIAS,
        out_bias=NO_BIAS,
        correction_bias=True,
        full_every=5,
        others=_SLIDING,
    ),
    "mimo_v2_flash": _MIMO_2,
    "step3p7_text": Family(
        title="Step 3.7",
        qk_norm=QkNorm.HEAD,
        gate=Gate.HEAD,
        correction_bias=True,
    ),
    "muse_spark_text": replace(_MUSE, norms=5, latent_norms=2, correction_bias=True),
    "gemma4_text": replace(
        _GEMMA_3, title="Gemma 4", expert_width_fields=("moe_intermediate_size",)
    ),
}

_LATENT: dict[str, Family] = {
    "deepseek_v2": Family(title="DeepSeek"),
    "deepseek_v3": _DEEPSEEK,
    "deepseek_v32": _DEEPSEEK,
    "kimi_k2": replace(_DEEPSEEK, title="Kimi K2"),
    "mistral4": Family(title="Mistral 4"),
    "mistral_large4_text": Family(title="Mistral Large 4"),
    "glm4_moe_lite": replace(_DEEPSEEK, title="GLM-4.7-Flash", first_dense=1),
    "glm_moe_dsa": replace(_DEEPSEEK, title="GLM-5"),
    "axk1": replace(_DEEPSEEK, title="A.X K1"),
    "sarvam_mla": replace(_DEEPSEEK, title="Sarvam"),
    "hy_v4_vl_text": replace(
        _DEEPSEEK,
        title="Hy4",
        gate=Gate.ELEMENT,
        sinks=Sinks.EVERY,
        hyper_rows="narrow",
    ),
    "deepseek_v4": replace(_DEEPSEEK, title="DeepSeek V4", hyper_rows="wide", ignores_window=True),
}

_HYBRID: dict[str, Family] = {
    "qwen3_next": _QWEN3_NEXT,
    "qwen3_5_text": replace(_QWEN3_NEXT, title="Qwen3.5"),
    "qwen3_5_moe_text": replace(_QWEN3_NEXT, title="Qwen3.5 MoE"),
    "kimi_linear": _KIMI_LINEAR,
    "kimi_k3_text": replace(_KIMI_LINEAR, title="Kimi K3", kda_full_gate=True, latent_norms=1),
    "bailing_hybrid": replace(
        _KIMI_LINEAR,
        title="Ling 3.0",
        gate=Gate.HEAD,
        kda_full_gate=True,
        kda_full_forget=True,
    ),
    "glm5_next_text": replace(_KIMI_LINEAR, title="GLM-5.3", hyper_rows="wide", hyper_head=False),
    "minimax": _MINIMAX,
    "minimax_m1": _MINIMAX,
    "nemotron_h": Family(
        title="Nemotron-H",
        norms=1,
        mlp_bias=Bias("mlp_bias"),
        qkv_bias=NO_BIAS,
        out_bias=NO_BIAS,
        is_gated=False,
        correction_bias=True,
        recurrent=Recurrent.MAMBA_2,
    ),
    "granitemoehybrid": Family(
        title="Granite 4",
        tied=True,
        expert_width_fields=_INTERMEDIATE,
        shared_without_experts=True,
        recurrent=Recurrent.MAMBA_2,
    ),
    "jamba": Family(
        title="Jamba",
        qkv_bias=NO_BIAS,
        out_bias=NO_BIAS,
        expert_width_fields=_INTERMEDIATE,
        recurrent=Recurrent.MAMBA_1,
    ),
}

_OTHER_NAMES = {
    "qwen3_5": "qwen3_5_text",
    "qwen3_5_moe": "qwen3_5_moe_text",
    "qwen3_vl": "qwen3_vl_text",
    "qwen3_vl_moe": "qwen3_vl_moe_text",
    "llama4": "llama4_text",
    "gemma3": "gemma3_text",
    "gemma4": "gemma4_text",
    "mllama": "mllama_text_model",
    "deepseekv4": "deepseek_v4",
    "kimi_k25": "kimi_k2",
    "kimi_k3": "kimi_k3_text",
    "hy_v4": "hy_v4_vl_text",
    "muse_glimmer": "muse_glimmer_text",
    "muse_spark": "muse_spark_text",
    "glm5_next": "glm5_next_text",
    "mistral_large4": "mistral_large4_text",
    "minimax_m3": "minimax_m3_vl_text",
    "minimax_m3_vl": "minimax_m3_vl_text",
    "minimax_m3_text": "minimax_m3_vl_text",
    "step3p5": "step3p7_text",
    "step3p7": "step3p7_text",
    "step3p5_text": "step3p7_text",
    "mimo_v2": "mimo_v2_flash",
    "mimo_v2_pro": "mimo_v2_flash",
    "deci": "nemotron-nas",
    "nemotron_nas": "nemotron-nas",
    "refinedweb": "falcon",
    "refinedwebmodel": "falcon",
    "grok_1": "grok-1",
}
"""Outer names, and older spellings, of the same decoder."""

FAMILIES: Mapping[str, Family] = MappingProxyType(_DENSE | _EXPERTS | _LATENT | _HYBRID)

GENERIC = Family(title="", is_known=False, mlp_bias=Bias("mlp_bias"))
"""What an unknown model_type is counted as; the report says so."""


def find_family(model_type: str) -> Family | None:
    """The architecture of that name, or None."""
    return FAMILIES.get(_OTHER_NAMES.get(model_type, model_type))
