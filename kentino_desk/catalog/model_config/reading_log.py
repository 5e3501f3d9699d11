"""What was read, derived and assumed while a configuration was counted."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Reading:
    """One value of the report: dotted field or quantity, value in words, how it came about."""

    name: str
    value: str
    basis: str = ""

    def __str__(self) -> str:
        """One line of the report."""
        return f"{self.name} = {self.value}" + (f": {self.basis}" if self.basis else "")


@dataclass(slots=True)
class ReadingLog:
    """Collects the report; the same field is written down once."""

    read: dict[str, Reading] = field(default_factory=dict)
    derived: dict[str, Reading] = field(default_factory=dict)
    assumed: dict[str, Reading] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def note_read(self, name: str, value: object) -> None:
        """A value that stands in the file."""
        self.read.setdefault(name, Reading(name, shown(value)))

    def note_derived(self, name: str, value: object, basis: str) -> None:
        """A value that follows from others."""
        self.derived.setdefault(name, Reading(name, shown(value), basis))

    def note_assumed(self, name: str, value: object, basis: str) -> None:
        """A value that the file does not hold."""
        self.assumed.setdefault(name, Reading(name, shown(value), basis))

    def note_warning(self, sentence: str) -> None:
        """Something the user should look at."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)


def shown(value: object, limit: int = 60) -> str:
    """A value as short text; never walks into nested values, which may be of any depth."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"list of {len(value)}"
    if isinstance(value, dict):
        return f"object of {len(value)}"
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a number above 10^20"
    text = "null" if value is None else printable(str(value))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def printable(text: str) -> str:
    """The text without the halves of letters that JSON lets through and no terminal can print."""
    return text.encode("utf-8", "replace").decode("utf-8")
