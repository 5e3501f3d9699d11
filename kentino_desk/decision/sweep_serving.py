"""Verdicts of serving points: single nodes by format step, replicas, clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.carried import (
    nodes_needed,
    nodes_of_builds,
    rows_hold,
    several_rows,
    twin_rows,
)
from kentino_desk.decision.lineup import SINGLE, Group, Signs, first_of, narrowed
from kentino_desk.decision.serving_source import ServingSource
from kentino_desk.decision.tally import PLACE_OF, Leftover, settle
from kentino_desk.decision.verdict import OUTCOME_BY_GROUP
from kentino_desk.engine import policy

if TYPE_CHECKING:
    from kentino_desk.decision.lineup import Lineup
    from kentino_desk.decision.offer import Offer
    from kentino_desk.decision.points import Points
    from kentino_desk.decision.tally import Asked, Tally
    from kentino_desk.domain.model_card import ModelCard

_PAIRS = 6_000
"""Pairs that one look at single nodes asks the engine about."""
_CELLS = 150_000
"""Pairs of points and rows that one look takes, whether the engine is asked or not."""
_POINTS = 256
"""Points whose replicas are compared at once."""


def serving_verdicts(offer: Offer, points: Points, tally: Tally, model: ModelCard,
                     asked: Asked) -> None:  # fmt: skip
    """Decide every point."""
    _Search(offer, points, tally, model, asked).run()


class _Search:
    def __init__(self, offer: Offer, points: Points, tally: Tally, model: ModelCard,
                 asked: Asked) -> None:  # fmt: skip
        self._offer, self._points, self._tally, self._model = offer, points, tally, model
        self._source = ServingSource(offer, points, asked.known)
        self._asked = asked
        self._limit = points.number("constraints.nodes_max")
        self._whole_load = {group: np.zeros(points.count, dtype=bool) for group in SINGLE}

    def run(self) -> None:
        for group in SINGLE:
            rows = self._rows_of(group)
            if self._asked.changes_only and len(places := self._places_of_first(rows, group)):
                self._compare(rows, places, group)
                return
            self._single(rows, group)
        left = self._tally.left
        for start in range(0, len(left), _POINTS):
            self._several(left[start : start + _POINTS])
        if len(self._tally.left):
            self._rest()

    def _rows_of(self, group: Group) -> Any:
        """Single nodes of a group in the order of their builds."""
        four = self._offer.space.four_bit
        mask = self._offer.single & (four if group is Group.ONE_NODE_FOUR_BIT else ~four)
        rows = np.flatnonzero(mask)
        return rows[np.argsort(self._offer.place[rows], kind="stable")]

    def _places_of_first(self, rows: Any, group: Group) -> Any:
        """Places among rows of the build that the first point takes; none where it takes none."""
        known, key = self._asked.known, (self._offer, group)
        if known is None:
            return self._find_places_of_first(rows)
        if key not in known.present:
            known.present[key] = self._find_places_of_first(rows)
        return known.present[key]

    def _find_places_of_first(self, rows: Any) -> Any:
        """A build has a place for each format step."""
        passes = self._passes(np.zeros(1, dtype=int), rows)[1][0]
        build = self._offer.space.traits.build[rows]
        place = self._offer.place[rows]
        return place[(build == build[passes.argmax()]) & passes.any()] if len(rows) else place

    def _compare(self, rows: Any, places: Any, group: Group) -> None:
        """Tell the points that keep the verdict of the first one, in the group that it is in."""
        rows = rows[self._offer.place[rows] <= places.max()]
        left = self._tally.left
        while len(rows) and len(left):
            taken = self._next(rows, left)
            passes = self._passes(left, rows[:taken])[1]
            decided = passes.any(axis=1)
            place = self._offer.place[rows[passes.argmax(axis=1)]]
            near = decided & np.isin(place, places)
            self._decide(left[near], rows[:taken], passes[near], group)
            left, rows = left[~decided], rows[taken:]
        self._tally.set_apart()

    def _passes(self, at: Any, rows: Any) -> tuple[Any, Any]:
        """Whether rows as they stand hold the load, and stay within the site too."""
        holds = self._holds(at, rows, self._offer.space.traits.nodes[rows])
        return holds, holds & self._offer.within_site(self._points, at, rows, 1)

    def _holds(self, at: Any, rows: Any, nodes: Any) -> Any:
        """Whether rows as they stand hold the load of points; shape (points, rows)."""
        source = self._source
        if source.users_load:
            return source.holds(at, rows, source.users(at[:, None], rows, 1))
        return self._carry(at[:, None], rows, nodes)

    def _carry(self, points: Any, rows: Any, nodes: Any) -> Any:
        """The same for a load in tokens."""
        return rows_hold(
            self._points.workload, users=None, carried_users=self._source.borders(points, rows),
            needed=self._needed(points, rows), nodes=nodes,
        )  # fmt: skip

    def _needed(self, points: Any, rows: Any) -> Any:
        numbers = {
            key: None if value is None else self._points.number(key)[points]
            for key, value in self._points.numbers.items()
            if key == "batch.deadline_days"
        }
        source = self._source
        carried = source.x_nodes(points, rows)
        return nodes_needed(self._points.workload, numbers, source.load[points], carried)

    def _single(self, rows: Any, group: Group) -> None:
        left = self._tally.left
        while len(rows) and len(left):
            taken = self._next(rows, left)
            holds, passes = self._passes(left, rows[:taken])
            self._whole_load[group][left] |= holds.any(axis=1)
            decided = passes.any(axis=1)
            self._decide(left[decided], rows[:taken], passes[decided], group)
            left, rows = left[~decided], rows[taken:]

    def _decide(self, at: Any, rows: Any, passes: Any, group: Group) -> None:
        if len(at):
            found = self._best_layout(at, rows, passes)
            self._tally.decide(at, PLACE_OF[OUTCOME_BY_GROUP[group]], found, 1)

    def _next(self, rows: Any, points: Any) -> int:
        """Rows of the next look: builds from the front, whole, about as many as one pass takes."""
        place = self._offer.place[rows]
        asked = self._source.pairs_of_a_row(points)
        end = max(min(_PAIRS // asked, _CELLS // len(points), len(rows)), 1)
        return int(np.searchsorted(place, place[end - 1], side="right"))

    def _best_layout(self, at: Any, rows: Any, passes: Any) -> Any:
        """The proposed row of each point among rows that pass, in the order of their places."""
        if not self._asked.layouts:
            return rows[passes.argmax(axis=1)]
        place = self._offer.place[rows]
        left = passes & (place == place[passes.argmax(axis=1)][:, None])
        nodes = self._offer.space.traits.nodes[rows]
        return rows[first_of(self._by_layout(at, left, rows, nodes))]

    def _by_layout(self, at: Any, mask: Any, rows: Any, nodes: Any) -> Any:
        """Narrow rows of one build down to its best layout; looks up what they carry if it must."""
        tied = np.flatnonzero(mask.sum(axis=1) > 1)
        if not len(tied) or not self._asked.layouts:
            return mask
        x_node = np.zeros(mask.shape)
        point, column = np.nonzero(mask[tied])
        x_node[tied[point], column] = self._source.x_nodes(at[tied[point]], rows[column])
        return narrowed(mask, self._lineup(rows, nodes, np.zeros(1), x_node).layout_keys)

    def _lineup(self, rows: Any, nodes: Any, prices: Any, x_node: Any) -> Lineup:
        return self._offer.lineup(rows, nodes, prices, x_node)

    def _several(self, at: Any) -> None:
        """Replicas over several nodes, and the half-node twins."""
        offer, source = self._offer, self._source
        rows = np.flatnonzero(offer.single)
        points, limit = at[:, None], self._limit[at][:, None]
        needed = np.full((len(at), offer.space.rows), np.inf)
        needed[:, rows] = self._needed(points, rows)
        count = nodes_of_builds(offer.space, needed, limit)
        several = several_rows(offer.space, needed, count)[:, rows]
        twins = twin_rows(offer.space, count, limit)[:, rows]
        exists = np.concatenate([several, twins], axis=1)
        columns = np.flatnonzero(exists.any(axis=0))
        if not len(columns):
            return
        nodes = np.concatenate([count[:, rows], np.full(twins.shape, 2.0)], axis=1)[:, columns]
        exists, rows = exists[:, columns], np.tile(rows, 2)[columns]
        nodes = np.where(exists, nodes, 1.0)
        if source.users_load:
            holds = source.users(points, rows, nodes) <= source.borders(points, rows)
        else:
            holds = self._carry(points, rows, nodes)
        passes = exists & holds & offer.within_site(self._points, at, rows, nodes)
        self._choose_several(at, rows, nodes, passes)

    def _choose_several(self, at: Any, rows: Any, nodes: Any, passes: Any) -> None:
        used = np.flatnonzero(passes.any(axis=0))
        rows, nodes, passes = rows[used], nodes[:, used], passes[:, used]
        if not len(used):
            return
        prices = self._offer.prices(rows, nodes)
        lineup = self._lineup(rows, nodes, prices, np.zeros(1))
        open_points = np.ones(len(at), dtype=bool)
        for group in (Group.SEVERAL, Group.SEVERAL_FOUR_BIT):
            mask = passes & lineup.group(group) & open_points[:, None]
            mask = narrowed(mask, lineup.build_keys)
            found = first_of(self._by_layout(at, mask, rows, nodes))
            here = np.flatnonzero(found >= 0)
            open_points[here] = False
            column = found[here]
            outcome = PLACE_OF[OUTCOME_BY_GROUP[group]]
            self._tally.decide(at[here], outcome, rows[column], nodes[here, column])

    def _rest(self) -> None:
        """Clusters, and points where nothing fits."""
        at, offer, source = self._tally.left, self._offer, self._source
        traits = offer.space.traits
        rows = np.flatnonzero(traits.fabric)
        allowed = traits.nodes[rows] <= self._limit[at][:, None]
        holds = self._holds(at, rows, traits.nodes[rows]) & allowed
        efficiency = np.full(holds.shape, -np.inf)
        point, column = np.nonzero(holds)
        if len(point):
            pair = at[point], rows[column]
            users = source.users(*pair, 1) if source.users_load else source.borders(*pair)
            efficiency[point, column] = source.efficiency(*pair, np.maximum(users, 1.0))
        passes = holds & offer.within_site(self._points, at, rows, traits.nodes[rows])
        gated = passes & (efficiency >= policy.value("efficiency_gate"))
        best = first_of(holds & (efficiency == efficiency.max(axis=1, keepdims=True, initial=-1)))
        left = Leftover(
            at=at,
            signs=self._signs(at, holds),
            chosen=self._first_cluster(at, rows, gated),
            late=self._first_cluster(at, rows, passes),
            best=_rows_at(rows, best),
        )
        settle(self._points, self._tally, offer, self._model, left)

    def _first_cluster(self, at: Any, rows: Any, passes: Any) -> Any:
        left = narrowed(passes, (self._offer.place[rows],))
        nodes = self._offer.space.traits.nodes[rows]
        return _rows_at(rows, first_of(self._by_layout(at, left, rows, nodes)))

    def _signs(self, at: Any, holds: Any) -> Signs:
        offer = self._offer
        rows = np.flatnonzero(offer.single)
        carries = self._carries(at, rows)
        four = offer.space.four_bit[rows]
        whole = [self._whole_load[group][at] for group in SINGLE]
        return Signs(
            one_node_8=whole[0],
            one_node_4=whole[1],
            carries_8=(carries & ~four).any(axis=1),
            carries_4=(carries & four).any(axis=1),
            one_node_in_time=whole[0] | whole[1],
            cluster_holds=holds.any(axis=1),
        )

    def _carries(self, at: Any, rows: Any) -> Any:
        """Whether rows carry at least one request of points."""
        if self._source.users_load:
            return self._source.holds(at, rows, np.ones((len(at), len(rows))))
        return self._source.borders(at[:, None], rows) >= 1


def _rows_at(rows: Any, found: Any) -> Any:
    """Rows at columns; -1 stays -1."""
    return np.where(found < 0, -1, rows[found]) if len(rows) else found
