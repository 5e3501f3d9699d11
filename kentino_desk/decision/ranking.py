"""Builds by what they deliver and cost: scores with visible weights, and who is dominated.

The decision flow picks the proposed build (decision_rules, section 1). The others are ranked by the
work they deliver at the targets, then price, power and operating load.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.domain.choices import Fabric, Grade
from kentino_desk.engine import policy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kentino_desk.decision.results import CandidateResult
    from kentino_desk.domain.workload import Ranking

    Results = Sequence[CandidateResult]

ADDED_NODE_LOAD = 4.5
"""Engineering time of each added node against that of one alone, the middle of C081."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one build stands: what it delivers of the load, what it costs, and its score.

    ``price`` and ``power_w`` are None where the catalog does not know them.
    """

    delivered: float
    """Share of the load carried at the targets, at most 1."""
    carried: float
    """The load carried by all nodes, in its own unit."""
    price: float | None
    power_w: float | None
    operation: float
    """Operating load, one node being 1."""
    score: float
    dominated_by: str = ""
    """Id of a build that is at least as good in everything and better in something."""


def standings(best: Results, needed: float | None, weights: Ranking) -> Mapping[str, Standing]:
    """Standing of the best layout of each build, by its id.

    Args:
        best: one result for each build.
        needed: load in the unit of ``x_node``, None where there is nothing to hold it against.
        weights: what counts how much.
    """
    raw = [_raw(item, needed) for item in best]
    scores = _scores(raw, weights)
    better = _better(best, raw)
    return MappingProxyType(
        {
            item.candidate.id: replace(stand, score=score, dominated_by=name)
            for item, stand, score, name in zip(best, raw, scores, better, strict=True)
        }
    )


def _raw(result: CandidateResult, needed: float | None) -> Standing:
    build = result.candidate.build
    carried = result.x_node * build.nodes if isfinite(result.x_node) else 0.0
    share = 1.0 if not needed else min(carried / needed, 1.0)
    power = result.figures["power_max_w"].value
    return Standing(
        delivered=share if result.grade >= Grade.FITS else 0.0,
        carried=carried if result.grade >= Grade.FITS else 0.0,
        price=None if result.price is None else float(result.price.amount),
        power_w=power if power is not None and isfinite(power) else None,
        operation=1.0 + ADDED_NODE_LOAD * (build.nodes - 1),
        score=0.0,
    )


def _scores(raw: Sequence[Standing], weights: Ranking) -> list[float]:
    """Weighted sums; price and power count against the least of all builds that are to be paid."""
    price = min((item.price for item in raw if item.price), default=0.0)
    power = min((item.power_w for item in raw if item.power_w), default=0.0)
    return [
        weights.delivered * stand.delivered
        + weights.price * _against(price, stand.price)
        + weights.power * _against(power, stand.power_w)
        + weights.operation / stand.operation
        for stand in raw
    ]


def _against(least: float, value: float | None) -> float:
    if value is None:
        return 0.0
    return least / value if value else 1.0


def _better(best: Results, raw: Sequence[Standing]) -> list[str]:
    """Id of a build that is at least as good in everything and better in something, or empty.

    A partner platform, and the customer's own machine, fold nothing away and are not folded.
    """
    own = [place for place, item in enumerate(best) if item.candidate.build.node.own_build]
    names = [""] * len(best)
    if not own:
        return names
    goods = np.array([_goods(best[place], raw[place]) for place in own])
    first, second = goods[:, None, :], goods[None, :, :]
    dominates: Any = (first >= second).all(axis=-1) & (first > second).any(axis=-1)
    for place, column in zip(own, dominates.T, strict=True):
        if column.any():
            names[place] = best[own[int(column.argmax())]].candidate.id
    return names


def _goods(result: CandidateResult, stand: Standing) -> tuple[float, ...]:
    """What is good about a build, more being better; an unknown price or power is the worst."""
    return (
        float(result.passes),
        float(result.grade),
        -float(result.step),
        stand.carried,
        -(inf if stand.price is None else stand.price),
        -(inf if stand.power_w is None else stand.power_w),
        -stand.operation,
    )


def by_standing(chosen: CandidateResult | None, best: Results,
                stands: Mapping[str, Standing]) -> tuple[CandidateResult, ...]:  # fmt: skip
    """Best first: the proposed one, own builds that pass, others that pass, the rest by score.

    Where nothing is proposed, the rest keeps its order: the closest to what was asked first.
    """

    def key(result: CandidateResult) -> tuple[bool, bool, bool, float]:
        own, stands_up = result.candidate.build.node.own_build, _stands_up(result)
        score = stands[result.candidate.id].score if chosen or stands_up else 0.0
        return result is not chosen, not stands_up, not own, -score

    return tuple(sorted(best, key=key))


def _stands_up(result: CandidateResult) -> bool:
    """Whether a build passes, and as a cluster reaches the gate."""
    return result.passes and not _below_gate(result)


def _below_gate(result: CandidateResult) -> bool:
    if result.candidate.build.fabric is Fabric.NONE:
        return False
    return _efficiency(result) < policy.value("efficiency_gate")


def _efficiency(result: CandidateResult) -> float:
    return result.figures["efficiency"].value or 0.0


CRITERIA = ("delivered", "efficiency", "step", "nodes", "price", "power", "score")
"""What may decide between the first and the second, in this order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstPlace:
    """Why the first build stands before the second: the criterion, and both values of it."""

    second: CandidateResult
    criterion: str
    ours: float
    theirs: float


def first_place(
    chosen: CandidateResult | None,
    ranked: Sequence[CandidateResult],
    stands: Mapping[str, Standing],
) -> FirstPlace | None:
    """The reason for first place against the second of the ranked; None without a second build."""
    if chosen is None:
        return None
    order = [item for item in ranked if item is not chosen]
    second = next((item for item in order if item.candidate.build.node.own_build), None)
    second = second or next(iter(order), None)
    if second is None:
        return None
    ours, theirs = stands[chosen.candidate.id], stands[second.candidate.id]
    delivered = (
        (ours.delivered, theirs.delivered) if second.passes else (1.0, min(theirs.delivered, 0.999))
    )
    gated = _below_gate(second) and not _below_gate(chosen)
    values: Mapping[str, tuple[float, float]] = {
        "delivered": delivered,
        "efficiency": (_efficiency(chosen), _efficiency(second)) if gated else (0.0, 0.0),
        "step": (-float(chosen.step), -float(second.step)),
        "nodes": (-float(chosen.candidate.build.nodes), -float(second.candidate.build.nodes)),
        "price": (-(ours.price or 0.0), -(theirs.price or 0.0)),
        "power": (-(ours.power_w or 0.0), -(theirs.power_w or 0.0)),
        "score": (ours.score, theirs.score),
    }
    name = next((key for key in CRITERIA if values[key][0] > values[key][1]), CRITERIA[-1])
    return FirstPlace(
        second=second, criterion=name, ours=abs(values[name][0]), theirs=abs(values[name][1])
    )
