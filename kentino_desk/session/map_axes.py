"""Which two inputs the decision map is drawn over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.decision.decision_map import default_axes
from kentino_desk.decision.flips import flip_keys

if TYPE_CHECKING:
    from kentino_desk.domain.workload import Workload
    from kentino_desk.session.state import View


def axes_of(workload: Workload) -> tuple[str, ...]:
    """The inputs that a map of this workload can be drawn over, the usual ones first."""
    usual = default_axes(workload)
    return (*usual, *(key for key in flip_keys(workload) if key not in usual))


def chosen_axes(workload: Workload, view: View) -> tuple[str, str]:
    """Inputs across and up: those that were chosen, where the work of now uses them."""
    chosen = view.map_axes
    if chosen and set(chosen) <= set(axes_of(workload)) and chosen[0] != chosen[1]:
        return chosen
    return default_axes(workload)


def with_axis(axes: tuple[str, str], key: str, *, across: bool) -> tuple[str, str]:
    """Axes after another choice for one of them; choosing that of the other swaps the two."""
    x, y = axes
    if across:
        return (key, x) if key == y else (key, y)
    return (y, key) if key == x else (x, key)
