"""Sums of a quote: rules A1-A10 of the quote arithmetic. The only place that rounds money."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_EXACT = Context(prec=60)
_ZERO = Decimal(0)
_ONE = Decimal(1)

MINOR_UNIT_PLACES = MappingProxyType({"CZK": 2, "EUR": 2, "PLN": 2, "USD": 2, "JPY": 0})
PLACES_OF_OTHERS = 2


class LineKind(StrEnum):
    """Whether a line counts, and how."""

    ITEM = "item"
    CREDIT = "credit"
    OPTION = "option"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteLine:
    """One line: quantity, unit price, discount and VAT rate as shares of one."""

    description: str
    quantity: Decimal
    unit_price: Decimal
    vat_rate: Decimal
    discount: Decimal = _ZERO
    kind: LineKind = LineKind.ITEM

    def __post_init__(self) -> None:
        if self.quantity <= 0:
            raise ValueError("a quantity is positive")
        if not _ZERO <= self.discount <= _ONE:
            raise ValueError("a discount is 0 to 100 %")
        if self.unit_price < 0 and self.kind is not LineKind.CREDIT:
            raise ValueError("a price is negative only on a credit")
        if self.vat_rate < 0:
            raise ValueError("a VAT rate is not negative")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentDiscount:
    """A discount on the whole document: a share of one, or an amount."""

    share: Decimal | None = None
    amount: Decimal | None = None

    def __post_init__(self) -> None:
        if (self.share is None) == (self.amount is None):
            raise ValueError("a document discount is a share or an amount")
        if self.share is not None and not _ZERO <= self.share <= _ONE:
            raise ValueError("a discount is 0 to 100 %")
        if self.amount is not None and self.amount < 0:
            raise ValueError("a discount is not negative")


@dataclass(frozen=True, slots=True)
class LineTotal:
    """A counted line with its list value, discount, net, and share of the document discount."""

    line: QuoteLine
    list_value: Decimal
    discount: Decimal
    net: Decimal
    share: Decimal


@dataclass(frozen=True, slots=True)
class VatTotal:
    """Base and VAT of one rate."""

    rate: Decimal
    base: Decimal
    vat: Decimal


@dataclass(frozen=True, slots=True)
class QuoteTotals:
    """Every sum of a quote; all that is shown anywhere is read from here."""

    currency: str
    lines: tuple[LineTotal, ...]
    list_value: Decimal
    line_discounts: Decimal
    subtotal: Decimal
    discount: Decimal
    rates: tuple[VatTotal, ...]
    net: Decimal
    vat: Decimal
    gross: Decimal


def minor_places(currency: str) -> int:
    """Decimals of a currency's minor unit."""
    return MINOR_UNIT_PLACES.get(currency, PLACES_OF_OTHERS)


def rounded(amount: Decimal, places: int) -> Decimal:
    """``amount`` rounded half away from zero.

    Example:
        >>> [str(rounded(Decimal(text), 2)) for text in ("2.675", "1.005", "-2.675")]
        ['2.68', '1.01', '-2.68']
    """
    return amount.quantize(_unit(places), rounding=ROUND_HALF_UP, context=_EXACT)


def total_quote(
    lines: Iterable[QuoteLine], currency: str, discount: DocumentDiscount | None = None
) -> QuoteTotals:
    """The sums of the counted lines; options do not count."""
    counted = [line for line in lines if line.kind is not LineKind.OPTION]
    return _total(counted, currency, discount)


def total_with_options(
    lines: Iterable[QuoteLine], currency: str, discount: DocumentDiscount | None = None
) -> QuoteTotals:
    """The sums with the options counted: run again, never added on top."""
    return _total(list(lines), currency, discount)


def _total(
    lines: Sequence[QuoteLine], currency: str, discount: DocumentDiscount | None
) -> QuoteTotals:
    places = minor_places(currency)
    list_values = [rounded(line.quantity * line.unit_price, places) for line in lines]
    nets = [
        rounded(line.quantity * line.unit_price * (_ONE - line.discount), places) for line in lines
    ]
    discountable = [
        _ZERO if line.kind is LineKind.CREDIT else net
        for line, net in zip(lines, nets, strict=True)
    ]
    amount = _document_discount(sum(discountable, _ZERO), discount, places)
    shares = spread(amount, discountable, places)
    totals = tuple(
        LineTotal(line, value, value - net, net, share)
        for line, value, net, share in zip(lines, list_values, nets, shares, strict=True)
    )
    rates = _rates(totals, places)
    net = sum((rate.base for rate in rates), _ZERO)
    vat = sum((rate.vat for rate in rates), _ZERO)
    return QuoteTotals(
        currency=currency,
        lines=totals,
        list_value=sum(list_values, _ZERO),
        line_discounts=sum((item.discount for item in totals), _ZERO),
        subtotal=sum(nets, _ZERO),
        discount=amount,
        rates=rates,
        net=net,
        vat=vat,
        gross=net + vat,
    )


def _document_discount(base: Decimal, discount: DocumentDiscount | None, places: int) -> Decimal:
    if discount is None:
        return _ZERO
    if discount.share is not None:
        return rounded(base * discount.share, places)
    return min(rounded(discount.amount or _ZERO, places), base)


def spread(amount: Decimal, weights: Sequence[Decimal], places: int) -> tuple[Decimal, ...]:
    """``amount`` over ``weights``: floors, then the missing units to the largest remainders.

    Ties go to the earlier line.

    Example:
        >>> [str(part) for part in spread(Decimal(100), [Decimal(1000)] * 3, 2)]
        ['33.34', '33.33', '33.33']
    """
    whole = sum(weights, _ZERO)
    if not amount or not whole:
        return tuple(_ZERO for _ in weights)
    exact = [_EXACT.divide(amount * weight, whole) for weight in weights]
    floors = [part.quantize(_unit(places), ROUND_FLOOR, _EXACT) for part in exact]
    missing = int((amount - sum(floors, _ZERO)) / _unit(places))
    by_remainder = sorted(
        range(len(exact)), key=lambda index: (floors[index] - exact[index], index)
    )
    for index in by_remainder[:missing]:
        floors[index] += _unit(places)
    return tuple(floors)


def _rates(lines: Iterable[LineTotal], places: int) -> tuple[VatTotal, ...]:
    bases: dict[Decimal, Decimal] = {}
    for item in lines:
        rate = item.line.vat_rate
        bases[rate] = bases.get(rate, _ZERO) + item.net - item.share
    return tuple(
        VatTotal(rate, bases[rate], rounded(bases[rate] * rate, places))
        for rate in sorted(bases, reverse=True)
    )


def _unit(places: int) -> Decimal:
    return Decimal(1).scaleb(-places)
