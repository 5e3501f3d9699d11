"""Scaling: throughput per card against one card over 1 to 64 cards of the proposed kind.

Every layout is computed inside a node and over every network of the catalog, at the low and the
high end of links and constants. Where that range reaches over the gate, only a measurement tells.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.figures import efficiency_range
from kentino_desk.decision.layouts import CLUSTER_FABRIC
from kentino_desk.decision.scaling_inputs import (
    Card,
    serving_side_columns,
    training_side_columns,
)
from kentino_desk.decision.scaling_points import DP, FSDP, TP, TP2_PP, TP8_PP, Point, points_of
from kentino_desk.decision.space import serving_setup, training_recipe
from kentino_desk.domain.choices import Fabric
from kentino_desk.engine import policy
from kentino_desk.engine.policy_tables import STACKS
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.training_inputs import BEST, HIGH, LOW

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.domain.candidate import Candidate

SIDES = (LOW, BEST, HIGH)


class AgainstGate(StrEnum):
    """A range against the least efficiency of a cluster."""

    HOLDS = "holds"
    MEASURE = "measure first"
    BELOW = "below"


def against(low: float, high: float, limit: float) -> AgainstGate:
    """Above the limit, below it, or on both sides of it."""
    if low >= limit:
        return AgainstGate.HOLDS
    return AgainstGate.MEASURE if high >= limit else AgainstGate.BELOW


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaledPoint:
    """Efficiency of one layout on a number of cards: best value and its range."""

    point: Point
    low: float
    best: float
    high: float

    @property
    def verdict(self) -> AgainstGate:
        """The range against the gate."""
        return against(self.low, self.high, policy.value("efficiency_gate"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalingLine:
    """One line: points by number of cards, layout in words, fabric across nodes."""

    key: str
    points: tuple[ScaledPoint, ...]
    layout: str
    fabric: Fabric

    @property
    def gpus(self) -> tuple[int, ...]:
        """Numbers of cards."""
        return tuple(item.point.gpus for item in self.points)

    @property
    def efficiency(self) -> tuple[float, ...]:
        """Best value at each number of cards."""
        return tuple(item.best for item in self.points)


LAYOUT_LABELS = {DP: "DP", FSDP: "FSDP", TP: "TP", TP2_PP: "TP2 x PP", TP8_PP: "TP8 x PP"}
_LINES = {DP: "dp", TP: "tp_node", FSDP: "fsdp_across", TP2_PP: "pp_across", TP8_PP: "pp_across"}
"""Lines of the chart, whose networks are those of the clusters that are offered."""


def layouts_of(assessment: Assessment) -> tuple[str, ...]:
    """Layouts that the kind of work and its framework know."""
    if assessment.workload.kind.is_serving:
        return (DP, TP, TP8_PP)
    splits = STACKS[assessment.workload.training.stack].splits_layers
    return (DP, FSDP, TP, TP2_PP) if splits else (DP, FSDP)


def networks(assessment: Assessment) -> tuple[Fabric, ...]:
    """Networks of the catalog, in its order."""
    return tuple(item for item in Fabric if item in assessment.snapshot.fabrics)


def scaling_lines(assessment: Assessment, result: CandidateResult) -> tuple[ScalingLine, ...]:
    """Lines of the chart for the card of a candidate."""
    return chart_lines(scaling_table(assessment, result))


def chart_lines(table: tuple[ScalingLine, ...]) -> tuple[ScalingLine, ...]:
    """One line for each layout: inside a node and over the network of the offered clusters.

    A tensor group stays in its node; copies that exchange nothing have no network.
    """
    lines = []
    for layout in dict.fromkeys(line.key for line in table):
        shown = [
            line
            for line in table
            if line.key == layout
            and (line.fabric in {Fabric.NONE, CLUSTER_FABRIC})
            and (layout != TP or line.fabric is Fabric.NONE)
        ]
        points = tuple(point for line in shown for point in line.points)
        fabric = shown[-1].fabric
        lines.append(
            ScalingLine(key=_LINES[layout], points=points, layout=shown[0].layout, fabric=fabric)
        )
    return tuple(lines)


def scaling_table(assessment: Assessment, result: CandidateResult) -> tuple[ScalingLine, ...]:
    """Every layout inside a node, and over every network of the catalog."""
    by_place: dict[tuple[str, Fabric], list[ScaledPoint]] = {}
    for item in scaled(assessment, result, _points(assessment)):
        by_place.setdefault((item.point.layout, item.point.fabric), []).append(item)
    return tuple(
        ScalingLine(key=layout, points=tuple(items), layout=LAYOUT_LABELS[layout], fabric=fabric)
        for (layout, fabric), items in by_place.items()
    )


def _points(assessment: Assessment) -> tuple[Point, ...]:
    model = assessment.model
    cut = layouts_of(assessment), networks(assessment), model.heads, model.layers
    return _points_of(*cut, serving=assessment.workload.kind.is_serving)


@lru_cache(maxsize=64)
def _points_of(
    layouts: tuple[str, ...], fabrics: tuple[Fabric, ...], heads: int, layers: int, *, serving: bool
) -> tuple[Point, ...]:
    """Points of the table. Served copies side by side exchange nothing, over no network."""
    points = points_of(layouts, fabrics, heads, layers)
    if not serving:
        return points
    points = tuple(point for point in points if point.layout != TP or point.nodes == 1)
    found = (
        replace(point, fabric=Fabric.NONE) if point.layout == DP else point for point in points
    )
    return tuple(dict.fromkeys(found))


def scaled(
    assessment: Assessment, result: CandidateResult, points: tuple[Point, ...]
) -> tuple[ScaledPoint, ...]:
    """Efficiency of every point at the low, best and high side."""
    if not points:
        return ()
    sides = efficiencies(assessment, result, points, SIDES)
    ends = np.sort(sides, axis=0)
    low, high = ends[0], ends[-1]
    best = sides[BEST]
    if assessment.workload.kind.is_serving:
        worst, finest = efficiency_range(result.candidate, best)
        low, high = np.minimum(low, worst), np.maximum(high, finest)
    values = zip(points, low.tolist(), best.tolist(), high.tolist(), strict=True)
    return tuple(
        ScaledPoint(point=point, low=least, best=value, high=most)
        for point, least, value, most in values
    )


def efficiencies(
    assessment: Assessment,
    result: CandidateResult,
    points: tuple[Point, ...],
    sides: tuple[int, ...],
) -> Any:
    """Part of the time that is no exchange: a row for each side, a value per point."""
    inputs, name = graph_inputs(assessment, result, points, sides)
    values = compute((name,), inputs)[name] * np.ones(len(sides) * len(points))
    return values.reshape(len(sides), len(points))


def graph_inputs(
    assessment: Assessment,
    result: CandidateResult,
    points: tuple[Point, ...],
    sides: tuple[int, ...] = (BEST,),
) -> tuple[dict[str, Any], str]:
    """Inputs of the graph for the points, a side after the other, and their efficiency's name."""
    workload = assessment.workload
    nics = workload.constraints.nics_per_node
    card = _card_of(result.candidate, assessment, nics)
    if workload.kind.is_serving:
        users = max(result.load_per_copy, 1.0)
        serving = workload.serving
        numbers = {
            "users_per_copy": users * np.ones(len(sides) * len(points)),
            "requests_held_mean": users,
            "input_tokens": float(serving.input_tokens),
            "output_tokens": float(serving.output_tokens),
            "prompt_reuse": serving.prompt_reuse,
        }
        columns = serving_side_columns(card, serving_setup(workload), points, sides)
        return {**columns, **numbers}, "serving_efficiency"
    training = workload.training
    numbers = {
        "sequence_length": float(training.sequence_length),
        "micro_batch": float(training.micro_batch),
        "global_batch_tokens": float(training.global_batch_tokens),
    }
    columns = training_side_columns(card, training_recipe(workload), points, sides)
    return {**columns, **numbers}, "training_efficiency"


def _card_of(candidate: Candidate, assessment: Assessment, nics_per_node: int) -> Card:
    build = candidate.build
    formats = candidate.weights, candidate.kv_cache
    model, snapshot = assessment.model, assessment.snapshot
    return Card(build.gpu, build.node.nvlink, *formats, model, snapshot, nics_per_node)
