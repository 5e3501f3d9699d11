"""What each field of the form shows: text, unit, state, message."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, cast

from kentino_desk.domain.choices import Kind
from kentino_desk.domain.workload_fields import FIELD_BY_KEY
from kentino_desk.present.field_words import CHOICE_WORDS
from kentino_desk.present.language import text
from kentino_desk.session.field_text import message_of, show_value, unit_of

if TYPE_CHECKING:
    from kentino_desk.domain.workload import Value, Workload
    from kentino_desk.domain.workload_fields import FieldSpec
    from kentino_desk.session.session import Moment


class FieldState(StrEnum):
    """How a field looks."""

    GIVEN = "given"
    ASSUMED = "assumed"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """One field as the form shows it; ``value`` is the value in force."""

    key: str
    text: str
    unit: str
    state: FieldState
    message: str
    value: Value | None


def field_view(moment: Moment, key: str) -> FieldView:
    """The field ``key``: what was typed if it is refused, else the value in force."""
    spec = FIELD_BY_KEY[key]
    assessment = moment.evaluated.assessment
    given = moment.state.inputs.get(key)
    preset = value_in(assessment.workload, key) if assessment and given is None else None
    value = preset if given is None else given
    draft = moment.state.draft(key)
    refusal = moment.evaluated.refusal
    message = draft.message if draft else ""
    if not message and refusal is not None and refusal.field == key:
        message = message_of(spec, refusal)
    return FieldView(
        key=key,
        text=draft.text if draft else show_value(spec, value),
        unit=unit_of(spec),
        state=_state(message, given),
        message=message,
        value=value,
    )


def value_in(workload: Workload, key: str) -> Value | None:
    """The value of a dotted key in a workload that is filled in."""
    section, _, name = key.partition(".")
    part = workload if section == "workload" else getattr(workload, section)
    return cast("Value | None", getattr(part, name, None))


def assumed_values(moment: Moment) -> tuple[tuple[str, Value], ...]:
    """Keys and values that nobody gave, as far as they have a value."""
    assessment = moment.evaluated.assessment
    if assessment is None:
        return ()
    found = ((key, value_in(assessment.workload, key)) for key in assessment.workload.assumed)
    return tuple((key, value) for key, value in found if value is not None)


def _state(message: str, given: Value | None) -> FieldState:
    if message:
        return FieldState.INVALID
    return FieldState.ASSUMED if given is None else FieldState.GIVEN


def choice_words(spec: FieldSpec, language: str) -> tuple[tuple[str, str], ...]:
    """Value and word of each choice of a field."""
    words = text(language)
    return tuple(
        (str(choice), words.gettext(CHOICE_WORDS[type(choice)][choice]))
        for choice in spec.choices
        if isinstance(choice, StrEnum)
    )


def sized_for(moment: Moment) -> str:
    """The load that everything is sized for, where growth makes it another than was typed."""
    assessment = moment.evaluated.assessment
    if assessment is None or assessment.workload.kind is not Kind.CHAT:
        return ""
    load = assessment.figures.get("load")
    if load is None or load.value is None or load.unit != "users":
        return ""
    return f"sized for {show_value(FIELD_BY_KEY['serving.concurrent_users'], round(load.value))}"
