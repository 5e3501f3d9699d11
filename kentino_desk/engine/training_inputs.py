"""Inputs of a training candidate: recipe, stack, card, layout and links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Checkpointing, Format, Kind, Loss, Optimizer, Stack
from kentino_desk.domain.units import GB, GIB
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
from kentino_desk.engine.model_inputs import model_inputs, parts
from kentino_desk.engine.policy_tables import (
    KAPPA,
    LOGIT_BYTES,
    SHARES,
    STACKS,
    STATE_BYTES,
    STATE_BYTES_16BIT,
    TP_BANDWIDTH,
    TP_HIDDEN,
    TRAINING_SHARES,
    StackRule,
    TrainingShares,
)

if TYPE_CHECKING:
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
    packing: bool
    stack: Stack
    lora_rank: int
    host: Host


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

    @property
    def gpus(self) -> int:
        """GPUs of the job."""
        return self.tp * self.pp * self.dp


def training_inputs(
    model: ModelCard, recipe: Recipe, layout: TrainingLayout, side: int = BEST
) -> dict[str, float]:
    """Every input of one training candidate but tokens, lengths and batch.

    ``side`` picks the low, best or high end of the constants that carry the range.
    """
    return {
        "tp": float(layout.tp),
        "pp": float(layout.pp),
        "dp": float(layout.dp),
        "ep": float(layout.ep),
        "gpus": float(layout.gpus),
        "card_bytes": card_bytes(layout.gpu),
        **model_inputs(model),
        **_state_inputs(model, recipe, layout),
        **_activation_inputs(model, recipe, layout),
        **_kernel_inputs(model, recipe, layout, side),
        **_traffic_inputs(model, recipe, layout, side),
    }


def state_bytes_per_param(recipe: Recipe) -> tuple[float, float, float]:
    """Bytes per parameter of weights, gradients and optimizer of a full recipe."""
    special = STATE_BYTES.get((recipe.stack, recipe.optimizer))
    return special or STATE_BYTES_16BIT[recipe.optimizer]


def adapter_params(model: ModelCard, rank: int) -> float:
    """Parameters of low-rank adapters on all linear layers of mixer and dense or shared FFN.

    Sum of r·(d_in + d_out); latent attention by 4·r·(h + n_q·d)·0.6 (memory_fit_notes, section 6).
    """
    h, ffn = model.hidden, model.shared_ffn if model.is_moe else model.ffn
    query, keys = model.heads * model.head_dim, model.kv_heads * model.head_dim
    attention = (h + query) * 2 + (h + keys) * 2
    mixer = 4 * (h + query) * 0.6 if model.is_mla else float(attention)
    projections = 3 if model.gated_ffn else 2
    return rank * model.layers * (mixer + projections * (h + ffn))


def _state_inputs(model: ModelCard, recipe: Recipe, layout: TrainingLayout) -> dict[str, float]:
    weights, gradients, optimizer = state_bytes_per_param(recipe)
    trained = 1.0 if recipe.kind.trains_all_weights else 0.0
    base = model.params_total * weights if trained else frozen_base_bytes(model, recipe.kind)
    adapters = 0.0 if trained else adapter_params(model, recipe.lora_rank)
    return {
        "base_bytes": base,
        "trained_params": model.params_total * trained,
        "trains_all": trained,
        "gradient_bytes_per_param": gradients,
        "optimizer_bytes_per_param": optimizer,
        "adapter_params": adapters,
        "adapter_bytes_per_param": STACKS[recipe.stack].adapter_bytes,
        "shard_weights": float(layout.dp),
        "shard_gradients": float(layout.dp),
        "shard_optimizer": float(layout.dp),
    }


def frozen_base_bytes(model: ModelCard, kind: Kind) -> float:
    """Bytes of a frozen base: 16 bit, or NF4 linears with 16-bit tables."""
    if kind is Kind.LORA:
        return 2.0 * model.params_total
    split = parts(model)
    high = split.embedding + split.head + model.vision_params + split.routed
    linear = model.params_total - high
    return linear * policy.value("quantised_bits_nf4") / 8.0 + 2.0 * high


def block_width_bytes(model: ModelCard, ungated: float = 4.0) -> float:
    """Bytes one layer keeps per token by its widths: 2·(4h + 2·n_q·d + 2·n_kv·d) + 8f.

    ``ungated`` stands for the 8 where the FFN has no gate: 4 in memory, 6 in traffic.
    """
    width = model.nope_head_dim + model.rope_head_dim if model.is_mla else model.head_dim
    kv_heads = model.heads if model.is_mla else model.kv_heads
    attention = 2.0 * (4 * model.hidden + 2 * model.heads * width + 2 * kv_heads * width)
    factor = 8.0 if model.gated_ffn else ungated
    if not model.is_moe:
        return attention + factor * model.ffn
    ffn = model.experts_per_token * model.expert_ffn + model.shared_ffn
    return attention + factor * ffn + 4.0 * model.experts_per_token * model.hidden


def _activation_inputs(
    model: ModelCard, recipe: Recipe, layout: TrainingLayout
) -> dict[str, float]:
    rule = STACKS[recipe.stack]
    full = recipe.checkpointing is Checkpointing.FULL
    quantised = recipe.kind is Kind.QLORA
    trained = recipe.kind.trains_all_weights
    return {
        "block_width_bytes": block_width_bytes(model),
        "block_factor": policy.value(
            "activation_block_factor_compiled" if rule.compiled else "activation_block_factor"
        ),
        "saved_block_share": _saved_share(recipe),
        "saved_hidden_bytes": 2.0 if full else 0.0,
        "work_block_share": _work_share(recipe),
        "logit_element_bytes": _logit_bytes(recipe, rule, layout),
        "layer_params": _layer_params(model),
        "gather_bytes_per_param": 0.55 if quantised else 2.0,
        "stage3_bytes": (rule.stage3_full_gib if trained else rule.stage3_lora_gib) * GIB,
        "stack_constant_bytes": rule.constant_gib * GIB,
        "packing_fill": policy.value("packing_fill"),
    }


def _layer_params(model: ModelCard) -> float:
    split = parts(model)
    return (split.other + split.routed) / model.layers


def _saved_share(recipe: Recipe) -> float:
    if recipe.checkpointing is Checkpointing.NONE:
        return 1.0
    if recipe.checkpointing is Checkpointing.FULL:
        return 0.0
    megatron = recipe.stack is Stack.MEGATRON
    return policy.value("selective_share_megatron" if megatron else "selective_share")


def _work_share(recipe: Recipe) -> float:
    if recipe.checkpointing is Checkpointing.NONE:
        return 0.0
    full = recipe.checkpointing is Checkpointing.FULL
    return 1.0 if full else policy.value("selective_work_share")


def _logit_bytes(recipe: Recipe, rule: StackRule, layout: TrainingLayout) -> float:
    if recipe.loss is not Loss.PLAIN:
        return LOGIT_BYTES[recipe.loss]
    if layout.tp > 1 and recipe.stack is Stack.TORCHTITAN:
        return policy.value("logit_bytes_tensor_parallel")
    return rule.logit_bytes_plain


def recomputed_share(recipe: Recipe) -> float:
    """Part of the forward pass that is computed twice."""
    return 1.0 if recipe.checkpointing is Checkpointing.FULL else 0.0


def _kernel_inputs(
    model: ModelCard, recipe: Recipe, layout: TrainingLayout, side: int
) -> dict[str, float]:
    gpu, rule = layout.gpu, STACKS[recipe.stack]
    shares = training_shares(gpu)
    again = recomputed_share(recipe)
    passes = (6.0 if recipe.kind.trains_all_weights else 4.0) + 2.0 * again
    gemm, peak = _gemm_tflops(gpu, recipe, shares)
    split = parts(model)
    return {
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
    name = card_class(gpu)
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


def _traffic_inputs(
    model: ModelCard, recipe: Recipe, layout: TrainingLayout, side: int
) -> dict[str, float]:
    trained = recipe.kind.trains_all_weights
    split = parts(model)
    dense = model.params_total - split.routed
    local = dense / (layout.tp * layout.pp) + split.routed / (layout.pp * layout.ep)
    tp_bus = _pick(_tp_link(layout, recipe), side) * TP_BANDWIDTH[layout.nvlink][side] / GB
    dp_bus = _pick(_dp_link(layout, recipe), side) / GB
    inside = training_link(_bus_name(layout), recipe.host, layout.ep, nvlink=layout.nvlink)
    return {
        "tp_hidden_share": _tp_hidden(layout, recipe, side),
        "tp_bus_gb_per_s": tp_bus,
        "dp_bus_gb_per_s": dp_bus,
        "expert_bus_gb_per_s": _pick(inside, side) / GB,
        "exposed_share": KAPPA[layout.nvlink][side],
        "exchange_bytes_per_param": 6.0 if trained else 4.0,
        "exchanged_params": local,
        "exchange_once_per_step": 0.0,
    }


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


def _dp_link(layout: TrainingLayout, recipe: Recipe) -> Link:
    """Ring of the data-parallel group: its cards in one node, then the network."""
    per_node = max(layout.dp // layout.nodes, 1)
    inside = training_link(_bus_name(layout), recipe.host, per_node, nvlink=layout.nvlink)
    return joined(inside, _network(layout), min(layout.nodes, layout.dp))


def _tp_hidden(layout: TrainingLayout, recipe: Recipe, side: int) -> float:
    best = STACKS[recipe.stack].tp_hidden_nvlink if layout.nvlink else 0.0
    return (TP_HIDDEN[0], best, TP_HIDDEN[1])[side]
