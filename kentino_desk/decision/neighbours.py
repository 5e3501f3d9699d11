"""The builds worth a look beside the proposed one: smaller, larger, half-node twin, partner."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kentino_desk.decision.results import CandidateResult

    Results = tuple[CandidateResult, ...]


def smaller_build(chosen: CandidateResult, best: Results) -> CandidateResult | None:
    """The next smaller node of the same card, else the next cheaper own node."""
    same = [r for r in _own_nodes(best) if _same_card(r, chosen) and _gpus(r) < _gpus(chosen)]
    if same:
        return max(same, key=_gpus)
    cheaper = [r for r in _own_nodes(best) if r.price and chosen.price and r.price < chosen.price]
    return max(cheaper, key=_amount, default=None)


def larger_build(chosen: CandidateResult, best: Results) -> CandidateResult | None:
    """The next larger node of the same card, else the next dearer own build that passes."""
    same = [r for r in _own_nodes(best) if _same_card(r, chosen) and _gpus(r) > _gpus(chosen)]
    if same:
        return min(same, key=_gpus)
    dearer = [
        r
        for r in best
        if r.passes
        and r.candidate.build.node.own_build
        and r.price
        and chosen.price
        and chosen.price < r.price
    ]
    return min(dearer, key=_amount, default=None)


def half_node_twin(chosen: CandidateResult, best: Results) -> CandidateResult | None:
    """The same number of the same cards in more nodes."""
    return next(
        (
            r
            for r in best
            if _same_card(r, chosen)
            and _gpus(r) == _gpus(chosen)
            and r.candidate.build.nodes > chosen.candidate.build.nodes
        ),
        None,
    )


def worth_comparing(chosen: CandidateResult | None, best: Results) -> Results:
    """All builds with those first that answer the customer's next question."""
    if chosen is None:
        return best
    partner = next((r for r in best if r.candidate.build.is_partner), None)
    theirs = next((r for r in best if r.candidate.build.is_customer), None)
    other = next((r for r in best if _is_other_node(r, chosen)), None)
    first = (
        chosen,
        theirs,
        half_node_twin(chosen, best),
        smaller_build(chosen, best),
        partner,
        other,
        larger_build(chosen, best),
    )
    ordered = dict.fromkeys(r.candidate.id for r in first if r is not None)
    by_id = {r.candidate.id: r for r in best}
    return tuple(by_id[name] for name in dict.fromkeys([*ordered, *by_id]))


def _is_other_node(result: CandidateResult, chosen: CandidateResult) -> bool:
    """A single own node of another family of cards."""
    build = result.candidate.build
    family = build.gpu.architecture, build.gpu.memory_gb
    ours = chosen.candidate.build.gpu
    return (
        build.node.own_build
        and build.nodes == 1
        and build.node.gpu_count >= chosen.candidate.build.node.gpu_count
        and family != (ours.architecture, ours.memory_gb)
    )


def _own_nodes(best: Results) -> list[CandidateResult]:
    return [r for r in best if r.candidate.build.nodes == 1 and r.candidate.build.node.own_build]


def _same_card(result: CandidateResult, chosen: CandidateResult) -> bool:
    ours, theirs = chosen.candidate.build, result.candidate.build
    same = theirs.is_partner, theirs.is_customer
    return theirs.gpu.id == ours.gpu.id and same == (ours.is_partner, ours.is_customer)


def _gpus(result: CandidateResult) -> int:
    return result.candidate.build.gpus


def _amount(result: CandidateResult) -> Decimal:
    return result.price.amount if result.price is not None else Decimal(0)
