"""Cost against throughput of the compared builds, with the efficient frontier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.present.charts import CostChart, CostPoint
from kentino_desk.present.compare import compared
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import value_of
from kentino_desk.present.numbers import numbers
from kentino_desk.present.terms import build_name

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment, CandidateResult

THOUSAND = 1_000.0
TITLE = later("Cost: {count} of {all} on the frontier")


def cost_chart(assessment: Assessment, pins: tuple[str, ...], language: str) -> CostChart | None:
    """The scatter; None where fewer than two of the builds have a price and a speed."""
    chosen = assessment.verdict.chosen
    placed = [(item, *at) for item in compared(assessment, pins) if (at := _place(item))]
    if len(placed) < 2:
        return None
    words, shown = text(language), numbers(language)
    frontier = efficient([(cost, rate) for _, cost, rate in placed])
    points = _points(chosen, placed, frontier)
    currency = shown.currency(assessment.snapshot.price_list.currency)
    return CostChart(
        title=words.gettext(
            TITLE, count=sum(point.on_frontier for point in points), all=len(points)
        ),
        unit=words.gettext("all users, tok/s")
        if assessment.workload.kind.is_serving
        else words.gettext("tok/s"),
        x_label=words.gettext("price, thousand {currency}", currency=currency),
        frontier_word=words.gettext("dashed: no cheaper build is faster"),
        points=points,
        frontier=tuple((cost / THOUSAND, rate) for cost, rate in sorted(frontier)),
        twin=_twin(points, language),
    )


def _points(
    chosen: CandidateResult | None,
    placed: list[tuple[CandidateResult, float, float]],
    frontier: set[tuple[float, float]],
) -> tuple[CostPoint, ...]:
    return tuple(
        CostPoint(
            id=item.candidate.id,
            label=_short(item),
            cost=cost / THOUSAND,
            rate=rate,
            chosen=item is chosen,
            series=1 if item is chosen else 2 + place % 5,
            on_frontier=(cost, rate) in frontier,
        )
        for place, (item, cost, rate) in enumerate(placed)
    )


def _twin(points: tuple[CostPoint, ...], language: str) -> tuple[tuple[str, ...], ...]:
    """The chart as a table, the head first."""
    words, shown = text(language), numbers(language)
    head = (later("Build"), later("Price"), later("tok/s"), later("Frontier"))
    rows = (
        (
            point.label,
            shown.plain(point.cost, 1),
            shown.value(point.rate, "tok/s"),
            words.gettext("yes") if point.on_frontier else words.gettext("no"),
        )
        for point in points
    )
    return (tuple(words.gettext(word) for word in head), *rows)


def efficient(places: list[tuple[float, float]]) -> set[tuple[float, float]]:
    """Places than which none is cheaper and at least as fast, or as cheap and faster.

    Example:
        >>> sorted(efficient([(1.0, 5.0), (2.0, 4.0), (3.0, 9.0)]))
        [(1.0, 5.0), (3.0, 9.0)]
    """
    return {
        (cost, rate)
        for cost, rate in places
        if not any(
            (other <= cost and speed >= rate) and (other, speed) != (cost, rate)
            for other, speed in places
        )
    }


_UNSAID = ("RTX ", " Server", " Workstation")


def _short(result: CandidateResult) -> str:
    """A build in few letters, for a name beside a dot."""
    name = build_name(result.candidate.build)
    for words in _UNSAID:
        name = name.replace(words, "")
    return name


def _place(result: CandidateResult) -> tuple[float, float] | None:
    rate = value_of(result, "tokens_per_s_total")
    if result.price is None or rate is None:
        return None
    return float(result.price.amount), rate
