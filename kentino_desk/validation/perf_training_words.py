"""Words of measured training speeds: stacks, formats, recompute, fabrics, defaults."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Kind
from kentino_desk.engine.stated_run_inputs import OPTIMIZER_SHARDED, SHARDED, StatedRun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.validation.rows import Row

_STACKS = (
    ("llm-foundry", "llm-foundry"),
    ("torchtitan", "torchtitan"),
    ("torchtune", "torchtune"),
    ("Megatron", "megatron"),
    ("NeMo AutoModel", "automodel"),
    ("NeMo", "megatron"),
    ("LLM.Q", "hand-fused"),
    ("DeepSpeed", "deepspeed"),
    ("Unsloth", "peft"),
    ("Axolotl", "axolotl"),
    ("PEFT", "peft"),
    ("TRL", "peft"),
)
"""Framework classes by a word of the engine, the first that is found."""

_METHODS = (
    ("QLoRA", Kind.QLORA),
    ("LoRA", Kind.LORA),
    ("pretrain", Kind.PRETRAIN),
    ("full", Kind.FULL),
)

_RECOMPUTED: Mapping[str, float] = MappingProxyType(
    {
        "": 0.0,
        "none": 0.0,
        "full": 1.0,
        "selective": 0.5,
        "selective (config default, guess)": 0.0,
        "selective (per op)": 0.0,
        "ffn+attention": 1.0,
        "ffn+norm+attention": 1.0,
    }
)
"""Part of the forward pass: whole, every other layer, or only cheap operations (0)."""

HAND_FUSED_SEQUENCE = 1024.0
HAND_FUSED_STEP_TOKENS = 524_288.0
"""LLM.Q: sequence and tokens per step of its own defaults; half of them for a 7B on one card."""
LARGE_MODEL_PARAMS = 7e9

_NODE_NICS: Mapping[str, float] = MappingProxyType(
    {"1600 Gb/s RoCE per node": 200.0, "800 Gb/s per GPU": 800.0, "NVL72": 200.0}
)
"""NICs of one node in GB/s by a word of the fabric; else 400 Gb/s per GPU, four GPUs on A100."""
NIC_DEFAULT_GB, NIC_A100_GB = 400.0, 200.0

_OLD_CONTAINERS = ("25.", "26.02")
"""MoE containers before spring 2026."""


def stack_of(row: Row) -> str | None:
    """The framework class; PyTorch without its compiler is the eager one."""
    name = next((stack for word, stack in _STACKS if word in row["engine"]), None)
    eager = row["notes"].startswith("FSDP;") and "compile" not in row["notes"]
    return "torchtune" if name == "torchtitan" and eager else name


def method_of(row: Row) -> Kind | None:
    """The method of a row."""
    return next((kind for word, kind in _METHODS if word in row["method"]), None)


def format_of(row: Row) -> str:
    """What the matrix products compute in."""
    words = row["precision"]
    if "NVFP4" in words:
        return "nvfp4"
    if "MX" in words:
        return "mxfp8"
    if "rowwise" in words:
        return "fp8_row"
    return "fp8" if "FP8" in words.upper() else "bf16"


def recomputed(row: Row) -> float:
    """Part of the forward pass computed twice; torchtune recomputes unless told otherwise."""
    if not row["recompute"] and "torchtune" in row["engine"]:
        return 1.0
    return _RECOMPUTED.get(row["recompute"], 0.0)


def is_old_moe_release(row: Row) -> bool:
    """Whether a Megatron container is older than spring 2026."""
    return any(f"container {head}" in row["engine"] for head in _OLD_CONTAINERS)


def sequence_of(row: Row) -> float | None:
    """Tokens of a sequence; the default of LLM.Q where its row states none."""
    stated = row.number("seq_len")
    return HAND_FUSED_SEQUENCE if stated is None and _is_hand_fused(row) else stated


def _is_hand_fused(row: Row) -> bool:
    return "LLM.Q" in row["engine"]


def batch_tokens(row: Row, run: StatedRun, model: ModelCard, sequence: float) -> float:
    """Tokens between two optimizer steps: stated, the default of LLM.Q, or one micro-batch each."""
    stated = row.number("global_batch")
    if stated:
        return stated * sequence
    if _is_hand_fused(row):
        large_alone = model.params_total > LARGE_MODEL_PARAMS and run.gpus == 1
        return HAND_FUSED_STEP_TOKENS / (2.0 if large_alone else 1.0)
    local = row.number("micro_batch") or 1.0
    return run.dp * local * (row.number("grad_accum") or 1.0) * sequence


def micro_batch(row: Row, run: StatedRun) -> float:
    """Sequences of one micro-batch; torchtitan's is the whole local batch, its stages take one."""
    if "torchtitan" in row["engine"] and run.pp > 1:
        return 1.0
    return row.number("micro_batch") or 1.0


def run_of(row: Row, gpu: Gpu, model: ModelCard, kind: Kind, stack: str) -> StatedRun:
    """The run of a row."""
    gpus = row.count("n_gpus") or 1
    tp, pp, cp = (row.count(name) or 1 for name in ("tp", "pp", "cp"))
    per_node = min(row.count("gpus_per_node") or 8, gpus)
    return StatedRun(
        gpu=gpu,
        gpus=gpus,
        gpus_per_node=per_node,
        kind=kind,
        stack=stack,
        number_format=format_of(row),
        recomputed=recomputed(row),
        tp=tp,
        pp=pp,
        cp=cp,
        ep=(row.count("ep") or min(gpus, model.experts)) if model.is_moe else 1,
        interleave=_interleave(row),
        shard=_shard(row, gpus),
        async_tp="async" in row["notes"].lower(),
        nic_gb_per_s=_nics(row, gpu) if gpus > per_node else None,
        rack="NVL72" in row["fabric"],
    )


def _interleave(row: Row) -> int:
    cell = row["vp"]
    return int(cell) if cell.isdigit() and int(cell) > 0 else 1


def _shard(row: Row, gpus: int) -> str:
    return SHARDED if "FSDP" in row["dp_sharding"] and gpus > 1 else OPTIMIZER_SHARDED


def _nics(row: Row, gpu: Gpu) -> float:
    named = next((value for word, value in _NODE_NICS.items() if word in row["fabric"]), None)
    return named or (NIC_A100_GB if gpu.id.startswith("a100") else NIC_DEFAULT_GB)
