"""The load of a workload, its targets and its results, as counted figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Kind
from kentino_desk.present.counted import measured

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment, CandidateResult, FigureValue
    from kentino_desk.domain.workload import Workload


@dataclass(frozen=True, slots=True)
class Wish:
    """A target: figure it is held against, the value asked for, its unit, which side is good."""

    key: str
    value: float
    unit: str
    at_least: bool


def wishes(workload: Workload) -> tuple[Wish, ...]:
    """Targets of the workload, the deciding ones first."""
    found: tuple[tuple[str, float | None, str, bool], ...]
    if workload.kind is Kind.CHAT:
        serving = workload.serving
        found = (
            ("tokens_per_s_per_user", serving.tokens_per_s_per_user, "tok/s", True),
            ("ttft_s", serving.ttft_s, "s", False),
        )
    elif workload.kind is Kind.BATCH:
        found = (("batch_days", workload.batch.deadline_days, "days", False),)
    else:
        found = (("train_days", workload.training.deadline_days, "days", False),)
    return tuple(Wish(key, value, unit, more) for key, value, unit, more in found if value)


def wish_for(workload: Workload, key: str) -> Wish | None:
    """The target a figure is held against."""
    return next((wish for wish in wishes(workload) if wish.key == key), None)


def load_unit(assessment: Assessment) -> str:
    """Unit in which one node's load counts: users, tokens per second, or none in training."""
    workload = assessment.workload
    if workload.kind is Kind.CHAT and workload.serving.demand_value is None:
        return "users"
    return "tok/s" if workload.kind.is_serving else ""


def load_figure(assessment: Assessment) -> FigureValue | None:
    """The load in the unit a node's load counts in; None where there is none to hold it against."""
    kind = assessment.workload.kind
    if kind.is_training:
        return None
    return assessment.figures.get("tokens_per_s_needed" if kind is Kind.BATCH else "load")


def load_in_words(assessment: Assessment, language: str) -> str:
    """The load with growth, such as 60 users."""
    load = load_figure(assessment)
    return measured(load.value if load else None, load_unit(assessment), language)


def closest_own(assessment: Assessment) -> CandidateResult | None:
    """The best of the seller's own builds; a partner platform where there is no other."""
    own = (item for item in assessment.candidates if item.candidate.build.node.own_build)
    return next(own, next(iter(assessment.candidates), None))


def carried(result: CandidateResult) -> float:
    """Load that all nodes of a candidate carry within the targets."""
    return result.x_node * result.candidate.build.nodes


def merit_key(workload: Workload) -> str:
    """The figure by which candidates are compared."""
    if workload.kind.is_training:
        return "train_days"
    chat = workload.kind is Kind.CHAT and workload.serving.demand_value is None
    return "tokens_per_s_per_user" if chat else "tokens_per_s_total"


def figure_of(
    assessment: Assessment, result: CandidateResult | None, key: str
) -> FigureValue | None:
    """A figure of the candidate, or of the workload as a whole."""
    if result is not None and key in result.figures:
        return result.figures[key]
    return assessment.figures.get(key)


def value_of(result: CandidateResult, key: str) -> float | None:
    """Value of a figure, None where it does not exist."""
    figure = result.figures.get(key)
    return figure.value if figure else None
