"""What a column of the catalog may hold: its kind, range, words and default."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SqlValue: TypeAlias = str | int | float | None
Kind = Literal["text", "whole", "real", "flag"]

_SQL_TYPES: dict[Kind, str] = {
    "text": "TEXT",
    "whole": "INTEGER",
    "real": "REAL",
    "flag": "INTEGER",
}


class _Required:
    """Marks a column that the text must state."""


REQUIRED = _Required()

Default: TypeAlias = "SqlValue | _Required | Callable[[Mapping[str, SqlValue]], SqlValue]"
"""A value, REQUIRED, or a function of the row that fills in what the text leaves out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: ``default`` None means that the value may be unknown."""

    name: str
    kind: Kind
    default: Default = REQUIRED
    low: float | None = None
    high: float | None = None
    words: tuple[str, ...] = ()
    references: str = ""
    """``table.column`` of the row that must exist."""

    @property
    def is_nullable(self) -> bool:
        """Whether the value may be unknown."""
        return self.default is None

    @property
    def sql(self) -> str:
        """The column in a CREATE TABLE statement, with its checks."""
        parts = [f'"{self.name}"', _SQL_TYPES[self.kind], "" if self.is_nullable else "NOT NULL"]
        checks = " AND ".join(self._checks())
        parts.append(f"CHECK ({checks})" if checks else "")
        if self.references:
            table, _, column = self.references.partition(".")
            parts.append(f'REFERENCES "{table}"("{column}")')
        return " ".join(part for part in parts if part)

    def _checks(self) -> list[str]:
        name = f'"{self.name}"'
        checks = [f"{name} >= {self.low:g}"] if self.low is not None else []
        checks += [f"{name} <= {self.high:g}"] if self.high is not None else []
        checks += [f"{name} IN (0, 1)"] if self.kind == "flag" else []
        if self.words:
            checks.append(f"{name} IN ({', '.join(_quoted(word) for word in self.words)})")
        if self.kind == "text" and self.default is REQUIRED:
            checks.append(f"{name} <> ''")
        return checks

    def fill(self, row: Mapping[str, SqlValue]) -> SqlValue:
        """What stands here when the text leaves it out.

        Raises:
            ValueError: the text has to state it.
        """
        if isinstance(self.default, _Required):
            raise ValueError("is missing")  # noqa: TRY004 - a fault of the text, not of a type
        return self.default(row) if callable(self.default) else self.default

    def read(self, raw: object) -> SqlValue:
        """``raw`` from the text as a value of this column.

        Raises:
            ValueError: wrong type, out of range, or none of the words.
        """
        value = self._typed(raw)
        if self.words and value not in self.words:
            raise ValueError(f"is none of {', '.join(self.words)}")
        if isinstance(value, int | float):
            self._check_range(value)
        return value

    def _typed(self, raw: object) -> str | int | float:
        if self.kind == "flag" and isinstance(raw, bool):
            return int(raw)
        if self.kind == "text" and isinstance(raw, str) and raw.strip() == raw and raw:
            return raw
        if self.kind == "whole" and isinstance(raw, int) and not isinstance(raw, bool):
            return raw
        if self.kind == "real" and isinstance(raw, int | float) and not isinstance(raw, bool):
            return float(raw)
        raise ValueError(f"is not a {self.kind} value")

    def _check_range(self, value: float) -> None:
        if not math.isfinite(value):
            raise ValueError("is not finite")
        if self.low is not None and value < self.low:
            raise ValueError(f"is below {self.low:g}")
        if self.high is not None and value > self.high:
            raise ValueError(f"is above {self.high:g}")


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "''") + "'"


def text(
    name: str,
    default: Default = REQUIRED,
    *,
    words: tuple[str, ...] = (),
    references: str = "",
) -> Column:
    """A column of text."""
    return Column(name=name, kind="text", default=default, words=words, references=references)


def whole(name: str, low: float, high: float, default: Default = REQUIRED) -> Column:
    """A column of whole numbers."""
    return Column(name=name, kind="whole", low=low, high=high, default=default)


def real(name: str, low: float, high: float, default: Default = REQUIRED) -> Column:
    """A column of numbers."""
    return Column(name=name, kind="real", low=low, high=high, default=default)


def flag(name: str, default: Default = REQUIRED) -> Column:
    """A column of yes and no."""
    return Column(name=name, kind="flag", default=default)
