"""The whole catalog searched at once: memory first, then the largest load within the targets.

What is expensive (the three steps of the engine) is computed only where the memory holds a request,
in blocks of rows that stay in the cache of the processor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.candidate_columns import SERVING_DRAW, platform_columns
from kentino_desk.decision.carried import requests_held, serving_numbers, within_targets
from kentino_desk.decision.numbers import numbers_of
from kentino_desk.decision.search_rows import SearchRows, asked_of, search_rows
from kentino_desk.decision.space import serving_setup
from kentino_desk.engine import policy
from kentino_desk.engine.columns import Axis, taken
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.serving_inputs import serving_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Workload

BLOCK = 4096
"""Rows of one pass."""
FOUND = (
    "ttft_s",
    "tokens_per_s_per_user",
    "copy_tokens_per_s",
    "tokens_per_s_total",
    "serving_efficiency",
    "power_max_w",
    "power_typical_w",
)
"""Quantities of each row that carries anything, at its largest load."""


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """What every row of a search carries; 0 requests where memory or targets forbid even one.

    Attributes:
        rows: the layouts.
        holds: whether memory holds a request with the weights within their share.
        users_per_copy: largest number of requests of one copy within memory and targets.
        carrying: positions of the rows that carry anything; ``figures`` has one value for each.
    """

    rows: SearchRows
    holds: Any
    users_per_copy: Any
    carrying: Any
    figures: dict[str, Any]

    @property
    def tokens_per_s_per_gpu(self) -> Any:
        """Output of each carrying row, per card."""
        gpus = self.rows.copies * self.rows.axes["tp"].column() * self.rows.axes["pp"].column()
        return self.figures["tokens_per_s_total"] / gpus[self.carrying]

    def best_of_each(self, axis: Axis) -> dict[Any, int]:
        """Row with the most output per card for every value of an axis, best first."""
        rate = self.tokens_per_s_per_gpu
        best: dict[Any, int] = {}
        for place in np.argsort(-rate, kind="stable"):
            row = int(self.carrying[place])
            best.setdefault(axis.values[axis.codes[row]], row)
        return best


def search(workload: Workload, snapshot: CatalogSnapshot) -> SearchResult:
    """Every layout of the catalog for a workload that is served."""
    model = snapshot.models[workload.model]
    rows = search_rows(model, snapshot, asked_of(workload))
    return searched(rows, workload, snapshot)


def search_inputs(
    rows: SearchRows, workload: Workload, snapshot: CatalogSnapshot
) -> dict[str, Any]:
    """Columns of the rows for the engine, all but the load."""
    power_axes = {
        "node": Axis(tuple(p.node for p in rows.platform.values), rows.platform.codes),
        "gpu": rows.axes["gpu"],
    }
    return {
        **policy.values(),
        **serving_columns(snapshot.models[workload.model], rows.axes, serving_setup(workload)),
        **platform_columns(power_axes, workload.constraints, SERVING_DRAW),
        **serving_numbers(workload, numbers_of(workload)),
        "nodes": rows.nodes.astype(float),
        "replicas": rows.copies.astype(float),
    }


def searched(rows: SearchRows, workload: Workload, snapshot: CatalogSnapshot) -> SearchResult:
    """What the given rows carry."""
    inputs = search_inputs(rows, workload, snapshot)
    held, users, parts = np.zeros(len(rows)), np.zeros(len(rows)), []
    for block in _blocks(len(rows)):
        subset = taken(inputs, block)
        held[block] = requests_held(subset, block.stop - block.start)
        users[block] = within_targets(subset, held[block], workload.kind)
        parts.append(_figures(subset, users[block]))
    figures = {name: np.concatenate([part[name] for part in parts]) for name in FOUND}
    return SearchResult(rows, held >= 1, users, np.flatnonzero(users), figures)


def _blocks(count: int) -> Iterator[slice]:
    for start in range(0, max(count, 1), BLOCK):
        yield slice(start, min(start + BLOCK, count))


def _figures(inputs: dict[str, Any], users: Any) -> dict[str, Any]:
    """Figures of the rows that carry a request."""
    carrying = np.flatnonzero(users)
    at_load = taken(inputs, carrying) | {"users_per_copy": users[carrying]}
    values = compute(FOUND, at_load)
    return {name: values[name] * np.ones(len(carrying)) for name in FOUND}
