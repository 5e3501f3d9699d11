"""The cells of a comparison: words, the best of a row, and differences against the first build."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from kentino_desk.present.compare_rows import MORE
from kentino_desk.present.compare_views import CompareCell
from kentino_desk.present.counted import counted
from kentino_desk.present.language import text
from kentino_desk.present.load_words import wish_for
from kentino_desk.present.numbers import numbers
from kentino_desk.present.views import Tone

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.present.compare_rows import RowSpec, Value

ALIKE = 5e-3
"""Relative difference up to which two values count as the same."""


def row_name(assessment: Assessment, spec: RowSpec, language: str) -> str:
    """Name of a row, with the target where there is one."""
    words = text(language)
    name = words.gettext(spec.name)
    wish = wish_for(assessment.workload, spec.wish) if spec.wish else None
    if wish is None:
        return name
    return words.gettext(
        "{name}, want {wish}", name=name, wish=counted(wish.value, wish.unit, language)
    )


@dataclass(frozen=True, slots=True)
class Said:
    """What one row says of one build: its words and the number behind them."""

    text: str
    value: float | None


Memo = dict[tuple[int, str], Said]
"""What was said of the builds of one assessment, by row of the build and name of the row."""


def said_of(
    assessment: Assessment, spec: RowSpec, result: CandidateResult, language: str, memo: Memo
) -> Said:
    """Words and number of one cell, from the memo where they were said before."""
    key = (result.row, spec.name)
    if key not in memo:
        value = _finite(spec.value, assessment, result)
        memo[key] = Said(spec.say(assessment, result, language), value)
    return memo[key]


def row_cells(
    assessment: Assessment,
    spec: RowSpec,
    results: tuple[CandidateResult, ...],
    said: tuple[Said, ...],
    language: str,
) -> tuple[CompareCell, ...]:
    """Cells of one row; the best is marked where the builds differ."""
    values = [item.value for item in said]
    best = _best(values, spec.better)
    return tuple(
        CompareCell(
            text=item.text,
            best=best is not None and item.value is not None and _alike(item.value, best),
            tone=_tone(assessment, spec, item.value),
            difference=(
                _difference(item.value, values[0], language) if spec.shows_difference else ""
            ),
            grade=result.grade if spec.shows_grade else None,
        )
        for result, item in zip(results, said, strict=True)
    )


def spread(spec: RowSpec, said: tuple[Said, ...], language: str) -> str:
    """Smallest to largest difference against the first build."""
    base = said[0].value
    if spec.value is None or spec.shows_grade or not base:
        return ""
    shares = sorted(item.value / base - 1.0 for item in said[1:] if item.value is not None)
    if not shares:
        return ""
    low, high = _percent(shares[0], language), _percent(shares[-1], language)
    if low == high:
        return low if abs(shares[0]) > ALIKE else ""
    return text(language).gettext("{low} to {high}", low=low, high=high)


def _finite(find: Value | None, assessment: Assessment, result: CandidateResult) -> float | None:
    value = find(assessment, result) if find else None
    return value if value is not None and isfinite(value) else None


def _best(values: list[float | None], better: int) -> float | None:
    known = [value for value in values if value is not None]
    if not better or len(known) < 2 or _alike(min(known), max(known)):
        return None
    return max(known) if better == MORE else min(known)


def _alike(first: float, second: float) -> bool:
    return abs(first - second) <= ALIKE * max(abs(first), abs(second))


def _tone(assessment: Assessment, spec: RowSpec, value: float | None) -> Tone:
    wish = wish_for(assessment.workload, spec.wish) if spec.wish else None
    if wish is None or value is None:
        return Tone.PLAIN
    met = value >= wish.value if wish.at_least else value <= wish.value
    return Tone.PLAIN if met else Tone.BAD


def _difference(value: float | None, base: float | None, language: str) -> str:
    if value is None or not base or _alike(value, base):
        return ""
    return _percent(value / base - 1.0, language)


def _percent(share: float, language: str) -> str:
    shown = numbers(language).percent(share)
    return f"+{shown}" if share > 0 else shown
