"""Formats that would fit where the one asked for does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.grades import serving_grades
from kentino_desk.domain.choices import Format, Grade
from kentino_desk.engine.card_inputs import supports
from kentino_desk.engine.model_inputs import stored_bits
from kentino_desk.engine.quantity import compute

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kentino_desk.decision.selection import Field

_LARGE_TO_SMALL = (Format.BF16, Format.FP8, Format.NVFP4, Format.INT4)
_WANTED = ("weight_share", "kv_need_bytes", "kv_pool_bytes", "request_bytes")


def formats_that_fit(field: Field) -> Iterator[Mapping[str, float | int | str]]:
    """Formats other than the one asked for whose memory grade fits, from large to small.

    Tried on the largest single build that the constraints leave.
    """
    row = _largest_single(field)
    if row is None:
        return
    run = field.run
    candidate = run.candidates[row]
    inputs = {name: _one(value, row) for name, value in run.evaluation.values.items()
              if name in run.evaluation.plan.inputs}  # fmt: skip
    for weights in _LARGE_TO_SMALL:
        if weights is field.workload.weights or not supports(candidate.build.gpu, weights):
            continue
        routed, other = stored_bits(field.model, weights)
        values = compute(_WANTED, inputs | {"routed_bits": routed, "other_bits": other})
        grade = Grade(int(serving_grades(
            values["kv_pool_bytes"], values["kv_need_bytes"], values["request_bytes"],
            values["weight_share"], inputs["card_bytes"])))  # fmt: skip
        if grade >= Grade.FITS:
            share = float(values["weight_share"])
            yield {"format": str(weights), "grade": grade.word, "share": share,
                   "build": candidate.id}  # fmt: skip


def _largest_single(field: Field) -> int | None:
    rows = np.flatnonzero(field.flow & (field.nodes == 1) & ~field.fabric)
    if not len(rows):
        return None
    sizes = [
        (item.gpus_per_copy, item.build.gpu.memory_gb)
        for item in (field.run.candidates[int(row)] for row in rows)
    ]
    return int(rows[max(range(len(rows)), key=lambda place: sizes[place])])


def _one(value: Any, row: int) -> Any:
    found = np.asarray(value)
    return float(found) if found.ndim == 0 else float(found[row])
