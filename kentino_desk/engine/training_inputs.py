"""Inputs of a training candidate: recipe, stack, card, layout and links."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kentino_desk.domain.choices import Checkpointing, Format, Kind, Loss, Optimizer, Stack
from kentino_desk.domain.units import GB
from kentino_desk.engine import policy
from kentino_desk.engine.card_inputs import (
    bus_class,
    card_bytes,
    card_class,
    is_blackwell_sxm,
    joined,
    network_link,
    training_link,
)
from kentino_desk.engine.columns import Axis, Part, columns_of
from kentino_desk.engine.model_inputs import parts
from kentino_desk.engine.policy_tables import (
    KAPPA,
    SHARES,
    STACKS,
    TP_BANDWIDTH,
    TP_HIDDEN,
    TRAINING_SHARES,
    StackRule,
    TrainingShares,
)
from kentino_desk.engine.training_memory_inputs import (
    TRAINING_MEMORY_PARTS,
    block_width_bytes,
)
from kentino_desk.engine.training_run import NO_OFFLOAD, Offload, TrainingMemory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.choices import Host
    from kentino_desk.domain.hardware import FabricType, Gpu
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.engine.card_inputs import Link

LOW, BEST, HIGH = 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What all candidates of a training workload share."""

    kind: Kind
    weights: Format
    optimizer: Optimizer
    checkpointing: Checkpointing
    loss: Loss
    packing_fill: float
    """Part of a sequence that tokens of samples fill; packed sequences are full."""
    stack: Stack
    lora_rank: int
    host: Host
    offload: Offload = NO_OFFLOAD
    experts_quantised: bool = False
    """Whether a 4-bit base quantises its experts too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingLayout:
    """Card and degrees of one candidate; ``dp`` replicas shard the state between them."""

    gpu: Gpu
    tp: int
    pp: int
    dp: int
    gpus_per_node: int
    nodes: int
    nvlink: bool
    fabric: FabricType | None
    nics_per_node: int
    ep: int = 1
    cp: int = 1
    """Ranks that each work on a part of every sequence."""

    @property
    def gpus(self) -> int:
        """GPUs of the job."""
        return self.tp * self.pp * self.cp * self.dp


def training_inputs(
    model: ModelCard, recipe: Recipe, layout: TrainingLayout, side: int = BEST
) -> dict[str, float]:
    """Every input of one training candidate but tokens, lengths and batch.

    ``side`` picks the low, best or high end of the constants that carry the range.
    """
    case = _Case(model, recipe, side)
    inputs: dict[str, float] = {}
    for part in TRAINING_PARTS:
        inputs |= part.inputs(case, layout)
    return inputs


def training_columns(
    model: ModelCard, recipe: Recipe, axes: Mapping[str, Axis], side: int = BEST
) -> dict[str, Any]:
    """The same for many candidates, as columns; every field of the layout is an axis."""
    case = _Case(model, recipe, side)
    first = TrainingLayout(**{name: axis.values[axis.codes[0]] for name, axis in axes.items()})

    def inputs_of(part: Part, values: Mapping[str, Any]) -> Mapping[str, float]:
        return part.inputs(case, replace(first, **values))

    return columns_of(TRAINING_PARTS, axes, inputs_of)


@dataclass(frozen=True, slots=True)
class _Case:
    """What all candidates of one set of inputs share."""

    model: ModelCard
    recipe: Recipe
    side: int


def _memory(recipe: Recipe, layout: TrainingLayout) -> TrainingMemory:
    """The run as its memory sees it; data-parallel ranks divide all of the state.

    Torchtitan shards it over the ranks of a split sequence too (memory_fit_notes, section 6).
    """
    shares_states = recipe.stack is Stack.TORCHTITAN
    return TrainingMemory(
        kind=recipe.kind,
        stack=recipe.stack,
        optimizer=recipe.optimizer,
        checkpointing=recipe.checkpointing,
        loss=recipe.loss,
        lora_rank=recipe.lora_rank,
        tp=layout.tp,
        pp=layout.pp,
        ep=layout.ep,
        cp=layout.cp,
        shards=layout.dp * (layout.cp if shares_states else 1),
        offload=recipe.offload,
        experts_quantised=recipe.experts_quantised,
    )


def recomputed_share(recipe: Recipe) -> float:
    """Part of the forward pass that is computed twice."""
    return 1.0 if recipe.checkpointing is Checkpointing.FULL else 0.0


def _kernel_inputs(case: _Case, layout: TrainingLayout) -> dict[str, float]:
    model, recipe, side = case.model, case.recipe, case.side
    gpu, rule = layout.gpu, STACKS[recipe.stack]
    shares = training_shares(gpu)
    again = recomputed_share(recipe)
    passes = (6.0 if recipe.kind.trains_all_weights else 4.0) + 2.0 * again
    gemm, peak = _gemm_tflops(gpu, recipe, shares)
    split = parts(model)
    return {
        "card_bytes": card_bytes(gpu),
        "packing_fill": recipe.packing_fill,
        "ring_kv_elements": float(model.kv_elements_full),
        "recomputed_share": again,
        "training_passes": passes,
        "trained_dense_params": split.other,
        "active_expert_params": float(model.moe_layers * model.experts_per_token) * split.expert,
        "head_passes": 6.0 if recipe.kind.trains_all_weights else 4.0,
        "gemm_tflops": gemm,
        "gemm_bf16_tflops": shares.gemm_bf16 * (gpu.tflops_bf16 or 0.0),
        "expert_tflops": _expert_tflops(gpu, recipe),
        "attention_tflops": _attention_share(model, gpu, rule, shares) * (gpu.tflops_bf16 or 0.0),
        "elementwise_passes": (
            policy.value("moe_elementwise_passes") if model.is_moe else rule.passes[side]
        ),
        "elementwise_bytes": elementwise_bytes(model),
        "adapter_factor": (
            1.0 if recipe.kind.trains_all_weights else policy.value("lora_elementwise_factor")
        ),
        "bandwidth_gb_per_s": gpu.memory_bandwidth_gb_per_s or 0.0,
        "quantised_params": split.other if recipe.kind is Kind.QLORA else 0.0,
        "peak_tflops": peak,
        "training_flops_per_token": (passes - 2.0 * again) * model.params_active,
    }


def training_shares(gpu: Gpu) -> TrainingShares:
    """Kernel shares in training of a card."""
    name = "gb300" if gpu.id.startswith("gb300") else card_class(gpu)
    return TRAINING_SHARES.get(
        bus_class(gpu) if name == "other" else name, TRAINING_SHARES["other"]
    )


def _gemm_tflops(gpu: Gpu, recipe: Recipe, shares: TrainingShares) -> tuple[float, float]:
    bf16 = gpu.tflops_bf16 or 0.0
    if recipe.weights is Format.FP8 and recipe.kind.trains_all_weights and gpu.tflops_fp8:
        return shares.gemm_fp8 * gpu.tflops_fp8, gpu.tflops_fp8
    return shares.gemm_bf16 * bf16, bf16


def _expert_tflops(gpu: Gpu, recipe: Recipe) -> float:
    eight = recipe.weights is Format.FP8 and gpu.tflops_fp8 is not None
    share = SHARES[card_class(gpu)].experts["fp8" if eight else "bf16"][1]
    peak = gpu.tflops_fp8 if eight and gpu.tflops_fp8 else gpu.tflops_bf16 or 0.0
    return policy.value("moe_expert_factor") * share * peak


def _attention_share(model: ModelCard, gpu: Gpu, rule: StackRule, shares: TrainingShares) -> float:
    if model.is_moe and is_blackwell_sxm(gpu):
        return policy.value("moe_attention_share_blackwell")
    if model.is_moe and card_class(gpu) in {"h100", "h200"}:
        return policy.value("moe_attention_share_hopper")
    return shares.attention_fused if rule.fused_attention else shares.attention


def elementwise_bytes(model: ModelCard) -> float:
    """Activation bytes of all layers per token, the base of the element-wise traffic."""
    if not model.is_moe:
        return model.layers * block_width_bytes(model, ungated=6.0)
    width = model.nope_head_dim + model.rope_head_dim if model.is_mla else model.head_dim
    kv_heads = model.heads if model.is_mla else model.kv_heads
    attention_layers = model.full_layers + model.sliding_layers + model.linear_layers
    attention = 2.0 * (2 * model.hidden + 2 * model.heads * width + 2 * kv_heads * width)
    ffn = model.experts_per_token * model.expert_ffn + model.shared_ffn
    moe = 4.0 * model.hidden + 8.0 * ffn + 4.0 * model.experts_per_token * model.hidden
    dense = (model.layers - model.moe_layers) * (4.0 * model.hidden + 8.0 * model.ffn)
    states = model.mamba_layers * 20.0 * model.hidden
    return attention_layers * attention + model.moe_layers * moe + dense + states


def _exchange_inputs(case: _Case, layout: TrainingLayout) -> dict[str, float]:
    model = case.model
    split = parts(model)
    dense = model.params_total - split.routed
    local = dense / (layout.tp * layout.pp) + split.routed / (layout.pp * layout.ep)
    return {
        "exchange_bytes_per_param": 6.0 if case.recipe.kind.trains_all_weights else 4.0,
        "exchanged_params": local,
        "exchange_once_per_step": 0.0,
    }


def _overlap_inputs(case: _Case, layout: TrainingLayout) -> dict[str, float]:
    return {
        "tp_hidden_share": _tp_hidden(layout, case.recipe, case.side),
        "exposed_share": KAPPA[layout.nvlink][case.side],
    }


def _tp_bus_inputs(case: _Case, layout: TrainingLayout) -> dict[str, float]:
    link = _pick(_tp_link(layout, case.recipe), case.side)
    return {"tp_bus_gb_per_s": link * TP_BANDWIDTH[layout.nvlink][case.side] / GB}


def _dp_inside_inputs(case: _Case, layout: TrainingLayout) -> dict[str, float]:
    """Bus of the cards of a data-parallel group that sit in one node."""
    per_node = max(layout.dp // layout.nodes, 1)
    host = case.recipe.host
    inside = training_link(_bus_name(layout), host, per_node, nvlink=layout.nvlink)
    return {"dp_inside_gb_per_s": _pick(inside, case.side) / GB}


def _dp_network_inputs(case: _Case, layout: TrainingLayout) -> dict[str, float]:
    """Network of a data-parallel group, 0 inside one node."""
    network = _network(layout) if min(layout.nodes, layout.dp) > 1 else None
    return {"dp_network_gb_per_s": _pick(network, case.side) / GB if network else 0.0}


def _expert_bus_inputs(case: _Case, layout: TrainingLayout) -> dict[str, float]:
    host = case.recipe.host
    inside = training_link(_bus_name(layout), host, layout.ep, nvlink=layout.nvlink)
    return {"expert_bus_gb_per_s": _pick(inside, case.side) / GB}


def _pick(link: Link, side: int) -> float:
    return (link.low, link.best, link.high)[side]


def _bus_name(layout: TrainingLayout) -> str:
    return card_class(layout.gpu) if layout.nvlink else bus_class(layout.gpu)


def _network(layout: TrainingLayout) -> Link | None:
    if layout.fabric is None:
        return None
    return network_link(layout.fabric, layout.nics_per_node)


def _tp_link(layout: TrainingLayout, recipe: Recipe) -> Link:
    ranks = min(layout.tp, layout.gpus_per_node)
    inside = training_link(_bus_name(layout), recipe.host, ranks, nvlink=layout.nvlink)
    return joined(inside, _network(layout), -(-layout.tp // layout.gpus_per_node))


def _cp_bus_inputs(case: _Case, layout: TrainingLayout) -> dict[str, float]:
    """Ring of the ranks that split a sequence, with the tensor group inside each of them."""
    ranks = layout.tp * layout.cp
    inside = training_link(
        _bus_name(layout),
        case.recipe.host,
        min(ranks, layout.gpus_per_node),
        nvlink=layout.nvlink,
    )
    link = joined(inside, _network(layout), -(-ranks // layout.gpus_per_node))
    return {"cp_bus_gb_per_s": _pick(link, case.side) / GB}


def _tp_hidden(layout: TrainingLayout, recipe: Recipe, side: int) -> float:
    best = STACKS[recipe.stack].tp_hidden_nvlink if layout.nvlink else 0.0
    return (TP_HIDDEN[0], best, TP_HIDDEN[1])[side]


def _degree_inputs(_case: _Case, layout: TrainingLayout) -> dict[str, float]:
    return {
        "dp": float(layout.dp),
        "ep": float(layout.ep),
        "gpus": float(layout.gpus),
        "interleave": 1.0,
        "speed_at_limit": 1.0,
    }


def _of_memory(part: Part) -> Part:
    """A part of the memory inputs as a part of the training inputs."""

    def inputs(case: _Case, layout: TrainingLayout) -> Mapping[str, float]:
        return part.inputs(case.model, _memory(case.recipe, layout))

    return Part(part.axes, inputs)


_NETWORK = ("fabric", "nics_per_node")
TRAINING_PARTS: tuple[Part, ...] = (
    Part(("tp", "pp", "cp", "dp", "ep"), _degree_inputs),
    *(_of_memory(part) for part in TRAINING_MEMORY_PARTS),
    Part(("gpu",), _kernel_inputs),
    Part(("tp", "pp", "ep"), _exchange_inputs),
    Part(("nvlink",), _overlap_inputs),
    Part(("gpu", "nvlink", "tp", "gpus_per_node", *_NETWORK), _tp_bus_inputs),
    Part(("gpu", "nvlink", "tp", "cp", "gpus_per_node", *_NETWORK), _cp_bus_inputs),
    Part(("gpu", "nvlink", "dp", "nodes"), _dp_inside_inputs),
    Part(("dp", "nodes", *_NETWORK), _dp_network_inputs),
    Part(("gpu", "nvlink", "ep"), _expert_bus_inputs),
)
"""Axes of a layout that each group of inputs depends on."""
