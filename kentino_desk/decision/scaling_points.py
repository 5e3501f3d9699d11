"""Points of the scaling lines: layouts over 1 to 64 cards, inside a node and over each network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Fabric

if TYPE_CHECKING:
    from collections.abc import Iterable

COUNTS = (1, 2, 4, 8, 16, 32, 64)
NODE_CARDS = 8
"""Cards of a node in the chart; a job of fewer stays in one node."""
DP, FSDP, TP, TP2_PP, TP8_PP = "dp", "fsdp", "tp", "tp2_pp", "tp8_pp"


@dataclass(frozen=True, slots=True)
class Point:
    """One layout on a number of cards; ``fabric`` is none inside one node."""

    layout: str
    fabric: Fabric
    gpus: int
    nodes: int
    tp: int
    pp: int
    dp: int

    @property
    def cards_per_node(self) -> int:
        """Cards of each node of the job."""
        return self.gpus // self.nodes


def _point(layout: str, fabric: Fabric, gpus: int, nodes: int) -> Point:
    degrees = {
        DP: (1, 1, gpus),
        FSDP: (1, 1, gpus),
        TP: (gpus, 1, 1),
        TP2_PP: (2, gpus // 2, 1),
        TP8_PP: (NODE_CARDS, gpus // NODE_CARDS, 1),
    }
    return Point(layout, fabric, gpus, nodes, *degrees[layout])


def _exists(layout: str, gpus: int, nodes: int, heads: int, layers: int) -> bool:
    """Whether a layout can be cut that way: heads in equal parts, a layer for every stage."""
    if layout == TP:
        return heads % gpus == 0
    if layout == TP2_PP:
        return gpus >= 2 and heads % 2 == 0 and gpus // 2 <= layers
    if layout == TP8_PP:
        return nodes > 1 and heads % NODE_CARDS == 0 and gpus // NODE_CARDS <= layers
    return True


def points_of(
    layouts: Iterable[str], fabrics: Iterable[Fabric], heads: int, layers: int
) -> tuple[Point, ...]:
    """Every layout: up to one node of 8 inside it, then whole nodes over each network."""
    found = []
    for layout in layouts:
        places = [(Fabric.NONE, n, 1) for n in COUNTS if n <= NODE_CARDS]
        places += [(item, n, n // NODE_CARDS) for item in fabrics for n in COUNTS if n > NODE_CARDS]
        found += [
            _point(layout, fabric, gpus, nodes)
            for fabric, gpus, nodes in places
            if _exists(layout, gpus, nodes, heads, layers)
        ]
    return tuple(found)


def halves_of(
    layouts: Iterable[str], fabrics: Iterable[Fabric], heads: int, layers: int
) -> tuple[Point, ...]:
    """Eight cards in two nodes of four, over each network."""
    return tuple(
        _point(layout, fabric, NODE_CARDS, 2)
        for layout in layouts
        for fabric in fabrics
        if _exists(layout, NODE_CARDS, 1, heads, layers)
    )
