"""Why a candidate was not taken, in one sentence with its figure."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Binding
from kentino_desk.present.counted import counted, measured, power
from kentino_desk.present.language import later, places_of_sentence, text
from kentino_desk.present.load_words import (
    carried,
    load_figure,
    load_in_words,
    load_unit,
    value_of,
    wish_for,
)
from kentino_desk.present.numbers import NOTHING, numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kentino_desk.decision.results import Assessment, CandidateResult

    Value = Callable[[Assessment, CandidateResult, str], str]

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
NO_ROOM = later("Misses room: {used} of {capacity} per GPU, weights take {share}")
NO_ROOM_TO_TRAIN = later("Misses room: the peak takes {used} of {capacity} per GPU")


def miss_sentence(assessment: Assessment, result: CandidateResult, language: str) -> str:
    """The worst miss of a candidate."""
    template = _template(assessment, result)
    values = {
        name: VALUES[name](assessment, result, language) for name in places_of_sentence(template)
    }
    return text(language).gettext(template, **values)


def _template(assessment: Assessment, result: CandidateResult) -> str:
    miss = result.misses[0]
    if miss is Binding.LATENCY and not _too_slow(assessment, result):
        return MISSES_FIRST_WORD
    if miss in {Binding.MEMORY, Binding.TRAINING_STATE} and _holds(result):
        return _tight(assessment, result)
    return MISSES[miss]


def _holds(result: CandidateResult) -> bool:
    """Whether what is used goes in at all, if without room to work."""
    used, room = value_of(result, "used_gib"), value_of(result, "capacity_gib")
    return used is not None and room is not None and used <= room


def _tight(assessment: Assessment, result: CandidateResult) -> str:
    if assessment.workload.kind.is_training:
        return NO_ROOM_TO_TRAIN
    load, held = load_figure(assessment), value_of(result, "users_held")
    users = load_unit(assessment) == "users" and load is not None and load.value is not None
    fewer = users and held is not None and held < (load.value or 0.0 if load else 0.0)
    return HOLDS_FEWER if fewer else NO_ROOM


def _too_slow(assessment: Assessment, result: CandidateResult) -> bool:
    wish = wish_for(assessment.workload, "tokens_per_s_per_user")
    speed = value_of(result, "tokens_per_s_per_user")
    return wish is not None and speed is not None and speed < wish.value


def _first_word(assessment: Assessment, result: CandidateResult, language: str) -> str:
    """The wait before the first word; finer where it would read like the wish it misses."""
    value, shown = value_of(result, "ttft_s"), numbers(language)
    text_of_value = shown.value(value, "s")
    alike = text_of_value == shown.value(_wish_value(assessment), "s")
    return shown.plain(value, 2) if alike and value is not None else text_of_value


def _wish_value(assessment: Assessment) -> float | None:
    wish = wish_for(assessment.workload, "ttft_s")
    return None if wish is None else wish.value


def _shown(key: str, unit: str, *, with_unit: bool = False) -> Value:
    def shown(_: Assessment, result: CandidateResult, language: str) -> str:
        value = value_of(result, key)
        return (numbers(language).figure if with_unit else numbers(language).value)(value, unit)

    return shown


def _days(assessment: Assessment, result: CandidateResult, language: str) -> str:
    serving = assessment.workload.kind.is_serving
    days = value_of(result, "batch_days" if serving else "train_days")
    return measured(days, "days", language)


def _carried(assessment: Assessment, result: CandidateResult, language: str) -> str:
    return numbers(language).value(carried(result), load_unit(assessment))


def _price(_: Assessment, result: CandidateResult, language: str) -> str:
    return numbers(language).rounded_money(result.price) if result.price else NOTHING


def _limit(name: str, unit: str) -> Value:
    def shown(assessment: Assessment, _: CandidateResult, language: str) -> str:
        return numbers(language).figure(getattr(assessment.workload.constraints, name), unit)

    return shown


def _weight_share(result: CandidateResult) -> float | None:
    weights, room = value_of(result, "weights_gib"), value_of(result, "capacity_gib")
    return weights / room if weights is not None and room else None


def _date(assessment: Assessment, language: str) -> str:
    kept = (wish_for(assessment.workload, key) for key in ("train_days", "batch_days"))
    wish = next((item for item in kept if item is not None), None)
    return counted(wish.value, wish.unit, language) if wish else ""


def _wish(assessment: Assessment, key: str, language: str) -> str:
    wish = wish_for(assessment.workload, key)
    return numbers(language).exact(wish.value) if wish else ""


VALUES: Mapping[str, Value] = MappingProxyType(
    {
        "used": _shown("used_gib", "GiB"),
        "capacity": _shown("capacity_gib", "GiB", with_unit=True),
        "share": lambda _, r, lang: numbers(lang).figure(_weight_share(r), "share"),
        "speed": _shown("tokens_per_s_per_user", "tok/s"),
        "speed_wish": lambda a, _, lang: _wish(a, "tokens_per_s_per_user", lang),
        "first_word": _first_word,
        "first_word_wish": lambda a, _, lang: _wish(a, "ttft_s", lang),
        "carried": _carried,
        "load": lambda a, _, lang: load_in_words(a, lang),
        "held": lambda _, r, lang: numbers(lang).whole(value_of(r, "users_held")),
        "days": _days,
        "days_wish": lambda a, _, lang: _date(a, lang),
        "power": lambda _, r, lang: power(value_of(r, "power_max_w"), lang),
        "power_wish": _limit("site_kw_max", "kW"),
        "rack_wish": _limit("rack_u_max", "U"),
        "price": _price,
        "budget": _limit("budget_eur", "EUR"),
    }
)
"""How each place of a sentence is filled; a sentence asks for its own places alone."""
