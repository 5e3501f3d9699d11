"""The verdict at many points of a workload: outcome, build and copies, as ``assess`` gives them.

Groups are searched in their order, and only for points that no earlier group has answered. Which
row of a group is proposed, and what the questions say, comes from the rules of one workload.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kentino_desk.decision.facts import frontier
from kentino_desk.decision.offer import offer_of
from kentino_desk.decision.space import space_for
from kentino_desk.decision.sweep_serving import serving_verdicts
from kentino_desk.decision.sweep_training import training_verdicts
from kentino_desk.decision.tally import PLACE_OF, Asked, Tally, Verdicts, facts_of
from kentino_desk.domain.choices import Outcome

if TYPE_CHECKING:
    from kentino_desk.decision.points import Points
    from kentino_desk.domain.snapshot import CatalogSnapshot


ALL = Asked()


def verdicts_of(points: Points, snapshot: CatalogSnapshot, asked: Asked = ALL) -> Verdicts:
    """The verdict at every point."""
    workload = points.workload
    if "constraints.nodes_max" in points.varied:
        most = int(points.number("constraints.nodes_max").max())
        limits = replace(workload.constraints, nodes_max=most)
        workload = replace(workload, constraints=limits)
    serving = workload.kind.is_serving
    offer = offer_of(
        space_for(workload, snapshot), snapshot, serving=serving,
        named_cards=bool(workload.constraints.gpus),
    )  # fmt: skip
    model = snapshot.models[workload.model]
    tally = Tally(points)
    if not serving and frontier(facts_of(points, model, None)):
        tally.decide(tally.left, PLACE_OF[Outcome.FRONTIER], -1, 0)
    elif offer.space.rows:
        if serving:
            serving_verdicts(offer, points, tally, model, asked)
        else:
            training_verdicts(offer, points, tally, model)
    else:
        tally.decide(tally.left, PLACE_OF[Outcome.NOTHING_FITS], -1, 0)
    return tally.verdicts(offer)
