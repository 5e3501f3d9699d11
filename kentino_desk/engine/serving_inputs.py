"""Inputs of a serving candidate that depend on card, layout, formats, engine and host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Engine, Format
from kentino_desk.domain.units import GB, GIB, TERA
from kentino_desk.engine import policy
from kentino_desk.engine.card_inputs import (
    bus_class,
    card_bytes,
    card_class,
    dense_kernel,
    expert_kernel,
    is_blackwell_sxm,
    network_link,
    serving_link,
)
from kentino_desk.engine.model_inputs import (
    computed_bits,
    kv_element_bytes,
    latent_bytes_per_token,
    model_inputs,
    stored_bits,
    weight_uncertainty,
)
from kentino_desk.engine.policy_tables import (
    FIRST_TOKEN,
    LARGE_CARD_GIB,
    MAX_NUM_SEQS_LARGE,
    MAX_NUM_SEQS_SMALL,
    NEWEST_RELEASE,
    OVERHEADS,
    POOL_RULES,
    PROFILE_TOKENS_LARGE,
    PROFILE_TOKENS_SMALL,
    SHARES,
    Release,
    release_row,
)

if TYPE_CHECKING:
    from kentino_desk.domain.choices import Host
    from kentino_desk.domain.hardware import FabricType, Gpu
    from kentino_desk.domain.model_card import ModelCard


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingSetup:
    """What all candidates of a workload share: engine, release, limits and host."""

    engine: Engine
    release: str
    max_num_seqs: int | None
    utilisation: float | None
    host: Host


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingLayout:
    """Card, formats and degrees of one candidate; ``fabric`` joins pipeline stages over nodes."""

    gpu: Gpu
    weights: Format
    kv_cache: Format
    tp: int
    pp: int = 1
    nvlink: bool = False
    fabric: FabricType | None = None


def serving_inputs(
    model: ModelCard, layout: ServingLayout, setup: ServingSetup
) -> dict[str, float]:
    """Every input of one serving candidate but the load."""
    return {
        "tp": float(layout.tp),
        "pp": float(layout.pp),
        **model_inputs(model),
        **_format_inputs(model, layout),
        **_kernel_inputs(model, layout),
        **_memory_inputs(model, layout, setup),
        **_engine_inputs(layout, setup),
        **_link_inputs(layout, setup),
    }


def _format_inputs(model: ModelCard, layout: ServingLayout) -> dict[str, float]:
    routed, other = stored_bits(model, layout.weights)
    return {
        "routed_bits": routed,
        "other_bits": other,
        "dense_bits": computed_bits(model, layout.weights),
        "routed_padding": _padding(model, layout),
        "weight_uncertainty": weight_uncertainty(layout.weights),
        "kv_element_bytes": kv_element_bytes(layout.kv_cache),
        "latent_bytes_per_token": latent_bytes_per_token(model, layout.kv_cache),
    }


def _padding(model: ModelCard, layout: ServingLayout) -> float:
    """Hopper stores MXFP4 experts of 2,880 columns as 3,072 (memory_fit_notes, section 2)."""
    padded = layout.weights is Format.MXFP4 and card_class(layout.gpu) in {"h100", "h200"}
    if not padded or model.expert_ffn % 256 == 0:
        return 1.0
    return -(-model.expert_ffn // 256) * 256 / model.expert_ffn


def _kernel_inputs(model: ModelCard, layout: ServingLayout) -> dict[str, float]:
    gpu, shares = layout.gpu, SHARES[card_class(layout.gpu)]
    bandwidth = (gpu.memory_bandwidth_gb_per_s or 0.0) * GB
    f16 = (gpu.tflops_bf16 or 0.0) * TERA
    dense = dense_kernel(gpu, model, layout.weights)
    expert = expert_kernel(gpu, layout.weights)
    latent = model_inputs(model)["latent_decode_flops"]
    return {
        "bandwidth_bytes_per_s": bandwidth,
        "dense_bandwidth_share": dense.bandwidth_share,
        "dense_flops": dense.flops,
        "bf16_bandwidth_share": shares.bf16[0],
        "kv_bandwidth": shares.kv * bandwidth,
        "attention_flops": shares.attention * f16,
        "expert_bandwidth": expert.bandwidth_share * bandwidth,
        "expert_flops": expert.flops,
        "latent_decode_s_per_token": latent / (policy.value("latent_decode_share") * f16),
    }


def _memory_inputs(
    model: ModelCard, layout: ServingLayout, setup: ServingSetup
) -> dict[str, float]:
    row = release_row(setup.release if setup.engine is Engine.VLLM else NEWEST_RELEASE)
    usable = card_bytes(layout.gpu)
    large = usable / GIB >= LARGE_CARD_GIB
    sparse = model.index_layers > 0
    slots = setup.max_num_seqs or (MAX_NUM_SEQS_LARGE if large else MAX_NUM_SEQS_SMALL)
    return {
        "card_bytes": usable,
        "sampler_bytes_per_logit": row.sampler_bytes,
        "max_num_seqs": float(slots),
        "profile_tokens": float(PROFILE_TOKENS_LARGE if large else PROFILE_TOKENS_SMALL),
        "non_torch_bytes": row.non_torch_gib[_rank_position(layout.tp)] * GIB,
        "graph_bytes": (row.graph_gib_sparse if sparse else row.graph_gib) * GIB,
        "state_slots": float(row.state_slots),
        **_pool_inputs(layout, setup, row),
    }


def _pool_inputs(layout: ServingLayout, setup: ServingSetup, row: Release) -> dict[str, float]:
    rule = POOL_RULES[setup.engine]
    share = rule.share if rule.share is not None else setup.utilisation or row.utilisation
    return {
        "pool_share": share,
        "pool_reserve_bytes": rule.reserve_gib[0 if layout.tp == 1 else 1] * GIB,
        "weights_before_pool": rule.weights_before,
        "overheads_after_pool": rule.overheads_after,
    }


def _rank_position(tp: int) -> int:
    return min(max(tp - 1, 0).bit_length(), 3)


def _engine_inputs(layout: ServingLayout, setup: ServingSetup) -> dict[str, float]:
    overheads = OVERHEADS[setup.engine, is_blackwell_sxm(layout.gpu)]
    share, constant = FIRST_TOKEN[setup.engine]
    return {
        "layer_overhead_s": overheads.layer_us * 1e-6,
        "step_overhead_s": overheads.step_ms * 1e-3,
        "sequence_overhead_s": overheads.sequence_us * 1e-6,
        "moe_layer_s": overheads.moe_layer_us * 1e-6,
        "first_token_share": share,
        "first_token_constant_s": constant,
    }


def _link_inputs(layout: ServingLayout, setup: ServingSetup) -> dict[str, float]:
    name = card_class(layout.gpu) if layout.nvlink else bus_class(layout.gpu)
    link = serving_link(
        name, setup.host, layout.tp, nvlink=layout.nvlink, hopper=not is_blackwell_sxm(layout.gpu)
    )
    stage = network_link(layout.fabric, 1).best if layout.fabric else link.best
    return {
        "serving_start_s": link.start_s,
        "serving_bus_bytes_per_s": link.best,
        "stage_link_bytes_per_s": stage,
    }
