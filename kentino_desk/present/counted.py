"""Counted things: a number with a word that bends with it, such as 1 user, 2 users."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.present.language import later_plural, text
from kentino_desk.present.numbers import numbers, places_of

if TYPE_CHECKING:
    from collections.abc import Mapping

COUNTED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "users": later_plural("{number}\u00a0user", "{number}\u00a0users"),
        "requests": later_plural("{number}\u00a0request", "{number}\u00a0requests"),
        "tokens": later_plural("{number}\u00a0token", "{number}\u00a0tokens"),
        "sequences": later_plural("{number}\u00a0sequence", "{number}\u00a0sequences"),
        "nodes": later_plural("{number}\u00a0node", "{number}\u00a0nodes"),
        "days": later_plural("{number}\u00a0day", "{number}\u00a0days"),
        "GPUs": later_plural("{number}\u00a0GPU", "{number}\u00a0GPUs"),
        "groups": later_plural("{number}\u00a0group", "{number}\u00a0groups"),
        "NICs": later_plural("{number}\u00a0network card", "{number}\u00a0network cards"),
    }
)


def counted(value: float, unit: str, language: str) -> str:
    """A value with its unit as it was given: bent where the unit is a word."""
    number = numbers(language).exact(value)
    if unit not in COUNTED:
        return f"{number}\u00a0{unit}" if unit else number
    return _bent(number, unit, language, None if value % 1 else round(value))


def measured(value: float | None, unit: str, language: str) -> str:
    """A computed figure with its unit, rounded as its size calls for."""
    shown = numbers(language)
    if value is None or not math.isfinite(value) or unit not in COUNTED:
        return shown.figure(value, unit)
    count = None if places_of(value, unit) else round(value)
    return _bent(shown.value(value, unit), unit, language, count)


def _bent(number: str, unit: str, language: str, count: int | None) -> str:
    words = text(language)
    if count is None and unit == "days":
        return words.pgettext("fraction", "{number}\u00a0days", number=number)
    one, many = COUNTED[unit]
    return words.ngettext(one, many, 5 if count is None else count, number=number)


def power(watts: float | None, language: str) -> str:
    """Power in kW from 1 kW on, in W below."""
    shown = numbers(language)
    if watts is not None and watts >= 1_000:
        return shown.figure(watts / 1_000, "kW")
    return shown.figure(watts, "W")
