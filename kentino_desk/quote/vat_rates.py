"""VAT rates by country and day, read from a table; no rate is written in the program."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

from kentino_desk.domain.errors import InputError

_TABLE = Path(__file__).resolve().parents[2] / "resources" / "vat_rates.csv"


@dataclass(frozen=True, slots=True)
class VatRate:
    """A standard rate of one country from its first day on; ``rate`` is a share of one."""

    country: str
    rate: Decimal
    valid_from: date
    source: str


@cache
def vat_rates() -> tuple[VatRate, ...]:
    """Every row of the table."""
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            VatRate(
                row["country"],
                Decimal(row["rate_percent"]) / 100,
                date.fromisoformat(row["valid_from"]),
                row["source"],
            )
            for row in csv.DictReader(file)
        )


def standard_rate(country: str, day: date) -> VatRate:
    """The standard rate of ``country`` on ``day``.

    Raises:
        InputError: the table has no rate for that country or that day.
    """
    valid = [row for row in vat_rates() if row.country == country and row.valid_from <= day]
    if not valid:
        known = ", ".join(sorted({row.country for row in vat_rates()}))
        raise InputError("seller.country", country, "no VAT rate is known for that day", known)
    return max(valid, key=lambda row: row.valid_from)
