"""Inputs of a training run whose whole layout is stated: context parallel, stages, sharding.

The product's candidates take ``training_inputs``; this adds what only a stated run has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Checkpointing, Format, Host, Kind, Loss, Optimizer, Stack
from kentino_desk.engine import policy
from kentino_desk.engine.card_inputs import bus_class, card_class
from kentino_desk.engine.model_inputs import parts
from kentino_desk.engine.policy_tables import (
    ASYNC_TP_HIDDEN,
    FP8_ROW_SHARE,
    KAPPA,
    SHARES,
    STACKS,
    TP_BANDWIDTH,
    TRAINING_FIT_BUS,
    TRAINING_NETWORK_SHARE,
)
from kentino_desk.engine.training_inputs import (
    BEST,
    Recipe,
    TrainingLayout,
    training_inputs,
    training_shares,
)

if TYPE_CHECKING:
    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.domain.model_card import ModelCard

SHARDED, OPTIMIZER_SHARDED = "weights", "optimizer"
RACK_GPUS = 72


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedRun:
    """One run as a source describes it."""

    gpu: Gpu
    gpus: int
    gpus_per_node: int
    kind: Kind
    stack: str
    number_format: str
    """bf16, fp8, fp8_row, mxfp8 or nvfp4: what the matrix products compute in."""
    recomputed: float
    """Part of the forward pass that is computed twice."""
    tp: int = 1
    pp: int = 1
    cp: int = 1
    ep: int = 1
    interleave: int = 1
    shard: str = SHARDED
    async_tp: bool = False
    nic_gb_per_s: float | None = None
    """Sum of the NICs of one node; None where the run stays in one."""
    rack: bool = False

    @property
    def dp(self) -> int:
        """Data-parallel copies."""
        return max(self.gpus // (self.tp * self.pp * self.cp), 1)

    @property
    def trains_all(self) -> bool:
        """Whether all weights are trained."""
        return self.kind.trains_all_weights


def stated_run_inputs(model: ModelCard, run: StatedRun) -> dict[str, float]:
    """Every input of the time of a run but lengths and batch."""
    inputs = training_inputs(model, _recipe(run), _layout(run), BEST)
    return {
        **inputs,
        **_layout_inputs(run),
        **_kernel_inputs(model, run, inputs),
        **_traffic_inputs(model, run),
    }


def _recipe(run: StatedRun) -> Recipe:
    quantised = Format.INT4 if run.kind is Kind.QLORA else Format.BF16
    stack = Stack(run.stack) if run.stack in set(Stack) else Stack.TORCHTUNE
    return Recipe(
        kind=run.kind,
        weights=quantised if run.number_format == "bf16" else Format.FP8,
        optimizer=Optimizer.ADAMW_FP32,
        checkpointing=Checkpointing.FULL if run.recomputed >= 1.0 else Checkpointing.NONE,
        loss=Loss.PLAIN,
        packing_fill=1.0,
        stack=stack,
        lora_rank=16,
        host=Host.DEFAULT,
    )


def _layout(run: StatedRun) -> TrainingLayout:
    return TrainingLayout(
        gpu=run.gpu, tp=run.tp, pp=run.pp, dp=run.dp, gpus_per_node=run.gpus_per_node,
        nodes=max(run.gpus // run.gpus_per_node, 1), nvlink=run.gpu.has_nvlink, fabric=None,
        nics_per_node=1, ep=run.ep, cp=run.cp,
    )  # fmt: skip


def _layout_inputs(run: StatedRun) -> dict[str, float]:
    return {
        "gpus": float(run.gpus),
        "dp": float(run.dp),
        "interleave": float(run.interleave),
        "recomputed_share": run.recomputed,
    }


def _kernel_inputs(model: ModelCard, run: StatedRun, inputs: dict[str, float]) -> dict[str, float]:
    rule, limited = STACKS[run.stack], limit_factor(run.gpu)
    shares, bf16 = training_shares(run.gpu), run.gpu.tflops_bf16 or 0.0
    attention = inputs["attention_tflops"]
    if not model.is_moe:
        attention = bf16 * (shares.attention_fused if rule.fused_attention else shares.attention)
    passes = (6.0 if run.trains_all else 4.0) + 2.0 * run.recomputed
    return {
        "training_passes": passes,
        "gemm_tflops": limited * _gemm_tflops(run),
        "gemm_bf16_tflops": limited * shares.gemm_bf16 * bf16,
        "attention_tflops": limited * attention,
        "expert_tflops": limited * _expert_tflops(run),
        "elementwise_passes": (
            policy.value("moe_elementwise_passes") if model.is_moe else rule.passes[BEST]
        ),
        "quantised_params": parts(model).other if run.kind is Kind.QLORA else 0.0,
    }


def limit_factor(gpu: Gpu) -> float:
    """Speed of dense compute on a variant of a card that is held below its class's power."""
    full = {"h100": 700.0, "h200": 700.0}.get(card_class(gpu), 0.0)
    if not gpu.has_nvlink or not gpu.tdp_w or gpu.tdp_w >= full:
        return 1.0
    return float((gpu.tdp_w / full) ** policy.value("limit_exponent"))


def _gemm_tflops(run: StatedRun) -> float:
    shares, eight = training_shares(run.gpu), run.gpu.tflops_fp8
    if run.number_format == "bf16" or not eight:
        return shares.gemm_bf16 * (run.gpu.tflops_bf16 or 0.0)
    if run.number_format == "fp8_row":
        return FP8_ROW_SHARE * shares.gemm_fp8 * eight
    if run.number_format in {"mxfp8", "nvfp4"}:
        return (shares.gemm_mxfp8 or shares.gemm_fp8) * eight
    return shares.gemm_fp8 * eight


def _expert_tflops(run: StatedRun) -> float:
    eight = run.number_format != "bf16" and run.gpu.tflops_fp8
    name, peak = ("fp8", run.gpu.tflops_fp8) if eight else ("bf16", run.gpu.tflops_bf16)
    share = SHARES[card_class(run.gpu)].experts[name][1]
    return policy.value("moe_expert_factor") * share * (peak or 0.0)


def _traffic_inputs(model: ModelCard, run: StatedRun) -> dict[str, float]:
    nvlink, split = run.gpu.has_nvlink, parts(model)
    dense = model.params_total - split.routed
    sharded = run.shard == SHARDED
    hidden = ASYNC_TP_HIDDEN if run.async_tp else STACKS[run.stack].tp_hidden_nvlink
    return {
        "tp_hidden_share": hidden if nvlink else 0.0,
        "tp_bus_gb_per_s": _bus(run, run.tp) * TP_BANDWIDTH[nvlink][BEST],
        "dp_bus_gb_per_s": _bus(run, run.gpus),
        "cp_bus_gb_per_s": _bus(run, run.tp * run.cp),
        "expert_bus_gb_per_s": _bus(run, run.ep),
        "exposed_share": KAPPA[nvlink][BEST],
        "exchange_bytes_per_param": _exchanged_bytes(run),
        "exchanged_params": dense / (run.tp * run.pp) + split.routed / (run.pp * run.ep),
        "exchange_once_per_step": 0.0 if sharded else 1.0,
        **({"fleet_drag": 0.0} if model.is_moe else {}),
    }


def _exchanged_bytes(run: StatedRun) -> float:
    if run.trains_all:
        return 6.0 if run.shard == SHARDED else 4.0
    return 4.0 if run.shard == SHARDED else 0.0


def _bus(run: StatedRun, ranks: int) -> float:
    """Bus of a group of neighbours: inside a node or rack, or over the NICs of a node."""
    name = card_class(run.gpu) if run.gpu.has_nvlink else bus_class(run.gpu)
    inside = TRAINING_FIT_BUS.get(name, TRAINING_FIT_BUS["other"])
    domain = RACK_GPUS if run.rack else run.gpus_per_node
    if ranks <= domain or run.nic_gb_per_s is None or run.rack:
        return inside
    return min(inside, TRAINING_NETWORK_SHARE * run.nic_gb_per_s)
