"""The seller's two scaling figures in words, beside what was computed for the same cards."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.decision.layouts import CLUSTER_FABRIC
from kentino_desk.decision.scaling import LAYOUT_LABELS, AgainstGate
from kentino_desk.decision.seller_scaling import seller_figures
from kentino_desk.domain.choices import Fabric
from kentino_desk.present.language import later, text
from kentino_desk.present.numbers import numbers
from kentino_desk.present.terms import FABRIC_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.decision.seller_scaling import BesideOurs, Condition, SellerFigure

HOLDS_WORDS: Mapping[AgainstGate, str] = MappingProxyType(
    {
        AgainstGate.HOLDS: later("yes"),
        AgainstGate.MEASURE: later("measure first"),
        AgainstGate.BELOW: later("no"),
    }
)
LEVER_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "batch_tokens": later("{least} tokens per GPU and micro-batch; here {has}"),
        "micro_batches": later("{least} micro-batches in a step; here {has}"),
        "bus": later("{least} GB/s between the cards; here {has}"),
    }
)


def seller_rows(
    assessment: Assessment, result: CandidateResult, language: str
) -> tuple[tuple[str, ...], ...]:
    """Rows of figure, layout, our range, whether it holds, and the least that makes it hold."""
    return tuple(
        row for figure in seller_figures(assessment, result) for row in _rows(figure, language)
    )


def _rows(figure: SellerFigure, language: str) -> list[tuple[str, ...]]:
    """One row a layout; between nodes over the network of the clusters that are offered."""
    shown = numbers(language)
    name = f"{shown.plain(figure.value, 2)} ({figure.claim})"
    return [
        (name, _layout(item, figure, language), *_ours(item, language))
        for item in figure.ours
        if item.scaled.point.fabric in {Fabric.NONE, CLUSTER_FABRIC}
    ]


def _layout(item: BesideOurs, figure: SellerFigure, language: str) -> str:
    point = item.scaled.point
    words = f"{LAYOUT_LABELS[point.layout]}, {figure.nodes}\u00a0×\u00a0{point.cards_per_node}"
    if point.fabric is Fabric.NONE:
        return words
    return f"{words}, {text(language).gettext(FABRIC_WORDS[point.fabric])}"


def _ours(item: BesideOurs, language: str) -> tuple[str, str, str]:
    shown, found = numbers(language), item.scaled
    low, best, high = (shown.plain(value, 2) for value in (found.low, found.best, found.high))
    holds = text(language).gettext(HOLDS_WORDS[item.holds])
    return f"{best} ({low}–{high})", holds, _condition(item.condition, language)


def _condition(condition: Condition | None, language: str) -> str:
    words, shown = text(language), numbers(language)
    if condition is None or condition.least is None:
        return words.gettext("not by one setting alone")
    least, has = shown.whole(_rounded_up(condition.least)), shown.whole(condition.has)
    return words.gettext(LEVER_WORDS[condition.lever.key], least=least, has=has)


def _rounded_up(value: float) -> int:
    """Three digits say all that a best estimate knows; downwards it would not hold."""
    step = 10.0 ** max(math.floor(math.log10(max(value, 1.0))) - 2, 0)
    return math.ceil(value / step) * int(step)
