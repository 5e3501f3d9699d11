"""Every number, date and amount that is shown, by language: the only place that formats them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from babel.dates import format_date
from babel.numbers import get_decimal_symbol, get_group_symbol, parse_decimal

from kentino_desk.quote.totals import minor_places

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from kentino_desk.domain.money import Money

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
DASH = "\N{EN DASH}"
NOTHING = "\N{EM DASH}"
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How one language writes dates and names currencies."""

    tag: str
    date_pattern: str
    currency_words: Mapping[str, str]


LANGUAGE_HABITS: Mapping[str, Habits] = MappingProxyType(
    {
        "cs": Habits(tag="cs-CZ", date_pattern="d.\u00a0M.\u00a0y", currency_words={"CZK": "Kč"}),
        "sk": Habits(tag="sk-SK", date_pattern="d.\u00a0M.\u00a0y", currency_words={"EUR": "€"}),
        "pl": Habits(tag="pl-PL", date_pattern="d.MM.y", currency_words={"PLN": "zł"}),
        "de": Habits(tag="de-DE", date_pattern="dd.MM.y", currency_words={"EUR": "€"}),
        "en": Habits(tag="en-GB", date_pattern="d\u00a0MMMM\u00a0y", currency_words={}),
        "ru": Habits(tag="ru-RU", date_pattern="dd.MM.y", currency_words={}),
    }
)

UNIT_SYMBOLS: Mapping[str, str] = MappingProxyType(
    {
        "tokens/s": "tok/s",
        "m3/h": "m³/h",
        "share": "%",
        "usd": "USD",
        "eur": "EUR",
        "gib": "GiB",
    }
)
"""Units as the engine names them, where paper writes them another way."""

_STEPS = tuple(Decimal(1).scaleb(-places) for places in range(10))
_COUNTED_THINGS = (
    "U users days nodes GPUs gpus tokens sequences copies stages replicas micro-batches "
    "blocks entries experts heads layers passes sockets parameters requests DIMMs NICs"
)
WORD_UNITS = frozenset(["", "1", "0 or 1", *_COUNTED_THINGS.split()])
"""Units that are words, or none: the words stand in sentences, not after the number."""


FIXED_PLACES: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(("users", "requests", "nodes", "GPUs", "tokens", "sequences", "U"), 0),
        **dict.fromkeys(("W", "BTU/h", "m3/h", "EUR", "CFM", "V"), 0),
        **dict.fromkeys(("GiB", "kW", "A"), 1),
    }
)
"""Decimals of units that always print with the same."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers of one language."""

    language: str

    @property
    def habits(self) -> Habits:
        """Dates and currencies of this language."""
        return LANGUAGE_HABITS[self.language]

    def plain(self, value: float | Decimal, places: int = 0) -> str:
        """A number with a fixed count of decimals, rounded half away from zero."""
        return self._printed(_rounded(value, places), places)

    def exact(self, value: float) -> str:
        """A number as it was given: as many decimals as it has, up to six."""
        amount = _rounded(value, 6)
        return self._printed(amount, _own_places(amount))

    def _printed(self, amount: Decimal, places: int) -> str:
        shown = f"{abs(amount):,.{places}f}"
        signs = _signs(self.language)
        if signs:
            shown = shown.translate(signs)
        return MINUS + shown if amount < 0 else shown

    def short(self, value: float) -> str:
        """A round number of an axis: decimals only where it has them."""
        return self.plain(value, 0 if float(value).is_integer() else 1)

    def whole(self, value: float | Decimal | None) -> str:
        """A whole number, or a dash for none."""
        return NOTHING if _missing(value) else self.plain(value or 0)

    def value(self, value: float | None, unit: str) -> str:
        """A figure without its unit, with the decimals its size and unit call for."""
        if value is None or math.isnan(value):
            return NOTHING
        if math.isinf(value):
            return "∞" if value > 0 else MINUS + "∞"
        scaled = value * 100 if unit == "share" else value
        return self.plain(scaled, places_of(scaled, unit))

    def figure(self, value: float | None, unit: str) -> str:
        """A figure with its unit, held together by a no-break space."""
        shown = self.value(value, unit)
        symbol = UNIT_SYMBOLS.get(unit, unit)
        if shown == NOTHING or unit in WORD_UNITS - {"U"}:
            return shown
        return f"{shown}{NO_BREAK_SPACE}{symbol}"

    def span(self, low: float | None, high: float | None, unit: str) -> str:
        """A range without its unit, both ends alike; empty where it says nothing."""
        if low is None or high is None or not math.isfinite(low) or not math.isfinite(high):
            return ""
        factor = 100 if unit == "share" else 1
        places = min(places_of(low * factor, unit), places_of(high * factor, unit))
        first, last = self.plain(low * factor, places), self.plain(high * factor, places)
        return "" if first == last else f"{first}{DASH}{last}"

    def percent(self, share: float | Decimal, places: int = 0) -> str:
        """A share of one as per cent."""
        return f"{self.plain(share * 100, places)}{NO_BREAK_SPACE}%"

    def amount(self, value: Decimal, currency: str) -> str:
        """An amount of money without its currency; unit prices keep the decimals they have."""
        return self.plain(value, max(minor_places(currency), _own_places(value)))

    def money(self, money: Money) -> str:
        """An amount with its currency after it."""
        shown = self.amount(money.amount, money.currency)
        return f"{shown}{NO_BREAK_SPACE}{self.currency(money.currency)}"

    def rounded_money(self, money: Money) -> str:
        """An amount in whole units of its currency, for cards and key figures."""
        return f"{self.plain(money.amount)}{NO_BREAK_SPACE}{self.currency(money.currency)}"

    def currency(self, code: str) -> str:
        """A currency as this language writes it after a number."""
        return self.habits.currency_words.get(code, code)

    def day(self, day: date) -> str:
        """A calendar day with a year of four digits."""
        return str(format_date(day, self.habits.date_pattern, locale=self.language))

    def parse(self, shown: str) -> Decimal:
        """The number a text of this language says.

        Raises:
            babel.numbers.NumberFormatError: the text is no number of this language.
        """
        found = parse_decimal(shown.replace(MINUS, "-"), locale=self.language, strict=True)
        return Decimal(found)


@cache
def _signs(language: str) -> Mapping[int, str]:
    """Group and decimal signs of a language in place of the plain ones, read once.

    Empty where the plain ones are its own.
    """
    signs = {",": get_group_symbol(language), ".": get_decimal_symbol(language)}
    return str.maketrans({plain: own for plain, own in signs.items() if plain != own})


@cache
def numbers(language: str) -> Numbers:
    """The numbers of ``language``.

    Raises:
        KeyError: there is no such language.
    """
    if language not in LANGUAGE_HABITS:
        raise KeyError(language)
    return Numbers(language)


def parts_of_total(parts: Sequence[float], places: int) -> tuple[Decimal, ...]:
    """Parts rounded so that they add up to the rounded total: largest remainders go up.

    Example:
        >>> [str(part) for part in parts_of_total([33.84, 18.74, 4.75, 1.0], 1)]
        ['33.8', '18.7', '4.8', '1.0']
    """
    unit = Decimal(1).scaleb(-places)
    exact = [Decimal(repr(float(part))) for part in parts]
    floors = [part.quantize(unit, ROUND_FLOOR) for part in exact]
    whole = _rounded(sum(exact, Decimal(0)), places)
    missing = int((whole - sum(floors, Decimal(0))) / unit)
    order = sorted(range(len(exact)), key=lambda index: (floors[index] - exact[index], index))
    for index in order[:missing]:
        floors[index] += unit
    return tuple(floors)


def _rounded(value: float | Decimal, places: int) -> Decimal:
    exact = value if isinstance(value, Decimal) else Decimal(repr(float(value)))
    return exact.quantize(_STEPS[places], ROUND_HALF_UP)


def _missing(value: float | Decimal | None) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def _own_places(value: Decimal) -> int:
    exponent = value.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def places_of(value: float, unit: str) -> int:
    """Decimals a figure is printed with, by its size and unit."""
    size = abs(value)
    if unit in FIXED_PLACES:
        return FIXED_PLACES[unit]
    if unit in {"TB", "share", "days"}:
        return (2 if unit == "TB" else 1) if 0 < size < 10 else int(unit == "TB")
    if 0 < size < 0.1:
        return 3 if size < 0.01 else 2
    return 1 if size < 100 else 0
