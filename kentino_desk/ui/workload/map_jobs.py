"""Slow work of the decision map: plain functions over frozen data, no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from kentino_desk.decision.results import Assessment
    from kentino_desk.present.charts import MapChart
    from kentino_desk.ui.services import DrawMap


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MapOrder:
    """What a map is made from."""

    assessment: Assessment
    axes: tuple[str, str]

    def is_same(self, other: MapOrder | None) -> bool:
        """Whether the other order gives the same map."""
        return other is not None and other.assessment is self.assessment and other.axes == self.axes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """One picture of an order; each step is closer than the one before."""

    order: MapOrder
    chart: MapChart
    step: int


def map_job(draw: DrawMap, order: MapOrder, step: int) -> Callable[[Event], Drawn | None]:
    """A job that makes one picture; None when it was stopped before it began."""

    def run(stop: Event) -> Drawn | None:
        if stop.is_set():
            return None
        chart = draw(order.assessment, order.axes, step)
        return Drawn(order=order, chart=chart, step=step)

    return run
