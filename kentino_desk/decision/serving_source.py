"""What serving rows carry at many points, found for the pairs that are asked about and kept.

A point has three parts that differ seldom: what the memory depends on, what the speed depends on,
and the targets. Each is computed once for every distinct value, whatever the number of points.
Pairs of points and rows are two arrays of one length; a field is every row at every point.
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
from kentino_desk.decision.known_borders import KnownBorders
from kentino_desk.decision.numbers import by_users, load_of
from kentino_desk.domain.choices import Engine, Kind
from kentino_desk.engine.columns import taken
from kentino_desk.engine.quantity import compute, plan_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kentino_desk.decision.offer import Offer
    from kentino_desk.decision.points import Points

_CHUNK = 1_500
"""Pairs of one array pass of a search: its working set stays in the cache."""
_USERS_STRIDE = 1 << 26
_SPEED = ("ttft_s", "tokens_per_s_per_user")
_RATES = ("copy_tokens_per_s", "serving_efficiency")
_POOL = ("kv_pool_bytes", "kv_pool_low_bytes", "kv_pool_high_bytes")
_MEMORY_KEYS = ("context_tokens", "pool_share", "max_num_seqs")
_SPEED_KEYS = ("input_tokens", "output_tokens", "prompt_reuse", "max_num_seqs")
_RATE, _FIRST = 0, 1
"""Places of the ranges of a row."""
_TARGETS = (WANTED_TTFT, WANTED_SPEED)
_BORDER_KEYS = tuple(dict.fromkeys((*_MEMORY_KEYS, *_SPEED_KEYS, *_TARGETS)))
_ENDLESS = {"kv_pool_bytes": np.inf}
"""The pool is looked at before, by the requests held."""
BORDER_PASSES = 8
"""About how many single looks a search for the border of a row costs."""


class ServingSource:
    """Rows of an offer at points of a workload."""

    def __init__(self, offer: Offer, points: Points, known: KnownBorders | None = None) -> None:
        self.offer, self.points = offer, points
        self.workload = points.workload
        self.users_load = by_users(self.workload)
        self.load = load_of(self.workload, points.numbers) * np.ones(points.count)
        self._numbers = _engine_numbers(points)
        self._replicas = offer.space.inputs["replicas"] * np.ones(offer.space.rows)
        draws = points.draws
        errors = {"rate": draws.rate, "first": draws.first, "memory": draws.memory} if draws else {}
        self._bands = row_bands(offer.space) if draws else None
        self._memory, self._memory_first = self._distinct(_MEMORY_KEYS, errors, ("memory",))
        self._speed, _ = self._distinct(_SPEED_KEYS, {}, ())
        self._held = np.empty((len(self._memory_first), offer.space.rows))
        self._is_held_known = np.zeros(offer.space.rows, dtype=bool)
        self._read = _names_read(offer, self._numbers)
        self._number_borders(errors, known or KnownBorders())

    def _number_borders(self, errors: Any, known: KnownBorders) -> None:
        """Line of each point in the table of borders, and which lines are not worth a search."""
        whole, first = self._distinct(_BORDER_KEYS, errors, tuple(errors))
        named = [self._numbers.get(key) for key in _BORDER_KEYS]
        values = [np.nan if value is None else value for value in named]
        columns = [*values, *errors.values()]
        keys = np.stack([np.broadcast_to(value, self.points.count)[first] for value in columns], 1)
        self._table = known.table(self.offer)
        lines = self._table.lines(np.ascontiguousarray(keys, dtype=float))
        self.line = lines[whole]
        self._line_first = np.zeros(len(self._table.users), dtype=int)
        self._line_first[lines] = first
        seldom = np.bincount(whole, minlength=len(first)) < BORDER_PASSES
        self.looks = (seldom & ~self._table.searched[lines])[whole] & self.users_load

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

    def _find_held(self, rows: Any) -> None:
        """Requests a copy of rows holds, at every distinct memory."""
        space, first = self.offer.space, self._memory_first
        at = {name: value[:, None] if np.ndim(value) else value
              for name, value in self._at(first).items()}  # fmt: skip
        inputs = {"input_tokens": 1.0, **taken(space.inputs, rows), **at}
        if self.points.draws is not None:
            pool = compute(_POOL, {**inputs, "users_per_copy": 1.0})
            best, low, high = (pool[name] * np.ones(len(rows)) for name in _POOL)
            z = self.points.draws.memory[first][:, None]
            inputs["kv_pool_bytes"] = best + shift(z, best - low, high - best)
        self._held[:, rows] = requests_held(inputs, len(rows))
        self._is_held_known[rows] = True

    def _held_by(self, points: Any, rows: Any) -> Any:
        """Requests a copy holds; points and rows broadcast."""
        unknown = ~self._is_held_known[rows]
        if unknown.any():
            self._find_held(np.unique(rows[unknown]))
        return self._held[self._memory[points], rows]

    def _inputs(self, points: Any, rows: Any) -> dict[str, Any]:
        """Engine inputs of pairs."""
        inputs = self.offer.space.inputs
        own = {name: inputs[name] for name in self._read}
        return taken(own, rows) | self._at(points) | _ENDLESS

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
        return 1.0 if draws is None else self._factor(_RATE, draws.rate, points, rows)

    def _first_factor(self, points: Any, rows: Any) -> Any:
        draws = self.points.draws
        return 1.0 if draws is None else self._factor(_FIRST, draws.first, points, rows)

    def _factor(self, figure: int, z: Any, points: Any, rows: Any) -> Any:
        """Factor of a figure at so many standard deviations of the range of its row."""
        assert self._bands is not None, "draws have ranges"
        low, high = self._bands[figure][:, rows]
        return factor(z[points], low, high)

    def pairs_of_a_row(self, at: Any) -> int:
        """About how many pairs the engine is asked about for a row at some points."""
        looks = self.looks[at]
        return int(looks.sum()) + len(np.unique(self.line[at][~looks]))

    def borders(self, points: Any, rows: Any, asked: Any = True) -> Any:
        """Largest number of requests per copy; points and rows broadcast.

        NaN where it is not known and nobody ``asked``.
        """
        line = self.line[points]
        found = self._table.users[line, rows]
        missing = np.isnan(found) & asked
        if not missing.any():
            return found
        count = self.offer.space.rows
        codes = np.unique((line * count + rows)[missing])
        for part in _parts(codes):
            self._find(part // count, part % count)
        return self._table.users[line, rows]

    def _find(self, lines: Any, rows: Any) -> None:
        points = self._line_first[lines]
        most = self._held_by(points, rows)
        inputs = self._inputs(points, rows)
        if self.workload.kind is Kind.BATCH:
            found = np.minimum(most, inputs["max_num_seqs"])
        else:
            found = largest_load(inputs | self._wanted(points, rows), most)
        self._table.users[lines, rows], self._table.searched[lines] = found, True
        load = carried_load(inputs, found, self.workload)
        if not self.users_load:
            load = load * self._rate_factor(points, rows)
        self._table.carried[lines, rows] = load

    def x_nodes(self, points: Any, rows: Any) -> Any:
        """Load that one node carries, in the unit of the load; points and rows broadcast."""
        self.borders(points, rows)
        return self._table.carried[self.line[points], rows]

    def users(self, points: Any, rows: Any, nodes: Any) -> Any:
        """Users of a copy, at so many times the nodes of a row; all three broadcast."""
        return users_of_rows(self.load[points], self._replicas[rows] * nodes)

    def holds(self, at: Any, rows: Any, users: Any) -> Any:
        """Whether the field of points and rows carries so many users per copy."""
        points = at[:, None]
        holds = users <= self._held_by(points, np.broadcast_to(rows, users.shape))
        looks = self.looks[at]
        known = np.flatnonzero(~looks)
        if len(known):
            borders = self.borders(points[known], rows, holds[known])
            holds[known] &= users[known] <= borders
        point, column = np.nonzero(holds & looks[:, None])
        if len(point):
            pairs = at[point], rows[column], users[point, column]
            holds[point, column] = self._fast_enough(*pairs)
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
        if draws is None:
            return found
        return 1.0 - (1.0 - found) * self._factor(_RATE, -draws.exchange, points, rows)


def _names_read(offer: Offer, numbers: dict[str, Any]) -> tuple[str, ...]:
    """Inputs of the rows that a search for a border reads."""
    own = offer.space.inputs
    given = frozenset((*own, *numbers, "users_per_copy", *_ENDLESS))
    plan = plan_for((*_SPEED, *_RATES), given)
    return tuple(name for name in own if name in plan.inputs or name == "replicas")


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
