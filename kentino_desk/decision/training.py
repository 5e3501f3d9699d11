"""Training and tuning: every layout of every build evaluated, with the range of its efficiency."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.grades import at_most, training_grades
from kentino_desk.decision.run import (
    MEMORY_BINDINGS,
    SITE_LIMITS,
    RowCandidates,
    Run,
    relative_margin,
)
from kentino_desk.decision.site_limits import site_margins
from kentino_desk.decision.space import Space, space_for
from kentino_desk.domain.choices import Binding, Grade, ThroughputUnit
from kentino_desk.domain.units import SECONDS_PER_DAY
from kentino_desk.engine import policy
from kentino_desk.engine.evaluation import Evaluation
from kentino_desk.engine.quantity import compute, plan_for, run

if TYPE_CHECKING:
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Workload

WANTED = (
    "peak_bytes",
    "peak_share",
    "state_total_bytes",
    "train_days",
    "training_efficiency",
    "mfu",
    "power_max_w",
    "power_typical_w",
    "heat_btu_h",
    "airflow_m3_h",
    "limit_speed",
)
_RANGED = ("training_efficiency", "train_days", "train_tokens_per_s")
HIGH_SIDE_SHARE = 1.20
"""Upper end of the peak where all settings are given (memory_fit_notes, section 7)."""


def needed_tokens_per_s(workload: Workload) -> float | None:
    """Rate that the deadline asks for, while the machine is available."""
    training = workload.training
    if training.deadline_days is None:
        return None
    time_s = training.deadline_days * SECONDS_PER_DAY * training.availability
    return training.tokens / time_s


def run_training(workload: Workload, snapshot: CatalogSnapshot) -> Run:
    """Evaluate every training candidate of a workload."""
    space = space_for(workload, snapshot)
    numbers = training_numbers(workload)
    inputs = {**space.inputs, **numbers}
    plan = plan_for(WANTED, frozenset(inputs))
    values = run(plan, inputs)
    days = _days(workload, space, values)
    ones = np.ones(space.rows)
    state, peak = values["state_bytes"] * ones, values["peak_bytes"] * ones
    grades = training_grades(state, peak, values["card_bytes"])
    high = training_grades(state, HIGH_SIDE_SHARE * peak, values["card_bytes"])
    margins = _margins(workload, values, days)
    margins = {binding: margin * ones for binding, margin in margins.items()}
    margins |= site_margins(space.candidates, values["power_max_w"], workload.constraints, snapshot)
    rows = np.arange(space.rows)
    return Run(
        space=space,
        candidates=RowCandidates(space, rows, space.traits.nodes),
        base=rows,
        nodes=space.traits.nodes,
        evaluation=Evaluation(plan=plan, values=values | {"train_days": days}, rows=space.rows),
        grades=grades,
        low_grades=np.minimum(grades, high),
        margins=margins,
        x_node=values["train_tokens_per_s"] / values["nodes"] * np.ones(space.rows),
        nodes_needed=values["nodes"] * np.ones(space.rows),
        four_bit=space.four_bit,
        order=space.order,
        holds=_passes(workload, values, grades, margins, SITE_LIMITS),
        passes=_passes(workload, values, grades, margins, frozenset()),
        ranges=_ranges(space, numbers),
        load=float(workload.training.tokens),
        needed_rate=needed_tokens_per_s(workload),
    )


def training_numbers(workload: Workload) -> dict[str, float]:
    """Lengths, batch and tokens of a workload as inputs."""
    training = workload.training
    return {
        "sequence_length": float(training.sequence_length),
        "micro_batch": float(training.micro_batch),
        "global_batch_tokens": float(training.global_batch_tokens),
        "train_tokens": float(training.tokens),
        "availability": training.availability,
    }


def _ranges(space: Space, numbers: dict[str, float]) -> dict[str, tuple[Any, Any]]:
    low, high = (compute(_RANGED, {**side, **numbers}) for side in space.sides)
    ones = np.ones(space.rows)
    return {name: (low[name] * ones, high[name] * ones) for name in _RANGED}


def _days(workload: Workload, space: Space, values: dict[str, Any]) -> Any:
    """Days by the typed rate where one was typed, else by the engine's own."""
    training = workload.training
    if training.throughput_value is None:
        return values["train_days"]
    nodes = space.traits.nodes.astype(float)
    gpus = nodes * space.traits.gpus_per_node
    units = {
        ThroughputUnit.PER_GPU: gpus,
        ThroughputUnit.PER_NODE: nodes,
        ThroughputUnit.TOTAL: np.ones_like(nodes),
    }[training.throughput_unit]
    rate = training.throughput_value * units
    return training.tokens / (rate * SECONDS_PER_DAY * training.availability)


def _margins(workload: Workload, values: dict[str, Any], days: Any) -> dict[Binding, Any]:
    card = values["card_bytes"]
    state = relative_margin(values["state_bytes"], card)
    peak = relative_margin(values["peak_bytes"], policy.value("peak_share_fits") * card)
    margins = {Binding.MEMORY: np.where(state < 0, np.nan, peak), Binding.TRAINING_STATE: state}
    if workload.training.deadline_days is not None:
        margins[Binding.DEADLINE] = relative_margin(days, workload.training.deadline_days)
    return margins


def _passes(
    workload: Workload,
    values: dict[str, Any],
    grades: Any,
    margins: dict[Binding, Any],
    without: frozenset[Binding],
) -> Any:
    """Grade, deadline, site limits, and a global batch that feeds every replica."""
    good = grades >= Grade.FITS
    training = workload.training
    fed = training.sequence_length * training.micro_batch * values["dp"]
    good = good & at_most(fed, training.global_batch_tokens)
    for binding, margin in margins.items():
        if binding not in MEMORY_BINDINGS | without:
            good = good & (margin >= -1e-9)
    return good
