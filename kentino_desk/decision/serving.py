"""Chat and batch serving: the load one node carries, the nodes needed, and every row evaluated."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.carried import (
    Carried,
    carried_users,
    latency_margin,
    nodes_needed,
    nodes_of_builds,
    rows_hold,
    serving_numbers,
    several_rows,
    token_rate,
    twin_rows,
    users_of_rows,
)
from kentino_desk.decision.grades import serving_grades
from kentino_desk.decision.numbers import by_users, load_of, numbers_of
from kentino_desk.decision.run import RowCandidates, Run, relative_margin
from kentino_desk.decision.site_limits import site_margins, within_site
from kentino_desk.decision.space import Space, space_for
from kentino_desk.domain.choices import Binding, Kind
from kentino_desk.domain.units import SECONDS_PER_DAY
from kentino_desk.engine import policy
from kentino_desk.engine.columns import taken
from kentino_desk.engine.evaluation import Evaluation
from kentino_desk.engine.quantity import plan_for, run

if TYPE_CHECKING:
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Workload

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
    "airflow_cfm",
    "feed_current_a",
    "circuit_rating_a",
    "energy_kwh_per_million_tokens",
    "energy_kwh_per_year",
    "gpu_idle_w",
    "gpu_decode_w",
    "gpu_prefill_w",
    "work_speed",
    "tokens_per_s_per_gpu",
    "people_served",
)


def run_serving(workload: Workload, snapshot: CatalogSnapshot) -> Run:
    """Evaluate every serving candidate of a workload."""
    space = space_for(workload, snapshot)
    numbers = numbers_of(workload)
    common = serving_numbers(workload, numbers)
    load = load_of(workload, numbers)
    users, output = _of_one_copy(space, tuple(common.items()), workload.kind)
    x_node = (users if by_users(workload) else output) * space.inputs["replicas"]
    found = Carried(users, x_node, nodes_needed(workload, numbers, load, x_node))
    return _evaluated(space, common, workload, snapshot, (load, found, output))


@lru_cache(maxsize=16)
def _of_one_copy(space: Space, common: tuple[tuple[str, Any], ...], kind: Kind) -> tuple[Any, Any]:
    """Requests that one copy carries and its output with them.

    The number of users that was asked for does not move it.
    """
    inputs = {**space.inputs, **dict(common)}
    users = carried_users(inputs, space.rows, kind)
    return users, token_rate(inputs, users)


def _rows(space: Space, found: Carried, limit: int) -> tuple[Any, Any]:
    """Base and nodes of each row: the space itself, N replicas, and the half-node twins."""
    count = nodes_of_builds(space, found.nodes, limit)
    several = np.flatnonzero(several_rows(space, found.nodes, count))
    twin = np.flatnonzero(twin_rows(space, count, limit))
    base = np.concatenate([np.arange(space.rows), several, twin])
    nodes = np.concatenate([space.traits.nodes, count[several], np.full(len(twin), 2)])
    return base, nodes.astype(int)


def _evaluated(
    space: Space,
    common: dict[str, Any],
    workload: Workload,
    snapshot: CatalogSnapshot,
    carrying: tuple[float, Carried, Any],
) -> Run:
    load, found, output = carrying
    base, nodes = _rows(space, found, workload.constraints.nodes_max)
    candidates = RowCandidates(space, base, nodes)
    inputs = {**taken(space.inputs, base), **common, "nodes": nodes.astype(float)}
    copies = inputs["replicas"] * nodes / space.traits.nodes[base]
    inputs["replicas"] = copies
    most = found.users_per_copy[base]
    users = users_of_rows(load, copies) if by_users(workload) else np.maximum(most, 1.0)
    inputs["users_per_copy"] = users
    wanted = (*WANTED, "batch_days") if workload.kind is Kind.BATCH else WANTED
    plan = plan_for(wanted, frozenset(inputs))
    values = run(plan, inputs)
    values |= {"goodput": output[base] * copies, "users_within_targets": most * copies}
    grades, low_grades = _grades(values, "kv_pool_bytes"), _grades(values, "kv_pool_low_bytes")
    needed = found.nodes[base]
    holds = rows_hold(workload, users=users, carried_users=most, needed=needed, nodes=nodes)
    margins = _margins(workload, values, common, (nodes, needed))
    site = site_margins(candidates, values["power_max_w"], workload.constraints, snapshot)
    return Run(
        space=space,
        candidates=candidates,
        base=base,
        nodes=nodes,
        evaluation=Evaluation(plan=plan, values=values, rows=len(candidates)),
        grades=grades,
        low_grades=np.minimum(grades, low_grades),
        margins=margins | site,
        x_node=found.x_node[base],
        nodes_needed=needed,
        four_bit=space.four_bit[base],
        order=space.order[base],
        holds=holds,
        passes=holds & within_site(site),
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


def _margins(
    workload: Workload, values: dict[str, Any], common: dict[str, Any], nodes: tuple[Any, Any]
) -> dict[Binding, Any]:
    margins = {Binding.MEMORY: _memory_margin(values)}
    if workload.kind is Kind.CHAT:
        margins[Binding.LATENCY] = latency_margin(values, common)
    offered, needed = nodes
    short = relative_margin(needed, offered)
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
