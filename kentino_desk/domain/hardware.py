"""Cards, nodes and fabrics that can be offered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kentino_desk.domain.choices import Fabric
    from kentino_desk.domain.source import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One GPU. TFLOP/s are dense; a peak is None where the card has no such format."""

    id: str
    name: str
    vendor: str
    architecture: str
    form_factor: str
    memory_gb: float
    memory_mib: float | None
    """What the driver reports; None where nobody has read it."""
    memory_is_engine_view: bool = False
    """Whether ``memory_mib`` is what an engine saw, with the driver's reserve already off."""
    memory_bandwidth_gb_per_s: float | None
    tflops_bf16: float | None
    tflops_fp8: float | None
    tops_int8: float | None
    tflops_fp4: float | None
    nvlink_gb_per_s_bidir: float
    tdp_w: float | None
    min_power_limit_w: float | None
    sold: bool
    source: Source
    notes: str = ""

    def __hash__(self) -> int:
        """The id alone: records are keys of caches, and one catalog has one record of an id."""
        return hash(self.id)

    @property
    def has_nvlink(self) -> bool:
        """Whether cards talk over NVLink in an SXM board; bridges of card pairs do not count."""
        return self.nvlink_gb_per_s_bidir > 0 and not self.is_pcie

    @property
    def is_pcie(self) -> bool:
        """Whether the card sits in a PCIe slot."""
        return "PCIe" in self.form_factor


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeType:
    """A machine that can hold GPUs of one kind. Power and price follow from the parts."""

    id: str
    name: str
    vendor: str
    own_build: bool
    offered: bool
    """Whether it takes part in every search; others only where the constraints name them."""
    gpu_ids: tuple[str, ...]
    gpu_count: int
    rack_u: int | None
    cpu_sockets: int
    cpu_tdp_w: float | None
    cpu_name: str
    dimm_slots: int
    pcie_topology: str
    nvlink: bool
    psu_count: int | None
    psu_w: float | None
    psu_redundancy: str
    max_input_kw: float | None
    airflow_cfm: float | None
    depth_mm: float | None
    weight_kg: float | None
    inlet_c_max: float | None
    cooling: str
    source: Source
    notes: str = ""
    customer: bool = False
    """Whether it is the machine that the customer has already."""

    def __hash__(self) -> int:
        """The id alone: records are keys of caches, and one catalog has one record of an id."""
        return hash(self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricType:
    """A network between nodes: speed of one NIC, and the class its constants belong to."""

    id: Fabric
    name: str
    nic_gbit_per_s: float
    network_class: str
    """infiniband, roce or tcp: the row of constants that applies."""
    source: Source
