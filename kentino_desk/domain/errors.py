"""What the world did wrong, as a sentence for the user; everything else is a bug."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class UserError(Exception):
    """Something the user can mend; its text is one sentence for the screen.

    ``exit_code`` is what the command line ends with.
    """

    exit_code = 1


@dataclass(slots=True)
class InputError(UserError):
    """A value that was refused.

    Attributes:
        field: dotted key such as ``serving.concurrent_users``; empty for the file as a whole.
        value: the value as it was given.
        problem: what is wrong with it.
        allowed: what is legal.
        hint: what to do, where that is not obvious.
        near: nearest names, best first.
    """

    field: str
    value: object
    problem: str
    allowed: str = ""
    hint: str = ""
    near: tuple[str, ...] = ()
    source: str = ""

    exit_code = 3

    def __str__(self) -> str:
        """One sentence: file, field, value, problem, what is allowed, what to do."""
        where = f"{self.source}: " if self.source else ""
        head = (
            f"{self.field} = {_shown(self.value)}: {self.problem}" if self.field else self.problem
        )
        tail = [f"allowed: {self.allowed}"] if self.allowed else []
        if self.near:
            tail.append("nearest: " + ", ".join(self.near))
        if self.hint:
            tail.append(self.hint)
        return where + "; ".join([head, *tail]) + "."


class StorageError(UserError):
    """File or disk trouble."""

    exit_code = 4


class CatalogError(StorageError):
    """The catalog is missing, damaged or not the one this program was made with."""


def nearest(name: str, names: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """The known names closest to ``name``, best first; a match by part counts too."""
    known = sorted(set(names))
    lowered = name.lower()
    close = get_close_matches(lowered, known, n=count, cutoff=0.5)
    parts = [item for item in known if lowered and lowered in item.lower() and item not in close]
    return tuple([*close, *parts][:count])


def _spelled(value: object) -> str:
    """As the file has it: its readers know JSON and TOML, and no Python."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _shown(value: object, limit: int = 60) -> str:
    text = _spelled(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
