"""Money: a decimal amount in a currency. No float ever holds money."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in one currency; arithmetic across currencies is refused.

    Example:
        >>> Money.of("10.50", "EUR") + Money.of("0.25", "EUR")
        Money(amount=Decimal('10.75'), currency='EUR')
    """

    amount: Decimal
    currency: str

    def __post_init__(self) -> None:
        if not isinstance(self.amount, Decimal):
            raise TypeError("Money holds a Decimal")
        if not self.amount.is_finite():
            raise ValueError("Money is finite")

    @classmethod
    def of(cls, amount: str | int | Decimal, currency: str) -> Money:
        """Money from text, a whole number or a decimal."""
        return cls(Decimal(amount), currency)

    def __add__(self, other: Money) -> Money:
        return Money(self.amount + self._same(other), self.currency)

    def __sub__(self, other: Money) -> Money:
        return Money(self.amount - self._same(other), self.currency)

    def __mul__(self, factor: int | Decimal) -> Money:
        if not isinstance(factor, int | Decimal):
            raise TypeError("Money is multiplied by a whole number or a Decimal")
        return Money(self.amount * factor, self.currency)

    def __lt__(self, other: Money) -> bool:
        return self.amount < self._same(other)

    def __le__(self, other: Money) -> bool:
        return self.amount <= self._same(other)

    def _same(self, other: object) -> Decimal:
        if not isinstance(other, Money):
            raise TypeError("Money meets only Money")
        if other.currency != self.currency:
            raise ValueError(f"{self.currency} and {other.currency} do not mix")
        return other.amount
