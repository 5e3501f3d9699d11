"""Collectives by fabric, operation, ranks and algorithm, beside the buses of ``policy_tables``.

Bandwidths of all-reduces are those of ``NODE_BUS``, ``TRAINING_BUS`` and ``HOST_BUS``; here stand
what other operations reach of them, and the starts of other algorithms. Three figures are for
2, 4 and 8 ranks. Read off 9,300 measured operator rows (training_fit_notes, section 6).
"""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.engine.policy_tables import Bus

if TYPE_CHECKING:
    from collections.abc import Mapping

Three = tuple[float, float, float]


class Operation(StrEnum):
    """Collective operations with a law."""

    ALL_REDUCE = "all_reduce"
    ALL_GATHER = "all_gather"
    REDUCE_SCATTER = "reduce_scatter"
    ALL_TO_ALL = "all_to_all"
    SEND = "send"


class Algorithm(StrEnum):
    """Who runs the operation: the library, or kernels of an engine."""

    LIBRARY = "library"
    """NCCL and the like: rings and trees."""
    FAST = "fast"
    """The fast kernel of a serving engine inside a captured graph."""
    KERNEL = "kernel"
    """A one-shot kernel that never falls back to the library."""
    EAGER = "eager"
    """The same outside a graph: every call is started by the host."""
    TEST = "test"
    """The library in a bandwidth test: started by the host, nothing around it."""
    RING = "ring"
    """The same held to a ring."""
    SWITCH = "switch"
    """The same with the sum formed inside the NVLink switch."""


KERNEL_START_US: Mapping[str, Three] = MappingProxyType({
    "a100": (4.0, 5.3, 7.5), "h100": (2.6, 3.0, 3.7), "h200": (2.6, 3.0, 3.7),
    "b200": (4.6, 4.9, 5.6), "b300": (4.6, 4.9, 5.6), "gb200": (4.0, 4.6, 4.6),
})  # fmt: skip
EAGER_START_US: Mapping[str, Three] = MappingProxyType({
    "a100": (40, 40, 42), "h100": (20, 20, 23), "h200": (20, 20, 23), "b200": (20, 22, 22),
    "b300": (20, 22, 22), "gb200": (46, 45, 95), "l40s": (42, 52, 52), "rtx6000": (17, 24, 30),
})  # fmt: skip
EAGER_START_OTHER_US: Three = (30, 40, 45)

TEST_START_FACTOR = 2.3
"""Start in a bandwidth test against the library's alone, on NVLink inside a node (one source)."""
RACK_RANKS = 72
"""Cards of one NVLink rack."""

KERNEL_LARGE_SHARE = 0.85
"""A kernel that never falls back reaches less at 8 ranks, where it sends everything to everyone."""

GATHER_START_SHARE: Three = (0.97, 0.77, 0.68)
"""A gather or scatter goes round once; its start against that of an all-reduce."""
GATHER_BUS_SHARE: Mapping[str, Three] = MappingProxyType({
    "h100": (.77, .90, .82), "h200": (.77, .90, .82), "b200": (.85, .97, 1.0),
    "b300": (.85, .97, 1.0), "gb200": (.85, .97, 1.0),
})  # fmt: skip
GATHER_BUS_OTHER: Three = (0.83, 0.93, 0.96)

ALL_TO_ALL: Mapping[str, Bus] = MappingProxyType({
    "a100": Bus((13, 13, 14), (150, 160, 170), (167, 181, 190), (180, 195, 205)),
    "h100": Bus((8, 9, 10.6), (240, 280, 290), (275, 308, 330), (300, 330, 360)),
    "b200": Bus((10.4, 11.4, 11), (300, 440, 480), (345, 495, 540), (380, 540, 600)),
    "gb200": Bus((11, 12, 11), (300, 440, 480), (370, 525, 560), (400, 560, 620)),
    "rtx6000": Bus((6.5, 8, 11.3), (15, 18, 13), (26.8, 23, 17), (30, 26, 20)),
})  # fmt: skip
ALL_TO_ALL_POOR: Mapping[str, Bus] = MappingProxyType(
    {"l40s": Bus((9.2, 8, 10), (18, 4, 0.9), (22.5, 4.6, 1.2), (24, 5, 2))}
)
ALL_TO_ALL_SHARE: Three = (0.95, 0.90, 0.75)
"""Of the all-reduce bus, where nothing was measured [A]."""

RACK_START_POWER, RACK_BUS_POWER, RACK_BUS_MOST = 1.06, 0.12, 850.0
"""Beyond 8 ranks on one NVLink domain the start grows as the ring does, the bus slightly (GB/s)."""
Band = tuple[float, float]
COLLECTIVE_BANDS: Mapping[str, tuple[Band, Band]] = MappingProxyType({
    "node": ((.87, 1.21), (.68, 1.65)),
    "low": ((.81, 1.26), (.60, 1.60)),
    "across": ((.55, 1.25), (.80, 1.50)),
})  # fmt: skip
"""Measured over predicted: bus bandwidth of large messages, then time of any size."""
