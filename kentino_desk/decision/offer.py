"""The rows of a space that the questions look at, with price, power and size of any node count."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.lineup import Lineup, flow_of
from kentino_desk.decision.pricing import build_price
from kentino_desk.decision.run import candidate_at
from kentino_desk.decision.site_limits import SiteLimits, limit_margins, within_site
from kentino_desk.decision.space import Space
from kentino_desk.engine.columns import taken
from kentino_desk.engine.quantity import compute

if TYPE_CHECKING:
    from kentino_desk.decision.points import Points
    from kentino_desk.domain.candidate import Candidate
    from kentino_desk.domain.snapshot import CatalogSnapshot

_NODE_STRIDE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Offer:
    """Rows that may become the verdict; one position per row."""

    space: Space
    snapshot: CatalogSnapshot
    serving: bool
    single: Any
    place: Any
    """Place of each row's build as it stands in the order of a group, equal where equal."""
    node_power_w: Any
    rack_units: Any

    def candidate(self, row: int, nodes: int) -> Candidate:
        """The candidate of a row at a number of nodes."""
        return candidate_at(self.space.candidates[row], nodes)

    def lineup(self, rows: Any, nodes: Any, prices: Any, x_node: Any) -> Lineup:
        """Rows at numbers of nodes, with what they carry."""
        traits = self.space.traits
        return Lineup(
            four_bit=self.space.four_bit[rows],
            fabric=traits.fabric[rows],
            nodes=nodes,
            order=self.space.order[rows],
            prices=prices,
            gpus=nodes * traits.gpus_per_node[rows],
            watts=traits.watts[rows],
            gpus_per_copy=traits.gpus_per_copy[rows],
            x_node=x_node,
            serving=self.serving,
        )

    def prices(self, rows: Any, nodes: Any) -> Any:
        """Price of each row at its number of nodes, infinite where the list lacks an item."""
        rows, nodes = np.broadcast_arrays(rows, nodes)
        codes = self.space.traits.build[rows] * _NODE_STRIDE + nodes.astype(int)
        unique, first, place = np.unique(codes, return_index=True, return_inverse=True)
        found = np.empty(len(unique))
        for number, at in enumerate(first.tolist()):
            candidate = self.candidate(int(rows.flat[at]), int(nodes.flat[at]))
            price = build_price(candidate.build, self.snapshot)
            found[number] = np.inf if price is None else float(price.amount)
        return found[place].reshape(rows.shape)

    def within_site(self, points: Points, at: Any, rows: Any, nodes: Any) -> Any:
        """Whether rows stay within the site limits of points; shape (points, rows).

        Args:
            points: the points.
            at: positions of the points looked at.
            rows: positions of the rows.
            nodes: nodes of the rows, of shape (rows,) or (points, rows).
        """
        names = ("site_kw_max", "rack_u_max", "budget_eur")
        limits = SiteLimits(*(_limit(points, f"constraints.{name}", at) for name in names))
        power = None
        if limits.site_kw_max is not None:
            power = self.node_power_w[rows] * nodes
        prices = None if limits.budget_eur is None else self.prices(rows, nodes)
        margins = limit_margins(limits, power, self.rack_units[rows] * nodes, prices)
        return within_site(margins)


def _limit(points: Points, key: str, at: Any) -> Any:
    return None if points.numbers[key] is None else points.number(key)[at][:, None]


@lru_cache(maxsize=16)
def offer_of(space: Space, snapshot: CatalogSnapshot, *, serving: bool, named_cards: bool) -> Offer:
    """The rows of a space that the questions look at."""
    flow, _ = flow_of(space.traits.partner, space.traits.customer, named_cards=named_cards)
    rows = np.flatnonzero(flow)
    kept = restricted(space, rows)
    traits = kept.traits
    given = {name: kept.inputs[name] for name in kept.inputs}
    watts = compute(("node_max_w",), given)["node_max_w"] * np.ones(kept.rows)
    offer = Offer(
        space=kept,
        snapshot=snapshot,
        serving=serving,
        single=(traits.nodes == 1) & ~traits.fabric,
        place=np.zeros(kept.rows),
        node_power_w=watts,
        rack_units=np.array([_rack_units(item) for item in kept.candidates]),
    )
    return replace(offer, place=_places(offer))


def _rack_units(candidate: Candidate) -> float:
    units = candidate.build.node.rack_u
    return float("nan") if units is None else float(units)


def _places(offer: Offer) -> Any:
    rows, nodes = np.arange(offer.space.rows), offer.space.traits.nodes
    lineup = offer.lineup(rows, nodes, offer.prices(rows, nodes), np.zeros(offer.space.rows))
    keys = np.stack([np.asarray(key, dtype=float) for key in lineup.build_keys], axis=1)
    _, place = np.unique(keys, axis=0, return_inverse=True)
    return place.ravel()


def restricted(space: Space, rows: Any) -> Space:
    """The space of some rows."""
    traits = space.traits
    names = traits.__dataclass_fields__
    return Space(
        candidates=tuple(space.candidates[int(row)] for row in rows),
        inputs=taken(space.inputs, rows),
        sides=(taken(space.sides[0], rows), taken(space.sides[1], rows)),
        four_bit=space.four_bit[rows],
        order=space.order[rows],
        traits=replace(traits, **{name: getattr(traits, name)[rows] for name in names}),
    )
