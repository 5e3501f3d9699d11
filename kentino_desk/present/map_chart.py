"""The decision map as numbers: which answer stands at which pair of inputs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kentino_desk.decision.decision_map import COARSE, FINE, LINEAR, map_of
from kentino_desk.decision.decision_map import Region as MapRegion
from kentino_desk.decision.points import typed
from kentino_desk.domain.choices import Outcome
from kentino_desk.domain.workload_fields import FIELD_BY_KEY
from kentino_desk.present.charts import Axis, MapChart, Region
from kentino_desk.present.field_words import FIELD_NAMES
from kentino_desk.present.language import later, text
from kentino_desk.present.map_picture import DOTS, picture, scaled
from kentino_desk.present.numbers import numbers
from kentino_desk.present.terms import build_with_fabric

if TYPE_CHECKING:
    from kentino_desk.decision.decision_map import DecisionMap
    from kentino_desk.decision.results import Assessment
    from kentino_desk.domain.candidate import Build
    from kentino_desk.present.language import Text

NO_ANSWER = 6
"""Fill of the cells where nothing is proposed."""
_TICKS_MOST = 8
_TWIN_MOST = 8
STEPS = (COARSE, FINE)
"""Cells of the pictures of one map, the quickest first."""

_LAST = 10**9
_SEVERAL = 10**6
_NODES_APART = 4
"""From so many nodes on, their number is not told apart by colour."""

REPLICAS = later("replicas")
_SEVERAL_WORDS = {
    Outcome.REPLICAS: REPLICAS,
    Outcome.DATA_PARALLEL: later("data parallel"),
    Outcome.CLUSTER_IB: later("cluster"),
    Outcome.REARCHITECT: later("re-architect"),
    Outcome.ONE_NODE: later("partner platform"),
}
NOTHING = later("nothing fits")
CLASS_LABELS = (
    later("1 or 2 GPUs"),
    later("4 GPUs"),
    later("8 GPUs"),
    later("2 nodes"),
    later("3 nodes"),
    later("4 nodes or more"),
    NOTHING,
)
"""Names of the fills."""
REFUSED = later("no such workload")
FRONTIER = later("frontier: partner platforms")


class _Group(NamedTuple):
    """A region of the picture: its place in the order, and what its answers share."""

    order: int
    outcome: Outcome | None
    build_id: str
    nodes: int


def draw_map(assessment: Assessment, axes: tuple[str, str], step: int) -> MapChart:
    """The map of a workload over two inputs, in the language of the screen.

    ``step`` counts the pictures of one map, each closer than the one before (``STEPS``).

    Raises:
        InputError: an axis is no number of the workload.
    """
    drawn = map_of(assessment, axes, STEPS[step])
    assert drawn is not None, "nobody stops it"
    return map_chart(drawn, assessment, "en")


def map_chart(drawn: DecisionMap, assessment: Assessment, language: str) -> MapChart:
    """The map in words, with the verdict of the assessment at the customer's point."""
    words = text(language)
    x = _axis(drawn.x_key, drawn.x, language)
    y = _axis(drawn.y_key, drawn.y, language)
    dots = picture(drawn, x_is_log=x.is_log, y_is_log=y.is_log)
    # One answer of each group stands for its name: of several nodes that is their number.
    groups = {_group(item.outcome, item.build): item for item in drawn.regions}
    found = sorted(groups, key=lambda item: (item.order, str(item.outcome), item.build_id))
    places = {group: place for place, group in enumerate(found)}
    place_of = np.array([places[_group(item.outcome, item.build)] for item in drawn.regions])
    at = _shown(drawn.y_key, drawn.here[1], language)
    chart = MapChart(
        title="",
        x=x,
        y=y,
        cells=_rows(place_of[dots]),
        regions=tuple(
            Region(label=_group_label(groups[group], words), fill=_fill(group)) for group in found
        ),
        class_labels=tuple(words.gettext(word) for word in CLASS_LABELS),
        exact=_rows(dots),
        answers=tuple(_label(item.outcome, item.build, words) for item in drawn.regions),
        point=_inside(drawn),
        point_text=f"{_shown(drawn.x_key, drawn.here[0], language)}, {at}",
        twin=_twin(drawn, language),
    )
    chosen = assessment.verdict.chosen
    build = chosen.candidate.build if chosen else None
    here = places.get(_group(assessment.verdict.outcome, build))
    return replace(chart, title=_title(chart, here, at, words))


def _rows(cells: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in cells.tolist())


def _group(outcome: Outcome | None, build: Build | None) -> _Group:
    """Answers that look alike on the map: one node by build, several by their number."""
    if build is None:
        return _Group(_LAST, outcome, "", 0)
    if build.nodes == 1:
        return _Group(build.gpus, outcome, build.id, 1)
    nodes = min(build.nodes, _NODES_APART)
    return _Group(_SEVERAL * nodes, outcome, "", nodes)


def _fill(group: _Group) -> int:
    """One node by its cards, then two, three, and more nodes."""
    if group.order == _LAST:
        return NO_ANSWER
    if group.nodes > 1:
        return group.nodes + 1
    return next(fill for fill, cards in enumerate((2, 4, _LAST)) if group.order <= cards)


def _group_label(item: MapRegion, words: Text) -> str:
    build = item.build
    if build is None or build.nodes == 1:
        return _label(item.outcome, build, words)
    kind = words.gettext(_SEVERAL_WORDS.get(item.outcome or Outcome.REPLICAS, REPLICAS))
    if build.nodes >= _NODES_APART:
        return words.gettext("{kind}, {count} nodes or more", kind=kind, count=_NODES_APART)
    return words.gettext("{kind}, {count} nodes", kind=kind, count=build.nodes)


def _label(outcome: Outcome | None, build: Build | None, words: Text) -> str:
    if build is not None:
        return build_with_fabric(build, words)
    if outcome is Outcome.FRONTIER:
        return words.gettext(FRONTIER)
    return words.gettext(REFUSED if outcome is None else NOTHING)


def _inside(drawn: DecisionMap) -> tuple[float, float] | None:
    x, y = drawn.here
    inside = drawn.x[0] <= x <= drawn.x[-1] and drawn.y[0] <= y <= drawn.y[-1]
    return drawn.here if inside else None


def _axis(key: str, values: tuple[float, ...], language: str) -> Axis:
    low, high = values[0], values[-1]
    is_log = low > 0 and key not in LINEAR
    words = text(language)
    name = words.gettext(FIELD_NAMES[key])
    ticks = _log_ticks(low, high) if is_log else _even_ticks(low, high)
    between = np.linspace(scaled(low, is_log=is_log), scaled(high, is_log=is_log), DOTS)
    dots = tuple((np.exp(between) if is_log else between).tolist())
    return Axis(
        label=words.gettext("{name} (log scale)", name=name) if is_log else name,
        low=low,
        high=high,
        values=dots,
        shown=tuple(_shown(key, typed(key, value), language) for value in dots),
        ticks=tuple((tick, _number(key, tick, language)) for tick in ticks),
        is_log=is_log,
    )


def _log_ticks(low: float, high: float) -> tuple[float, ...]:
    """Powers of two, or of ten where those of two would be too many."""
    for base in (2.0, 4.0, 10.0, 100.0, 1_000.0):
        first, last = math.ceil(_log(low, base)), math.floor(_log(high, base))
        if 2 <= last - first + 1 <= _TICKS_MOST:
            return tuple(base**power for power in range(first, last + 1))
    return (low, high)


def _log(value: float, base: float) -> float:
    return round(math.log(value, base), 9)


def _even_ticks(low: float, high: float) -> tuple[float, ...]:
    """Round steps of 1, 2 or 5."""
    raw = (high - low) / (_TICKS_MOST - 1) or 1.0
    size = 10.0 ** math.floor(math.log10(raw))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= raw)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(round(step * count, 12) for count in range(first, last + 1))


def _number(key: str, value: float, language: str) -> str:
    share = FIELD_BY_KEY[key].unit == "share"
    return numbers(language).exact(round(100 * value if share else value, 3))


def _shown(key: str, value: float, language: str) -> str:
    unit = FIELD_BY_KEY[key].unit
    number = _number(key, value, language)
    return f"{number}\u00a0{'%' if unit == 'share' else unit}".rstrip("\u00a0")


def _title(chart: MapChart, here: int | None, at: str, words: Text) -> str:
    """How far the answer at the customer's point reaches along the lower axis.

    ``here`` is the region of the verdict itself: a cell on a line may hold its neighbour's.
    """
    x, y = chart.x, chart.y
    if chart.point is None or here is None:
        return words.gettext("The customer's own values lie outside this map")
    row = _nearest(y.values, chart.point[1], is_log=y.is_log)
    column = _nearest(x.values, chart.point[0], is_log=x.is_log)
    line, label = chart.cells[row], chart.regions[here].label
    if line[column] != here:
        return words.gettext("{build}, close to a line, at {at}", build=label, at=at)
    first = last = column
    while first > 0 and line[first - 1] == here:
        first -= 1
    while last < len(line) - 1 and line[last + 1] == here:
        last += 1
    low, high = x.shown[first], x.shown[last]
    if first == 0 and last == len(line) - 1:
        return words.gettext("{build} at all of these values, at {at}", build=label, at=at)
    if first == 0:
        return words.gettext("{build} up to about {high}, at {at}", build=label, high=high, at=at)
    if last == len(line) - 1:
        return words.gettext("{build} from about {low}, at {at}", build=label, low=low, at=at)
    return words.gettext(
        "{build} from about {low} to {high}, at {at}", build=label, low=low, high=high, at=at
    )


def _nearest(values: tuple[float, ...], wanted: float, *, is_log: bool) -> int:
    def distance(place: int) -> float:
        value = values[place]
        return abs(math.log(value / wanted)) if is_log else abs(value - wanted)

    return min(range(len(values)), key=distance)


def _twin(drawn: DecisionMap, language: str) -> tuple[tuple[str, ...], ...]:
    """Some rows and columns of the map, the ends among them; the largest y first."""
    words = text(language)
    columns, rows = _some(len(drawn.x)), _some(len(drawn.y))
    head = ("", *(_shown(drawn.x_key, drawn.x[column], language) for column in columns))
    lines = []
    for row in reversed(rows):
        items = [drawn.regions[int(drawn.cells[row][column])] for column in columns]
        answers = (_label(item.outcome, item.build, words) for item in items)
        lines.append((_shown(drawn.y_key, drawn.y[row], language), *answers))
    return (head, *lines)


def _some(count: int) -> list[int]:
    steps = min(count, _TWIN_MOST)
    return sorted({round(place * (count - 1) / max(steps - 1, 1)) for place in range(steps)})
