"""Chat and batch serving: the load one node carries, the nodes needed, and every row evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.grades import at_most, serving_grades
from kentino_desk.decision.load_search import TRIALS, largest_met
from kentino_desk.decision.run import SITE_LIMITS, RowCandidates, Run, relative_margin
from kentino_desk.decision.site_limits import site_margins
from kentino_desk.decision.space import Space, space_for
from kentino_desk.domain.choices import Binding, DemandUnit, Grade, Kind
from kentino_desk.domain.units import SECONDS_PER_DAY
from kentino_desk.engine import policy
from kentino_desk.engine.columns import taken
from kentino_desk.engine.evaluation import Evaluation
from kentino_desk.engine.quantity import compute, plan_for, rerun, run

if TYPE_CHECKING:
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Workload

HALF_NODE_GPUS = 4
"""Two nodes of this size are the half-node twin of the reference node."""
TOLERANCE = 1e-9
"""Relative slack in which a limit counts as met: rounding, not physics."""
_MEMORY = ("requests_held_per_copy", "weight_share", "kv_pool_low_bytes", "request_bytes")
_SPEED = ("ttft_s", "tokens_per_s_per_user")
WANTED = (
    "used_bytes",
    "kv_pool_low_bytes",
    "kv_pool_high_bytes",
    "users_held",
    "weight_share",
    "kv_pool_tokens",
    "ttft_s",
    "tokens_per_s_per_user",
    "tokens_per_s_total",
    "serving_efficiency",
    "power_max_w",
    "power_typical_w",
    "heat_btu_h",
    "airflow_m3_h",
    "limit_speed",
)


@dataclass(frozen=True, slots=True)
class _Carried:
    """What one node of each base row carries: per copy, in the unit of the load, and N."""

    users_per_copy: Any
    x_node: Any
    nodes: Any


def load_of(workload: Workload) -> float:
    """What has to be carried: users in flight, tokens/s of a demand, or tokens of a corpus."""
    serving = workload.serving
    if workload.kind is Kind.BATCH:
        return float(workload.batch.output_tokens_total)
    if serving.demand_value is None:
        return serving.concurrent_users * (1.0 + serving.growth)
    tokens = serving.demand_value
    if serving.demand_unit is DemandUnit.REQUESTS_PER_S:
        tokens *= serving.output_tokens
    return tokens * (1.0 + serving.growth)


def by_users(workload: Workload) -> bool:
    """Whether the load is users in flight."""
    return workload.kind is Kind.CHAT and workload.serving.demand_value is None


def run_serving(workload: Workload, snapshot: CatalogSnapshot) -> Run:
    """Evaluate every serving candidate of a workload."""
    space = space_for(workload, snapshot)
    common = _numbers(workload)
    load = load_of(workload)
    carried = _carried(space, common, workload, load)
    return _evaluated(space, common, workload, snapshot, (load, carried))


def _numbers(workload: Workload) -> dict[str, float]:
    serving = workload.serving
    return {
        "input_tokens": float(serving.input_tokens),
        "output_tokens": float(serving.output_tokens),
        "context_tokens": float(serving.context_tokens),
        "prompt_reuse": serving.prompt_reuse,
        "batch_output_tokens": float(workload.batch.output_tokens_total),
    }


def _carried(space: Space, common: dict[str, float], workload: Workload, load: float) -> _Carried:
    inputs = {**space.inputs, **common, "users_per_copy": np.ones(space.rows)}
    memory = compute(_MEMORY, inputs)
    light = at_most(memory["weight_share"], policy.value("weights_share_fits"))
    held = np.where(light, memory["requests_held_per_copy"], 0.0) * np.ones(space.rows)
    most = np.minimum(held, space.inputs["max_num_seqs"])
    users = most if workload.kind is Kind.BATCH else largest_load(inputs, most, workload)
    copies = space.inputs["replicas"] * np.ones(space.rows)
    x_node = users * copies
    if not by_users(workload):
        x_node = _token_rate(inputs, users) * copies
    return _Carried(users, x_node, _nodes_needed(workload, load, x_node))


def _nodes_needed(workload: Workload, load: float, x_node: Any) -> Any:
    usable = x_node
    if workload.kind is Kind.BATCH:
        days = workload.batch.deadline_days
        if days is None:
            return np.where(x_node > 0, 1.0, np.inf)
        usable = x_node * days * SECONDS_PER_DAY * policy.value("batch_availability")
    elif not by_users(workload):
        usable = x_node * policy.value("demand_load_share")
    with np.errstate(divide="ignore"):
        return np.where(x_node > 0, np.ceil(load / usable - 1e-9), np.inf)


def largest_load(inputs: dict[str, Any], most: Any, workload: Workload) -> Any:
    """Largest number of requests per copy within memory and targets, for every row."""
    result = np.zeros_like(most)
    rows = np.flatnonzero(most >= 1)
    if not len(rows):
        return result
    subset = taken(inputs, np.repeat(rows, TRIALS))
    subset["users_per_copy"] = np.ones(len(rows) * TRIALS)
    plan = plan_for(_SPEED, frozenset(subset))
    values = run(plan, subset)

    def margins_at(points: Any) -> Any:
        rerun(plan, values, {"users_per_copy": np.maximum(points.ravel(), 1.0)})
        return _latency_margin(values, workload).reshape(points.shape) + TOLERANCE

    result[rows] = largest_met(most[rows], margins_at)
    return result


def _latency_margin(values: dict[str, Any], workload: Workload) -> Any:
    serving = workload.serving
    wait = relative_margin(values["ttft_s"], serving.ttft_s)
    speed = relative_margin(serving.tokens_per_s_per_user, values["tokens_per_s_per_user"])
    return np.minimum(wait, speed)


def _token_rate(inputs: dict[str, Any], users: Any) -> Any:
    rate = np.zeros_like(users)
    rows = np.flatnonzero(users >= 1)
    if len(rows):
        subset = taken(inputs, rows) | {"users_per_copy": users[rows]}
        rate[rows] = compute(("copy_tokens_per_s",), subset)["copy_tokens_per_s"]
    return rate


def _rows(space: Space, carried: _Carried, workload: Workload) -> tuple[Any, Any]:
    """Base and nodes of each row: the space itself, N replicas, and the half-node twins."""
    limit = workload.constraints.nodes_max
    traits = space.traits
    single = traits.nodes == 1
    count = _nodes_of_builds(space, carried, limit)
    several = np.flatnonzero(single & (count > 1) & (carried.nodes <= count))
    twins = single & (traits.gpus_per_node == HALF_NODE_GPUS) & (count != 2)
    twin = np.flatnonzero(twins if limit >= 2 else np.zeros_like(twins))
    base = np.concatenate([np.arange(space.rows), several, twin])
    nodes = np.concatenate([traits.nodes, count[several], np.full(len(twin), 2)])
    return base, nodes.astype(int)


def _nodes_of_builds(space: Space, carried: _Carried, limit: int) -> Any:
    """N of each row's build: fewest nodes at its first format step that stays within the limit."""
    traits = space.traits
    possible = (traits.nodes == 1) & (carried.nodes <= limit)
    count = np.zeros(space.rows)
    for build in set(traits.build[possible].tolist()):
        rows = np.flatnonzero(possible & (traits.build == build))
        step = rows[space.order[rows] == space.order[rows].min()]
        count[traits.build == build] = carried.nodes[step].min()
    return count


def _users_per_copy(
    workload: Workload, load: float, carried: _Carried, copies: Any, base: Any
) -> Any:
    if by_users(workload):
        return np.ceil(load / copies - 1e-9)
    return np.maximum(carried.users_per_copy[base], 1.0)


def _evaluated(
    space: Space,
    common: dict[str, float],
    workload: Workload,
    snapshot: CatalogSnapshot,
    carrying: tuple[float, _Carried],
) -> Run:
    load, carried = carrying
    base, nodes = _rows(space, carried, workload)
    candidates = RowCandidates(space, base, nodes)
    inputs = {**taken(space.inputs, base), **common, "nodes": nodes.astype(float)}
    copies = inputs["replicas"] * nodes / space.traits.nodes[base]
    inputs["replicas"] = copies
    inputs["users_per_copy"] = _users_per_copy(workload, load, carried, copies, base)
    wanted = (*WANTED, "batch_days") if workload.kind is Kind.BATCH else WANTED
    plan = plan_for(wanted, frozenset(inputs))
    values = run(plan, inputs)
    grades, low_grades = _grades(values, "kv_pool_bytes"), _grades(values, "kv_pool_low_bytes")
    needed = carried.nodes[base]
    margins = _margins(workload, values, nodes, needed)
    margins |= site_margins(candidates, values["power_max_w"], workload.constraints, snapshot)
    return Run(
        space=space,
        candidates=candidates,
        base=base,
        nodes=nodes,
        evaluation=Evaluation(plan=plan, values=values, rows=len(candidates)),
        grades=grades,
        low_grades=np.minimum(grades, low_grades),
        margins=margins,
        x_node=carried.x_node[base],
        nodes_needed=needed,
        four_bit=space.four_bit[base],
        order=space.order[base],
        holds=_passes(grades, margins, SITE_LIMITS),
        passes=_passes(grades, margins, frozenset()),
        ranges={},
        load=load,
        needed_rate=_needed_rate(workload),
    )


def _grades(values: dict[str, Any], pool: str) -> Any:
    return serving_grades(
        values[pool],
        values["kv_need_bytes"],
        values["request_bytes"],
        values["weight_share"],
        values["card_bytes"],
    )


def _passes(grades: Any, margins: dict[Binding, Any], without: frozenset[Binding]) -> Any:
    good = grades >= Grade.FITS
    for binding, margin in margins.items():
        if binding is not Binding.MEMORY and binding not in without:
            good = good & (margin >= -TOLERANCE)
    return good


def _margins(
    workload: Workload, values: dict[str, Any], nodes: Any, needed: Any
) -> dict[Binding, Any]:
    margins = {Binding.MEMORY: _memory_margin(values)}
    serving = workload.serving
    if serving.ttft_s is not None and serving.tokens_per_s_per_user is not None:
        margins[Binding.LATENCY] = _latency_margin(values, workload)
    short = relative_margin(needed, nodes)
    if workload.kind is Kind.BATCH and workload.batch.deadline_days is not None:
        margins[Binding.DEADLINE] = short
    elif workload.kind is Kind.CHAT and not by_users(workload):
        margins[Binding.THROUGHPUT] = short
    return margins


def _memory_margin(values: dict[str, Any]) -> Any:
    """Room left of the engine's budget, and of the share that weights may take."""
    budget = values["pool_share"] * values["card_bytes"]
    room = (values["kv_pool_bytes"] - values["kv_need_bytes"]) / budget
    weights = relative_margin(values["weight_share"], policy.value("weights_share_fits"))
    return np.minimum(room, weights)


def _needed_rate(workload: Workload) -> float | None:
    days = workload.batch.deadline_days
    if workload.kind is not Kind.BATCH or days is None:
        return None
    time_s = days * SECONDS_PER_DAY * policy.value("batch_availability")
    return workload.batch.output_tokens_total / time_s
