"""What one node of each row carries, how many nodes that takes, and which rows hold the load.

Every function takes arrays with one position per row, and rows may stand for one workload or for
many points of it: the numbers that differ between points are inputs like all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.grades import at_most
from kentino_desk.decision.load_search import largest_met
from kentino_desk.decision.numbers import by_users
from kentino_desk.decision.run import relative_margin
from kentino_desk.domain.choices import Kind
from kentino_desk.domain.units import SECONDS_PER_DAY
from kentino_desk.engine import policy
from kentino_desk.engine.columns import taken
from kentino_desk.engine.quantity import Plan, affected_steps, compute, plan_for, rerun, run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.numbers import Numbers
    from kentino_desk.decision.space import Space
    from kentino_desk.domain.workload import Workload

HALF_NODE_GPUS = 4
"""Two nodes of this size are the half-node twin of the reference node."""
TOLERANCE = 1e-9
"""Relative slack in which a limit counts as met: rounding, not physics."""
WANTED_TTFT, WANTED_SPEED = "wanted_ttft_s", "wanted_tokens_per_s"
"""Latency targets, beside the engine's inputs; absent where nobody waits."""
_MEMORY = ("requests_held_per_copy", "weight_share")
_SPEED = ("ttft_s", "tokens_per_s_per_user")
_LOAD = frozenset({"users_per_copy"})
NARROW_SHARE, NARROW_ROWS = 0.75, 512
"""Rows with a known border are dropped when less than this share is left of so many rows."""
_STEP_STRIDE = 1e6


@dataclass(frozen=True, slots=True)
class Carried:
    """What one node of each base row carries: per copy, in the unit of the load, and N."""

    users_per_copy: Any
    x_node: Any
    nodes: Any


def serving_numbers(workload: Workload, numbers: Numbers) -> dict[str, Any]:
    """Engine inputs and targets that come from the numbers of a workload."""
    inputs = {
        "input_tokens": numbers["serving.input_tokens"] * 1.0,
        "output_tokens": numbers["serving.output_tokens"] * 1.0,
        "context_tokens": numbers["serving.context_tokens"] * 1.0,
        "prompt_reuse": numbers["serving.prompt_reuse"],
        "think_s": numbers["serving.think_s"],
        "batch_output_tokens": numbers["batch.output_tokens_total"] * 1.0,
    }
    if workload.kind is Kind.CHAT:
        inputs[WANTED_TTFT] = numbers["serving.ttft_s"]
        inputs[WANTED_SPEED] = numbers["serving.tokens_per_s_per_user"]
    return inputs


def requests_held(inputs: Mapping[str, Any], rows: int) -> Any:
    """Requests at full context that a copy holds; none where its weights are too heavy."""
    memory = compute(_MEMORY, {**inputs, "users_per_copy": np.ones(rows)})
    light = at_most(memory["weight_share"], policy.value("weights_share_fits"))
    return np.where(light, memory["requests_held_per_copy"], 0.0) * np.ones(rows)


def carried_users(inputs: Mapping[str, Any], rows: int, kind: Kind) -> Any:
    """Requests per copy that a row carries within memory and targets."""
    return within_targets(inputs, requests_held(inputs, rows), kind)


def within_targets(inputs: Mapping[str, Any], held: Any, kind: Kind) -> Any:
    """Of the requests that memory holds, those within the targets; a corpus fills the slots."""
    if kind is Kind.BATCH:
        return np.minimum(held, inputs["max_num_seqs"])
    return largest_load(inputs, held)


def carried_load(inputs: Mapping[str, Any], users: Any, workload: Workload) -> Any:
    """X_node in the unit of the load: users, or output tokens per second."""
    rate = users if by_users(workload) else token_rate(inputs, users)
    return rate * (inputs["replicas"] * np.ones_like(users))


def nodes_needed(workload: Workload, numbers: Numbers, load: Any, x_node: Any) -> Any:
    """N of each row, infinite where one node carries nothing."""
    usable = x_node
    if workload.kind is Kind.BATCH:
        days = numbers["batch.deadline_days"]
        if days is None:
            return np.where(x_node > 0, 1.0, np.inf)
        usable = x_node * days * SECONDS_PER_DAY * policy.value("batch_availability")
    elif not by_users(workload):
        usable = x_node * policy.value("demand_load_share")
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x_node > 0, np.ceil(load / usable - 1e-9), np.inf)


def largest_load(inputs: Mapping[str, Any], most: Any) -> Any:
    """Largest number of requests per copy within memory and targets, for every row."""
    result = np.zeros_like(most)
    rows = np.flatnonzero(most >= 1)
    if len(rows):
        subset = taken(inputs, rows)
        # Requests beyond the slots of the engine wait, and the curve bends there.
        slots = subset["max_num_seqs"]
        result[rows] = largest_met(most[rows], _Trials(subset, len(rows)).margins, slots)
    return result


class _Trials:
    """Margins of the latency targets at trial loads; only what moves with the load runs again."""

    def __init__(self, inputs: dict[str, Any], count: int) -> None:
        self._plan = plan_for(_SPEED, frozenset(inputs) | _LOAD)
        self._values = inputs
        self._rows = np.arange(count)
        self._has_run = False

    def margins(self, points: Any, rows: Any) -> Any:
        """Margins at points of shape (trials, rows); all rows first, then fewer and fewer."""
        places = np.searchsorted(self._rows, rows)
        if len(rows) < NARROW_SHARE * len(self._rows) and len(self._rows) > NARROW_ROWS:
            self._values = narrowed(self._plan, self._values, places, len(self._rows))
            self._rows, places = rows, slice(None)
        every = np.ones((len(points), len(self._rows)))
        every[:, places] = np.maximum(points, 1.0)
        self._compute(every)
        return (latency_margin(self._values, self._values) + TOLERANCE)[:, places]

    def _compute(self, users: Any) -> None:
        if self._has_run:
            rerun(self._plan, self._values, {"users_per_copy": users})
        else:
            self._values |= run(self._plan, self._values | {"users_per_copy": users})
            self._has_run = True


def narrowed(plan: Plan, values: dict[str, Any], places: Any, count: int) -> dict[str, Any]:
    """The values that a change of the load reads, and the targets, of some of ``count`` rows."""
    moving = affected_steps(plan, _LOAD)
    read = {name for step in moving for name in step.parameters}
    kept = ((read - {step.name for step in moving}) | {WANTED_TTFT, WANTED_SPEED}) & values.keys()
    return {
        name: values[name][..., places] if np.shape(values[name])[-1:] == (count,) else values[name]
        for name in kept
    }


def latency_margin(values: Mapping[str, Any], wanted: Mapping[str, Any]) -> Any:
    """Part of the closer latency target that is left."""
    wait = relative_margin(values["ttft_s"], wanted[WANTED_TTFT])
    speed = relative_margin(wanted[WANTED_SPEED], values["tokens_per_s_per_user"])
    return np.minimum(wait, speed)


def token_rate(inputs: Mapping[str, Any], users: Any) -> Any:
    """Output tokens per second of one copy with so many requests; 0 without any."""
    rate = np.zeros_like(users)
    rows = np.flatnonzero(users >= 1)
    if len(rows):
        subset = taken(inputs, rows) | {"users_per_copy": users[rows]}
        rate[rows] = compute(("copy_tokens_per_s",), subset)["copy_tokens_per_s"]
    return rate


def nodes_of_builds(space: Space, needed: Any, limit: Any) -> Any:
    """N of each row's build: fewest nodes at its first format step that stays within the limit.

    ``needed`` ends in an axis of rows; ``limit`` is one number, or ends in an axis of length 1.
    """
    traits = space.traits
    possible = (traits.nodes == 1) & (needed <= limit)
    key = np.where(possible, space.order * _STEP_STRIDE + np.where(possible, needed, 0.0), np.inf)
    by_build = np.argsort(traits.build, kind="stable")
    starts = np.flatnonzero(np.diff(traits.build[by_build], prepend=-1))
    least = np.minimum.reduceat(key[..., by_build], starts, axis=-1)
    count = np.where(np.isfinite(least), np.where(np.isfinite(least), least, 0.0) % _STEP_STRIDE, 0)
    return count[..., np.searchsorted(traits.build[by_build][starts], traits.build)]


def several_rows(space: Space, needed: Any, count: Any) -> Any:
    """Single rows that also stand as replicas of as many nodes as their build needs."""
    several = (space.traits.nodes == 1) & (count > 1) & (needed <= count)
    return several & ~space.traits.customer


def twin_rows(space: Space, count: Any, limit: Any) -> Any:
    """Single half nodes that also stand as two, beside the reference node."""
    traits = space.traits
    half = (traits.nodes == 1) & (traits.gpus_per_node == HALF_NODE_GPUS) & ~traits.customer
    return half & (count != 2) & (limit >= 2)


def users_of_rows(load: Any, copies: Any) -> Any:
    """Users of each copy where the load is users in flight."""
    return np.ceil(load / copies - 1e-9)


def rows_hold(workload: Workload, *, users: Any, carried_users: Any, needed: Any,
              nodes: Any) -> Any:  # fmt: skip
    """Whether rows hold the load: memory grade and targets, and nodes enough.

    A row that carries n requests per copy carries every smaller number: memory and both latencies
    grow with the load.
    """
    if by_users(workload):
        return users <= carried_users
    holds = carried_users >= 1
    if workload.kind is Kind.CHAT or workload.batch.deadline_days is not None:
        holds = holds & (needed <= nodes)
    return holds
