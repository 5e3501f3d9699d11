"""Why a candidate was not taken, in one sentence with its figure."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Binding
from kentino_desk.present.counted import counted, measured
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import carried, load_in_words, load_unit, value_of, wish_for
from kentino_desk.present.numbers import NOTHING, numbers
from kentino_desk.present.verdict_words import power

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment, CandidateResult

MISSES: Mapping[Binding, str] = MappingProxyType(
    {
        Binding.MEMORY: later("Misses memory: needs {used} of {capacity} per GPU"),
        Binding.TRAINING_STATE: later("Misses memory: training needs {used} of {capacity} per GPU"),
        Binding.LATENCY: later("Misses speed: {speed} of {speed_wish} tok/s per user"),
        Binding.THROUGHPUT: later("Misses throughput: carries {carried} of {load}"),
        Binding.DEADLINE: later("Misses the date: {days} instead of {days_wish}"),
        Binding.POWER: later("Draws {power}, the site gives {power_wish}"),
        Binding.SPACE: later("Needs more rack units than the {rack_wish} there are"),
        Binding.BUDGET: later("Costs {price}, above the budget of {budget}"),
    }
)
MISSES_FIRST_WORD = later("Misses the first word: {first_word} of {first_word_wish} s")
HOLDS_FEWER = later("Misses memory: holds {held} of {load}")


def miss_sentence(assessment: Assessment, result: CandidateResult, language: str) -> str:
    """The worst miss of a candidate."""
    words = text(language)
    template = _template(assessment, result)
    return words.gettext(template, **_values(assessment, result, language))


def _template(assessment: Assessment, result: CandidateResult) -> str:
    miss = result.misses[0]
    if miss is Binding.LATENCY and not _too_slow(assessment, result):
        return MISSES_FIRST_WORD
    if miss is Binding.MEMORY and load_unit(assessment) == "users":
        used, room = value_of(result, "used_gib"), value_of(result, "capacity_gib")
        if used is not None and room is not None and used <= room:
            return HOLDS_FEWER
    return MISSES[miss]


def _too_slow(assessment: Assessment, result: CandidateResult) -> bool:
    wish = wish_for(assessment.workload, "tokens_per_s_per_user")
    speed = value_of(result, "tokens_per_s_per_user")
    return wish is not None and speed is not None and speed < wish.value


def _values(assessment: Assessment, result: CandidateResult, language: str) -> dict[str, str]:
    shown, limits = numbers(language), assessment.workload.constraints
    serving = assessment.workload.kind.is_serving
    days = value_of(result, "batch_days" if serving else "train_days")
    held = value_of(result, "users_held")
    return {
        "used": shown.value(value_of(result, "used_gib"), "GiB"),
        "capacity": shown.figure(value_of(result, "capacity_gib"), "GiB"),
        "speed": shown.value(value_of(result, "tokens_per_s_per_user"), "tok/s"),
        "speed_wish": _wish(assessment, "tokens_per_s_per_user", language),
        "first_word": shown.value(value_of(result, "ttft_s"), "s"),
        "first_word_wish": _wish(assessment, "ttft_s", language),
        "carried": shown.value(carried(result), load_unit(assessment)),
        "load": load_in_words(assessment, language),
        "held": shown.whole(held),
        "days": measured(days, "days", language),
        "days_wish": _date(assessment, language),
        "power": power(value_of(result, "power_max_w"), language),
        "power_wish": shown.figure(limits.site_kw_max, "kW"),
        "rack_wish": shown.figure(limits.rack_u_max, "U"),
        "price": shown.rounded_money(result.price) if result.price else NOTHING,
        "budget": shown.figure(limits.budget_eur, "EUR"),
    }


def _date(assessment: Assessment, language: str) -> str:
    kept = (wish_for(assessment.workload, key) for key in ("train_days", "batch_days"))
    wish = next((item for item in kept if item is not None), None)
    return counted(wish.value, wish.unit, language) if wish else ""


def _wish(assessment: Assessment, key: str, language: str) -> str:
    wish = wish_for(assessment.workload, key)
    return numbers(language).exact(wish.value) if wish else ""
