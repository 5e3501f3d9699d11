"""Runs at full load predicted with slots and engine cost chosen without their unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kentino_desk.domain.choices import Engine
from kentino_desk.engine.full_load import USUAL_LOAD, FullLoad, at_full_load
from kentino_desk.validation.cross import HeldOut, Moved
from kentino_desk.validation.fit import MOVE_COST, Table, unit_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from kentino_desk.validation.fit import Array, Names
    from kentino_desk.validation.kinds import Report
    from kentino_desk.validation.score import RowScore

    Places = npt.NDArray[np.intp]

KIND = "perf-inference"
POOL = "batch from the pool"
FIGURE = "output_tok_s"
REPORTED: tuple[str, ...] = ("class", "card and fabric")
WHY = (
    "Engines, kernels and buses are those of the serving rows, which are other runs: here nothing "
    "is fitted but two constants of full load, slots and the share of the cost per sequence. They "
    "are chosen from a grid without the unit; a doubling costs half a per cent near the printed "
    "value, and nothing under loose. Classes other than the batch from the pool have no constant "
    "of their own, so all three medians are one. Two more are assumptions: the longest answer of "
    "an open-loop run, and the length of an answer that a decode row does not state."
)
SLOTS = (256.0, 512.0, 1024.0, 2048.0, 4096.0)
SHARES = (0.15, 0.3, 0.6, 1.0)


@dataclass(frozen=True, slots=True)
class _Choice:
    load: FullLoad
    cost: float
    errors: Array


def held_out_offline(report: Report) -> HeldOut:
    """Every row with a rate; only those at full load change."""
    rows = [row for row in report.rows if any(item.figure == FIGURE for item in row.scored)]
    printed = np.array([_error(row) for row in rows])
    table = Table(
        inputs={},
        quantities={},
        measured={FIGURE: printed},
        factor={},
        units=np.array([row.unit for row in rows]),
        groups={name: np.array([row.groups[name] for row in rows]) for name in REPORTED},
    )
    pool = np.flatnonzero(table.groups["class"] == POOL)
    choices = _choices([rows[place] for place in pool], printed[pool])
    near, loads = _without_units(choices, table.units[pool], near=True)
    loose, _ = _without_units(choices, table.units[pool], near=False)
    return HeldOut(
        table=table,
        printed={FIGURE: printed},
        near={FIGURE: _with(printed, pool, near)},
        loose={FIGURE: _with(printed, pool, loose)},
        moved=_moved(choices, table.units[pool], loads),
    )


def _error(row: RowScore) -> float:
    item = next(item for item in row.scored if item.figure == FIGURE)
    assert item.predicted is not None
    assert item.measured is not None
    return float(np.log(item.predicted / item.measured))


def _with(printed: Array, places: Places, errors: Array) -> Array:
    changed = printed.copy()
    changed[places] = errors
    return changed


def _choices(rows: Sequence[RowScore], printed: Array) -> list[_Choice]:
    """The grid, with the error of every row at each of its points."""
    usual = _speeds(rows, USUAL_LOAD)
    found = []
    for slots in SLOTS:
        for share in SHARES:
            load = FullLoad(slots=slots, sequence_share=share)
            doublings = np.log2([slots / USUAL_LOAD.slots, share / USUAL_LOAD.sequence_share])
            errors = printed + _speeds(rows, load) - usual
            found.append(_Choice(load, MOVE_COST * float(np.sum(doublings**2)), errors))
    return found


def _speeds(rows: Sequence[RowScore], load: FullLoad) -> Array:
    return np.log([
        at_full_load(row.inputs, Engine(row.groups["engine"]), load).tokens_per_s for row in rows
    ])  # fmt: skip


def _best(choices: Sequence[_Choice], units: Names, left_out: str, *, near: bool) -> _Choice:
    names = [unit for unit in np.unique(units) if unit != left_out]
    places = [np.flatnonzero(units == unit) for unit in names]
    return min(
        choices,
        key=lambda item: unit_error({FIGURE: item.errors}, places) + (item.cost if near else 0.0),
    )


def _without_units(
    choices: Sequence[_Choice], units: Names, *, near: bool
) -> tuple[Array, list[FullLoad]]:
    errors, loads = np.full(len(units), np.nan), []
    for unit in np.unique(units):
        best = _best(choices, units, unit, near=near)
        errors[units == unit] = best.errors[units == unit]
        loads.append(best.load)
    return errors, loads


def _moved(
    choices: Sequence[_Choice], units: Names, loads: Sequence[FullLoad]
) -> tuple[Moved, ...]:
    together = _best(choices, units, "", near=True).load
    names = (("slots", "slots"), ("share of the cost per sequence", "sequence_share"))
    return tuple(
        Moved(
            pool=POOL,
            name=title,
            units=len(loads),
            rows=len(units),
            together=getattr(together, name) / getattr(USUAL_LOAD, name),
            least=min(getattr(load, name) for load in loads) / getattr(USUAL_LOAD, name),
            most=max(getattr(load, name) for load in loads) / getattr(USUAL_LOAD, name),
        )
        for title, name in names
    )
