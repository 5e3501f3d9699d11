"""The verdict over two numbers of a workload: cells of a grid, each as that point's own verdict.

A coarse grid comes first. The fine grid keeps every point of the coarse one and asks about all
others, so no cell is guessed from its neighbours. A boundary between two cells that differ is then
narrowed by halves until it is a small part of a cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.flips import LIGHT, flip_keys, present_value
from kentino_desk.decision.known_borders import KnownBorders
from kentino_desk.decision.points import points_of
from kentino_desk.decision.sweep import verdicts_of
from kentino_desk.decision.tally import REFUSED, Asked
from kentino_desk.domain.choices import Kind
from kentino_desk.domain.errors import InputError
from kentino_desk.domain.workload_fields import FIELD_BY_KEY

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.decision.results import Assessment
    from kentino_desk.domain.candidate import Build
    from kentino_desk.domain.choices import Outcome
    from kentino_desk.domain.workload import Workload

FINE, COARSE = 48, 12
SPAN = 12.0
"""An axis goes from the present value divided by this to the value times this."""
LINEAR = frozenset({"serving.prompt_reuse", "serving.growth", "serving.utilisation",
                    "training.availability"})  # fmt: skip
HALVINGS, HEAVY_HALVINGS = 3, 1
"""Halvings of a boundary: to an eighth of a cell, to half of one across an axis that costs more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A verdict that cells share; ``build`` is None where nothing is proposed."""

    outcome: Outcome | None
    build: Build | None
    nodes: int
    replicas: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Boundary:
    """A side between two neighbouring cells that differ, where it lies between their centres.

    ``across`` is "x" where the cells stand side by side; ``row`` and ``column`` are those of the
    first cell; ``at`` is the value of that axis.
    """

    across: str
    row: int
    column: int
    at: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecisionMap:
    """Verdicts of a grid.

    Attributes:
        x_key, y_key: dotted keys of the axes.
        x, y: values of the columns and of the rows.
        regions: the different verdicts, smallest build first.
        cells: place of each cell's region, shape (rows, columns).
        boundaries: where neighbouring cells differ.
        here: the present values of both axes.
    """

    x_key: str
    y_key: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    regions: tuple[Region, ...]
    cells: Any
    boundaries: tuple[Boundary, ...]
    here: tuple[float, float]


def default_axes(workload: Workload) -> tuple[str, str]:
    """The axes that a kind of work is first looked at with."""
    if workload.kind is Kind.CHAT:
        users = workload.serving.demand_value is None
        load = "serving.concurrent_users" if users else "serving.demand_value"
        return load, "serving.context_tokens"
    if workload.kind is Kind.BATCH:
        timed = workload.batch.deadline_days is not None
        return "batch.output_tokens_total", "batch.deadline_days" if timed else "batch.input_tokens"
    timed = workload.training.deadline_days is not None
    second = "training.deadline_days" if timed else "training.sequence_length"
    return "training.tokens", second


def axis_values(assessment: Assessment, key: str, count: int) -> Any:
    """Values of an axis around the present one, whole where the field is; without repeats."""
    keys = flip_keys(assessment.workload)
    now = present_value(assessment.workload, key) if key in keys else None
    if now is None:
        raise InputError("--map", key, "is no number of this workload", ", ".join(keys))
    spec = FIELD_BY_KEY[key]
    least, most = float(spec.low or 0.0), float(spec.high or np.inf)
    if key == "serving.context_tokens" and assessment.model.max_context:
        most = min(most, float(assessment.model.max_context))
    if key in LINEAR or now <= 0:
        values = np.linspace(least, min(most, max(2.0 * now, 1.0)), count)
    else:
        low, high = max(now / SPAN, least), min(now * SPAN, most)
        values = np.geomspace(low, max(high, low), count)
    return np.unique(np.round(values) if spec.kind == "int" else values)


def map_of(
    assessment: Assessment, axes: tuple[str, str] | None = None, count: int = FINE,
    stopped: Callable[[], bool] = lambda: False,
) -> DecisionMap | None:  # fmt: skip
    """The map of a workload; None when it was stopped.

    Args:
        assessment: the workload with its verdict.
        axes: dotted keys of the two numbers, the defaults of its kind where absent.
        count: cells of each axis.
        stopped: asked between passes.

    Raises:
        InputError: an axis is no number of the workload.
    """
    x_key, y_key = axes or default_axes(assessment.workload)
    if x_key == y_key:
        raise InputError("--map", x_key, "stands on both axes", "two different numbers")
    x, y = (axis_values(assessment, key, count) for key in (x_key, y_key))
    look = _Look(assessment, (x_key, y_key))
    rows, columns = np.indices((len(y), len(x))).reshape(2, -1)
    cells = look.regions(x[columns], y[rows]).reshape(len(y), len(x))
    boundaries: tuple[Boundary, ...] = ()
    if not stopped() and count > COARSE:
        boundaries = _boundaries(look, cells, x, y)
    if stopped():
        return None
    order = look.order()
    now = [present_value(assessment.workload, key) or 0.0 for key in (x_key, y_key)]
    return DecisionMap(
        x_key=x_key, y_key=y_key, x=tuple(x.tolist()), y=tuple(y.tolist()),
        regions=tuple(look.seen[place] for place in order),
        cells=np.argsort(order)[cells], boundaries=boundaries, here=(now[0], now[1]),
    )  # fmt: skip


class _Look:
    """Sweeps over two numbers; numbers the verdicts as they appear."""

    def __init__(self, assessment: Assessment, keys: tuple[str, str]) -> None:
        self._assessment, self.keys = assessment, keys
        self.seen: list[Region] = []
        self._places: dict[int, int] = {}
        self._gpus: list[float] = []
        self._asked = Asked(known=KnownBorders())

    def regions(self, x: Any, y: Any) -> Any:
        """Region of each point."""
        if not len(x):
            return np.zeros(0, dtype=int)
        varied = dict(zip(self.keys, (x, y), strict=True))
        points = points_of(self._assessment.inputs, self._assessment.snapshot, varied)
        verdicts = verdicts_of(points, self._assessment.snapshot, self._asked)
        codes, first, place = np.unique(verdicts.codes, return_index=True, return_inverse=True)
        for code, at in zip(codes.tolist(), first.tolist(), strict=True):
            if code in self._places:
                continue
            candidate = verdicts.candidate(at)
            self._places[code] = len(self.seen)
            refused = int(verdicts.outcomes[at]) == REFUSED
            gpus = candidate.build.gpus if candidate else np.inf
            self._gpus.append(np.inf if refused else gpus)
            self.seen.append(
                Region(
                    outcome=verdicts.outcome(at), build=candidate.build if candidate else None,
                    nodes=int(verdicts.nodes[at]), replicas=int(verdicts.replicas[at]),
                )
            )  # fmt: skip
        places = np.array([self._places[code] for code in codes.tolist()])
        return places[place.ravel()]

    def order(self) -> list[int]:
        """Places of the regions by nodes and GPUs, those without a build last."""
        return sorted(
            range(len(self.seen)),
            key=lambda at: (self.seen[at].nodes or 10**6, self._gpus[at], _id(self.seen[at].build)),
        )


def _id(build: Build | None) -> str:
    return build.id if build else ""


def _boundaries(look: _Look, cells: Any, x: Any, y: Any) -> tuple[Boundary, ...]:
    """Sides between cells that differ, narrowed by halves on the engine."""
    sides = [
        ("x", *np.nonzero(cells[:, 1:] != cells[:, :-1])),
        ("y", *np.nonzero(cells[1:] != cells[:-1])),
    ]
    across = np.concatenate([np.full(len(rows), name) for name, rows, _ in sides])
    rows = np.concatenate([rows for _, rows, _ in sides])
    columns = np.concatenate([columns for _, _, columns in sides])
    if not len(rows):
        return ()
    flat = across == "x"
    low = np.where(flat, x[columns], y[rows])
    high = np.where(
        flat, x[np.minimum(columns + 1, len(x) - 1)], y[np.minimum(rows + 1, len(y) - 1)]
    )
    first = cells[rows, columns]
    whole = [FIELD_BY_KEY[key].kind == "int" for key in look.keys]
    rounds = np.where(flat, whole[0], whole[1])
    light = np.where(flat, *(key in LIGHT for key in look.keys))
    for turn in range(HALVINGS):
        asked = np.flatnonzero(light | (turn < HEAVY_HALVINGS))
        middle = (low[asked] + high[asked]) / 2.0
        middle = np.where(rounds[asked], np.round(middle), middle)
        side = flat[asked]
        found = look.regions(
            np.where(side, middle, x[columns[asked]]), np.where(side, y[rows[asked]], middle)
        )
        same = found == first[asked]
        low[asked] = np.where(same, middle, low[asked])
        high[asked] = np.where(same, high[asked], middle)
    return tuple(
        Boundary(across=str(name), row=int(row), column=int(column), at=float(at))
        for name, row, column, at in zip(across, rows, columns, (low + high) / 2.0, strict=True)
    )
