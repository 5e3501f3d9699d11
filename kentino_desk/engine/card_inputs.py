"""Facts of a card and its host as inputs of the graph: peaks, shares of peak, buses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Evidence, Format, Host
from kentino_desk.domain.units import GB, GIB, TERA, gib_from_mib
from kentino_desk.engine import policy
from kentino_desk.engine.model_inputs import computed_bits
from kentino_desk.engine.policy_tables import (
    HOST_BUS,
    NETWORKS,
    NODE_BUS,
    OTHER_PCIE,
    OTHER_PCIE_POOR,
    SERVING_BUS,
    SHARES,
    TRAINING_BUS,
    Bus,
    Shares,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.domain.hardware import FabricType, Gpu
    from kentino_desk.domain.model_card import ModelCard

_CLASSES = (
    ("rtx-pro-6000", "rtx6000"),
    ("h100", "h100"),
    ("h800", "h100"),
    ("h200", "h200"),
    ("gb200", "gb200"),
    ("gb300", "gb200"),
    ("b200", "b200"),
    ("b300", "b300"),
    ("a100", "a100"),
    ("l40s", "l40s"),
)
_NVLINK_CLASSES = frozenset({"h100", "h200", "b200", "b300", "gb200", "a100"})
NVLINK_SERVING_SHARE = 0.65
"""Share of the isolated bus bandwidth that a running server reaches on NVLink [D]."""
HOPPER_START_FACTOR, BLACKWELL_START_FACTOR = 2.8, 1.9
"""Start-up of a collective in a running server against the isolated one, on NVLink [D]."""
SOCKET_CARDS = 4
"""Cards of an eight-card host that sit on one socket."""
PCIE_START_FACTOR = 2.0
"""Start-up of a collective in a running server against the isolated one, on PCIe [A]."""
INT4_COMPUTE_SHARE = 0.85
"""INT4 weights are computed in 16 bit at this share of the 16-bit kernels [A]."""


@lru_cache(maxsize=512)
def card_class(gpu: Gpu) -> str:
    """The class whose kernel shares a card takes; ``other`` where nothing was measured."""
    return next((name for head, name in _CLASSES if gpu.id.startswith(head)), "other")


@lru_cache(maxsize=512)
def bus_class(gpu: Gpu) -> str:
    """The class whose PCIe collectives a card takes."""
    name = card_class(gpu)
    if name != "other":
        return name
    if gpu.id.startswith("rtx-50"):
        return "geforce5"
    return "geforce4" if gpu.id.startswith("rtx-40") else "other"


def card_and_fabric(gpu: Gpu) -> str:
    """Class of a card and what joins it to others in a node, for tables of results."""
    name = card_class(gpu)
    name = bus_class(gpu) if name == "other" else name
    return f"{name}, {'NVLink' if gpu.has_nvlink else 'PCIe'}"


def is_blackwell_sxm(gpu: Gpu) -> bool:
    """Whether the engine overheads of the Blackwell boards apply."""
    return card_class(gpu) in {"b200", "b300", "gb200"}


def supports(gpu: Gpu, weights: Format) -> bool:
    """Whether a card computes or unpacks a format."""
    if weights is Format.FP8:
        return gpu.tflops_fp8 is not None
    if weights is Format.NVFP4:
        return gpu.tflops_fp4 is not None
    if weights is Format.INT8:
        return gpu.tops_int8 is not None
    return gpu.tflops_bf16 is not None and gpu.memory_bandwidth_gb_per_s is not None


def card_gib(gpu: Gpu) -> tuple[float, Evidence]:
    """Usable memory V of one card in GiB, and how well it is known."""
    if gpu.memory_mib is not None:
        reserve = policy.value("driver_reserve_gib") if not gpu.memory_is_engine_view else 0.0
        return gib_from_mib(gpu.memory_mib) - reserve, gpu.source.evidence_of("memory_mib")
    return gpu.memory_gb * policy.value("gib_per_marketing_gb"), Evidence.ESTIMATE


def card_bytes(gpu: Gpu) -> float:
    """Usable memory V of one card in bytes."""
    return card_gib(gpu)[0] * GIB


@dataclass(frozen=True, slots=True)
class Kernel:
    """Share of bandwidth, and FLOP/s really reached, of one format on one card."""

    bandwidth_share: float
    flops: float


def dense_kernel(gpu: Gpu, model: ModelCard, weights: Format) -> Kernel:
    """Kernel of attention, dense and shared weights in a format (engine_fit_notes, section 3)."""
    shares = SHARES[card_class(gpu)]
    f16 = (gpu.tflops_bf16 or 0.0) * TERA
    if computed_bits(model, weights) >= 16.0:
        return Kernel(shares.bf16[0], shares.bf16[1] * f16)
    if weights in {Format.FP8, Format.INT8}:
        return _eight_bit_kernel(gpu, model, weights, shares)
    if weights is Format.NVFP4 and gpu.tflops_fp4 is not None:
        return Kernel(shares.nvfp4[0], shares.nvfp4[1] * gpu.tflops_fp4 * TERA)
    return Kernel(shares.fp8[0], INT4_COMPUTE_SHARE * shares.bf16[1] * f16)


def _eight_bit_kernel(gpu: Gpu, model: ModelCard, weights: Format, shares: Shares) -> Kernel:
    block = model.native_format is Format.FP8
    bandwidth, compute = shares.fp8_block if block else shares.fp8
    peak = gpu.tflops_fp8 if weights is Format.FP8 else gpu.tops_int8
    return Kernel(bandwidth, compute * (peak or gpu.tflops_bf16 or 0.0) * TERA)


def expert_kernel(gpu: Gpu, weights: Format) -> Kernel:
    """Kernel of routed experts in a format (engine_fit_notes, section 3)."""
    bandwidth, compute = SHARES[card_class(gpu)].experts[weights]
    return Kernel(bandwidth, compute * _expert_peak_tflops(gpu, weights) * TERA)


def _expert_peak_tflops(gpu: Gpu, weights: Format) -> float:
    f16 = gpu.tflops_bf16 or 0.0
    if weights is Format.NVFP4 and gpu.tflops_fp4 is not None:
        return gpu.tflops_fp4
    if weights is Format.MXFP4 and is_blackwell_sxm(gpu):
        return gpu.tflops_fp8 or f16
    if weights in {Format.FP8, Format.INT8}:
        return gpu.tflops_fp8 or gpu.tops_int8 or f16
    return f16


@dataclass(frozen=True, slots=True)
class Link:
    """A collective's start in s and bus bandwidth in B/s: low, best, high."""

    start_s: float
    low: float
    best: float
    high: float
    measured: bool


def _at(bus: Bus, ranks: int) -> Link:
    position = 0 if ranks <= 2 else 1 if ranks <= 4 else 2
    return Link(
        bus.start_us[position] * 1e-6,
        bus.low[position] * GB,
        bus.best[position] * GB,
        bus.high[position] * GB,
        bus.measured,
    )


@lru_cache(maxsize=4096)
def serving_link(gpu_class: str, host: Host, ranks: int, *, nvlink: bool, hopper: bool) -> Link:
    """Link as a serving engine uses it: fast kernels on NVLink at 0.65 of their bandwidth."""
    if nvlink and gpu_class in _NVLINK_CLASSES:
        link = _at(SERVING_BUS["b200" if gpu_class == "b300" else gpu_class], ranks)
        factor = HOPPER_START_FACTOR if hopper else BLACKWELL_START_FACTOR
        reached = (NVLINK_SERVING_SHARE * x for x in (link.low, link.best, link.high))
        low, best, high = reached
        return Link(link.start_s * factor, low, best, high, measured=True)
    link = _in_order_of_hosts(
        lambda item, cards: _at(_host_bus(gpu_class, item), cards), host, ranks
    )
    return Link(link.start_s * PCIE_START_FACTOR, link.low, link.best, link.high, link.measured)


@lru_cache(maxsize=4096)
def training_link(gpu_class: str, host: Host, ranks: int, *, nvlink: bool) -> Link:
    """Link as training uses it inside one node; a worse host is never the faster one."""
    if nvlink and gpu_class in _NVLINK_CLASSES:
        return library_link(gpu_class, host, ranks, nvlink=True)
    return _in_order_of_hosts(
        lambda item, cards: library_link(gpu_class, item, cards, nvlink=False), host, ranks
    )


@lru_cache(maxsize=4096)
def library_link(gpu_class: str, host: Host, ranks: int, *, nvlink: bool) -> Link:
    """Link inside one node as NCCL was measured on such a host."""
    if nvlink and gpu_class in _NVLINK_CLASSES:
        alias = {"h200": "h100", "b300": "b200"}.get(gpu_class, gpu_class)
        return _at(NODE_BUS[alias], ranks)
    for key in ((gpu_class, host), (gpu_class, Host.DEFAULT)):
        if key in TRAINING_BUS and (host is not Host.POOR or key[1] is Host.POOR):
            return _at(TRAINING_BUS[key], ranks)
    return _at(_host_bus(gpu_class, host), ranks)


def _in_order_of_hosts(link_of: Callable[[Host, int], Link], host: Host, ranks: int) -> Link:
    """A poor host is at most as fast as the usual one, a tuned one or a switch at least as fast.

    The measured hosts are different machines: a pair of cards of a poor one may sit better than the
    pair of a usual one, which says nothing of a host that is not known card by card. Tuned means
    that the link between the sockets no longer brakes: all cards share a bus that is no slower than
    that of the cards of one socket, measured or not.
    """
    link, usual = link_of(host, ranks), link_of(Host.DEFAULT, ranks)
    if host is Host.POOR:
        return _worse(link, usual)
    if host is Host.DEFAULT:
        return link
    link = _faster(_better(link, usual), link_of(host, min(ranks, SOCKET_CARDS)))
    if host is Host.TUNED:
        return link
    return _better(link, _in_order_of_hosts(link_of, Host.TUNED, ranks))


def _worse(link: Link, other: Link) -> Link:
    return Link(
        max(link.start_s, other.start_s), min(link.low, other.low), min(link.best, other.best),
        min(link.high, other.high), link.measured,
    )  # fmt: skip


def _better(link: Link, other: Link) -> Link:
    return Link(
        min(link.start_s, other.start_s), max(link.low, other.low), max(link.best, other.best),
        max(link.high, other.high), link.measured,
    )  # fmt: skip


def _faster(link: Link, other: Link) -> Link:
    """The better bus of both with the start of the first."""
    return Link(
        link.start_s, max(link.low, other.low), max(link.best, other.best),
        max(link.high, other.high), link.measured,
    )  # fmt: skip


def _host_bus(gpu_class: str, host: Host) -> Bus:
    if (gpu_class, host) in HOST_BUS:
        return HOST_BUS[gpu_class, host]
    if (gpu_class, Host.DEFAULT) in HOST_BUS:
        return HOST_BUS[gpu_class, Host.DEFAULT]
    return OTHER_PCIE_POOR if host is Host.POOR else OTHER_PCIE


def network_link(fabric: FabricType, nics_per_node: int) -> Link:
    """Sum of the NICs of one node at the share a ring reaches (training_fit_notes, section 6)."""
    network = NETWORKS[fabric.network_class]
    total = fabric.nic_gbit_per_s / 8.0 * GB * nics_per_node
    start = network.start_us * 1e-6
    return Link(
        start, network.low * total, network.best * total, network.high * total, measured=True
    )


def joined(inside: Link, network: Link | None, nodes: int) -> Link:
    """A ring over several nodes: the slower of bus and network, their starts added."""
    if network is None or nodes <= 1:
        return inside
    hops = max(nodes - 1, 1).bit_length()
    return Link(
        inside.start_s + network.start_s * hops,
        min(inside.low, network.low),
        min(inside.best, network.best),
        min(inside.high, network.high),
        inside.measured and network.measured,
    )
