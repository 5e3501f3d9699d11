"""Many workloads that differ in numbers only: one array position per point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.admission import check_rate, check_workload
from kentino_desk.decision.lengths import (
    above_maximum,
    batch_lengths,
    below_request,
    chat_lengths,
)
from kentino_desk.decision.numbers import numbers_of
from kentino_desk.decision.presets import resolve
from kentino_desk.domain.choices import Kind
from kentino_desk.domain.errors import InputError
from kentino_desk.domain.workload_fields import FIELD_BY_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.errors import Draws
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Workload, WorkloadInputs

_LENGTHS = ("serving.input_tokens", "serving.output_tokens", "serving.context_tokens")
_REQUEST = ("batch.input_tokens", "batch.output_tokens")
_SHAPE = ("training.sequence_length", "training.micro_batch", "training.global_batch_tokens")
_RATE = ("training.throughput_value", "constraints.nodes_max")
TOGETHER: Mapping[Kind, tuple[str, ...]] = {
    Kind.CHAT: _LENGTHS,
    Kind.BATCH: _REQUEST,
} | dict.fromkeys((Kind.LORA, Kind.QLORA, Kind.FULL, Kind.PRETRAIN), (*_SHAPE, *_RATE))
"""Keys that fill in or refuse each other; the rest stand for themselves."""
AS_GIVEN = -1.0
"""Value of such a key at a point that leaves it as it is, given or not."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Points:
    """A workload at many points.

    Attributes:
        workload: the workload that the points vary, filled in.
        numbers: every number by dotted key; one value, or an array with one per point.
        varied: the keys that differ between points.
        legal: whether a point is accepted; what it would be refused for is not kept.
        count: number of points.
        draws: error of the engine at each point, None for best estimates.
    """

    workload: Workload
    numbers: Mapping[str, Any]
    varied: frozenset[str]
    legal: Any
    count: int
    draws: Draws | None = None

    def number(self, key: str) -> Any:
        """A number of every point, as an array."""
        return np.broadcast_to(np.asarray(self.numbers[key], dtype=float), (self.count,))


def points_of(
    inputs: WorkloadInputs,
    snapshot: CatalogSnapshot,
    varied: Mapping[str, Any],
    draws: Draws | None = None,
) -> Points:
    """The points of a workload at arrays of values, all of one length, by dotted key.

    Raises:
        InputError: the workload itself is refused.
    """
    model = snapshot.model(str(inputs.get("workload.model")))
    workload = resolve(_with_limits(inputs, varied, resolve(inputs, model)), model)
    check_workload(workload, model)
    check_rate(workload, model, snapshot)
    count = draws.count if draws else len(next(iter(varied.values())))
    together = [key for key in TOGETHER[workload.kind] if key in varied]
    numbers: dict[str, Any] = numbers_of(workload)
    legal = np.ones(count, dtype=bool)
    if together:
        given = {key: np.asarray(varied[key], dtype=float) for key in together}
        if workload.kind.is_serving:
            found = _lengths_at(inputs, model, workload.kind, given)
        else:
            found = _filled_in(inputs, snapshot, given)
        legal = found.pop("legal") > 0
        numbers |= found
    numbers |= {key: np.asarray(values, dtype=float) for key, values in varied.items()
                if key in numbers and key not in together}  # fmt: skip
    return Points(workload=workload, numbers=numbers, varied=frozenset(varied), legal=legal,
                  count=count, draws=draws)  # fmt: skip


def _with_limits(
    inputs: WorkloadInputs, varied: Mapping[str, Any], workload: Workload
) -> WorkloadInputs:
    """The inputs with a first value of limits that only the points have."""
    numbers = numbers_of(workload)
    for key, values in varied.items():
        if key in numbers and numbers[key] is None:
            inputs = inputs.with_value(key, typed(key, values[0]))
    return inputs


def _lengths_at(
    inputs: WorkloadInputs, model: ModelCard, kind: Kind, varied: Mapping[str, Any]
) -> dict[str, Any]:
    """Lengths of the requests of every point, and whether the model reads them.

    Points that leave the same keys as they are are filled in together.
    """
    table = np.stack(list(varied.values()), axis=1)
    patterns, place = np.unique(table != AS_GIVEN, axis=0, return_inverse=True)
    names = ("serving.input_tokens", "serving.output_tokens", "serving.context_tokens", "legal")
    found = {name: np.empty(len(table)) for name in names}
    for number, pattern in enumerate(patterns.tolist()):
        here = np.flatnonzero(place.ravel() == number)
        keys = [key for key, is_set in zip(varied, pattern, strict=True) if is_set]
        given = {**inputs.values, **{key: np.round(varied[key][here]) for key in keys}}
        for name, values in zip(names, _lengths(given, model, kind), strict=True):
            found[name][here] = values
    return {name: values if name == "legal" or (values != values[0]).any() else values[0]
            for name, values in found.items()}  # fmt: skip


def _lengths(given: dict[str, Any], model: ModelCard, kind: Kind) -> tuple[Any, Any, Any, Any]:
    """Prompt, answer, context, and whether the model reads that."""
    if kind is Kind.BATCH:
        filled = given | batch_lengths(given, model)
        prompt, answer = filled["batch.input_tokens"], filled["batch.output_tokens"]
        context = prompt + answer
    else:
        filled = given | chat_lengths(given, model)
        prompt, answer = filled["serving.input_tokens"], filled["serving.output_tokens"]
        context = filled["serving.context_tokens"]
    refused = above_maximum(context, model) | below_request(context, prompt, answer)
    return prompt, answer, context, np.logical_not(refused)


def _filled_in(
    inputs: WorkloadInputs, snapshot: CatalogSnapshot, varied: Mapping[str, Any]
) -> dict[str, Any]:
    """Numbers that depend on the varied keys, asked once for each combination of values."""
    table = np.stack(list(varied.values()), axis=1)
    unique, place = np.unique(table, axis=0, return_inverse=True)
    model = snapshot.model(str(inputs.get("workload.model")))
    rows = []
    for combination in unique.tolist():
        given = inputs
        for key, value in zip(varied, combination, strict=True):
            given = given if value == AS_GIVEN else given.with_value(key, typed(key, value))
        workload = resolve(given, model)
        rows.append({**numbers_of(workload), "legal": _is_legal(workload, snapshot)})
    changing = {key for key in rows[0] if key == "legal" or len({row[key] for row in rows}) > 1}
    place = place.ravel()
    return {key: np.array([row[key] for row in rows], dtype=float)[place] if key in changing
            else value for key, value in rows[0].items()}  # fmt: skip


def typed(key: str, value: float) -> int | float:
    """A value as its field takes it."""
    return round(value) if FIELD_BY_KEY[key].kind == "int" else float(value)


def _is_legal(workload: Workload, snapshot: CatalogSnapshot) -> bool:
    try:
        model = snapshot.model(workload.model)
        check_workload(workload, model)
        check_rate(workload, model, snapshot)
    except InputError:
        return False
    return True
