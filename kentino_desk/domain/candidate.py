"""What can be offered: a build, and a build with a layout and formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Fabric, Format

if TYPE_CHECKING:
    from kentino_desk.domain.hardware import Gpu, NodeType


@dataclass(frozen=True, slots=True)
class Build:
    """Hardware that can be sold: nodes of one type and GPU, and a fabric between them."""

    node: NodeType
    gpu: Gpu
    nodes: int = 1
    fabric: Fabric = Fabric.NONE

    @property
    def id(self) -> str:
        """Such as ``2x8-rtx-pro-6000-bw-server-ib200``."""
        tail = "" if self.fabric is Fabric.NONE else f"-{self.fabric}"
        head = "customer-" if self.node.customer else ""
        return f"{head}{self.nodes}x{self.node.gpu_count}-{self.gpu.id}{tail}"

    @property
    def gpus(self) -> int:
        """GPUs in all nodes."""
        return self.nodes * self.node.gpu_count

    @property
    def is_partner(self) -> bool:
        """Whether a partner builds it."""
        return not self.node.own_build and not self.node.customer

    @property
    def is_customer(self) -> bool:
        """Whether the customer has it already."""
        return self.node.customer


@dataclass(frozen=True, slots=True)
class Candidate:
    """A build with a layout and formats. ``replicas`` counts copies over all nodes."""

    build: Build
    tp: int
    pp: int
    dp: int
    ep: int
    replicas: int
    weights: Format
    kv_cache: Format
    cp: int = 1
    """Ranks that split every sequence (training) or its cache (serving)."""
    dp_attention: int = 1
    """Attention groups inside a copy, each with requests of its own."""

    @property
    def id(self) -> str:
        """Id of the build; the layout stands beside it."""
        return self.build.id

    @property
    def gpus_per_copy(self) -> int:
        """GPUs one copy of the model is spread over."""
        return self.tp * self.pp
