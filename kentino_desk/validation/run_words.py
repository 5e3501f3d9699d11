"""What the words of a measured training row mean: stacks, methods, optimizers, layouts."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Checkpointing, Kind, Loss
from kentino_desk.engine.policy_training_memory import (
    LORA_RANK_UNKNOWN,
    SEQUENCE_MINIMAL,
    SEQUENCE_UNKNOWN,
    STACK_MEMORY,
    UNPACKED_FILL,
)
from kentino_desk.engine.training_run import Offload, TrainingMemory
from kentino_desk.engine.training_states import fused_experts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.validation.rows import Row

STACKS: Mapping[str, str] = MappingProxyType(
    {
        "torchtune": "torchtune",
        "torchtitan": "torchtitan",
        "litgpt": "litgpt",
        "peft": "peft",
        "peft+trl": "peft",
        "axolotl": "axolotl",
        "deepspeed": "deepspeed",
        "ms-swift": "ms-swift",
        "ms-swift (Megatron)": "megatron",
        "megatron": "megatron",
        "megatron-lm": "megatron",
        "megatron-core": "megatron",
        "megatron-bridge": "megatron-bridge",
        "qwen-finetune (HF Trainer/DeepSpeed)": "hf-scripts",
    }
)
"""Stacks by the word of a row; any other takes the constants of an unknown stack."""

_METHODS = (
    ("qlora", Kind.QLORA),
    ("lora", Kind.LORA),
    ("dora", Kind.LORA),
    ("pretrain", Kind.PRETRAIN),
    ("full", Kind.FULL),
)
"""Methods by a word of theirs, the first that is found."""
BASES: Mapping[str, str] = MappingProxyType(
    {
        "fp32": "fp32",
        "bf16-mixed (fp32 weights)": "fp32_mixed",
        "8bit/bf16": "int8",
        "nf4-dq/bf16": "nf4_dq",
        "gptq-int4/fp16": "gptq",
        "gptq-int4/bf16": "gptq",
        "nvfp4-weights (4bit)/bf16": "nvfp4",
    }
)
"""Formats of a frozen base that differ from the usual one of method and stack."""
SHARDS: Mapping[str, str] = MappingProxyType(
    {
        "none": "none",
        "ddp": "none",
        "layer_split": "none",
        "zero1": "optimizer",
        "zero2": "gradients",
        "zero3": "weights",
        "fsdp": "weights",
        "fsdp2": "weights",
    }
)
LOSSES: Mapping[str, Loss] = MappingProxyType(
    {"plain": Loss.PLAIN, "chunked": Loss.CHUNKED, "fused": Loss.FUSED}
)
_EVERY_SECOND_BLOCK_BEFORE = "2025-03"
"""torchtitan's selective checkpointing kept every second block until then."""


def stack_of(row: Row) -> str:
    """The stack whose constants a row takes."""
    return STACKS.get(row["framework"], "other")


def method_of(row: Row) -> Kind | None:
    """The method of a row; None where nothing is known about it."""
    return next((kind for word, kind in _METHODS if word in row["method"]), None)


def _offload(row: Row) -> Offload:
    words = row["offload"]
    return Offload(
        optimizer="optimizer" in words,
        weights="params" in words,
        activations="activations" in words,
    )


def run_of(row: Row, model: ModelCard) -> TrainingMemory:
    """The run a row describes, from its inputs alone."""
    kind, stack = method_of(row) or Kind.FULL, stack_of(row)
    note, optimizer = row["note"], row["optimizer"]
    base = BASES.get(row["precision"], "")
    tp, pp, ep, cp = (row.count(name) or 1 for name in ("tp", "pp", "ep", "cp"))
    return TrainingMemory(
        kind=kind,
        stack=stack,
        optimizer=_optimizer(row, kind, stack),
        checkpointing=_checkpointing(row, kind, stack),
        loss=LOSSES.get(row["loss"]),
        lora_rank=row.count("lora_rank") or LORA_RANK_UNKNOWN,
        tp=tp,
        pp=pp,
        ep=ep,
        cp=cp,
        shards=_shards(row, stack, tp * pp, cp),
        expert_shards=_expert_shards(row, stack, pp * ep) if ep > 1 else None,
        shard=SHARDS[row["shard"]],
        layer_split=row["shard"] == "layer_split",
        stage3=row["shard"] == "zero3",
        compiled=row["compile"] == "yes" if row["compile"] else None,
        every_second_block=_every_second_block(row, stack),
        offload=_offload(row),
        base="" if kind.trains_all_weights else base,
        experts_quantised=not fused_experts(model),
        adapter_targets=_targets(note),
        trains_embeddings="embeddings" in row["method"],
        in_backward="backward" in optimizer,
        paged_optimizer="paged" in optimizer,
        narrow_activations="nvfp4" in row["precision"] and kind.trains_all_weights,
        reserved=_is_reserved(note),
    )


def _shards(row: Row, stack: str, split: int, cp: int) -> int:
    """Data-parallel ranks; torchtitan shards over the ranks of a split sequence too."""
    ranks = split * (1 if stack == "torchtitan" else cp)
    return max((row.count("n_gpus") or 1) // ranks, 1)


def _expert_shards(row: Row, stack: str, split: int) -> int | None:
    """Ranks that share the optimizer of Megatron's experts; elsewhere experts are as all others."""
    if not stack.startswith("megatron"):
        return None
    return max((row.count("n_gpus") or 1) // split, 1)


def _optimizer(row: Row, kind: Kind, stack: str) -> str:
    word = row["optimizer"]
    if "muon" in word:
        return "muon"
    if kind.trains_all_weights and row["precision"] == "fp32":
        return "adamw_fp32"
    if "8bit" in word or "8-bit" in word or "4bit" in word:
        return "adamw_8bit"
    if "adafactor" in word:
        return "adafactor"
    master = STACK_MEMORY[stack].master_weights or row["shard"].startswith("zero")
    return "adamw_fp32" if master else "adamw_bf16"


def _checkpointing(row: Row, kind: Kind, stack: str) -> Checkpointing:
    word = row["grad_checkpointing"]
    if word.startswith("selective"):
        return Checkpointing.SELECTIVE
    if word.startswith(("true", "full")) or "activation checkpointing" in word:
        return Checkpointing.FULL
    if word.startswith("false"):
        return Checkpointing.NONE
    full, adapters = STACK_MEMORY[stack].usual_checkpointing
    return Checkpointing(full if kind.trains_all_weights else adapters)


def _every_second_block(row: Row, stack: str) -> bool:
    old = row["date"] < _EVERY_SECOND_BLOCK_BEFORE
    return stack == "torchtitan" and old and "per-op" not in row["grad_checkpointing"]


def _targets(note: str) -> str:
    if "expert targets" in note and "no expert" not in note:
        return "experts"
    return "attention" if "q,v" in note else "linears"


def _is_reserved(note: str) -> bool:
    """Whether the printed peak is reserved memory: the first of the two words counts."""
    lowered = note.lower()
    reserved, allocated = lowered.find("reserved"), lowered.find("allocated")
    return allocated < 0 or 0 <= reserved < allocated


def sequence_tokens(row: Row) -> float:
    """Tokens of a sequence, with the agreed lengths where a row states none."""
    stated = row.number("seq_len")
    if stated is not None:
        return stated
    return SEQUENCE_MINIMAL if "minimal context" in row["note"] else SEQUENCE_UNKNOWN


def micro_batch(row: Row, stack: str) -> float:
    """Sequences of one micro-batch; torchtitan splits its local batch over the stages."""
    stated = row.number("micro_batch") or 1.0
    return stated / (row.count("pp") or 1) if stack == "torchtitan" else stated


def packing_fill(row: Row) -> float:
    """Part of a sequence that samples fill where nothing packs them."""
    swift = row["framework"].startswith("ms-swift") and row["packing"] != "yes"
    axolotl = row["framework"] == "axolotl" and row["packing"] == "no"
    return UNPACKED_FILL if swift or axolotl else 1.0
