"""Training and tuning: every layout of every build evaluated, with the range of its efficiency."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.grades import training_grades
from kentino_desk.decision.numbers import numbers_of
from kentino_desk.decision.run import RowCandidates, Run, relative_margin
from kentino_desk.decision.site_limits import site_margins, within_site
from kentino_desk.decision.space import Space, space_for
from kentino_desk.decision.trained import days_of, job_holds, training_numbers
from kentino_desk.domain.choices import Binding, Grade
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
    "airflow_cfm",
    "feed_current_a",
    "circuit_rating_a",
    "energy_kwh_per_million_trained",
    "energy_kwh_per_year",
    "gpu_idle_w",
    "work_speed",
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
    numbers = numbers_of(workload)
    given = training_numbers(numbers)
    inputs = {**space.inputs, **given}
    plan = plan_for(WANTED, frozenset(inputs))
    values = run(plan, inputs)
    traits, ones = space.traits, np.ones(space.rows)
    rate = values["train_tokens_per_s"] * ones
    days = days_of(workload, numbers, rate, traits.nodes, traits.gpus_per_node)
    state, peak = values["state_bytes"] * ones, values["peak_bytes"] * ones
    grades = training_grades(state, peak, values["card_bytes"])
    high = training_grades(state, HIGH_SIDE_SHARE * peak, values["card_bytes"])
    margins = _margins(workload, values, days)
    margins = {binding: margin * ones for binding, margin in margins.items()}
    site = site_margins(space.candidates, values["power_max_w"], workload.constraints, snapshot)
    holds = job_holds(numbers, fits=grades >= Grade.FITS, dp=values["dp"], days=days)
    rows = np.arange(space.rows)
    return Run(
        space=space,
        candidates=RowCandidates(space, rows, space.traits.nodes),
        base=rows,
        nodes=space.traits.nodes,
        evaluation=Evaluation(plan=plan, values=values | {"train_days": days}, rows=space.rows),
        grades=grades,
        low_grades=np.minimum(grades, high),
        margins=margins | site,
        x_node=rate / values["nodes"],
        nodes_needed=values["nodes"] * np.ones(space.rows),
        four_bit=space.four_bit,
        order=space.order,
        holds=holds,
        passes=holds & within_site(site),
        ranges=_ranges(space, given),
        load=float(workload.training.tokens),
        needed_rate=needed_tokens_per_s(workload),
    )


def _ranges(space: Space, numbers: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    low, high = (compute(_RANGED, {**side, **numbers}) for side in space.sides)
    ones = np.ones(space.rows)
    return {name: (low[name] * ones, high[name] * ones) for name in _RANGED}


def _margins(workload: Workload, values: dict[str, Any], days: Any) -> dict[Binding, Any]:
    card = values["card_bytes"]
    state = relative_margin(values["state_bytes"], card)
    peak = relative_margin(values["peak_bytes"], policy.value("peak_share_fits") * card)
    margins = {Binding.MEMORY: np.where(state < 0, np.nan, peak), Binding.TRAINING_STATE: state}
    if workload.training.deadline_days is not None:
        margins[Binding.DEADLINE] = relative_margin(days, workload.training.deadline_days)
    return margins
