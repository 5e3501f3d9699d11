"""A few constants refitted to the rows of some units, held near their printed values.

Rows are columns of the inputs of the graph, so that one evaluation is one array pass. A constant is
a factor on some of those inputs; it is moved only where the median error of the units falls by more
than the move costs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kentino_desk.engine.quantity import compute, plan_for, rerun, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kentino_desk.validation.score import RowScore

Array = npt.NDArray[np.float64]
Names = npt.NDArray[np.str_]
Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

STEPS = (0.3, 0.1, 0.03)
"""Moves of the logarithm of a constant that the search tries, one after the other."""
SWEEPS = 4
MOVE_COST = 0.005
"""Fall of the median error that one spread of a constant must bring: half a per cent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One constant: its name for the page, and the inputs that it multiplies.

    ``by`` names a group whose every value has a constant of its own, such as a framework.
    """

    name: str
    columns: tuple[str, ...]
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows as columns: inputs, and by figure the logarithms of measured and of the fixed factor.

    Arrays have one entry per row; a figure that a row does not state is NaN.
    """

    inputs: Mapping[str, Any]
    quantities: Mapping[str, str]
    measured: Mapping[str, Array]
    factor: Mapping[str, Array]
    units: Names
    groups: Mapping[str, Names]

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.units)

    def where(self, mask: Mask) -> Table:
        """The rows of a mask."""
        return replace(
            self,
            inputs={name: _cut(column, mask) for name, column in self.inputs.items()},
            measured={name: column[mask] for name, column in self.measured.items()},
            factor={name: column[mask] for name, column in self.factor.items()},
            units=self.units[mask],
            groups={name: column[mask] for name, column in self.groups.items()},
        )


def _cut(column: Any, mask: Mask) -> Any:
    return column[mask] if isinstance(column, np.ndarray) else column


def table_of(rows: Iterable[RowScore], quantities: Mapping[str, str]) -> Table:
    """The rows that carry inputs; ``quantities`` name the quantity behind each figure.

    What a row's prediction has beside its quantity (units, copies, a release) is its fixed factor.
    """
    kept = [row for row in rows if row.inputs and row.scored]
    inputs = _columns([row.inputs for row in kept])
    found = compute(tuple(quantities.values()), inputs)
    measured, factor = {}, {}
    for figure, name in quantities.items():
        pairs = np.array([_pair(row, figure) for row in kept], dtype=float)
        measured[figure] = np.log(pairs[:, 0])
        factor[figure] = np.log(pairs[:, 1]) - np.log(np.broadcast_to(found[name], len(kept)))
    names = dict.fromkeys(name for row in kept for name in row.groups)
    return Table(
        inputs=inputs,
        quantities=quantities,
        measured=measured,
        factor=factor,
        units=np.array([row.unit for row in kept]),
        groups={name: np.array([row.groups.get(name, "") for row in kept]) for name in names},
    )


def _pair(row: RowScore, figure: str) -> tuple[float, float]:
    found = [item for item in row.scored if item.figure == figure]
    if not found:
        return np.nan, np.nan
    return found[0].measured or np.nan, found[0].predicted or np.nan


def _columns(inputs: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """One column per input; an input that all rows share stays a number."""
    columns: dict[str, Any] = {}
    for name in inputs[0]:
        column = np.array([row[name] for row in inputs], dtype=float)
        columns[name] = float(column[0]) if np.all(column == column[0]) else column
    return columns


@dataclass(frozen=True, slots=True)
class Lever:
    """One constant of a table: the rows that it moves, and the inputs that it multiplies there."""

    name: str
    columns: tuple[str, ...]
    rows: Mask


def levers_of(table: Table, knobs: Sequence[Knob]) -> tuple[Lever, ...]:
    """The constants of a table, one per value of the group that a knob is split by."""
    levers = []
    for knob in knobs:
        if not knob.by:
            levers.append(Lever(knob.name, knob.columns, np.ones(len(table), dtype=bool)))
            continue
        column = table.groups[knob.by]
        levers += [
            Lever(f"{knob.name}, {value}", knob.columns, column == value)
            for value in np.unique(column)
        ]
    return tuple(levers)


class Errors:
    """Errors of a table under moved constants; only what depends on them is computed again."""

    def __init__(self, table: Table, levers: Sequence[Lever]) -> None:
        self._table = table
        self._levers = levers
        self._plan = plan_for(tuple(table.quantities.values()), frozenset(table.inputs))
        self._values = run(self._plan, table.inputs)

    def logs(self, moves: Array) -> dict[str, Array]:
        """Logarithm of predicted over measured by figure, one entry per row."""
        table = self._table
        changes: dict[str, Any] = {}
        for lever, move in zip(self._levers, moves, strict=True):
            factor = np.where(lever.rows, np.exp(move), 1.0)
            for name in lever.columns:
                changes[name] = changes.get(name, table.inputs[name]) * factor
        values = rerun(self._plan, self._values, changes)
        return {
            figure: np.log(np.broadcast_to(values[name], len(table)))
            + table.factor[figure]
            - table.measured[figure]
            for figure, name in table.quantities.items()
        }


def unit_error(errors: Mapping[str, Array], places: Sequence[Places]) -> float:
    """Mean over units and figures of a unit's median error, as a logarithm."""
    medians = []
    for column in errors.values():
        sizes = np.abs(column)
        for place in places:
            cells = sizes[place]
            cells = cells[~np.isnan(cells)]
            if cells.size:
                medians.append(float(np.median(cells)))
    return float(np.mean(medians))


def fitted(table: Table, levers: Sequence[Lever], spread: float, seen: Mask | None = None) -> Array:
    """Moves (logarithms) of the constants that suit the seen rows of a table best.

    Deterministic: one constant at a time, in the order given, in steps that get smaller. A constant
    that no seen row depends on does not move.
    """
    rows = np.ones(len(table), dtype=bool) if seen is None else seen
    errors = Errors(table, levers)
    places = [np.flatnonzero(rows & (table.units == unit)) for unit in np.unique(table.units[rows])]

    def cost(moves: Array) -> float:
        moved = MOVE_COST * float(np.sum((moves / spread) ** 2))
        return unit_error(errors.logs(moves), places) + moved

    movable = [place for place, lever in enumerate(levers) if (lever.rows & rows).any()]
    moves = np.zeros(len(levers))
    best = cost(moves)
    for step in STEPS:
        for _ in range(SWEEPS):
            before = best
            for place in movable:
                for change in (step, -step):
                    tried = moves.copy()
                    tried[place] += change
                    found = cost(tried)
                    if found < best:
                        moves, best = tried, found
                        break
            if best == before:
                break
    return moves
