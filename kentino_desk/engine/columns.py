"""Inputs of many candidates as columns: each function of inputs is asked once per combination.

What a card, a format or a tensor degree brings in does not depend on the other choices. So the
inputs of tens of thousands of layouts come from a few hundred calls, spread over the rows by index.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy.typing as npt

    Codes = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Part:
    """Inputs that depend on a few axes of a layout. ``inputs`` may read no other axis."""

    axes: tuple[str, ...]
    inputs: Callable[..., Mapping[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """Distinct values of one property of the rows, and the place of each row's value."""

    values: tuple[Any, ...]
    codes: Codes

    @classmethod
    def of(cls, items: Iterable[Any]) -> Axis:
        """The axis of a value per row."""
        places: dict[Any, int] = {}
        codes = [places.setdefault(item, len(places)) for item in items]
        return cls(tuple(places), np.array(codes, dtype=np.intp))

    def taken(self, rows: Any) -> Axis:
        """The axis of some rows."""
        return Axis(self.values, self.codes[rows])

    def column(self) -> Any:
        """The values themselves, one per row; they must be numbers."""
        return np.array(self.values, dtype=float)[self.codes]


def combinations(axes: Sequence[Axis]) -> tuple[list[tuple[Any, ...]], Codes]:
    """Combinations of values that occur, and the place of each row's combination."""
    shape = tuple(len(axis.values) for axis in axes)
    keys = np.ravel_multi_index(tuple(axis.codes for axis in axes), shape)
    occurs = np.zeros(int(np.prod(shape)), dtype=bool)
    occurs[keys] = True
    found = np.flatnonzero(occurs)
    places = np.empty(len(occurs), dtype=np.intp)
    places[found] = np.arange(len(found))
    picked = zip(*np.unravel_index(found, shape), strict=True)
    values = [
        tuple(axis.values[int(code)] for axis, code in zip(axes, codes, strict=True))
        for codes in picked
    ]
    return values, places[keys]


def columns_of(
    parts: Sequence[Part],
    axes: Mapping[str, Axis],
    inputs_of: Callable[[Part, Mapping[str, Any]], Mapping[str, float]],
) -> dict[str, Any]:
    """Columns of all parts; a column whose values all agree is one number.

    Args:
        parts: in order, a later one wins.
        axes: every axis of the layout, one code per row.
        inputs_of: inputs of a part for values of its axes.
    """
    columns: dict[str, Any] = {}
    for part in parts:
        if not part.axes:
            columns |= inputs_of(part, {})
            continue
        values, places = combinations([axes[name] for name in part.axes])
        rows = [inputs_of(part, dict(zip(part.axes, item, strict=True))) for item in values]
        for name, column in stacked(rows).items():
            columns[name] = column[places] if isinstance(column, np.ndarray) else column
    return columns


def stacked(rows: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Columns of the rows; a column whose values all agree becomes one number."""
    columns: dict[str, Any] = {}
    for name in rows[0] if rows else ():
        column = np.array([row[name] for row in rows])
        same = bool((column == column[0]).all())
        columns[name] = float(column[0]) if same else column
    return columns


def taken(inputs: Mapping[str, Any], index: Any) -> dict[str, Any]:
    """The inputs of some rows, in the order of ``index``; numbers that all share stay numbers."""
    return {
        name: value[index] if isinstance(value, np.ndarray) else value
        for name, value in inputs.items()
    }
