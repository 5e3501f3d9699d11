"""Predictions of every unit by constants that were refitted without it."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from kentino_desk.validation.fit import Errors, Knob, Table, fitted, levers_of, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from kentino_desk.validation.fit import Array, Lever
    from kentino_desk.validation.kinds import Report

    Mask = npt.NDArray[np.bool_]

NEAR, LOOSE = 0.15, 0.6
"""Spread (of the logarithm) that a refitted constant keeps to its printed value.

Printed constants stem from operator tables and notes rounded by hand, so ``NEAR`` is how they would
be refitted. They saw the left-out unit, so ``LOOSE`` shows what is left where they hardly count.
"""
MOST_RISE = 4.0 / 3.0
FEWEST_UNITS = 5
LOW_END, HIGH_END = 5.0, 95.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """How one kind is refitted: quantities of its figures, constants, and rows that share them."""

    quantities: Mapping[str, str]
    pool: str
    """Group of rows that share one set of constants."""
    knobs: tuple[Knob, ...]
    reported: tuple[str, ...]
    """Groups whose medians are shown."""
    why: str
    """Why these constants, in words of the page."""


def _knob(name: str, *columns: str, by: str = "") -> Knob:
    return Knob(name=name, columns=columns, by=by)


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "serving": Method(
            quantities={
                "output_tok_s": "copy_tokens_per_s", "tpot_ms": "tpot_s", "ttft_ms": "ttft_s",
            },
            pool="engine",
            knobs=(
                _knob("cost per layer and step", "layer_overhead_s", "step_overhead_s"),
                _knob("cost per sequence", "sequence_overhead_s"),
                _knob("cost per MoE layer", "moe_layer_s"),
                _knob("prompt time before the first token", "first_token_share"),
                _knob("constant before the first token", "first_token_constant_s"),
            ),
            reported=("engine", "card and fabric", "class", "kind of model"),
            why=(
                "What an engine costs on its host, which no kernel table says: one factor each per "
                "engine, on the printed value of both generations of cards. Cost per layer and per "
                "step go together, because the rows hardly part them. Kernel shares and buses are "
                "measured by themselves and stay."
            ),
        ),
        "perf-training": Method(
            quantities={"tokens_per_s_per_gpu": "train_tokens_per_s_per_gpu"},
            pool="class",
            knobs=(
                _knob("element-wise passes", "elementwise_passes", by="stack"),
                _knob("attention share", "attention_tflops", by="card and fabric"),
                _knob("bus of the exchanges", "dp_bus_gb_per_s", "tp_bus_gb_per_s"),
                _knob("expert kernels", "expert_tflops"),
                _knob("cost per MoE layer", "moe_layer_us"),
            ),
            reported=("class", "stack", "card and fabric"),
            why=(
                "What the fit took from these rows, with as many constants as it has: passes by "
                "stack, attention by card, the rest by class. Matrix products are measured by "
                "themselves, and stay. A constant that the left-out unit alone determines keeps "
                "its printed value: torchtitan and AutoModel are the only units of their stacks."
            ),
        ),
        "collectives": Method(
            quantities={"busbw_large": "reached_bus_bytes_per_s", "time_us": "collective_s"},
            pool="class",
            knobs=(
                _knob("start", "inside_start_s"),
                _knob("bus", "inside_bus_bytes_per_s"),
                _knob("network start", "network_start_s"),
                _knob("network share", "network_bus_bytes_per_s"),
            ),
            reported=("class", "operation"),
            why=(
                "One factor each per class of host on the printed tables. The table of a card is "
                "read off its own unit: a left-out unit tests the law and the host, not the table."
            ),
        ),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """One refitted constant of a pool: factor with all units, and its range over left-out ones."""

    pool: str
    name: str
    units: int
    rows: int
    together: float
    least: float
    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """Errors (logarithms) of every row by figure: printed, and predicted without its unit."""

    table: Table
    printed: Mapping[str, Array]
    near: Mapping[str, Array]
    loose: Mapping[str, Array]
    moved: tuple[Moved, ...]
    """Constants of the ``NEAR`` fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassScore:
    """Medians of units, in per cent, of one figure in one class."""

    group: str
    name: str
    figure: str
    rows: int
    units: int
    printed: float
    near: float
    loose: float
    inside: float | None
    """Share of rows inside the range read off the other units of their class; None for one unit."""

    @property
    def counts(self) -> bool:
        """Whether the class has units enough for a verdict."""
        return self.units >= FEWEST_UNITS

    @property
    def holds_near(self) -> bool:
        """Whether the median rises by a third at most, near the printed constants."""
        return self.near <= MOST_RISE * self.printed

    @property
    def holds_loose(self) -> bool:
        """The same where the printed constants hardly count."""
        return self.loose <= MOST_RISE * self.printed


def held_out(report: Report) -> HeldOut:
    """Refit the constants of a kind once for every unit of its rows, without it."""
    method = METHODS[report.kind.name]
    table = table_of(report.rows, method.quantities)
    levers = levers_of(table, method.knobs)
    printed = Errors(table, levers).logs(np.zeros(len(levers)))
    near, moved = _without_units(table, method, NEAR)
    loose, _ = _without_units(table, method, LOOSE)
    return HeldOut(table=table, printed=printed, near=near, loose=loose, moved=tuple(moved))


def _without_units(
    table: Table, method: Method, spread: float
) -> tuple[dict[str, Array], list[Moved]]:
    errors = {figure: np.full(len(table), np.nan) for figure in method.quantities}
    moved: list[Moved] = []
    pools = table.groups[method.pool]
    for pool in np.unique(pools):
        rows = np.flatnonzero(pools == pool)
        part = table.where(pools == pool)
        levers = levers_of(part, method.knobs)
        found = Errors(part, levers)
        apart = []
        for unit in np.unique(part.units):
            others = part.units != unit
            moves = np.zeros(len(levers))
            if others.any():
                moves = fitted(part, levers, spread, others)
                apart.append(moves)
            for figure, column in found.logs(moves).items():
                errors[figure][rows[~others]] = column[~others]
        if apart:
            moved += _moved(str(pool), part, levers, spread, np.exp(np.array(apart)))
    return errors, moved


def _moved(
    pool: str, part: Table, levers: Sequence[Lever], spread: float, apart: Array
) -> list[Moved]:
    together = np.exp(fitted(part, levers, spread))
    return [
        Moved(
            pool=pool,
            name=lever.name,
            units=len(np.unique(part.units[lever.rows])),
            rows=int(lever.rows.sum()),
            together=float(together[place]),
            least=float(apart[:, place].min()),
            most=float(apart[:, place].max()),
        )
        for place, lever in enumerate(levers)
    ]


def class_scores(found: HeldOut, reported: Sequence[str]) -> list[ClassScore]:
    """Scores by class and figure; a figure that no row of a class states has none."""
    scores = []
    for group in reported:
        column = found.table.groups[group]
        for name in np.unique(column):
            scores += [
                score
                for figure in found.printed
                if (score := _class_score(found, group, str(name), figure)) is not None
            ]
    return scores


def _class_score(found: HeldOut, group: str, name: str, figure: str) -> ClassScore | None:
    stated = ~np.isnan(found.printed[figure])
    mask = (found.table.groups[group] == name) & stated
    if not mask.any():
        return None
    units = found.table.units[mask]
    near = found.near[figure][mask]
    return ClassScore(
        group=group,
        name=name,
        figure=figure,
        rows=int(mask.sum()),
        units=len(np.unique(units)),
        printed=_median_of_units(found.printed[figure][mask], units),
        near=_median_of_units(near, units),
        loose=_median_of_units(found.loose[figure][mask], units),
        inside=inside_of_others(near, units),
    )


def _median_of_units(errors: Array, units: npt.NDArray[np.str_]) -> float:
    sizes = 100.0 * np.abs(np.expm1(errors))
    return float(np.median([np.median(sizes[units == unit]) for unit in np.unique(units)]))


def inside_of_others(errors: Array, units: npt.NDArray[np.str_]) -> float | None:
    """Per cent of rows inside the 5-95 % range of the rows of all other units."""
    names = np.unique(units)
    if len(names) < 2:
        return None
    inside = 0
    for unit in names:
        low, high = np.percentile(errors[units != unit], (LOW_END, HIGH_END))
        own = errors[units == unit]
        inside += int(((own >= low) & (own <= high)).sum())
    return 100.0 * inside / len(errors)
