"""What would help where nothing fits: one sentence for each change, the smallest first."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING

from kentino_desk.decision.flips import flips_of, present_value
from kentino_desk.decision.points import typed
from kentino_desk.decision.relaxation import ANY_CARD, relaxations_of
from kentino_desk.domain.choices import Format, Outcome
from kentino_desk.domain.workload_fields import FIELD_BY_KEY
from kentino_desk.present.field_words import field_name, value_in_words
from kentino_desk.present.language import text
from kentino_desk.present.numbers import numbers
from kentino_desk.present.terms import build_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kentino_desk.decision.relaxation import Relaxation
    from kentino_desk.decision.results import Assessment

DIGITS = 3
"""Significant digits of a value that is not a whole number."""


def help_sentences(assessment: Assessment, language: str) -> tuple[str, ...]:
    """What would help, searched now; nothing where a build is proposed."""
    if assessment.verdict.outcome is not Outcome.NOTHING_FITS:
        return ()
    found = relaxations_of(assessment, flips_of(assessment))
    return relaxation_sentences(assessment, found, language)


def relaxation_sentences(
    assessment: Assessment, relaxations: Iterable[Relaxation], language: str
) -> tuple[str, ...]:
    """One sentence for each relaxation, or the one that says that none is enough."""
    found = tuple(_sentence(assessment, item, language) for item in relaxations)
    return found or (text(language).gettext("No change of a single input is enough."),)


def _sentence(assessment: Assessment, item: Relaxation, language: str) -> str:
    if isinstance(item.value, str):
        return _choice_sentence(item, item.value, language)
    return _number_sentence(assessment, item, item.value, language)


def _choice_sentence(item: Relaxation, value: str, language: str) -> str:
    return text(language).gettext(
        "{name}: {value} would allow {build}.",
        name=field_name(item.key, language),
        value=_choice(value, language),
        build=build_name(item.candidate.build),
    )


def _number_sentence(assessment: Assessment, item: Relaxation, least: float, language: str) -> str:
    words = text(language)
    now = present_value(assessment.workload, item.key)
    assert now is not None, "what moves has a value"
    spec, value = FIELD_BY_KEY[item.key], _further(item.key, least, now)
    shown = {
        "name": field_name(item.key, language),
        "value": value_in_words(spec, typed(item.key, value), language),
        "now": value_in_words(spec, typed(item.key, now), language),
        "build": build_name(item.candidate.build),
    }
    if spec.unit == "share" or not now:
        return words.gettext("{name}: {value} instead of {now} would allow {build}.", **shown)
    return words.gettext(
        "{name}: {value} instead of {now} ({change}) would allow {build}.",
        change=_change(value, now, language),
        **shown,
    )


def _choice(value: str, language: str) -> str:
    if value == ANY_CARD:
        return text(language).gettext("any")
    return value_in_words(FIELD_BY_KEY["workload.weights"], Format(value), language)


def _further(key: str, value: float, now: float) -> float:
    """A short number that is no nearer to the present value than the change has to be."""
    if FIELD_BY_KEY[key].kind == "int" or value == 0:
        return value
    step = 10.0 ** (floor(log10(abs(value))) + 1 - DIGITS)
    return (ceil if value > now else floor)(value / step) * step


def _change(value: float, now: float, language: str) -> str:
    """How far a value moves, in per cent of the present one."""
    shown = numbers(language)
    share = value / now - 1.0
    sign = "+" if share > 0 else "\N{MINUS SIGN}"
    return sign + shown.percent(abs(share), 0 if abs(share) >= 0.1 else 1)
