"""The largest load of every candidate at once: a border between met and missed targets, bracketed.

Targets are met up to some number of requests and missed above it. Each array pass tries a few whole
numbers per row: where the straight line between the margins of the ends meets zero, the number
after it, and the middle, so that the bracket always shrinks by half and mostly closes at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

TRIALS = 3
"""Points tried per row and pass."""


class _Bracket:
    """Last number that meets the targets and first that misses them, with their margins."""

    def __init__(self, most: Any) -> None:
        self.low, self.high = np.zeros_like(most), most + 1.0
        self._low_margin, self._high_margin = np.ones_like(most), -np.ones_like(most)
        self._rows = np.arange(len(most))

    @property
    def is_closed(self) -> bool:
        """Whether every row knows its border."""
        return bool((self.high - self.low <= 1.0).all())

    def narrow(self, points: Any, margins: Any) -> None:
        """Take in trial points of shape (rows, trials) with their margins."""
        met = (margins >= 0) & (points >= 1)
        passed, missed = np.where(met, points, -1.0), np.where(met, np.inf, points)
        best, worst = passed.argmax(axis=1), missed.argmin(axis=1)
        rises = passed[self._rows, best] > self.low
        falls = missed[self._rows, worst] < self.high
        self.low = np.where(rises, passed[self._rows, best], self.low)
        self.high = np.where(falls, missed[self._rows, worst], self.high)
        self._low_margin = np.where(rises, margins[self._rows, best], self._low_margin)
        self._high_margin = np.where(falls, margins[self._rows, worst], self._high_margin)

    def trials(self) -> Any:
        """Points to try next; closed rows repeat a point they know."""
        gap = np.maximum(self._low_margin - self._high_margin, 1e-12)
        share = np.clip(self._low_margin / gap, 0.0, 1.0)
        guess = np.floor(self.low + (self.high - self.low) * share)
        middle = np.floor((self.low + self.high) / 2.0)
        first = np.minimum(self.low + 1.0, np.maximum(self.high - 1.0, self.low))
        last = np.maximum(self.high - 1.0, first)
        points = np.stack([guess, guess + 1.0, middle], axis=1)
        return np.clip(points, first[:, None], last[:, None])


def largest_met(most: Any, margins_at: Callable[[Any], Any]) -> Any:
    """Largest whole number up to ``most`` of each row whose margin is not negative; 0 for none.

    Args:
        most: upper ends, at least 1, one per row.
        margins_at: margins of points of shape (rows, trials), in the same shape.
    """
    bracket = _Bracket(most)
    points = np.stack([most, np.ceil(most / 2.0), np.ones_like(most)], axis=1)
    bracket.narrow(points, margins_at(points))
    while not bracket.is_closed:
        points = bracket.trials()
        bracket.narrow(points, margins_at(points))
    return bracket.low
