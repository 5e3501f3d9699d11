"""Results in order of rank, made when somebody looks: a key press reads a few dozen of hundreds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from kentino_desk.decision.figures import Row, RowFigures
from kentino_desk.decision.pricing import build_price
from kentino_desk.decision.results import CandidateResult
from kentino_desk.decision.run import ORDER
from kentino_desk.domain.choices import Grade

if TYPE_CHECKING:
    from kentino_desk.decision.run import Run
    from kentino_desk.decision.selection import Field

_GRADES = {int(grade): grade for grade in Grade}


class ResultMaker:
    """Makes the result of a row from plain lists, which are cheaper to read than arrays."""

    __slots__ = ("_broken", "_columns", "_field", "_made", "_names")

    def __init__(self, field: Field) -> None:
        run = field.run
        self._field = field
        self._made: dict[int, CandidateResult] = {}
        self._names = tuple(binding for binding in ORDER if binding in run.margins)
        with np.errstate(invalid="ignore"):
            broken = np.stack([run.margins[name] < 0 for name in self._names], axis=1)
        self._broken: list[list[bool]] = broken.tolist()
        self._columns = (
            run.grades.tolist(),
            run.low_grades.tolist(),
            run.passes.tolist(),
            run.x_node.tolist(),
            run.order.tolist(),
            _load_per_copy(run),
        )

    def result(self, row: int) -> CandidateResult:
        """The result of one row, the same object at every call."""
        if row not in self._made:
            self._made[row] = self._make(row)
        return self._made[row]

    def _make(self, row: int) -> CandidateResult:
        field, run = self._field, self._field.run
        grades, low_grades, passes, x_node, order, load = self._columns
        candidate = run.candidates[row]
        view = Row(run, row, field.workload, field.model.is_moe)
        return CandidateResult(
            candidate=candidate,
            row=row,
            grade=_GRADES[grades[row]],
            may_be_tight=low_grades[row] < Grade.FITS <= grades[row],
            passes=passes[row],
            misses=tuple(
                name for name, broken in zip(self._names, self._broken[row], strict=True) if broken
            ),
            load_per_copy=load[row],
            x_node=x_node[row],
            price=build_price(candidate.build, field.snapshot),
            figures=RowFigures(view, field.snapshot),
            step=int(order[row]),
        )


def _load_per_copy(run: Run) -> list[float]:
    values = run.evaluation.values.get("users_per_copy", 1.0)
    loads: list[float] = (np.ones(len(run.base)) * values).tolist()
    return loads


class Results(Sequence[CandidateResult]):
    """All results in order of rank."""

    __slots__ = ("_maker", "_order")

    def __init__(self, maker: ResultMaker, order: Any) -> None:
        self._maker = maker
        self._order = order.tolist()

    @overload
    def __getitem__(self, place: int) -> CandidateResult: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[CandidateResult]: ...

    def __getitem__(self, place: int | slice) -> CandidateResult | Sequence[CandidateResult]:
        if isinstance(place, slice):
            return tuple(self[item] for item in range(*place.indices(len(self))))
        return self._maker.result(self._order[place])

    def __len__(self) -> int:
        return len(self._order)


def best_places(field: Field, order: Any) -> list[int]:
    """Places of the first row of each build, in order of rank."""
    _, first = np.unique(field.builds[order], return_index=True)
    places: list[int] = np.sort(first).tolist()
    return places
