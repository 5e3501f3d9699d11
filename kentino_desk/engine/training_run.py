"""One training run as its memory sees it: recipe, stack and layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.engine.policy_training_memory import STACK_MEMORY, StackMemory

if TYPE_CHECKING:
    from kentino_desk.domain.choices import Checkpointing, Kind, Loss

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
