"""Inputs of one collective operation: bus and start of its group, by fabric and algorithm."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_desk.domain.choices import Host
from kentino_desk.domain.units import GB
from kentino_desk.engine.card_inputs import library_link
from kentino_desk.engine.policy_collectives import (
    ALL_TO_ALL,
    ALL_TO_ALL_POOR,
    ALL_TO_ALL_SHARE,
    EAGER_START_OTHER_US,
    EAGER_START_US,
    GATHER_BUS_OTHER,
    GATHER_BUS_SHARE,
    GATHER_START_SHARE,
    KERNEL_LARGE_SHARE,
    KERNEL_START_US,
    RACK_BUS_MOST,
    RACK_BUS_POWER,
    RACK_RANKS,
    RACK_START_POWER,
    TEST_START_FACTOR,
    Algorithm,
    Operation,
)
from kentino_desk.engine.policy_tables import NETWORKS, SERVING_BUS, Bus

MICRO = 1e-6
LARGEST_NODE, PAIR = 8, 2
_TABLE_ALIAS = {"h200": "h100", "b300": "b200"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The cards of one collective: their class, host and nodes, and the NICs of one node."""

    card: str
    ranks: int
    nodes: int = 1
    nvlink: bool = True
    rack: bool = False
    """Whether the nodes are joined by NVLink to a rack."""
    host: Host = Host.DEFAULT
    network: str = ""
    nic_bytes_per_s: float = 0.0
    """Sum of the NICs of one node."""

    @property
    def domains(self) -> int:
        """Nodes, or racks where one NVLink domain spans many nodes."""
        if self.card == "gb200" and self.nvlink and self.rack:
            return -(-self.ranks // RACK_RANKS)
        return max(self.nodes, 1) if self.network else 1

    @property
    def per_domain(self) -> int:
        """Ranks of the group in one domain."""
        return max(self.ranks // self.domains, 1)


def collective_inputs(group: Group, operation: Operation, algorithm: Algorithm) -> dict[str, float]:
    """Every input of one collective but the size of its message."""
    start, bus = _inside(group, operation, algorithm)
    network = NETWORKS.get(group.network)
    share = network.best if network else 0.0
    return {
        "ranks": float(group.ranks),
        "ring_passes": _passes(group, operation),
        "inside_start_s": start * MICRO,
        "inside_bus_bytes_per_s": bus * GB,
        "network_start_s": network.start_us * MICRO if network else 0.0,
        "network_bus_bytes_per_s": share * _nics(group, operation),
        "group_nodes": float(group.domains),
    }


def _passes(group: Group, operation: Operation) -> float:
    """How often the buffer goes round; a send carries all of it once."""
    if operation is Operation.SEND:
        return group.ranks / (group.ranks - 1.0)
    return 2.0 if operation is Operation.ALL_REDUCE else 1.0


def _nics(group: Group, operation: Operation) -> float:
    """Network of one domain; cards that send at once each have their part of it."""
    total = group.nic_bytes_per_s * group.nodes / group.domains
    return total / group.per_domain if operation is Operation.SEND else total


def _inside(group: Group, operation: Operation, algorithm: Algorithm) -> tuple[float, float]:
    """Start in us and bus bandwidth in GB/s inside a node."""
    ranks = group.per_domain
    if operation is Operation.SEND:
        # One card to its neighbour: the bus of a pair, whatever the size of the group.
        return _ring(group, PAIR)
    place = _place(ranks)
    if operation is Operation.ALL_TO_ALL:
        start, bus = _all_to_all(group, ranks)
    else:
        start, bus = _ring(group, ranks, algorithm)
    if operation in {Operation.ALL_GATHER, Operation.REDUCE_SCATTER}:
        start *= GATHER_START_SHARE[place]
        bus *= GATHER_BUS_SHARE.get(group.card, GATHER_BUS_OTHER)[place]
    if ranks > LARGEST_NODE and group.nvlink:
        start *= (group.ranks / LARGEST_NODE) ** RACK_START_POWER
        bus = _rack_bus(bus, ranks)
    if algorithm is Algorithm.KERNEL and group.nvlink and place == 2:
        bus *= KERNEL_LARGE_SHARE
    return _start_of(group, algorithm, place, start), bus


def _place(ranks: int) -> int:
    return 0 if ranks <= 2 else 1 if ranks <= 4 else 2


def _rack_bus(bus: float, ranks: int) -> float:
    """Bus of a rack; more racks lose what their network says, nothing besides."""
    return float(min(bus * (ranks / LARGEST_NODE) ** RACK_BUS_POWER, RACK_BUS_MOST))


def _ring(
    group: Group, ranks: int, algorithm: Algorithm = Algorithm.LIBRARY
) -> tuple[float, float]:
    link = library_link(group.card, group.host, ranks, nvlink=group.nvlink)
    if ranks <= 1:
        return link.start_s / MICRO, float("inf")
    side = {Algorithm.SWITCH: link.high, Algorithm.RING: link.low} if group.nvlink else {}
    return link.start_s / MICRO, side.get(algorithm, link.best) / GB


def _all_to_all(group: Group, ranks: int) -> tuple[float, float]:
    place = _place(ranks)
    row = _all_to_all_row(group)
    if row is not None:
        return row.start_us[place], row.best[place]
    start, bus = _ring(group, ranks)
    return GATHER_START_SHARE[place] * start, ALL_TO_ALL_SHARE[place] * bus


def _all_to_all_row(group: Group) -> Bus | None:
    if group.host is Host.POOR and not group.nvlink:
        return ALL_TO_ALL_POOR.get(group.card)
    return ALL_TO_ALL.get(_TABLE_ALIAS.get(group.card, group.card))


def _start_of(group: Group, algorithm: Algorithm, place: int, start: float) -> float:
    """Start of an algorithm; on PCIe the fast kernels start no faster than the library."""
    if algorithm is Algorithm.EAGER:
        return max(EAGER_START_US.get(group.card, EAGER_START_OTHER_US)[place], start)
    if not group.nvlink or algorithm is Algorithm.LIBRARY:
        return start
    if group.per_domain > LARGEST_NODE and algorithm is not Algorithm.KERNEL:
        return start
    if algorithm in {Algorithm.TEST, Algorithm.SWITCH, Algorithm.RING}:
        return start * (TEST_START_FACTOR if group.domains == 1 else 1.0)
    if algorithm is Algorithm.KERNEL:
        return KERNEL_START_US.get(group.card, KERNEL_START_US["h100"])[place]
    row = SERVING_BUS.get("b200" if group.card == "b300" else group.card)
    return row.start_us[place] if row else start
