"""Counted things: a number with a word that bends with it, such as 1 user, 2 users."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.present.language import later_plural, text
from kentino_desk.present.numbers import numbers

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
    }
)


def counted(value: float, unit: str, language: str) -> str:
    """A value with its unit as it was given: bent where the unit is a word."""
    shown = numbers(language)
    return _bent(value, shown.exact(value), unit, language)


def measured(value: float | None, unit: str, language: str) -> str:
    """A computed figure with its unit, rounded as its size calls for."""
    shown = numbers(language)
    if value is None or unit not in COUNTED:
        return shown.figure(value, unit)
    return _bent(value, shown.value(value, unit), unit, language)


def _bent(value: float, number: str, unit: str, language: str) -> str:
    if unit not in COUNTED:
        return f"{number}\u00a0{unit}" if unit else number
    one, many = COUNTED[unit]
    words = text(language)
    if number.isdigit() or float(value).is_integer():
        return words.ngettext(one, many, round(value), number=number)
    return _fraction(number, unit, language)


def _fraction(number: str, unit: str, language: str) -> str:
    words = text(language)
    if unit == "days":
        return words.pgettext("fraction", "{number}\u00a0days", number=number)
    one, many = COUNTED[unit]
    return words.ngettext(one, many, 5, number=number)
