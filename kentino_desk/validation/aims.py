"""What the median of units of a figure would need to come down to its aim, point by point."""

from __future__ import annotations

from collections import defaultdict
from math import floor
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kentino_desk.validation.known_misses import speed_reason
from kentino_desk.validation.page_tables import FIGURE_WORDS, markdown_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kentino_desk.validation.kinds import Report
    from kentino_desk.validation.score import Detail, RowScore

AIMS: Mapping[tuple[str, str], float] = MappingProxyType({("serving", "ttft_ms"): 26.0})
"""Aims in per cent below what is reached, by kind and figure."""


class Unit(NamedTuple):
    """One unit: median size and median of its errors in per cent, and why it is off."""

    name: str
    size: float
    bias: float
    reason: str


def units_of(report: Report, figure: str) -> list[Unit]:
    """The units that state a figure, best first."""
    rows: defaultdict[str, list[tuple[RowScore, Detail]]] = defaultdict(list)
    for row in report.rows:
        rows[row.unit] += [(row, item) for item in row.scored if item.figure == figure]
    units = []
    for name, pairs in rows.items():
        if pairs:
            errors = np.array([item.error_pct for _, item in pairs], dtype=float)
            row = pairs[0][0]
            reason = speed_reason("", name, row.groups)
            size = float(np.median(np.abs(errors)))
            units.append(Unit(name, size, float(np.median(errors)), reason))
    return sorted(units, key=lambda unit: unit.size)


def needed(units: Sequence[Unit], point: float) -> list[Unit]:
    """The units, nearest first, that have to come below a point for the median to be there."""
    middle = len(units) // 2 + 1
    return [unit for unit in units[:middle] if unit.size > point]


def aim_sections(report: Report) -> list[str]:
    """One section for each aim of a kind that is not reached."""
    parts: list[str] = []
    for (kind, figure), aim in AIMS.items():
        units = units_of(report, figure) if kind == report.kind.name else []
        if units and needed(units, aim):
            title = f"{FIGURE_WORDS[figure]}: what the way to {aim:.0f} % needs"
            parts += [f"### {title.capitalize()}"]
            parts += [_text(units), _points(units, aim)]
    return parts


def _text(units: Sequence[Unit]) -> str:
    middle = units[len(units) // 2]
    return (
        f"The median of {len(units)} units is that of {_named(middle)}, {middle.size:.1f} %. "
        "For each point below it, the units that would have to come under it first."
    )


def _points(units: Sequence[Unit], aim: float) -> str:
    first = floor(units[len(units) // 2].size)
    lines = [
        (f"{point} %", _named(unit), f"{unit.size:.1f} % ({unit.bias:+.0f})", unit.reason)
        for point in range(first, floor(aim) - 1, -1)
        for unit in needed(units, point)
    ]
    return markdown_table(("point", "unit", "is at (bias)", "because"), lines)


def _named(unit: Unit) -> str:
    return unit.name.replace("|", ", ")
