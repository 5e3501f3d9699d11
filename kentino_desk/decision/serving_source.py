"""What serving rows carry at many points, found for the pairs that are asked about and kept.

A point has three parts that differ seldom: what the memory depends on, what the speed depends on,
and the targets. Each is computed once for every distinct value, whatever the number of points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.carried import (
    TOLERANCE,
    WANTED_SPEED,
    WANTED_TTFT,
    carried_load,
    largest_load,
    latency_margin,
    requests_held,
    serving_numbers,
    users_of_rows,
)
from kentino_desk.decision.errors import factor, row_bands, shift
from kentino_desk.decision.numbers import by_users, load_of
from kentino_desk.domain.choices import Engine, Kind
from kentino_desk.engine.columns import taken
from kentino_desk.engine.quantity import compute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kentino_desk.decision.offer import Offer
    from kentino_desk.decision.points import Points

_CHUNK = 1_500
"""Pairs of one array pass of a search: its working set stays in the cache."""
_USERS_STRIDE = 1 << 26
_SPEED = ("ttft_s", "tokens_per_s_per_user")
_POOL = ("kv_pool_bytes", "kv_pool_low_bytes", "kv_pool_high_bytes")
_MEMORY_KEYS = ("context_tokens", "pool_share", "max_num_seqs")
_SPEED_KEYS = ("input_tokens", "output_tokens", "prompt_reuse", "max_num_seqs")
_TARGETS = (WANTED_TTFT, WANTED_SPEED)
BORDER_PASSES = 8
"""About how many single looks a search for the border of a row costs."""


class ServingSource:
    """Rows of an offer at points of a workload."""

    def __init__(self, offer: Offer, points: Points) -> None:
        self.offer, self.points = offer, points
        self.workload = points.workload
        self.users_load = by_users(self.workload)
        self.load = load_of(self.workload, points.numbers) * np.ones(points.count)
        self._numbers = _engine_numbers(points)
        self._replicas = offer.space.inputs["replicas"] * np.ones(offer.space.rows)
        draws = points.draws
        errors = {"rate": draws.rate, "first": draws.first, "memory": draws.memory} if draws else {}
        self._bands = row_bands(offer.space) if draws else None
        self._memory, memory_first = self._distinct(_MEMORY_KEYS, errors, ("memory",))
        self._speed, self._speed_first = self._distinct(_SPEED_KEYS, {}, ())
        self._whole, self._whole_first = self._distinct(
            (*_MEMORY_KEYS, *_SPEED_KEYS, *_TARGETS), errors, tuple(errors)
        )
        self._held = self._held_of(memory_first)
        shape = (len(self._whole_first), offer.space.rows)
        self._border = np.full(shape, np.nan)
        self._carried = np.full(shape, np.nan)
        self.looks_once = self.users_load and BORDER_PASSES * shape[0] > points.count

    def _distinct(self, keys: Any, errors: Any, names: Any) -> tuple[Any, Any]:
        """Number of the distinct value of each point, and the first point of each."""
        columns = [self._numbers[key] for key in keys if np.ndim(self._numbers.get(key, 0.0))]
        columns += [errors[name] for name in names if name in errors]
        if not columns:
            return np.zeros(self.points.count, dtype=int), np.zeros(1, dtype=int)
        _, first, place = np.unique(
            np.stack(columns, axis=1), axis=0, return_index=True, return_inverse=True
        )
        return place.ravel(), first

    def _at(self, points: Any) -> dict[str, Any]:
        return {
            name: value[points] if np.ndim(value) else value
            for name, value in self._numbers.items()
            if value is not None
        }

    def _held_of(self, first: Any) -> Any:
        """Requests a copy holds, by distinct memory and row."""
        space = self.offer.space
        at = {name: value[:, None] if np.ndim(value) else value
              for name, value in self._at(first).items()}  # fmt: skip
        inputs = {"input_tokens": 1.0, **space.inputs, **at}
        if self.points.draws is not None:
            pool = compute(_POOL, {**inputs, "users_per_copy": 1.0})
            best, low, high = (pool[name] * np.ones(space.rows) for name in _POOL)
            z = self.points.draws.memory[first][:, None]
            inputs["kv_pool_bytes"] = best + shift(z, best - low, high - best)
        held = requests_held(inputs, space.rows)
        return np.broadcast_to(held, (len(first), space.rows))

    def _inputs(self, points: Any, rows: Any) -> dict[str, Any]:
        """Engine inputs of pairs; the pool is looked at before, by the requests held."""
        endless = {"kv_pool_bytes": np.inf}
        return taken(self.offer.space.inputs, rows) | self._at(points) | endless

    def _wanted(self, points: Any, rows: Any) -> dict[str, Any]:
        """Targets of pairs; an engine that is slower than computed meets a stricter target."""
        wanted = {name: self._numbers[name] * np.ones(self.points.count) for name in _TARGETS}
        wanted = {name: value[points] for name, value in wanted.items()}
        draws = self.points.draws
        if draws is not None:
            wanted[WANTED_TTFT] = wanted[WANTED_TTFT] / self._first_factor(points, rows)
            wanted[WANTED_SPEED] = wanted[WANTED_SPEED] / self._rate_factor(points, rows)
        return wanted

    def _rate_factor(self, points: Any, rows: Any) -> Any:
        draws = self.points.draws
        if draws is None or self._bands is None:
            return 1.0
        low, high = self._bands[0][:, rows]
        return factor(draws.rate[points], low, high)

    def _first_factor(self, points: Any, rows: Any) -> Any:
        draws = self.points.draws
        if draws is None or self._bands is None:
            return 1.0
        low, high = self._bands[1][:, rows]
        return factor(draws.first[points], low, high)

    def borders(self, points: Any, rows: Any) -> Any:
        """Largest number of requests per copy of pairs of a point and a row."""
        whole = self._whole[points]
        missing = np.isnan(self._border[whole, rows])
        if missing.any():
            codes = np.unique(whole[missing] * self.offer.space.rows + rows[missing])
            for part in _parts(codes):
                self._find(part // self.offer.space.rows, part % self.offer.space.rows)
        return self._border[whole, rows]

    def _find(self, whole: Any, rows: Any) -> None:
        points = self._whole_first[whole]
        most = self._held[self._memory[points], rows]
        inputs = self._inputs(points, rows)
        if self.workload.kind is Kind.BATCH:
            found = np.minimum(most, inputs["max_num_seqs"])
        else:
            found = largest_load(inputs | self._wanted(points, rows), most)
        self._border[whole, rows] = found
        load = carried_load(inputs, found, self.workload)
        if not self.users_load:
            load = load * self._rate_factor(points, rows)
        self._carried[whole, rows] = load

    def x_nodes(self, points: Any, rows: Any) -> Any:
        """Load that one node of pairs carries, in the unit of the load."""
        self.borders(points, rows)
        return self._carried[self._whole[points], rows]

    def users(self, points: Any, rows: Any, nodes: Any) -> Any:
        """Users of a copy of pairs, at so many times the nodes of a row."""
        return users_of_rows(self.load[points], self._replicas[rows] * nodes)

    def users_hold(self, points: Any, rows: Any, users: Any) -> Any:
        """Whether pairs carry so many users per copy."""
        if not self.looks_once:
            return users <= self.borders(points, rows)
        holds = users <= self._held[self._memory[points], rows]
        asked = np.flatnonzero(holds)
        if len(asked):
            holds[asked] = self._fast_enough(points[asked], rows[asked], users[asked])
        return holds

    def _fast_enough(self, points: Any, rows: Any, users: Any) -> Any:
        code = (self._speed[points] * self.offer.space.rows + rows) * _USERS_STRIDE
        _, first, place = np.unique(
            code + users.astype(np.int64), return_index=True, return_inverse=True
        )
        values = {name: np.empty(len(first)) for name in _SPEED}
        for part in _parts(np.arange(len(first))):
            pair = first[part]
            inputs = self._inputs(points[pair], rows[pair]) | {"users_per_copy": users[pair]}
            found = compute(_SPEED, inputs)
            for name in _SPEED:
                values[name][part] = found[name]
        values = {name: value[place.ravel()] for name, value in values.items()}
        return latency_margin(values, self._wanted(points, rows)) >= -TOLERANCE

    def efficiency(self, points: Any, rows: Any, users: Any) -> Any:
        """Efficiency of pairs at so many users per copy."""
        inputs = self._inputs(points, rows) | {"users_per_copy": users}
        found = compute(("serving_efficiency",), inputs)["serving_efficiency"]
        draws = self.points.draws
        if draws is None or self._bands is None:
            return found
        low, high = self._bands
        return 1.0 - (1.0 - found) * factor(-draws.exchange[points], low[rows], high[rows])


def _parts(items: Any) -> Iterator[Any]:
    for start in range(0, len(items), _CHUNK):
        yield items[start : start + _CHUNK]


def _engine_numbers(points: Points) -> dict[str, Any]:
    """Engine inputs and targets of the points, and settings that are engine inputs themselves."""
    numbers = serving_numbers(points.workload, points.numbers)
    if "serving.max_num_seqs" in points.varied:
        numbers["max_num_seqs"] = points.numbers["serving.max_num_seqs"]
    asked = points.workload.serving.engine is Engine.VLLM
    if "serving.utilisation" in points.varied and asked:
        numbers["pool_share"] = points.numbers["serving.utilisation"]
    return numbers
