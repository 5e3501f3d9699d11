"""Verdicts of training points: every row of every point, from a few evaluations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.errors import factor, peak_factor, shift, training_rate_factor
from kentino_desk.decision.grades import training_grades
from kentino_desk.decision.lineup import (
    Group,
    Standing,
    first_of,
    narrowed,
    signs_of,
)
from kentino_desk.decision.tally import PLACE_OF, Leftover, settle
from kentino_desk.decision.trained import days_of, job_holds, training_numbers
from kentino_desk.decision.verdict import OUTCOME_BY_GROUP
from kentino_desk.domain.choices import Grade
from kentino_desk.engine import policy
from kentino_desk.engine.quantity import compute

if TYPE_CHECKING:
    from kentino_desk.decision.offer import Offer
    from kentino_desk.decision.points import Points
    from kentino_desk.decision.tally import Tally
    from kentino_desk.domain.model_card import ModelCard

_HEAVY = ("training.sequence_length", "training.micro_batch", "training.global_batch_tokens")
_NAMES = ("state_bytes", "peak_bytes", "train_tokens_per_s", "training_efficiency")
_PAIRS = 60_000
"""Pairs of points and rows that one look takes."""


def training_verdicts(offer: Offer, points: Points, tally: Tally, model: ModelCard) -> None:
    """Decide every point."""
    step = max(_PAIRS // offer.space.rows, 1)
    left = tally.left
    for start in range(0, len(left), step):
        _decide(_Look(offer, points, model, left[start : start + step]), tally)


class _Look:
    """All rows at some points, as arrays of shape (points, rows)."""

    def __init__(self, offer: Offer, points: Points, model: ModelCard, at: Any) -> None:
        self.offer, self.points, self.model, self.at = offer, points, model, at
        self.numbers = {
            key: points.number(key)[at][:, None] if np.ndim(value) else value
            for key, value in points.numbers.items()
        }
        self._evaluate()

    def _evaluate(self) -> None:
        space, traits = self.offer.space, self.offer.space.traits
        values, place = self._values(space.inputs)
        found = {name: value[place] for name, value in values.items()}
        if self.points.draws is not None:
            found = self._drawn(found, place)
        card = space.inputs["card_bytes"]
        grades = training_grades(found["state_bytes"], found["peak_bytes"], card)
        rate = found["train_tokens_per_s"]
        workload = self.points.workload
        days = days_of(workload, self.numbers, rate, traits.nodes, traits.gpus_per_node)
        self.fits = grades >= Grade.FITS
        within = traits.nodes <= self.points.number("constraints.nodes_max")[self.at][:, None]
        self.exists = within
        self.holds = within & job_holds(
            self.numbers, fits=self.fits, dp=space.inputs["dp"], days=days
        )
        rows = np.arange(space.rows)
        site = self.offer.within_site(self.points, self.at, rows, traits.nodes)
        self.passes = self.holds & site
        self.efficiency = found["training_efficiency"]
        self.x_node = rate / traits.nodes

    def _values(self, inputs: Any) -> tuple[dict[str, Any], Any]:
        """Figures of the rows for every distinct shape of a step, and the shape of each point."""
        varied = [key for key in _HEAVY if np.ndim(self.numbers[key])]
        numbers, place = dict(self.numbers), np.zeros(len(self.at), dtype=int)
        if varied:
            table = np.stack([self.numbers[key][:, 0] for key in varied], axis=1)
            unique, place = np.unique(table, axis=0, return_inverse=True)
            numbers |= {key: unique[:, [column]] for column, key in enumerate(varied)}
        given = training_numbers(numbers)
        given = {name: given[name] for name in ("sequence_length", "micro_batch",
                                                "global_batch_tokens")}  # fmt: skip
        found = compute(_NAMES, {**inputs, **given})
        ones = np.ones((1 if not varied else len(unique), self.offer.space.rows))
        return {name: found[name] * ones for name in _NAMES}, place.ravel()

    def _drawn(self, found: dict[str, Any], place: Any) -> dict[str, Any]:
        """Figures moved by the draws: rate, peak, and the traffic between cards."""
        draws, space = self.points.draws, self.offer.space
        assert draws is not None
        several = space.traits.nodes > 1
        low, high = (self._values(side)[0] for side in space.sides)
        best = found["training_efficiency"]
        ends = [side["training_efficiency"][place] for side in (low, high)]
        z = draws.exchange[self.at][:, None]
        rates = [side["train_tokens_per_s"][place] for side in (low, high)]
        rate = found["train_tokens_per_s"]
        exchange = factor(z, np.minimum(rates[0] / rate, 1.0), np.maximum(rates[1] / rate, 1.0))
        classes = training_rate_factor(draws, self.points.workload, self.model)[self.at][:, None]
        return found | {
            "peak_bytes": found["peak_bytes"] * peak_factor(draws)[self.at][:, None],
            "training_efficiency": best + shift(z, best - ends[0], ends[1] - best),
            "train_tokens_per_s": rate * classes * np.where(several, exchange, 1.0),
        }


def _decide(look: _Look, tally: Tally) -> None:
    space = look.offer.space
    nodes = space.traits.nodes
    lineup = look.offer.lineup(slice(None), nodes, np.zeros(1), look.x_node)
    standing = Standing(flow=look.exists, holds=look.holds, carries=look.x_node > 0,
                        fits=look.fits)  # fmt: skip
    signs = signs_of(lineup, standing)
    keys = (look.offer.place, *lineup.layout_keys)
    singles = look.passes & lineup.group(Group.ONE_NODE)
    first = first_of(narrowed(singles, keys))
    done = first >= 0
    tally.decide(look.at[done], PLACE_OF[OUTCOME_BY_GROUP[Group.ONE_NODE]], first[done], 1)
    clusters = look.passes & lineup.group(Group.CLUSTER)
    gate = look.efficiency >= policy.value("efficiency_gate")
    holds = look.holds & lineup.fabric
    efficiency = np.where(holds, look.efficiency, -np.inf)
    best = first_of(holds & (efficiency == efficiency.max(axis=1, keepdims=True)))
    open_points = ~done
    left = Leftover(
        at=look.at[open_points],
        signs=type(signs)(**{name: getattr(signs, name)[open_points] for name in
                             signs.__dataclass_fields__}),
        chosen=first_of(narrowed(clusters & gate, keys))[open_points],
        late=first_of(narrowed(clusters, keys))[open_points],
        best=best[open_points],
    )  # fmt: skip
    settle(look.points, tally, look.offer, look.model, left)
