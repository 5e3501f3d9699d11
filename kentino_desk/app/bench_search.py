"""The engine's part of ``make bench``: estimates, the whole search, training layouts, growth."""

from __future__ import annotations

import statistics
import time
import tracemalloc
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.presets import resolve
from kentino_desk.decision.search import search, search_inputs, searched
from kentino_desk.decision.training_search import trained, training_rows
from kentino_desk.domain.workload import WorkloadInputs
from kentino_desk.engine.columns import taken
from kentino_desk.engine.quantity import compute

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kentino_desk.decision.search import SearchResult
    from kentino_desk.decision.search_rows import SearchRows
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Value, Workload

RUNS = 7
SIZES = (1_000, 10_000, 100_000)
MEMORY_ROWS = 20_000
MANY_NODES = 8
"""Nodes of a copy in the growth figures, so that the catalog has 100,000 layouts."""
BLOCK = 4096
ESTIMATE = (
    "used_bytes", "users_held", "ttft_s", "tokens_per_s_per_user", "tokens_per_s_total",
    "serving_efficiency", "power_max_w", "power_typical_w",
)  # fmt: skip
"""What one estimate computes: memory, both latencies, output, efficiency, power."""
FULL_TUNING: Mapping[str, Value] = {
    "workload.kind": "full",
    "workload.model": "llama-3.3-70b",
    "constraints.nodes_max": 4,
}


def median_s(work: Callable[[], object], runs: int = RUNS) -> float:
    """Median seconds of some runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def search_figures(inputs: WorkloadInputs, snapshot: CatalogSnapshot) -> dict[str, float]:
    """Figures of the search of one served workload over the whole catalog."""
    workload = _resolved(inputs, snapshot)
    result = search(workload, snapshot)
    return {
        "search_candidates": len(result.rows),
        "search_ms": 1e3 * median_s(lambda: search(workload, snapshot)),
        "estimates_per_s": _estimates_per_s(result, workload, snapshot),
        **_growth(inputs, snapshot),
        "training_layouts_per_s": _training_layouts_per_s(snapshot),
    }


def _resolved(inputs: WorkloadInputs, snapshot: CatalogSnapshot) -> Workload:
    return resolve(inputs, snapshot.model(str(inputs.get("workload.model"))))


def _estimates_per_s(result: SearchResult, workload: Workload, snapshot: CatalogSnapshot) -> float:
    """Whole estimates at a given load, the making of their inputs included."""
    rows, users = result.rows, np.maximum(result.users_per_copy, 1.0)

    def work() -> None:
        inputs = search_inputs(rows, workload, snapshot) | {"users_per_copy": users}
        for start in range(0, len(rows), BLOCK):
            compute(ESTIMATE, taken(inputs, slice(start, start + BLOCK)))

    return len(rows) / median_s(work)


def _growth(inputs: WorkloadInputs, snapshot: CatalogSnapshot) -> dict[str, float]:
    """Time by number of candidates, and the largest memory of one search of 20,000."""
    workload = _resolved(inputs.with_value("constraints.nodes_max", MANY_NODES), snapshot)
    rows = search(workload, snapshot).rows
    figures = {
        f"search_{size}_ms": 1e3 * _searched_s(_picked(rows, size), workload, snapshot)
        for size in SIZES
    }
    few, *_, many = (figures[f"search_{size}_ms"] / size for size in SIZES[1:])
    figures["search_growth"] = many / few
    figures["search_20000_mb"] = _peak_mb(
        lambda: searched(_picked(rows, MEMORY_ROWS), workload, snapshot)
    )
    return figures


def _searched_s(rows: SearchRows, workload: Workload, snapshot: CatalogSnapshot) -> float:
    return median_s(lambda: searched(rows, workload, snapshot))


def _picked(rows: SearchRows, size: int) -> SearchRows:
    """So many rows, spread evenly over the catalog."""
    return rows.taken(np.linspace(0, len(rows) - 1, size).astype(np.intp))


def _peak_mb(work: Callable[[], Any]) -> float:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def _training_layouts_per_s(snapshot: CatalogSnapshot) -> float:
    """Layouts of a full tuning run, made and evaluated: peak memory, rate, efficiency."""
    workload = _resolved(WorkloadInputs.of(FULL_TUNING), snapshot)
    model = snapshot.models[workload.model]
    count = len(training_rows(model, workload, snapshot))
    spent = median_s(lambda: trained(training_rows(model, workload, snapshot), workload, snapshot))
    return count / spent
