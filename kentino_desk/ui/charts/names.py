"""Where the names of dots stand: beside them, over no dot and no other name; no Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kentino_desk.ui.charts.geometry import BASELINE_STEP

if TYPE_CHECKING:
    from collections.abc import Sequence

    Dots = Sequence[tuple[float, float]]

_OFF, _CLEAR, _HEIGHT = 12.0, 9.0, 16.0
_STEPS = 4


class Place(NamedTuple):
    """The box of a name."""

    left: float
    top: float
    right: float
    bottom: float


def place_names(dots: Dots, widths: Sequence[float], area: Place) -> tuple[Place, ...]:
    """The box of the name of each dot.

    Right of the dot is tried first, then left, above and below, each further away in steps; a name
    that finds no free place stands right of its dot.

    Example:
        >>> [place.left for place in place_names([(50.0, 50.0)], [40.0], Place(0, 0, 200, 100))]
        [62.0]
    """
    placed: list[Place] = []
    for (x, y), width in zip(dots, widths, strict=True):
        options = [place for step in range(_STEPS) for place in _around(x, y, width, step)]
        free = (place for place in options if _is_free(place, dots, placed, area))
        placed.append(next(free, options[0]))
    return tuple(placed)


def _around(x: float, y: float, width: float, step: int) -> list[Place]:
    middle, away = y - _HEIGHT / 2, step * BASELINE_STEP
    sides = (x + _OFF, x - _OFF - width)
    if step:
        corners = [(left, middle + shift) for shift in (-away, away) for left in sides]
    else:
        corners = [(left, middle) for left in sides]
        corners += [(x - width / 2, middle + shift) for shift in (-18.0, 18.0)]
    return [Place(left, top, left + width, top + _HEIGHT) for left, top in corners]


def _is_free(place: Place, dots: Dots, placed: Sequence[Place], area: Place) -> bool:
    inside = place.left >= area.left and place.right <= area.right
    if not inside or place.top < area.top or place.bottom > area.bottom:
        return False
    left, top, right, bottom = place
    if any(left - _CLEAR < x < right + _CLEAR and top < y + 3 and y - 3 < bottom for x, y in dots):
        return False
    return not any(
        left < other.right + 4
        and right > other.left - 4
        and top < other.bottom - 1
        and bottom > other.top + 1
        for other in placed
    )
