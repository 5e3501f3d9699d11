"""Charts as numbers: series, limits, labels, a title sentence and a text twin; painters add ink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from collections.abc import Callable

Cells = tuple[str, ...]


class LaterRows(Sequence[Cells]):
    """Rows of a text twin that are made when somebody reads them, not at each key."""

    def __init__(self, make: Callable[[], tuple[Cells, ...]]) -> None:
        self._make = make

    @cached_property
    def _rows(self) -> tuple[Cells, ...]:
        return self._make()

    @overload
    def __getitem__(self, index: int) -> Cells: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Cells, ...]: ...

    def __getitem__(self, index: int | slice) -> Cells | tuple[Cells, ...]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Sequence) and self._rows == tuple(other))

    def __hash__(self) -> int:
        return hash(self._rows)


class Dash(StrEnum):
    """Line style: solid is the default, the others carry meaning (design section 4)."""

    SOLID = "solid"
    PARTNER = "6-4"
    VARIANT = "2-3"


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One part of a stacked bar.

    ``key`` picks the colour: weights, kv, activations, overhead, free; for training also
    gradients and optimizer.
    """

    key: str
    label: str
    value: float
    text: str
    """The value as printed; the printed parts add up to the printed total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One GPU; ``group`` is the copy it belongs to."""

    label: str
    group: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChart:
    """Memory of each GPU against the card's real capacity, with the band for the weights."""

    title: str
    unit: str
    bars: tuple[Bar, ...]
    capacity: float
    capacity_text: str
    band_low: float
    band_high: float
    band_text: str
    group_word: str
    twin: tuple[tuple[str, ...], ...]
    """The same as a table, header first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a chart; ``series`` is 0 for black and 1-6 for the series colours."""

    key: str
    label: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    series: int
    dash: Dash = Dash.SOLID


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A hollow diamond: a figure of the seller, never ours."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EfficiencyChart:
    """Throughput per GPU against one GPU, per cent, over 1 to 64 GPUs on a log2 axis."""

    title: str
    unit: str
    x_label: str
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    mark_word: str
    limit: float
    limit_text: str
    twin: Sequence[Cells] = field(compare=False)
    """Made when it is read, so two charts are compared without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostPoint:
    """One build: cost in the unit of the axis, tokens per second, series colour."""

    id: str
    label: str
    cost: float
    rate: float
    chosen: bool
    series: int
    on_frontier: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CostChart:
    """Cost against throughput; ``frontier`` joins the builds that no cheaper one outruns."""

    title: str
    unit: str
    x_label: str
    frontier_word: str
    points: tuple[CostPoint, ...]
    frontier: tuple[tuple[float, float], ...]
    twin: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Cells of one answer on the map; ``fill`` is 0 for the smallest build, 6 for no answer."""

    label: str
    fill: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One axis of the map: the middles of its cells, ascending, and marks at round values."""

    label: str
    low: float
    high: float
    """Outer edges."""
    values: tuple[float, ...]
    shown: tuple[str, ...]
    """Each value as words with its unit."""
    ticks: tuple[tuple[float, str], ...]
    is_log: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MapChart:
    """The verdict over two inputs, a row of cells for each y.

    ``cells`` hold the place of a region, ``exact`` that of an answer: what is proposed there.
    """

    title: str
    x: Axis
    y: Axis
    cells: tuple[tuple[int, ...], ...]
    regions: tuple[Region, ...]
    class_labels: tuple[str, ...]
    """Names of the fills, for regions too small for a name of their own."""
    exact: tuple[tuple[int, ...], ...]
    answers: tuple[str, ...]
    point: tuple[float, float] | None
    """The customer's own values, where the map reaches them."""
    point_text: str
    twin: tuple[tuple[str, ...], ...]
