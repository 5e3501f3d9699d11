"""Which row of a run is proposed: the smallest that passes, group by group.

Source: decision_rules, section 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.lineup import Group, Lineup, flow_of
from kentino_desk.decision.pricing import build_price
from kentino_desk.engine import policy

if TYPE_CHECKING:
    from kentino_desk.decision.run import Run
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Workload

_NODE_STRIDE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Field:
    """A run with what selection needs beside it; masks have one position per row.

    Attributes:
        flow: rows the five questions look at: own builds, or partner platforms where only such
            are named.
        fabric: whether a fabric joins the nodes.
        place: position of each row in the order inside a group.
        failure_place: the same among rows that do not pass, closest first.
        price_place: the same by price alone.
        builds: number of the build of each row, replicas of other nodes apart.
    """

    run: Run
    workload: Workload
    model: ModelCard
    snapshot: CatalogSnapshot
    lineup: Lineup
    flow: Any
    partner: Any
    customer: Any
    nodes: Any
    fabric: Any
    builds: Any
    efficiency: Any
    place: Any
    failure_place: Any
    price_place: Any
    partner_flow: bool

    @property
    def gate(self) -> Any:
        """Rows whose efficiency reaches the gate."""
        return self.efficiency >= policy.value("efficiency_gate")

    def group(self, group: Group) -> Any:
        """Mask of the rows of one group, whether they pass or not."""
        return self.lineup.group(group)

    def passing(self, group: Group) -> Any:
        """Rows of a group that pass; a cluster also has to reach the gate."""
        allowed = self.group(group) & self.run.passes
        return allowed & self.gate if group is Group.CLUSTER else allowed


def field_of(run: Run, workload: Workload, model: ModelCard, snapshot: CatalogSnapshot) -> Field:
    """Selection masks and orders of a run."""
    traits = run.space.traits
    partner, customer = traits.partner[run.base], traits.customer[run.base]
    named = bool(workload.constraints.gpus)
    flow, partners = flow_of(partner, customer, named_cards=named)
    name = "serving_efficiency" if workload.kind.is_serving else "training_efficiency"
    efficiency = run.evaluation.values[name] * np.ones(len(run.base))
    builds = traits.build[run.base] * _NODE_STRIDE + run.nodes
    prices = price_ranks(run, builds, snapshot)
    lineup = _lineup(run, prices, serving=workload.kind.is_serving)
    return Field(
        run=run,
        workload=workload,
        model=model,
        snapshot=snapshot,
        lineup=lineup,
        flow=flow,
        partner=partner,
        customer=customer,
        nodes=run.nodes,
        fabric=traits.fabric[run.base],
        builds=builds,
        efficiency=efficiency,
        place=_positions(np.lexsort(lineup.keys[::-1])),
        failure_place=_failure_place(run, prices),
        price_place=_positions(np.lexsort((run.order, prices))),
        partner_flow=partners,
    )


def price_ranks(run: Run, builds: Any, snapshot: CatalogSnapshot) -> Any:
    """Rank of each row's price, equal where equal; builds without a price come last."""
    _, first_rows, places = np.unique(builds, return_index=True, return_inverse=True)
    prices = [build_price(run.candidates[row].build, snapshot) for row in first_rows.tolist()]
    known = sorted({price.amount for price in prices if price is not None})
    rank = {amount: number for number, amount in enumerate(known)}
    ranks = [len(known) if price is None else rank[price.amount] for price in prices]
    return np.array(ranks, dtype=int)[places]


def _lineup(run: Run, prices: Any, *, serving: bool) -> Lineup:
    traits, base = run.space.traits, run.base
    return Lineup(
        four_bit=run.four_bit,
        fabric=traits.fabric[base],
        nodes=run.nodes,
        order=run.order,
        prices=prices,
        gpus=run.nodes * traits.gpus_per_node[base],
        watts=traits.watts[base],
        gpus_per_copy=traits.gpus_per_copy[base],
        x_node=run.x_node,
        serving=serving,
    )


def _failure_place(run: Run, prices: Any) -> Any:
    """Best grade first, then the least broken limit, the format step and the price."""
    with np.errstate(invalid="ignore"):
        worst = np.nanmin(
            np.stack([v * np.ones(len(prices)) for v in run.margins.values()]), axis=0
        )
    worst = np.where(np.isfinite(worst), np.minimum(worst, 0.0), -1e9)
    order = np.lexsort((prices, run.order, -worst, -run.grades))
    return _positions(order)


def _positions(order: Any) -> Any:
    places = np.empty(len(order), dtype=int)
    places[order] = np.arange(len(order))
    return places


def first(mask: Any, place: Any) -> int | None:
    """The row of a mask that comes first in an order, None where the mask is empty."""
    rows = np.flatnonzero(mask)
    return int(rows[np.argmin(place[rows])]) if len(rows) else None


def smallest_passing(field: Field, mask: Any) -> tuple[Group, int] | None:
    """First group with a row of the mask that passes, and the row it proposes."""
    for group in Group:
        row = first(field.passing(group) & mask, field.place)
        if row is not None:
            return group, row
    return None


def ranking(field: Field, chosen: int | None) -> Any:
    """All rows, best first: the chosen one, own builds that pass, partners that pass, the rest."""
    passing = np.zeros(len(field.place), dtype=bool)
    group_rank = np.full(len(field.place), len(Group))
    for group in Group:
        mask = field.passing(group)
        passing |= mask
        group_rank[mask] = group.value
    within = np.where(passing, field.place, field.failure_place)
    others = ~field.flow
    keys = [within, group_rank, others & passing, ~passing]
    if chosen is not None:
        keys.append(np.arange(len(field.place)) != chosen)
    return np.lexsort(tuple(keys))
