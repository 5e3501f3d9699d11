"""The seller's two scaling figures beside ours: which layout reaches them, and what it would take.

Source: claims C074 and C075; decision_rules, section 3; training_fit_notes, section 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kentino_desk.decision.articles import SELLER_EFFICIENCY
from kentino_desk.decision.scaling import (
    AgainstGate,
    ScaledPoint,
    against,
    graph_inputs,
    layouts_of,
    networks,
    scaled,
)
from kentino_desk.decision.scaling_points import DP, FSDP, TP, TP2_PP, halves_of, points_of
from kentino_desk.domain.choices import Fabric
from kentino_desk.engine.quantity import compute

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.decision.scaling_points import Point

STEPS = 400


class Lever(NamedTuple):
    """An input that a layout's efficiency hangs on: key, unit, and the span that is tried."""

    key: str
    unit: str
    low: float
    high: float


# Tokens per card and micro-batch; micro-batches of a step; bandwidth of the bus between the cards.
BATCH_TOKENS = Lever("batch_tokens", "tokens", 256.0, 2.0**20)
MICRO_BATCHES = Lever("micro_batches", "", 1.0, 4096.0)
BUS = Lever("bus", "GB/s", 1.0, 2000.0)
TRAINING_LEVERS = {FSDP: BATCH_TOKENS, TP: BUS, TP2_PP: MICRO_BATCHES}
SERVING_LEVERS = {TP: BUS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What a layout has, and the least it needs to reach a figure; None: not by this alone."""

    lever: Lever
    has: float
    least: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideOurs:
    """One layout on the seller's cards and nodes: our range, and whether his figure holds."""

    scaled: ScaledPoint
    holds: AgainstGate
    condition: Condition | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SellerFigure:
    """A scaling figure of the seller, with ours of every layout that could be meant."""

    claim: str
    value: float
    gpus: int
    nodes: int
    ours: tuple[BesideOurs, ...]


def seller_figures(assessment: Assessment, result: CandidateResult) -> tuple[SellerFigure, ...]:
    """Both figures for the card and the work of a candidate."""
    figures = []
    for claim, value, gpus, nodes in SELLER_EFFICIENCY:
        points = _points(assessment, gpus, nodes)
        ours = tuple(
            BesideOurs(
                scaled=item,
                holds=against(item.low, item.high, value),
                condition=_condition(assessment, result, item.point, value),
            )
            for item in scaled(assessment, result, points)
        )
        figures.append(SellerFigure(claim=claim, value=value, gpus=gpus, nodes=nodes, ours=ours))
    return tuple(figures)


def _points(assessment: Assessment, gpus: int, nodes: int) -> tuple[Point, ...]:
    """Layouts that split one job; copies side by side are no answer to the seller's figure."""
    model = assessment.model
    split = tuple(item for item in layouts_of(assessment) if item != DP)
    if nodes == 1:
        inside = points_of(split, (), model.heads, model.layers)
        return tuple(point for point in inside if point.gpus == gpus)
    across = halves_of(split, networks(assessment), model.heads, model.layers)
    # A tensor group of a served copy stays in its node, so nothing is computed for it across two.
    serving = assessment.workload.kind.is_serving
    return () if serving else across


def _condition(
    assessment: Assessment, result: CandidateResult, point: Point, value: float
) -> Condition | None:
    """Least value of the lever at which the best estimate reaches the figure."""
    serving = assessment.workload.kind.is_serving
    lever = (SERVING_LEVERS if serving else TRAINING_LEVERS).get(point.layout)
    if lever is None:
        return None
    inputs, name = graph_inputs(assessment, result, (point,))
    tried = np.geomspace(lever.low, lever.high, STEPS)
    changed, has = _changed(lever, inputs, tried, point, serving=serving)
    reached = np.flatnonzero(compute((name,), inputs | changed)[name] >= value)
    least = float(tried[reached[0]]) if len(reached) else None
    return Condition(lever=lever, has=has, least=least)


def _changed(
    lever: Lever, inputs: dict[str, Any], tried: Any, point: Point, *, serving: bool
) -> tuple[dict[str, Any], float]:
    """Inputs of the graph at the tried values, and the value as it is."""
    if serving:
        users = float(np.max(inputs["users_per_copy"])) * np.ones(len(tried))
        bus = float(np.max(inputs["serving_bus_bytes_per_s"])) / 1e9
        return {"serving_bus_bytes_per_s": tried * 1e9, "users_per_copy": users}, bus
    length, batch = inputs["sequence_length"], inputs["micro_batch"]
    if lever is BATCH_TOKENS:
        return {"micro_batch": tried / length}, batch * length
    if lever is MICRO_BATCHES:
        one = length * batch * point.dp
        return {"global_batch_tokens": tried * one}, max(inputs["global_batch_tokens"] / one, 1.0)
    return {"tp_bus_gb_per_s": tried}, float(np.max(inputs["tp_bus_gb_per_s"]))


def literal_layout(figure: SellerFigure, fabric: Fabric) -> BesideOurs | None:
    """The layout that the seller names: one tensor group, over that network between nodes."""
    wanted = fabric if figure.nodes > 1 else Fabric.NONE
    found = (
        item
        for item in figure.ours
        if item.scaled.point.layout == TP and item.scaled.point.fabric is wanted
    )
    return next(found, None)
