"""What the rules may look at: a frozen record read from one evaluated run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.formats import is_native_four_bit
from kentino_desk.decision.lineup import SINGLE, Group, Standing, signs_of
from kentino_desk.decision.selection import Field, first, smallest_passing
from kentino_desk.domain.choices import Grade, Kind
from kentino_desk.engine import policy

if TYPE_CHECKING:
    from kentino_desk.decision.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Numbers and yes-or-no facts of a workload on the builds that count.

    ``None`` means that the fact does not apply.
    """

    kind: Kind
    native_four_bit: bool
    params_total: float
    has_deadline: bool
    one_node_8: bool
    """Some node carries the whole load at an 8-bit step."""
    one_node_4: bool
    carries_8: bool
    """Some node carries part of the load at an 8-bit step."""
    carries_4: bool
    one_node_in_time: bool
    """Training: one node holds it and makes the deadline."""
    cluster_holds: bool
    cluster_efficiency: float | None
    nodes: float | None
    """Nodes needed by the row the answer rests on."""
    weight_share: float | None
    memory_share: float | None
    """Training: peak (or state) of the best single node, share of the card."""
    load: float
    x_node: float | None
    train_days_one_node: float | None
    deadline_days: float | None

    @property
    def trains(self) -> bool:
        """Whether gradients flow."""
        return self.kind.is_training


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What selection found: the proposed row with its group, and the rows the answers rest on."""

    group: Group | None
    row: int | None
    failing: int | None
    single: int | None
    """Best single-node row: of the chosen step, or the closest one."""
    cluster: int | None
    """Best cluster row that holds the job, by efficiency."""


def choose(field: Field) -> Choice:
    """The proposed row, or the closest one where nothing passes."""
    found = smallest_passing(field, field.flow)
    group, row = found or (None, None)
    failing = None if found else first(field.flow, field.failure_place)
    return Choice(
        group=group,
        row=row,
        failing=failing,
        single=_single(field, group, row),
        cluster=_best_cluster(field),
    )


def _single(field: Field, group: Group | None, row: int | None) -> int | None:
    if row is not None and group in SINGLE:
        return row
    mask = field.flow & (field.nodes == 1) & ~field.fabric
    if field.workload.kind.is_training:
        holds = mask & (field.run.grades >= Grade.FITS)
        return fastest(field, holds) if holds.any() else first(mask, field.failure_place)
    if row is not None and not field.fabric[row]:
        return _same_build_single(field, row)
    return first(mask & ~field.run.four_bit, field.failure_place)


def fastest(field: Field, mask: Any) -> int | None:
    """The fastest row of a mask."""
    rows = np.flatnonzero(mask)
    return int(rows[np.argmax(field.run.x_node[rows])]) if len(rows) else None


def _same_build_single(field: Field, row: int) -> int | None:
    base = int(field.run.base[row])
    rows = np.flatnonzero((field.run.base == base) & (field.nodes == 1))
    return int(rows[0]) if len(rows) else None


def _best_cluster(field: Field) -> int | None:
    holds = field.flow & field.fabric & field.run.holds
    rows = np.flatnonzero(holds)
    return int(rows[np.argmax(field.efficiency[rows])]) if len(rows) else None


def gather_facts(field: Field, choice: Choice) -> Facts:
    """Read the facts of a run."""
    run, workload = field.run, field.workload
    serving = workload.kind.is_serving
    deadline = workload.batch.deadline_days if serving else workload.training.deadline_days
    standing = Standing(
        flow=field.flow,
        holds=run.holds,
        carries=run.x_node > 0,
        fits=run.grades >= Grade.FITS,
    )
    signs = signs_of(field.lineup, standing)
    row = choice.row if choice.row is not None else choice.failing
    return Facts(
        kind=workload.kind,
        native_four_bit=is_native_four_bit(field.model),
        params_total=field.model.params_total,
        has_deadline=deadline is not None,
        one_node_8=bool(signs.one_node_8),
        one_node_4=bool(signs.one_node_4),
        carries_8=bool(signs.carries_8),
        carries_4=bool(signs.carries_4),
        one_node_in_time=bool(signs.one_node_in_time),
        cluster_holds=bool(signs.cluster_holds),
        cluster_efficiency=_value(field.efficiency, choice.cluster),
        nodes=_nodes(field, choice, row),
        weight_share=_evaluated(run, "weight_share", choice.single) if serving else None,
        memory_share=None if serving else _evaluated(run, "peak_share", choice.single),
        load=run.load,
        x_node=_value(run.x_node, choice.single),
        train_days_one_node=None if serving else _evaluated(run, "train_days", choice.single),
        deadline_days=deadline,
    )


def _value(values: Any, row: int | None) -> float | None:
    return None if row is None else float(values[row])


def _evaluated(run: Run, name: str, row: int | None) -> float | None:
    return None if row is None else run.evaluation.value(name, row)


def _nodes(field: Field, choice: Choice, row: int | None) -> float | None:
    if choice.row is not None:
        return float(field.nodes[choice.row])
    needed = _value(field.run.nodes_needed, row)
    return needed if needed is not None and np.isfinite(needed) else None


def frontier(facts: Facts) -> bool:
    """Whether the workload is pretraining of a frontier-sized model."""
    large = facts.params_total >= policy.value("frontier_params")
    return facts.kind is Kind.PRETRAIN and large
