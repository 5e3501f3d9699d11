"""Reasons of single rows of the speed kinds among the worst of their figure."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_POOL = "users beyond the 16-bit pool are made to wait; the run did not: an 8-bit cache, or shorter"
_BURST = "a wait without a full pool: a limit of slots, or all prompts at once"
_RELEASE = "the oldest of the releases; the same layout gained up to 2.0 times by the newest"
_NEWEST = "the newest releases; the same layout gained up to 2.0 times since the oldest"
_SHORT = "short requests: likely more than 1,024 of them ran at once"
_PLACES = "eight copies on paper, one card each: the attention is, the experts lie over all cards"
_STATIC = "an engine of 2023 with a static batch"
_WARM = "one request a second, and seconds to the first token: likely the run's warm-up"
_QUEUE = "next to saturation: a queue formed, and Little's law sees none (or the other way)"
_HOST = "a small model on a fast card: the host, a rented one, sets the pace"
_LONG_DRAFT = "guesses are checked against a context of 131,072: the draft cost more than it gained"
_FULL = "128 users of 131,072 do not fit; four in five wait, says the row itself"
_SPARSE = "sparse attention on this card: the plain rows are predicted 30 % too slow as well"
_EMPTY = "no context: the draft gained 1.8 times, more than in any other row of the unit"

ROW_REASONS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("204", "180", "225", "169", "1826"), _POOL),
        **dict.fromkeys(("2960", "2225", "896", "1480", "1467"), _BURST),
        **dict.fromkeys(("INF-0448", "INF-0450"), _PLACES),
        **dict.fromkeys(("INF-0134", "INF-0135", "INF-0137", "INF-0161"), _SHORT),
        **dict.fromkeys(("INF-0758", "INF-0760"), _STATIC),
        **dict.fromkeys(("INF-0843", "INF-0844"), _WARM),
        **dict.fromkeys(
            ("INF-0822", "INF-0864", "INF-0867", "INF-0868", "INF-0869", "INF-0870", "INF-0877",
             "INF-0892", "INF-0901", "INF-0918"), _QUEUE,
        ),
        **dict.fromkeys(("INF-0810", "INF-0834", "INF-0858", "INF-0882", "INF-0906"), _HOST),
        **dict.fromkeys(("INF-0956", "INF-0957", "INF-0958"), _LONG_DRAFT),
        "INF-0963": _FULL,
        **dict.fromkeys(("INF-1428", "INF-1430", "INF-1431", "INF-1432"), _SPARSE),
        **dict.fromkeys(("INF-0930", "INF-1194"), _EMPTY),
        **dict.fromkeys(("TRN-0277", "TRN-0281", "TRN-0290", "TRN-0296"), _RELEASE),
        **dict.fromkeys(("TRN-0150", "TRN-0168", "TRN-0189", "TRN-0190", "TRN-0196"), _NEWEST),
    }
)  # fmt: skip
"""By id of the row (its line in the file where a source has no ids)."""
