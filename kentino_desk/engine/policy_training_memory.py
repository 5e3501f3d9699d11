"""Memory constants of training stacks: states, logits, checkpoints, buffers.

Fitted on 127 published training rows (memory_fit_notes, sections 6 and 7). A row of a table stands for a
stack or a method; no constant belongs to one measured row.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class StackMemory:
    """What a training stack keeps beside states and activations."""

    logit_bytes_plain: float
    """Bytes per logit element of its plain loss."""
    constant_gib: float
    adapter_bytes: float
    """Bytes per adapter parameter with gradient and moments: 16 in fp32, 8 in 16 bit."""
    logit_bytes_compiled: float | None = None
    logit_bytes_tensor_parallel: float | None = None
    usual_loss: str = "plain"
    compiled: bool = False
    """Whether the stack compiles where nobody says so."""
    selective_share: float = 0.22
    """Share of a block that its selective checkpointing keeps."""
    stage3_full_gib: float = 0.0
    stage3_lora_gib: float = 0.0
    """Buckets of a stack that shards by DeepSpeed's stage 3 without being asked."""
    reserved_factor: float = 1.04
    """Reserved memory against what is allocated, where the stack prints the former."""
    double_quantised: bool = False
    """Whether its 4-bit bases quantise the scales too."""
    gathers_whole: bool = False
    """Whether sharded full tuning gathers the whole model at once."""
    live_bytes: float = 0.0
    """Per quantised parameter, without checkpointing."""
    master_weights: bool = False
    """Whether 16-bit training keeps fp32 moments and a master copy where nobody says so."""
    usual_checkpointing: tuple[str, str] = ("none", "none")
    """Of full and of adapter tuning, where nobody says so."""
    settings_known: bool = True
    """Whether its rows state enough for the narrow band."""
    unpacked_fills_half: bool = False
    """Whether samples that are not packed fill half of the sequence, unless packing is stated."""


STACK_MEMORY: Mapping[str, StackMemory] = MappingProxyType({
    "torchtitan": StackMemory(
        logit_bytes_plain=10.0, logit_bytes_compiled=6.0, logit_bytes_tensor_parallel=20.0,
        constant_gib=1.0, adapter_bytes=8.0, compiled=True, master_weights=True,
        usual_checkpointing=("selective", "selective"),
    ),
    "torchtune": StackMemory(
        logit_bytes_plain=10.0, constant_gib=0.3, adapter_bytes=8.0, usual_loss="chunked",
        reserved_factor=1.0, double_quantised=True,
    ),
    "litgpt": StackMemory(
        logit_bytes_plain=10.0, constant_gib=0.2, adapter_bytes=8.0, reserved_factor=1.0,
        gathers_whole=True, live_bytes=0.4, usual_checkpointing=("full", "none"),
        settings_known=False,
    ),
    "megatron": StackMemory(
        logit_bytes_plain=8.0, constant_gib=2.0, adapter_bytes=8.0, selective_share=0.75,
        master_weights=True, usual_checkpointing=("selective", "selective"),
    ),
    "megatron-bridge": StackMemory(
        logit_bytes_plain=8.0, constant_gib=2.0, adapter_bytes=8.0, selective_share=0.75,
        master_weights=True, usual_checkpointing=("selective", "selective"),
    ),
    "deepspeed": StackMemory(
        logit_bytes_plain=12.0, constant_gib=1.0, adapter_bytes=16.0, stage3_full_gib=5.0,
        stage3_lora_gib=2.0, master_weights=True,
    ),
    "hf-scripts": StackMemory(
        logit_bytes_plain=12.0, constant_gib=1.5, adapter_bytes=16.0, master_weights=True,
    ),
    "ms-swift": StackMemory(
        logit_bytes_plain=12.0, constant_gib=1.5, adapter_bytes=16.0, master_weights=True,
        settings_known=False, unpacked_fills_half=True,
    ),
    "peft": StackMemory(logit_bytes_plain=12.0, constant_gib=0.5, adapter_bytes=16.0),
    "axolotl": StackMemory(
        logit_bytes_plain=12.0, constant_gib=0.8, adapter_bytes=16.0, double_quantised=True,
        settings_known=False,
    ),
    "other": StackMemory(
        logit_bytes_plain=12.0, constant_gib=1.5, adapter_bytes=16.0, settings_known=False,
    ),
})  # fmt: skip
"""By stack, with its rows and measured over predicted (5 to 95 % of them):

torchtitan 16 (0.92-1.07), torchtune 12 (0.86-1.10), litgpt 30 (0.73-1.23), Megatron 6 (0.85-1.18),
Megatron-Bridge 2 (0.97), DeepSpeed 3 (0.94-0.98), the scripts on the HF trainer 14 (0.88-1.12),
ms-swift 10 (0.81-1.46), PEFT 8 (0.95-1.19), axolotl 26 (0.79-1.60). ``other`` has no rows.
Selective shares: by operator 6 rows (0.92-1.03), Megatron 3 (0.86-0.97); logits with tensor
parallelism in torchtitan 6 rows (0.96-1.10); half-filled sequences 12 rows (0.81-1.45)."""

LOGIT_BYTES: Mapping[str, float] = MappingProxyType({"chunked": 2.0, "fused": 0.4})
"""Bytes per logit element of a chunked or fused loss; a plain loss is the stack's own."""

STATE_BYTES: Mapping[tuple[str, str], tuple[float, float, float]] = MappingProxyType({
    ("deepspeed", "adamw_fp32"): (2.0, 2.0, 12.0),
    ("hf-scripts", "adamw_fp32"): (2.0, 2.0, 12.0),
    ("ms-swift", "adamw_fp32"): (2.0, 2.0, 12.0),
    ("megatron", "adamw_fp32"): (2.0, 4.0, 12.0),
    ("megatron-bridge", "adamw_fp32"): (2.0, 2.0, 8.0),
    ("torchtitan", "muon"): (4.0, 4.0, 4.0),
    ("megatron", "muon"): (2.0, 4.0, 8.0),
})  # fmt: skip
"""Bytes per parameter for weights, gradients and optimizer, before sharding."""

STATE_BYTES_ANY: Mapping[str, tuple[float, float, float]] = MappingProxyType({
    "adamw_fp32": (4.0, 4.0, 8.0),
    "adamw_bf16": (2.0, 2.0, 4.0),
    "adamw_8bit": (2.0, 2.0, 2.0),
    "adafactor": (2.0, 2.0, 0.1),
    "muon": (2.0, 2.0, 2.0),
})  # fmt: skip
"""The same in every stack without a row of its own: fp32 throughout, or pure 16 bit."""
GRADIENT_BYTES_IN_BACKWARD = 0.3
"""Gradients of an optimizer that steps inside the backward pass."""
OFFLOADED_STATE_BYTES = (0.3, 0.3, 0.0)
"""Per parameter on the card where weights and optimizer live in host memory."""
OFFLOADED_BASE_SHARE = 0.5
"""Part of a frozen base that stays on the card with offload [D, 2 rows]."""
ADAPTER_BYTES_8BIT = 10.0
EMBEDDING_EXTRA_BYTES = 12.0
"""Per parameter of an embedding and head that are trained beside adapters."""

BASE_BITS: Mapping[str, float] = MappingProxyType({
    "fp32": 32.0, "fp32_mixed": 48.0, "bf16": 16.0, "int8": 8.0, "nf4": 4.5, "nf4_dq": 4.127,
    "gptq": 4.156, "nvfp4": 4.5,
})  # fmt: skip
"""Linear weights of a frozen base; fp32 with 16-bit autocast holds both copies."""
FUSED_EXPERT_FAMILIES = ("llama-4", "kimi-linear")
"""Models whose experts are one tensor, which bitsandbytes leaves in 16 bit (by head of their id)."""

BLOCK_SHARE_EVERY_SECOND = 0.5
"""Checkpointing of every second block."""
OFFLOADED_CHECKPOINT_SHARE = 0.1
NVFP4_ACTIVATION_SHARE = 4.5 / 16.0
"""Activations saved for NVFP4 matrix products against 16 bit: the bits of the format."""
UNPACKED_FILL = 0.5
SEQUENCE_UNKNOWN, SEQUENCE_MINIMAL = 512.0, 256.0
"""Sequence length where a row states none, and where it calls it minimal [A]."""
LORA_RANK_UNKNOWN = 16

KNOWN_PEAK_BAND = (0.85, 1.20)
"""Measured over predicted where the stack's settings are known: 58 of 61 rows."""
OPEN_PEAK_BAND = (0.75, 1.50)
"""The same for stacks whose rows leave loss, packing or checkpointing open: 60 of 66 rows."""
TIGHT_PEAK_SHARE = 1.05
"""Largest peak, as a share of the card, that is still called tight."""
