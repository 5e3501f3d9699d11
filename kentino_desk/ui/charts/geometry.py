"""Where bars and labels of a chart stand, in pixels; plain numbers, no Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

BAR_MIN, BAR_MAX = 28.0, 44.0
IN_GROUP, BETWEEN = 6.0, 28.0
BASELINE_STEP = 15.0
_NICE = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Span:
    """Left edge and width of one bar, or of a group of bars."""

    left: float
    width: float

    @property
    def middle(self) -> float:
        """Its middle."""
        return self.left + self.width / 2


def bar_spans(groups: Sequence[str], width: float) -> tuple[Span, ...]:
    """Bars of 28 to 44 px, narrower where there are many, the whole in the middle."""
    sizes = [len(list(run)) for _, run in groupby(groups)]
    if not sizes:
        return ()
    gaps = IN_GROUP * (len(groups) - len(sizes)) + BETWEEN * (len(sizes) - 1)
    bar = min((width - BETWEEN - gaps) / len(groups), BAR_MAX)
    shrink = 1.0
    if bar < BAR_MIN / 2:
        wanted = gaps + BAR_MIN / 2 * len(groups) + BETWEEN
        shrink, bar = width / wanted, BAR_MIN / 2 * width / wanted
    total = bar * len(groups) + gaps * shrink
    return _placed(sizes, bar, shrink, (width - total) / 2)


def _placed(sizes: list[int], bar: float, shrink: float, left: float) -> tuple[Span, ...]:
    spans = []
    for size in sizes:
        for index in range(size):
            spans.append(Span(left, bar))
            left += bar + (IN_GROUP * shrink if index < size - 1 else 0)
        left += BETWEEN * shrink
    return tuple(spans)


def group_spans(groups: Sequence[str], spans: Sequence[Span]) -> tuple[tuple[str, Span], ...]:
    """Each group with the span over its bars."""
    found = []
    for name, run in groupby(zip(groups, spans, strict=True), key=lambda pair: pair[0]):
        members = [span for _, span in run]
        left, right = members[0].left, members[-1].left + members[-1].width
        found.append((name, Span(left, right - left)))
    return tuple(found)


def round_ticks(top: float, most: int = 4) -> tuple[float, ...]:
    """Round numbers from 0 to the first one at or above ``top``, at most ``most`` steps."""
    rough = max(top, 1e-9) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in _NICE if factor * power >= rough * (1 - 1e-9))
    count = math.ceil(top / step - 1e-9)
    return tuple(step * index for index in range(count + 1))


def spread(wanted: Sequence[float], low: float, high: float) -> tuple[float, ...]:
    """Label positions near the wanted ones, 15 px apart: pushed down, then up from the end."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed = [0.0] * len(wanted)
    floor = low
    for index in order:
        placed[index] = max(wanted[index], floor)
        floor = placed[index] + BASELINE_STEP
    ceiling = high
    for index in reversed(order):
        placed[index] = min(placed[index], ceiling)
        ceiling = placed[index] - BASELINE_STEP
    return tuple(placed)


def crosses(
    start: tuple[float, float],
    end: tuple[float, float],
    box: tuple[float, float, float, float],
) -> bool:
    """Whether a line from left to right runs through a box (left, top, right, bottom)."""
    left, top, right, bottom = box
    (x0, y0), (x1, y1) = start, end
    if x1 < left or x0 > right:
        return False
    slope = (y1 - y0) / (x1 - x0) if x1 > x0 else 0.0
    first = y0 + slope * (max(x0, left) - x0)
    last = y0 + slope * (min(x1, right) - x0)
    return min(first, last) < bottom and max(first, last) > top


def any_crosses(
    points: Sequence[tuple[float, float]], box: tuple[float, float, float, float]
) -> bool:
    """Whether a line through points from left to right runs through a box."""
    left, _, right, _ = box
    return any(
        crosses(start, end, box)
        for start, end in pairwise(points)
        if end[0] >= left and start[0] <= right
    )
