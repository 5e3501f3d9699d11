"""Inputs of the peak memory of training: states, activations, buffers; no speeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Checkpointing, Kind, Loss
from kentino_desk.domain.units import GIB
from kentino_desk.engine import policy
from kentino_desk.engine.columns import Part
from kentino_desk.engine.model_inputs import model_inputs, parts
from kentino_desk.engine.policy_training_memory import (
    BLOCK_SHARE_EVERY_SECOND,
    LOGIT_BYTES,
    NVFP4_ACTIVATION_SHARE,
    OFFLOADED_CHECKPOINT_SHARE,
    STACK_MEMORY,
)
from kentino_desk.engine.training_states import (
    adapter_inputs,
    quantised_params,
    shard_inputs,
    state_inputs,
)

if TYPE_CHECKING:
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.engine.training_run import TrainingMemory


def training_memory_inputs(model: ModelCard, run: TrainingMemory) -> dict[str, float]:
    """Every input of the peak of one rank but lengths and batch."""
    inputs: dict[str, float] = {}
    for part in TRAINING_MEMORY_PARTS:
        inputs |= part.inputs(model, run)
    return inputs


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
        "live_bytes": quantised_params(model, run) * rule.live_bytes if no_checkpoints else 0.0,
        "reserved_factor": rule.reserved_factor if run.reserved else 1.0,
    }


def _shared_inputs(model: ModelCard, run: TrainingMemory) -> dict[str, float]:
    return {
        **model_inputs(model),
        **state_inputs(model, run),
        **adapter_inputs(model, run),
        **_buffer_inputs(model, run),
    }


TRAINING_MEMORY_PARTS: tuple[Part, ...] = (
    Part((), _shared_inputs),
    Part(("tp",), lambda _model, run: {"tp": float(run.tp)}),
    Part(("pp",), lambda _model, run: {"pp": float(run.pp)}),
    Part(("cp",), lambda _model, run: {"cp": float(run.cp)}),
    Part(("tp", "cp", "dp", "ep"), lambda _model, run: shard_inputs(run)),
    Part(("tp", "pp"), _activation_inputs),
)
"""Axes of a training layout that each group of inputs depends on; ``dp`` ranks are the shards."""
