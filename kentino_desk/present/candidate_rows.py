"""Candidates as cards of the strip and rows of the table."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import merit_key, value_of
from kentino_desk.present.miss_words import miss_sentence
from kentino_desk.present.numbers import NOTHING, numbers
from kentino_desk.present.terms import (
    build_with_fabric,
    copies,
    format_names,
    grade_word,
    layout_name,
)
from kentino_desk.present.verdict_words import power
from kentino_desk.present.views import CandidateView, Tone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment, CandidateResult

MERIT_UNITS: Mapping[str, str] = MappingProxyType(
    {
        "tokens_per_s_per_user": later("tok/s per user"),
        "tokens_per_s_total": later("tok/s in all"),
        "train_days": later("days"),
    }
)
RECOMMENDED = later("Recommended")
PASSES = later("Passes; the recommended build costs less")
PASSES_TIGHTER = later("Passes at another format or layout")
PARTNER = later("Partner platform, {ratio} × the price")
PARTNER_ALONE = later("Partner platform, not our own build")


def candidate_views(assessment: Assessment, language: str) -> tuple[CandidateView, ...]:
    """The best layout of each build, best first."""
    return tuple(
        candidate_view(assessment, result, language) for result in assessment.best_per_build
    )


def candidate_view(assessment: Assessment, result: CandidateResult, language: str) -> CandidateView:
    """One candidate in words."""
    words, shown = text(language), numbers(language)
    candidate = result.candidate
    serving = assessment.workload.kind.is_serving
    reason, tone = _reason(assessment, result, language)
    key = merit_key(assessment.workload)
    return CandidateView(
        id=candidate.id,
        row=result.row,
        name=build_with_fabric(candidate.build, words),
        layout=_layout(result, language, serving=serving),
        formats=format_names(candidate, words, serving=serving),
        grade=result.grade,
        grade_word=grade_word(result, words),
        figure=shown.value(value_of(result, key), _merit_unit(key)),
        figure_unit=words.gettext(MERIT_UNITS[key]),
        users=shown.whole(value_of(result, "users_held")) if serving else NOTHING,
        ttft=shown.figure(value_of(result, "ttft_s"), "s"),
        total=shown.figure(value_of(result, "tokens_per_s_total"), "tok/s"),
        efficiency=shown.figure(value_of(result, "efficiency"), "share"),
        power=power(value_of(result, "power_max_w"), language),
        price=shown.rounded_money(result.price) if result.price else NOTHING,
        reason=reason,
        reason_tone=tone,
        chosen=_is_chosen(assessment, result),
        partner=candidate.build.is_partner,
        passes=result.passes,
    )


def _merit_unit(key: str) -> str:
    return "days" if key == "train_days" else "tok/s"


def _layout(result: CandidateResult, language: str, *, serving: bool) -> str:
    layout = layout_name(result.candidate)
    if not serving:
        return layout
    words = text(language)
    return words.gettext(
        "{layout}, {replicas}", layout=layout, replicas=copies(result.candidate, words)
    )


def _is_chosen(assessment: Assessment, result: CandidateResult) -> bool:
    chosen = assessment.verdict.chosen
    return chosen is not None and chosen.row == result.row


def _reason(assessment: Assessment, result: CandidateResult, language: str) -> tuple[str, Tone]:
    words = text(language)
    if _is_chosen(assessment, result):
        return words.gettext(RECOMMENDED), Tone.GOOD
    if result.misses:
        return miss_sentence(assessment, result, language), Tone.BAD
    if result.candidate.build.is_partner:
        return _partner_reason(assessment, result, language), Tone.MUTED
    chosen = assessment.verdict.chosen
    cheaper = bool(chosen and chosen.price and result.price and chosen.price < result.price)
    return words.gettext(PASSES if cheaper else PASSES_TIGHTER), Tone.MUTED


def _partner_reason(assessment: Assessment, result: CandidateResult, language: str) -> str:
    chosen, words = assessment.verdict.chosen, text(language)
    if chosen is None or not chosen.price or not result.price or not chosen.price.amount:
        return words.gettext(PARTNER_ALONE)
    ratio = result.price.amount / chosen.price.amount
    return words.gettext(PARTNER, ratio=numbers(language).plain(ratio, 1))
