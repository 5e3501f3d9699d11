"""Why nothing fits: the closest build and the limit that it breaks."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Binding
from kentino_desk.present.counted import measured, power
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import closest_own, value_of
from kentino_desk.present.numbers import NOTHING, numbers
from kentino_desk.present.terms import build_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment

NOTHING_SENTENCES: Mapping[Binding, str] = MappingProxyType(
    {
        Binding.MEMORY: later(
            "No build we make holds it: the closest, {build}, needs {used} of {capacity} per GPU."
        ),
        Binding.TRAINING_STATE: later(
            "No build we make holds the training state: the closest, {build}, needs {used} of "
            "{capacity} per GPU."
        ),
        Binding.LATENCY: later(
            "No build we make is fast enough: the closest, {build}, gives {speed} per user and "
            "the first word after {first_word}."
        ),
        Binding.THROUGHPUT: later(
            "No build we make carries the load: the closest, {build}, delivers {total}."
        ),
        Binding.DEADLINE: later(
            "No build we make is done by the date: the closest, {build}, takes {days}."
        ),
        Binding.POWER: later(
            "No build that carries the load fits the power of the site: the closest, {build}, "
            "draws {power}."
        ),
        Binding.SPACE: later(
            "No build that carries the load fits the rack space: the closest is {build}."
        ),
        Binding.BUDGET: later(
            "No build that carries the load fits the budget: the closest, {build}, costs {price}."
        ),
    }
)
NO_ROOM = later(
    "No build we make holds it with room to work: the closest, {build}, takes {used} of {capacity} "
    "per GPU, weights {share} of the card."
)
NOTHING_SEARCHED = later("No build fits what the constraints allow.")


def nothing_sentence(assessment: Assessment, language: str) -> str:
    """What the closest build of ours does, and which limit it breaks."""
    words, shown = text(language), numbers(language)
    best = closest_own(assessment)
    binding = assessment.verdict.binding
    if best is None or binding is None:
        return words.gettext(NOTHING_SEARCHED)
    weights, needs, room = (
        value_of(best, key) for key in ("weights_gib", "used_gib", "capacity_gib")
    )
    fits = binding is Binding.MEMORY and needs is not None and room is not None and needs <= room
    return words.gettext(
        NO_ROOM if fits else NOTHING_SENTENCES[binding],
        share=shown.figure(weights / room if weights is not None and room else None, "share"),
        build=build_name(best.candidate.build),
        used=shown.figure(value_of(best, "used_gib"), "GiB"),
        capacity=shown.figure(value_of(best, "capacity_gib"), "GiB"),
        speed=shown.figure(value_of(best, "tokens_per_s_per_user"), "tok/s"),
        first_word=shown.figure(value_of(best, "ttft_s"), "s"),
        total=shown.figure(value_of(best, "tokens_per_s_total"), "tok/s"),
        days=measured(value_of(best, "train_days"), "days", language),
        power=power(value_of(best, "power_max_w"), language),
        price=shown.rounded_money(best.price) if best.price else NOTHING,
    )
