"""The reason for first place in one sentence, against the second."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.present.counted import counted, measured, power
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import carried, load_in_words, load_unit
from kentino_desk.present.numbers import numbers
from kentino_desk.present.terms import build_name, format_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.ranking import FirstPlace
    from kentino_desk.decision.results import Assessment

SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "delivered": later(
            "First, because it delivers the work within all limits; {second} carries {theirs}."
        ),
        "efficiency": later(
            "First, because it keeps {ours} of the speed per GPU; {second} keeps {theirs}, below "
            "the gate."
        ),
        "step": later(
            "First, because it passes with larger formats ({ours}); {second} needs {theirs}."
        ),
        "nodes": later("First, because it needs {ours}; {second} needs {theirs}."),
        "price": later("First, because it delivers the same work for {more} less than {second}."),
        "power": later(
            "First, because it draws {ours} at most; {second}, at the same price, draws {theirs}."
        ),
        "score": later("First by the weighted sum: {ours} against {theirs} of {second}."),
    }
)
MISSES = later("First, because {second} misses a limit that it keeps.")


def first_place_sentence(assessment: Assessment, language: str) -> str:
    """Why the proposed build stands first; empty without a second."""
    found = assessment.first_place
    if found is None:
        return ""
    words = text(language)
    second = build_name(found.second.candidate.build)
    if found.criterion == "delivered" and not load_unit(assessment):
        return words.gettext(MISSES, second=second)
    values = _values(assessment, found.criterion, language)
    return words.gettext(SENTENCES[found.criterion], second=second, **values)


def _values(assessment: Assessment, criterion: str, language: str) -> dict[str, str]:
    found, chosen = assessment.first_place, assessment.verdict.chosen
    if found is None or chosen is None:
        return {}
    if criterion == "delivered":
        return {"theirs": _carried_of_load(assessment, found, language)}
    if criterion == "price" and chosen.price and found.second.price:
        return {"more": numbers(language).rounded_money(found.second.price - chosen.price)}
    if criterion == "step":
        words, serving = text(language), assessment.workload.kind.is_serving
        pair = (format_names(item.candidate, words, serving=serving)
                for item in (chosen, found.second))  # fmt: skip
    else:
        pair = (_value(criterion, value, language) for value in (found.ours, found.theirs))
    return dict(zip(("ours", "theirs"), pair, strict=True))


def _carried_of_load(assessment: Assessment, found: FirstPlace, language: str) -> str:
    held = measured(carried(found.second), load_unit(assessment), language)
    load = load_in_words(assessment, language)
    return text(language).gettext("{held} of {load}", held=held, load=load)


def _value(criterion: str, value: float, language: str) -> str:
    if criterion == "nodes":
        return counted(value, "nodes", language)
    if criterion == "efficiency":
        return numbers(language).figure(value, "share")
    if criterion == "power":
        return power(value, language)
    return numbers(language).plain(value, 2)
