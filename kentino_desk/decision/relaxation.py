"""What to relax where nothing fits: formats, cards, and who builds the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.grades import serving_grades
from kentino_desk.domain.choices import Format, Grade, Outcome
from kentino_desk.domain.errors import InputError
from kentino_desk.engine.card_inputs import supports
from kentino_desk.engine.model_inputs import stored_bits
from kentino_desk.engine.quantity import compute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from kentino_desk.decision.flips import Flip
    from kentino_desk.decision.results import Assessment, Verdict
    from kentino_desk.decision.selection import Field
    from kentino_desk.domain.candidate import Candidate
    from kentino_desk.domain.workload import Value


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A change of one input after which something fits: its value, and what is proposed then."""

    key: str
    value: float | str
    outcome: Outcome
    candidate: Candidate

    @property
    def build(self) -> str:
        """Id of the build that is proposed then."""
        return self.candidate.id


ANY_CARD = "any"
"""Value of the cards when the choice of them is lifted."""
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


def relaxations_of(
    assessment: Assessment, flips: Iterable[Flip], stopped: Callable[[], bool] = lambda: False
) -> tuple[Relaxation, ...]:
    """What would help where nothing fits: numbers by how far they move, then choices.

    Args:
        assessment: a verdict of ``NOTHING_FITS``; any other needs no help.
        flips: its flips, each of which leaves that verdict.
        stopped: asked between assessments; the search ends early when it says so.
    """
    if assessment.verdict.outcome is not Outcome.NOTHING_FITS or stopped():
        return ()
    near = sorted(flips, key=lambda flip: abs(flip.value - flip.now) / max(abs(flip.now), 1e-9))
    numbers = [
        Relaxation(flip.key, flip.value, flip.outcome, flip.candidate)
        for flip in near
        if flip.candidate is not None
    ]
    return (*numbers, *choices_that_help(assessment, stopped))


def choices_that_help(
    assessment: Assessment, stopped: Callable[[], bool]
) -> tuple[Relaxation, ...]:
    """Choices, changed one at a time, after which a build is proposed.

    A smaller format of weights or cache, cards that were left out, any size of node.
    """
    found = []
    for key, value, shown in _other_choices(assessment):
        if stopped():
            break
        verdict = _verdict_with(assessment, key, value)
        if verdict is not None and verdict.chosen is not None:
            found.append(Relaxation(key, shown, verdict.outcome, verdict.chosen.candidate))
    return tuple(found)


def _other_choices(assessment: Assessment) -> Iterator[tuple[str, Value | None, str]]:
    given = assessment.inputs.values
    for key in ("workload.weights", "workload.kv_cache"):
        now = str(given.get(key, Format.AUTO))
        smaller = [item for item in (Format.FP8, Format.NVFP4, Format.INT4) if item != now]
        if now != Format.AUTO:
            yield from ((key, str(item), str(item)) for item in smaller)
    if "constraints.gpus" in given:
        yield "constraints.gpus", None, ANY_CARD
    if "constraints.gpus_per_node" in given:
        yield "constraints.gpus_per_node", None, ANY_CARD


def _verdict_with(assessment: Assessment, key: str, value: Value | None) -> Verdict | None:
    from kentino_desk.decision.assess import assess  # noqa: PLC0415 - notes of it read this module

    try:
        return assess(assessment.inputs.with_value(key, value), assessment.snapshot).verdict
    except InputError:
        return None
