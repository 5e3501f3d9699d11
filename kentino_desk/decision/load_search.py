"""The largest load of every candidate at once: a border between met and missed targets, bracketed.

Targets are met up to some number of requests and missed above it. Each array pass tries a few whole
numbers per row: where the straight line between the margins of the ends meets zero, the number
after it, and the middle, so that the bracket always shrinks by half and mostly closes at once. Rows
whose border is known take no part in the passes that follow.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

WIDE = 512
"""Above so many rows a point more costs time, below it a pass more does."""


class _Bracket:
    """Last number that meets the targets and first that misses them, with their margins."""

    def __init__(self, most: Any) -> None:
        self.low, self.high = np.zeros_like(most), most + 1.0
        self._low_margin, self._high_margin = np.ones_like(most), -np.ones_like(most)

    def open_rows(self) -> Any:
        """Rows that do not know their border yet."""
        return np.flatnonzero(self.high - self.low > 1.0)

    def narrow(self, rows: Any, points: Any, margins: Any) -> None:
        """Take in trial points of shape (trials, rows) with their margins."""
        low, high = self.low[rows], self.high[rows]
        low_margin, high_margin = self._low_margin[rows], self._high_margin[rows]
        for point, margin in zip(points, margins, strict=True):
            met = (margin >= 0) & (point >= 1)
            rises, falls = met & (point > low), ~met & (point < high)
            low, low_margin = np.where(rises, (point, margin), (low, low_margin))
            high, high_margin = np.where(falls, (point, margin), (high, high_margin))
        self.low[rows], self.high[rows] = low, high
        self._low_margin[rows], self._high_margin[rows] = low_margin, high_margin

    def trials(self, rows: Any, turn: int, bend: Any) -> Any:
        """Points to try next in some rows, shape (trials, rows)."""
        low, high = self.low[rows], self.high[rows]
        gap = np.maximum(self._low_margin[rows] - self._high_margin[rows], 1e-12)
        share = np.clip(self._low_margin[rows] / gap, 0.0, 1.0)
        guess = np.floor(low + (high - low) * share)
        points = [guess, guess + 1.0, np.floor((low + high) / 2.0)]
        if len(rows) > WIDE:
            # The bend, then the middle once in three turns: it halves what a bad guess leaves.
            points[2] = points[2] if turn else bend[rows]
            del points[2 if turn % 3 else 1]
        return np.clip(np.stack(points), low + 1.0, high - 1.0)


def largest_met(most: Any, margins_at: Callable[[Any, Any], Any], bend: Any = 1.0) -> Any:
    """Largest whole number up to ``most`` of each row whose margin is not negative; 0 for none.

    Args:
        most: upper ends, at least 1, one per row.
        margins_at: margins of points of shape (trials, rows), in the same shape; the second
            argument names the rows, fewer from pass to pass.
        bend: where the margins of a row stop being smooth, if they do: a line drawn across it
            leads nowhere, so it is tried first.
    """
    bracket = _Bracket(most)
    bend = np.clip(np.floor(bend), 1.0, most)
    for first in _first_points(most, bend):
        rows = bracket.open_rows()
        bracket.narrow(rows, first[:, rows], margins_at(first[:, rows], rows))
    for turn in count():
        rows = bracket.open_rows()
        if not len(rows):
            break
        points = bracket.trials(rows, turn, bend)
        bracket.narrow(rows, points, margins_at(points, rows))
    return bracket.low


def _first_points(most: Any, bend: Any) -> tuple[Any, ...]:
    """Points of the first passes: all ends at once, or one by one where the rows are many."""
    if len(most) > WIDE:
        return np.ones((1, len(most))), most[None]
    return (np.stack([most, bend, np.ones_like(most)]),)
