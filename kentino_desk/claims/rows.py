"""The seller's claims as they stand in the fact table, with their source."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

PATH = Path(__file__).resolve().parents[2] / "resources" / "claims" / "seed_claims.csv"
CHECKS = ("number", "grade", "outcome", "text", "none")


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim; ``low`` and ``high`` are None where the seller gives a word or no such end."""

    id: str
    source: str
    source_url: str
    text: str
    unit: str
    check: str
    conditions: str
    word: str
    """What the seller says, as printed in the table: a number, or a word."""
    low: float | None
    high: float | None

    @property
    def is_approximate(self) -> bool:
        """Whether the seller calls the figure approximate."""
        return "approximate" in self.conditions or "about" in self.conditions


def read_claims(path: Path = PATH) -> tuple[Claim, ...]:
    """All claims in the order of the table.

    Raises:
        OSError: the table cannot be read.
        KeyError: it lacks a column.
    """
    with path.open(encoding="utf-8", newline="") as stream:
        return tuple(_claim(record) for record in csv.DictReader(stream))


def _claim(record: dict[str, str]) -> Claim:
    return Claim(
        id=record["id"],
        source=record["source"],
        source_url=record["source_url"],
        text=record["claim"],
        unit=record["unit"],
        check=record["check"],
        conditions=record["conditions"],
        word=record["value_low"] or record["value_high"],
        low=_number(record["value_low"]),
        high=_number(record["value_high"]),
    )


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
