"""The word of the verdict, the proposed row, what binds, and how close the call is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from kentino_desk.decision.lineup import Group
from kentino_desk.decision.run import MEMORY_BINDINGS
from kentino_desk.decision.selection import Field, first
from kentino_desk.domain.choices import Answer, Binding, Kind, Outcome
from kentino_desk.engine import policy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kentino_desk.decision.facts import Choice
    from kentino_desk.decision.results import CandidateResult, QuestionAnswer


@dataclass(frozen=True, slots=True)
class Ruling:
    """Outcome and the row it proposes (None where nothing fits)."""

    outcome: Outcome
    row: int | None


OUTCOME_BY_GROUP = {
    Group.ONE_NODE: Outcome.ONE_NODE,
    Group.ONE_NODE_FOUR_BIT: Outcome.ONE_NODE_INT4,
    Group.SEVERAL: Outcome.REPLICAS,
    Group.SEVERAL_FOUR_BIT: Outcome.REPLICAS,
}


class Origin(Enum):
    """Where the proposed row of an outcome comes from."""

    NONE = 0
    CHOSEN = 1
    """The row that selection chose."""
    LATE = 2
    """The smallest cluster that passes below the gate."""
    BEST_CLUSTER = 3
    """The cluster with the best efficiency."""


def outcome_of(
    kind: Kind, group: Group | None, answer: Mapping[int, Answer], *, late: bool
) -> tuple[Outcome, Origin]:
    """Outcome of a chosen group and the answers, and where its row comes from.

    Args:
        kind: kind of the workload.
        group: group of the chosen row, None where no row passes.
        answer: answer to each question, by number.
        late: whether a cluster passes, be it below the gate.
    """
    chosen = group is not None
    smallest = Origin.CHOSEN if chosen else Origin.LATE
    if answer[5] is Answer.YES:
        return Outcome.FRONTIER, Origin.NONE
    if group is not None and group in OUTCOME_BY_GROUP:
        return OUTCOME_BY_GROUP[group], Origin.CHOSEN
    if not (chosen or late):
        return Outcome.NOTHING_FITS, Origin.NONE
    if answer[3] is Answer.YES and kind.is_training:
        return Outcome.DATA_PARALLEL, smallest
    if answer[4] is not Answer.YES:
        return Outcome.NOTHING_FITS, Origin.NONE
    return (Outcome.CLUSTER_IB, smallest) if chosen else (Outcome.REARCHITECT, Origin.BEST_CLUSTER)


def rule_outcome(field: Field, choice: Choice, questions: Sequence[QuestionAnswer]) -> Ruling:
    """Outcome from the answers and the row that selection proposes."""
    answer = {item.number: item.answer for item in questions}
    late = _late_cluster(field)
    kind = field.workload.kind
    outcome, origin = outcome_of(kind, choice.group, answer, late=late is not None)
    rows = {Origin.CHOSEN: choice.row, Origin.LATE: late, Origin.BEST_CLUSTER: choice.cluster}
    return Ruling(outcome, rows.get(origin))


def _late_cluster(field: Field) -> int | None:
    """Data parallel below the gate still makes the date: the smallest such row."""
    return first(field.flow & field.fabric & field.run.passes, field.place)


def binding_of(field: Field, choice: Choice, ruling: Ruling) -> Binding | None:
    """The constraint that decides: what one node breaks, or the limit with the least margin."""
    run = field.run
    if ruling.outcome in {Outcome.ONE_NODE, Outcome.ONE_NODE_INT4}:
        return run.least_margin(ruling.row) if ruling.row is not None else None
    if ruling.outcome is Outcome.DATA_PARALLEL:
        return Binding.DEADLINE
    row = choice.failing if ruling.outcome is Outcome.NOTHING_FITS else choice.single
    if row is None:
        return None
    broken = run.misses(row)
    if ruling.outcome in {Outcome.CLUSTER_IB, Outcome.REARCHITECT, Outcome.FRONTIER}:
        broken = tuple(item for item in broken if item in MEMORY_BINDINGS) or broken
    return broken[0] if broken else run.least_margin(row)


@dataclass(frozen=True, slots=True)
class _Case:
    field: Field
    chosen: CandidateResult


def _speed_range(case: _Case) -> bool:
    serving = case.field.workload.serving
    if serving.ttft_s is None or serving.tokens_per_s_per_user is None:
        return False
    wait, speed = case.chosen.figures["ttft_s"], case.chosen.figures["tokens_per_s_per_user"]
    late = wait.high is not None and wait.high > serving.ttft_s
    slow = speed.low is not None and speed.low < serving.tokens_per_s_per_user
    return late or slow


def _memory_range(case: _Case) -> bool:
    return case.chosen.may_be_tight


def _efficiency_range(case: _Case) -> bool:
    if not case.field.fabric[case.chosen.row]:
        return False
    figure, gate = case.chosen.figures["efficiency"], policy.value("efficiency_gate")
    return figure.low is not None and figure.high is not None and figure.low < gate <= figure.high


def _deadline_range(case: _Case) -> bool:
    workload = case.field.workload
    serving = workload.kind.is_serving
    limit = workload.batch.deadline_days if serving else workload.training.deadline_days
    days = case.chosen.figures.get("batch_days" if serving else "train_days")
    if limit is None or days is None or days.high is None:
        return False
    nodes = case.chosen.candidate.build.nodes
    return days.high > limit and nodes <= case.field.workload.constraints.nodes_max


CLOSE_CALLS: tuple[tuple[str, Callable[[_Case], bool]], ...] = (
    ("speed_range", _speed_range),
    ("memory_range", _memory_range),
    ("efficiency_range", _efficiency_range),
    ("deadline_range", _deadline_range),
)
"""Reasons for which a verdict may flip inside the error of the engine."""


def close_call_reasons(field: Field, chosen: CandidateResult | None) -> tuple[str, ...]:
    """Which limits the range of a figure crosses."""
    if chosen is None:
        return ()
    case = _Case(field, chosen)
    return tuple(key for key, crosses in CLOSE_CALLS if crosses(case))
