"""Candidates as cards of the strip and rows of the table."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Fabric, Outcome
from kentino_desk.engine import policy
from kentino_desk.present.counted import counted, measured, power
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import merit_key, value_of
from kentino_desk.present.miss_words import miss_sentence
from kentino_desk.present.numbers import NOTHING, numbers
from kentino_desk.present.terms import (
    build_name,
    build_with_fabric,
    copies,
    format_names,
    grade_word,
    layout_name,
)
from kentino_desk.present.views import CandidateView, Tone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.present.language import Text

MERIT_UNITS: Mapping[str, str] = MappingProxyType(
    {
        "tokens_per_s_per_user": later("tok/s per user"),
        "tokens_per_s_total": later("tok/s in all"),
        "train_days": later("days"),
    }
)
EFFICIENCY_GATE = policy.value("efficiency_gate")
RECOMMENDED = later("Recommended")
HALF_NODES = later("Passes; the same cards in more machines ({nodes})")
MORE_NODES = later("Passes with {nodes}; fewer are enough")
LATER_FORMAT = later("Passes with smaller formats: {formats}")
COSTS_MORE = later("Passes, costs {more} more")
BELOW_GATE = later("Keeps {efficiency} of the speed per GPU, below 60\u00a0%")
RANKED_AFTER = later("Passes, ranked after the recommended build")
HOLDS_FOR_DAYS = later("Holds it, takes {days}")
PASSES = later("Passes")
PARTNER = later("Partner platform, {ratio} × the price")
PARTNER_CHOSEN = later("Partner platform that carries it")
THERE = later("{build}, there already")
NOTHING_TO_PAY = later("nothing to pay")
CARRIED_ALREADY = later("The customer's own machine carries it")
PARTNER_ALONE = later("Partner platform, not our own build")


def candidate_views(
    assessment: Assessment, language: str, most: int | None = None
) -> tuple[CandidateView, ...]:
    """The best layout of each build, best first, at most ``most`` of them."""
    results = assessment.best_per_build[:most]
    return tuple(candidate_view(assessment, result, language) for result in results)


def candidate_view(assessment: Assessment, result: CandidateResult, language: str) -> CandidateView:
    """One candidate in words."""
    words, shown = text(language), numbers(language)
    candidate = result.candidate
    serving = assessment.workload.kind.is_serving
    reason, tone = reason_of(assessment, result, language)
    key = merit_key(assessment.workload)
    return CandidateView(
        id=candidate.id,
        row=result.row,
        name=_name(result, words),
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
        price=_price(result, language),
        price_amount=shown.plain(result.price.amount) if result.price else NOTHING,
        reason=reason,
        reason_without_price=_without_price(result, (reason, tone), language)[0],
        reason_tone=tone,
        chosen=_is_chosen(assessment, result),
        partner=candidate.build.is_partner,
        customer=candidate.build.is_customer,
        dominated_by=_better(assessment, candidate.id),
        passes=result.passes,
    )


def _name(result: CandidateResult, words: Text) -> str:
    name = build_with_fabric(result.candidate.build, words)
    return words.gettext(THERE, build=name) if result.candidate.build.is_customer else name


def _price(result: CandidateResult, language: str) -> str:
    if result.candidate.build.is_customer:
        return text(language).gettext(NOTHING_TO_PAY)
    return numbers(language).rounded_money(result.price) if result.price else NOTHING


def _better(assessment: Assessment, candidate: str) -> str:
    """Name of the build that is better in everything; empty where there is none."""
    better = assessment.standings[candidate].dominated_by
    found = (item.candidate.build for item in assessment.best_per_build)
    return next((build_name(build) for build in found if build.id == better), "")


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


def reason_of(assessment: Assessment, result: CandidateResult, language: str) -> tuple[str, Tone]:
    """Why a build is proposed or not, in a few words with their tone."""
    words = text(language)
    if _is_chosen(assessment, result):
        return words.gettext(_chosen_reason(result)), Tone.GOOD
    if assessment.verdict.outcome is Outcome.FRONTIER and not result.misses:
        days = measured(value_of(result, "train_days"), "days", language)
        return words.gettext(HOLDS_FOR_DAYS, days=days), Tone.MUTED
    if result.misses:
        return miss_sentence(assessment, result, language), Tone.BAD
    if result.candidate.build.is_customer:
        return words.gettext(CARRIED_ALREADY), Tone.GOOD
    if result.candidate.build.is_partner:
        return _partner_reason(assessment, result, language), Tone.MUTED
    return _passing_reason(assessment, result, language), Tone.MUTED


def reason_without_price(
    assessment: Assessment, result: CandidateResult, language: str
) -> tuple[str, Tone]:
    """The reason for the customer's eyes: no money, nor how many times as dear a build is."""
    return _without_price(result, reason_of(assessment, result, language), language)


def _without_price(
    result: CandidateResult, told: tuple[str, Tone], language: str
) -> tuple[str, Tone]:
    reason, tone = told
    if result.price is None:
        return reason, tone
    if result.candidate.build.is_partner and result.passes:
        return text(language).gettext(PARTNER_ALONE), tone
    names_money = numbers(language).currency(result.price.currency) in reason
    return "" if names_money else reason, tone


def _chosen_reason(result: CandidateResult) -> str:
    if result.candidate.build.is_partner:
        return PARTNER_CHOSEN
    return RECOMMENDED


def _passing_reason(assessment: Assessment, result: CandidateResult, language: str) -> str:
    """Why a build that passes is not the one: machines, format, price, in this order."""
    words, chosen = text(language), assessment.verdict.chosen
    if chosen is None:
        return words.gettext(PASSES)
    build, taken = result.candidate.build, chosen.candidate.build
    nodes = counted(build.nodes, "nodes", language)
    kept = value_of(result, "efficiency")
    if build.fabric is not Fabric.NONE and kept is not None and kept < EFFICIENCY_GATE:
        efficiency = numbers(language).figure(kept, "share")
        return words.gettext(BELOW_GATE, efficiency=efficiency)
    if build.nodes > taken.nodes:
        same = build.gpus == taken.gpus and build.gpu.id == taken.gpu.id
        return words.gettext(HALF_NODES if same else MORE_NODES, nodes=nodes)
    if result.step > chosen.step:
        serving = assessment.workload.kind.is_serving
        formats = format_names(result.candidate, words, serving=serving)
        return words.gettext(LATER_FORMAT, formats=formats)
    if chosen.price and result.price and chosen.price < result.price:
        more = numbers(language).rounded_money(result.price - chosen.price)
        return words.gettext(COSTS_MORE, more=more)
    return words.gettext(RANKED_AFTER)


def _partner_reason(assessment: Assessment, result: CandidateResult, language: str) -> str:
    chosen, words = assessment.verdict.chosen, text(language)
    if chosen is None or not chosen.price or not result.price or not chosen.price.amount:
        return words.gettext(PARTNER_ALONE)
    ratio = result.price.amount / chosen.price.amount
    return words.gettext(PARTNER, ratio=numbers(language).plain(ratio, 1))
