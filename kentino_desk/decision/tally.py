"""Verdicts of many points while they are found, and the questions for those that are left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.facts import Facts
from kentino_desk.decision.formats import is_native_four_bit
from kentino_desk.decision.lineup import Group
from kentino_desk.decision.rules import answers
from kentino_desk.decision.verdict import Origin, outcome_of
from kentino_desk.domain.choices import Outcome

if TYPE_CHECKING:
    from kentino_desk.decision.known_borders import KnownBorders
    from kentino_desk.decision.lineup import Signs
    from kentino_desk.decision.offer import Offer
    from kentino_desk.decision.points import Points
    from kentino_desk.domain.candidate import Candidate
    from kentino_desk.domain.model_card import ModelCard

OUTCOMES = tuple(Outcome)
PLACE_OF = {outcome: place for place, outcome in enumerate(OUTCOMES)}
REFUSED = -1
"""Outcome of a point whose inputs are refused."""
APART = -2
"""Outcome of a point that differs from the first one, where nobody asked how."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asked:
    """What is asked of a sweep.

    Attributes:
        known: borders of earlier sweeps of the same workload.
        changes_only: whether points need only be told apart from the first; what the verdict of
            those that differ is may then be left open.
        layouts: whether the best layout of the proposed build is asked for, or any that passes.
    """

    known: KnownBorders | None = None
    changes_only: bool = False
    layouts: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Verdicts:
    """Verdict of every point. Arrays have one position per point.

    Attributes:
        outcomes: place in ``OUTCOMES``, or ``REFUSED``, or ``APART``.
        rows: row of the offer, -1 where no build is proposed.
        nodes: nodes of the proposed build.
        replicas: copies in all.
    """

    offer: Offer
    outcomes: Any
    rows: Any
    nodes: Any
    replicas: Any

    @property
    def codes(self) -> Any:
        """One number for outcome, build and copies; equal exactly where all three are."""
        build = np.where(self.rows < 0, -1, self.offer.space.traits.build[self.rows])
        columns = np.stack([self.outcomes, build, self.nodes, self.replicas], axis=1)
        return columns @ np.array([10**15, 10**10, 10**7, 1])

    def outcome(self, point: int) -> Outcome | None:
        """Outcome of a point, None where its inputs are refused."""
        place = int(self.outcomes[point])
        return None if place == REFUSED else OUTCOMES[place]

    def candidate(self, point: int) -> Candidate | None:
        """The proposed candidate of a point."""
        row = int(self.rows[point])
        return None if row < 0 else self.offer.candidate(row, int(self.nodes[point]))


class Tally:
    """Verdicts while they are found: what is decided, and the points that are left."""

    def __init__(self, points: Points) -> None:
        self.outcomes = np.full(points.count, REFUSED)
        self.rows = np.full(points.count, -1)
        self.nodes = np.zeros(points.count, dtype=int)
        self._open = np.array(points.legal)

    @property
    def left(self) -> Any:
        """Points that are not decided yet."""
        return np.flatnonzero(self._open)

    def decide(self, at: Any, outcome: Any, rows: Any, nodes: Any) -> None:
        """Set the verdict of some points."""
        self.outcomes[at], self.rows[at], self.nodes[at] = outcome, rows, nodes
        self._open[at] = False

    def set_apart(self) -> None:
        """Leave open how the points that are left differ from the first one."""
        self.decide(self.left, APART, -1, 0)

    def verdicts(self, offer: Offer) -> Verdicts:
        """All that was found."""
        chosen = self.rows >= 0
        copies = np.array([item.replicas for item in offer.space.candidates] or [0])
        own = offer.space.traits.nodes
        times = np.where(chosen, self.nodes / np.maximum(own[self.rows], 1), 0)
        replicas = np.where(chosen, copies[self.rows] * times, 0).astype(int)
        return Verdicts(
            offer=offer, outcomes=self.outcomes, rows=self.rows, nodes=self.nodes, replicas=replicas
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leftover:
    """What is known of points that no group without a fabric has answered.

    ``at`` are the points; ``chosen`` is the row of the cluster group that passes the gate, ``late``
    one that passes below it, ``best`` the one with the best efficiency among those that hold; -1
    where there is none.
    """

    at: Any
    signs: Signs
    chosen: Any
    late: Any
    best: Any


def settle(points: Points, tally: Tally, offer: Offer, model: ModelCard, left: Leftover) -> None:
    """Ask the questions of the points that are left; once for each combination of signs."""
    at, signs = left.at, left.signs
    names = tuple(signs.__dataclass_fields__)
    columns = [np.broadcast_to(getattr(signs, name), at.shape) for name in names]
    table = np.stack([*columns, left.chosen >= 0, left.late >= 0], axis=1)
    unique, place = np.unique(table, axis=0, return_inverse=True)
    place = place.ravel()
    rows = {Origin.CHOSEN: left.chosen, Origin.LATE: left.late, Origin.BEST_CLUSTER: left.best}
    for number, values in enumerate(unique.tolist()):
        here = np.flatnonzero(place == number)
        facts = facts_of(points, model, dict(zip(names, values, strict=False)))
        answer = {item.number: item.answer for item in answers(facts)}
        group = Group.CLUSTER if values[-2] else None
        outcome, origin = outcome_of(points.workload.kind, group, answer, late=values[-1])
        found = rows[origin][here] if origin in rows else np.full(len(here), -1)
        nodes = np.where(found < 0, 0, offer.space.traits.nodes[found])
        tally.decide(at[here], PLACE_OF[outcome], found, nodes)


def facts_of(points: Points, model: ModelCard, signs: dict[str, bool] | None) -> Facts:
    """Facts with the signs alone: figures that no answer depends on are left out."""
    workload = points.workload
    serving = workload.kind.is_serving
    deadline = workload.batch.deadline_days if serving else workload.training.deadline_days
    known = signs or dict.fromkeys(
        ("one_node_8", "one_node_4", "carries_8", "carries_4", "one_node_in_time", "cluster_holds"),
        False,
    )
    return Facts(
        kind=workload.kind,
        native_four_bit=is_native_four_bit(model),
        params_total=model.params_total,
        has_deadline=deadline is not None,
        cluster_efficiency=None,
        nodes=None,
        weight_share=None,
        memory_share=None,
        load=0.0,
        x_node=None,
        train_days_one_node=None,
        deadline_days=deadline,
        **known,
    )
