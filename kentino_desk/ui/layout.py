"""Where things stand at which window size; numbers of the design, no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle in logical pixels."""

    x: int
    y: int
    w: int
    h: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Density:
    """Widths and gaps of one class of window size."""

    rail: int
    form: int
    right: int
    """0 where the verdict is a bar above the tabs."""
    strip: int
    gap: int
    padding: int
    row: int
    compact: bool
    form_is_drawer: bool = False
    side_by_side: bool = False
    one_chart: bool = False


_WIDE = Density(rail=72, form=320, right=384, strip=152, gap=12, padding=16, row=40, compact=False)
_NORMAL = Density(
    rail=72, form=288, right=336, strip=152, gap=12, padding=16, row=40, compact=False
)
_COMPACT = Density(rail=56, form=248, right=296, strip=92, gap=8, padding=12, row=32, compact=True)
_BAR = Density(rail=56, form=248, right=0, strip=92, gap=8, padding=12, row=32, compact=True)
_DRAWER = Density(
    rail=56,
    form=264,
    right=0,
    strip=56,
    gap=8,
    padding=12,
    row=32,
    compact=True,
    form_is_drawer=True,
    one_chart=True,
)
VERDICT_BAR = 56
_SIDE_BY_SIDE_FROM = 1040
_LOW_BELOW = 800


def density_for(width: int, height: int) -> Density:
    """The density of a window of that size."""
    if width < 1000:
        return _DRAWER
    if width < 1200:
        return _BAR
    if width < 1360 or height < _LOW_BELOW:
        return _COMPACT
    if width < 1680:
        return _NORMAL
    return _with_side_by_side(width)


def _with_side_by_side(width: int) -> Density:
    wide = _WIDE
    centre = width - wide.rail - wide.form - wide.right - 4 * wide.gap
    if centre < _SIDE_BY_SIDE_FROM:
        return wide
    return Density(
        rail=wide.rail,
        form=wide.form,
        right=wide.right,
        strip=wide.strip,
        gap=wide.gap,
        padding=wide.padding,
        row=wide.row,
        compact=False,
        side_by_side=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadPlaces:
    """Rectangles of the parts of the workload screen; None where a part is not shown."""

    form: Box
    centre: Box
    strip: Box
    right: Box | None
    bar: Box | None


def place_workload(width: int, height: int, density: Density) -> WorkloadPlaces:
    """Where the parts of the workload screen stand on a page of that size."""
    gap = density.gap
    inner = height - 2 * gap
    form = Box(gap, gap, density.form, inner)
    left = gap if density.form_is_drawer else gap + density.form + gap
    strip_top = height - gap - density.strip
    strip = Box(left, strip_top, width - gap - left, density.strip)
    upper = strip_top - 2 * gap
    if density.right:
        right = Box(width - gap - density.right, gap, density.right, upper)
        centre = Box(left, gap, right.x - gap - left, upper)
        return WorkloadPlaces(form=form, centre=centre, strip=strip, right=right, bar=None)
    bar = Box(left, gap, width - gap - left, VERDICT_BAR)
    top = gap + VERDICT_BAR + gap
    centre = Box(left, top, width - gap - left, strip_top - gap - top)
    return WorkloadPlaces(form=form, centre=centre, strip=strip, right=None, bar=bar)
