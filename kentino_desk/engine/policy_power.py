"""Draw of cards by phase, reference nodes, and the range of power figures (training_fit_notes, 7)."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.engine import policy

if TYPE_CHECKING:
    from collections.abc import Mapping

DRAW_SHARES: Mapping[str, float] = MappingProxyType({
    "idle": policy.value("share_idle"),
    "decode one": .38,
    "decode": policy.value("share_decode"),
    "copy": .63,
    "mixed": policy.value("share_serving"),
    "prefill": policy.value("share_prefill"),
    "training": policy.value("share_training"),
    "burn": 1.0,
})  # fmt: skip
"""Share of the TDP that a card draws on average, by phase; ``decode one`` is a single user."""

SMALL_CARD_W = 250.0
"""Cards below draw what others do, up to their limit: one of them decoded at 0.95 of it.

That was 3 rows of one unit and no other, so the share is no constant but the high end of the range.
"""

LIMITED_SHARES: Mapping[str, float] = MappingProxyType(
    {**DRAW_SHARES, "prefill": 1.0, "training": 1.0}
)
"""Draw that a limit cuts into: matrix products draw all there is, whatever the average says."""

LEAST_LIMIT_SHARE = 0.5
"""Of the TDP: below it speed collapses."""
LOW_EXPONENT, HIGH_EXPONENT = 1.0, 0.30
"""Speed at a limit on cards without a sweep of their own."""
SPEED_SLACK = 0.02


@dataclass(frozen=True, slots=True)
class ReferenceNode:
    """Host parts of a usual node, for builds of which only the cards are known."""

    cpu_sockets: float
    cpu_tdp_w: float
    dimms: float
    nics: float
    drives: float


REFERENCE_NODES: Mapping[bool, ReferenceNode] = MappingProxyType(
    {True: ReferenceNode(2, 350, 32, 10, 12), False: ReferenceNode(2, 350, 24, 4, 2)}
)
"""By whether the cards are boards with NVLink."""

POWER_BANDS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"gpu_w": (0.75, 1.25), "gpu_w_burn": (0.90, 1.08), "system_w": (0.72, 1.08)}
)
"""Measured over predicted."""
