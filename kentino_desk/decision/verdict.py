"""The word of the verdict, the proposed row, what binds, and how close the call is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.decision.run import MEMORY_BINDINGS
from kentino_desk.decision.selection import Field, Group, first
from kentino_desk.domain.choices import Answer, Binding, Outcome
from kentino_desk.engine import policy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kentino_desk.decision.facts import Choice
    from kentino_desk.decision.results import CandidateResult, QuestionAnswer


@dataclass(frozen=True, slots=True)
class Ruling:
    """Outcome and the row it proposes (None where nothing fits)."""

    outcome: Outcome
    row: int | None


_BY_GROUP = {
    Group.ONE_NODE: Outcome.ONE_NODE,
    Group.ONE_NODE_FOUR_BIT: Outcome.ONE_NODE_INT4,
    Group.SEVERAL: Outcome.REPLICAS,
    Group.SEVERAL_FOUR_BIT: Outcome.REPLICAS,
}


def rule_outcome(field: Field, choice: Choice, questions: Sequence[QuestionAnswer]) -> Ruling:
    """Outcome from the answers and the row that selection proposes."""
    answer = {item.number: item.answer for item in questions}
    if answer[5] is Answer.YES:
        return Ruling(Outcome.FRONTIER, None)
    if choice.group is not None and choice.group in _BY_GROUP:
        return Ruling(_BY_GROUP[choice.group], choice.row)
    if answer[3] is Answer.YES and field.workload.kind.is_training:
        row = choice.row if choice.row is not None else _late_cluster(field)
        return Ruling(Outcome.DATA_PARALLEL if row is not None else Outcome.NOTHING_FITS, row)
    if answer[4] is Answer.YES and choice.row is not None:
        return Ruling(Outcome.CLUSTER_IB, choice.row)
    if answer[4] is Answer.YES and _late_cluster(field) is not None:
        return Ruling(Outcome.REARCHITECT, choice.cluster)
    return Ruling(Outcome.NOTHING_FITS, None)


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
