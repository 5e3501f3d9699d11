"""Inputs of the training state: frozen or trained base, gradients, optimizer, adapters, shards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Kind
from kentino_desk.engine.model_inputs import Parts, parts
from kentino_desk.engine.policy_training_memory import (
    ADAPTER_BYTES_8BIT,
    BASE_BITS,
    EMBEDDING_EXTRA_BYTES,
    FUSED_EXPERT_FAMILIES,
    GRADIENT_BYTES_IN_BACKWARD,
    OFFLOADED_BASE_SHARE,
    OFFLOADED_STATE_BYTES,
    STATE_BYTES,
    STATE_BYTES_ANY,
)
from kentino_desk.engine.training_run import SHARDS, TrainingMemory

if TYPE_CHECKING:
    from kentino_desk.domain.model_card import ModelCard


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


def state_inputs(model: ModelCard, run: TrainingMemory) -> dict[str, float]:
    """Base, gradients and optimizer: bytes, and bytes per trained parameter."""
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


def quantised_params(model: ModelCard, run: TrainingMemory) -> float:
    """Parameters that a 4-bit base holds quantised."""
    if run.kind is not Kind.QLORA:
        return 0.0
    split = parts(model)
    linears, experts = _quantisable(model, split, run)
    return linears + (split.routed if experts else 0.0)


def adapter_inputs(model: ModelCard, run: TrainingMemory) -> dict[str, float]:
    """Adapters and the embeddings that may be trained beside them."""
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


def shard_inputs(run: TrainingMemory) -> dict[str, float]:
    """Over how many ranks weights, gradients and optimizer are divided."""
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
