"""Inputs of the peak memory of training: states, activations, buffers; no speeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Checkpointing, Kind, Loss
from kentino_desk.domain.units import GIB
from kentino_desk.engine import policy
from kentino_desk.engine.model_inputs import Parts, model_inputs, parts
from kentino_desk.engine.policy_training_memory import (
    ADAPTER_BYTES_8BIT,
    BASE_BITS,
    BLOCK_SHARE_EVERY_SECOND,
    EMBEDDING_EXTRA_BYTES,
    FUSED_EXPERT_FAMILIES,
    GRADIENT_BYTES_IN_BACKWARD,
    LOGIT_BYTES,
    NVFP4_ACTIVATION_SHARE,
    OFFLOADED_BASE_SHARE,
    OFFLOADED_CHECKPOINT_SHARE,
    OFFLOADED_STATE_BYTES,
    STACK_MEMORY,
    STATE_BYTES,
    STATE_BYTES_ANY,
)

if TYPE_CHECKING:
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.engine.policy_training_memory import StackMemory

SHARDS = ("none", "optimizer", "gradients", "weights")
"""What data-parallel ranks divide between them, each with all before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offload:
    """What a run keeps in host memory."""

    optimizer: bool = False
    weights: bool = False
    activations: bool = False


NO_OFFLOAD = Offload()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingMemory:
    """What decides on the memory of one rank; ``None`` takes the stack's habit."""

    kind: Kind
    stack: str
    optimizer: str
    checkpointing: Checkpointing
    loss: Loss | None = None
    lora_rank: int = 16
    tp: int = 1
    pp: int = 1
    ep: int = 1
    cp: int = 1
    shards: int = 1
    """Ranks that divide the states between them."""
    shard: str = "weights"
    expert_shards: int | None = None
    """The same for experts that have ranks of their own; None: as all others."""
    layer_split: bool = False
    """Whether ``pp`` cards hold layers without a pipeline of micro-batches."""
    stage3: bool = False
    """Whether DeepSpeed's stage 3 shards the weights, in whatever stack."""
    compiled: bool | None = None
    every_second_block: bool = False
    offload: Offload = NO_OFFLOAD
    base: str = ""
    """Format of a frozen base; empty: by kind and stack."""
    experts_quantised: bool = False
    adapter_targets: str = "linears"
    """linears, attention (query and value), or experts beside the linears."""
    trains_embeddings: bool = False
    in_backward: bool = False
    paged_optimizer: bool = False
    narrow_activations: bool = False
    """Whether matrix products save their inputs in NVFP4."""
    reserved: bool = False
    """Whether the peak is what the allocator reserves."""

    @property
    def rule(self) -> StackMemory:
        """Constants of the stack."""
        return STACK_MEMORY[self.stack]

    @property
    def is_compiled(self) -> bool:
        """Whether blocks are compiled."""
        return self.rule.compiled if self.compiled is None else self.compiled


def training_memory_inputs(model: ModelCard, run: TrainingMemory) -> dict[str, float]:
    """Every input of the peak of one rank but lengths and batch."""
    return {
        "tp": float(run.tp),
        "pp": float(run.pp),
        "cp": float(run.cp),
        **model_inputs(model),
        **_state_inputs(model, run),
        **_adapter_inputs(model, run),
        **_shard_inputs(run),
        **_activation_inputs(model, run),
        **_buffer_inputs(model, run),
    }


def fused_experts(model: ModelCard) -> bool:
    """Whether the experts are one tensor that bitsandbytes does not quantise."""
    return model.id.startswith(FUSED_EXPERT_FAMILIES)


def state_bytes_per_param(run: TrainingMemory) -> tuple[float, float, float]:
    """Bytes per parameter of weights, gradients and optimizer of a full run."""
    if run.offload.weights:
        return OFFLOADED_STATE_BYTES
    owner = "deepspeed" if run.stage3 else run.stack
    found = STATE_BYTES.get((owner, run.optimizer)) or STATE_BYTES_ANY[run.optimizer]
    weights, gradients, optimizer = found
    if run.in_backward:
        gradients = GRADIENT_BYTES_IN_BACKWARD
    outside = run.offload.optimizer or run.paged_optimizer
    return weights, gradients, 0.0 if outside else optimizer


def adapter_params(model: ModelCard, rank: int, targets: str = "linears") -> float:
    """Parameters of low-rank adapters: sum of r·(d_in + d_out) over the targets of all layers.

    Latent attention by 4·r·(h + n_q·d)·0.6; experts only where they are targets
    (memory_fit_notes, section 6).
    """
    h, ffn = model.hidden, model.shared_ffn if model.is_moe else model.ffn
    query, keys = model.heads * model.head_dim, model.kv_heads * model.head_dim
    if targets == "attention":
        return rank * model.layers * float(h + query + h + keys)
    attention = (h + query) * 2 + (h + keys) * 2
    mixer = 4 * (h + query) * 0.6 if model.is_mla else float(attention)
    projections = 3 if model.gated_ffn else 2
    linears = rank * model.layers * (mixer + projections * (h + ffn))
    if targets != "experts":
        return linears
    return linears + model.moe_layers * model.experts * rank * 3.0 * (h + model.expert_ffn)


def _state_inputs(model: ModelCard, run: TrainingMemory) -> dict[str, float]:
    weights, gradients, optimizer = state_bytes_per_param(run)
    split = parts(model)
    if run.kind.trains_all_weights:
        base, experts, trained = model.params_total * weights, split.routed * weights, 1.0
    else:
        base, experts, trained = *_frozen_base_bytes(model, run), 0.0
    return {
        "base_bytes": base,
        "base_expert_bytes": experts,
        "trained_params": model.params_total * trained,
        "trained_expert_params": split.routed * trained,
        "trains_all": trained,
        "gradient_bytes_per_param": gradients,
        "optimizer_bytes_per_param": optimizer,
    }


def _frozen_base_bytes(model: ModelCard, run: TrainingMemory) -> tuple[float, float]:
    """Bytes of a frozen base, and those of its experts: linears in its format, tables in 16 bit."""
    split = parts(model)
    bits = BASE_BITS[_base_format(run)]
    high = split.embedding + split.head + model.vision_params
    linears, experts = _quantisable(model, split, run)
    table_bits = max(bits, 16.0)
    expert_bits = bits if experts else table_bits
    kept = OFFLOADED_BASE_SHARE if run.offload.weights else 1.0
    routed = split.routed * expert_bits / 8.0 * kept
    # NVFP4 checkpoints of MoE models keep everything but the experts in 16 bit.
    mixed = _base_format(run) == "nvfp4" and model.is_moe
    rest = linears * (table_bits if mixed else bits) / 8.0 + high * table_bits / 8.0
    return rest * kept + routed, routed


def _quantisable(model: ModelCard, split: Parts, run: TrainingMemory) -> tuple[float, bool]:
    linears = model.params_total - split.embedding - split.head - model.vision_params - split.routed
    return linears, run.experts_quantised and not fused_experts(model)


def _base_format(run: TrainingMemory) -> str:
    if run.base:
        return run.base
    if run.kind is Kind.LORA:
        return "bf16"
    return "nf4_dq" if run.rule.double_quantised else "nf4"


def _quantised_params(model: ModelCard, run: TrainingMemory) -> float:
    if run.kind is not Kind.QLORA:
        return 0.0
    split = parts(model)
    linears, experts = _quantisable(model, split, run)
    return linears + (split.routed if experts else 0.0)


def _adapter_inputs(model: ModelCard, run: TrainingMemory) -> dict[str, float]:
    split = parts(model)
    tables = split.embedding + split.head if run.trains_embeddings else 0.0
    adapted = not run.kind.trains_all_weights
    lora = adapter_params(model, run.lora_rank, run.adapter_targets) if adapted else 0.0
    eight = run.optimizer == "adamw_8bit"
    return {
        "adapter_params": lora,
        "adapter_bytes_per_param": ADAPTER_BYTES_8BIT if eight else run.rule.adapter_bytes,
        "trained_table_bytes": tables * EMBEDDING_EXTRA_BYTES if adapted else 0.0,
    }


def _shard_inputs(run: TrainingMemory) -> dict[str, float]:
    level = SHARDS.index(run.shard)
    weights, gradients, optimizer = (run.shards if level >= least else 1 for least in (3, 2, 1))
    own = run.expert_shards is not None
    return {
        "shard_weights": float(weights),
        "shard_gradients": float(gradients),
        "shard_optimizer": float(optimizer),
        "expert_ranks": float(run.ep if own else run.tp),
        "shard_expert_optimizer": float(run.expert_shards or optimizer),
    }


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


def _activation_inputs(model: ModelCard, run: TrainingMemory) -> dict[str, float]:
    full = run.checkpointing is Checkpointing.FULL
    plain = policy.value("activation_block_factor")
    compiled = policy.value("activation_block_factor_compiled")
    factor = compiled if run.is_compiled else plain
    whole = run.checkpointing is Checkpointing.NONE
    offloaded = OFFLOADED_CHECKPOINT_SHARE if run.offload.activations else 1.0
    return {
        "block_width_bytes": block_width_bytes(model),
        "block_factor": factor,
        # Which tensors selective checkpointing keeps does not depend on the compiler.
        "saved_block_factor": factor if whole else plain,
        "saved_block_share": _saved_share(run),
        "saved_hidden_bytes": 2.0 * offloaded if full else 0.0,
        "work_block_share": _work_share(run),
        "micro_batches_in_flight": 1.0 if run.layer_split else float(run.pp),
        "logit_element_bytes": _logit_bytes(run),
    }


def _saved_share(run: TrainingMemory) -> float:
    if run.checkpointing is Checkpointing.FULL:
        return 0.0
    narrow = NVFP4_ACTIVATION_SHARE if run.narrow_activations else 1.0
    if run.checkpointing is Checkpointing.NONE:
        return narrow
    return narrow * (
        BLOCK_SHARE_EVERY_SECOND if run.every_second_block else run.rule.selective_share
    )


def _work_share(run: TrainingMemory) -> float:
    if run.checkpointing is Checkpointing.NONE:
        return 0.0
    full = run.checkpointing is Checkpointing.FULL
    return 1.0 if full else policy.value("selective_work_share")


def _logit_bytes(run: TrainingMemory) -> float:
    rule = run.rule
    loss = run.loss or Loss(rule.usual_loss)
    if loss is not Loss.PLAIN:
        return LOGIT_BYTES[loss]
    if run.tp > 1 and rule.logit_bytes_tensor_parallel is not None:
        return rule.logit_bytes_tensor_parallel
    if run.is_compiled and rule.logit_bytes_compiled is not None:
        return rule.logit_bytes_compiled
    return rule.logit_bytes_plain


def _buffer_inputs(model: ModelCard, run: TrainingMemory) -> dict[str, float]:
    rule, split = run.rule, parts(model)
    trained = run.kind.trains_all_weights
    buckets = STACK_MEMORY["deepspeed"] if run.stage3 else rule
    whole = rule.gathers_whole and trained
    no_checkpoints = run.checkpointing is Checkpointing.NONE
    return {
        "layer_params": (split.other + split.routed) / model.layers,
        "gather_bytes_per_param": 0.55 if run.kind is Kind.QLORA else 2.0,
        "gathers_whole": 1.0 if whole else 0.0,
        "stage3_bytes": (buckets.stage3_full_gib if trained else buckets.stage3_lora_gib) * GIB,
        "stack_constant_bytes": rule.constant_gib * GIB,
        "live_bytes": _quantised_params(model, run) * rule.live_bytes if no_checkpoints else 0.0,
        "reserved_factor": rule.reserved_factor if run.reserved else 1.0,
        "packing_fill": policy.value("packing_fill"),
    }
