"""Typed reads of a parsed configuration: each is checked, and each is written down."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.reading_log import ReadingLog, printable, shown
from kentino_desk.domain.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST = 10_000_000
"""Above every width, count and length of a published model."""


class Fields:
    """One object of the configuration. A field that is null counts as missing."""

    def __init__(self, raw: Mapping[str, object], log: ReadingLog, prefix: str = "") -> None:
        self.log = log
        self._raw = raw
        self._prefix = prefix

    def path(self, name: str) -> str:
        """The dotted name of a field, as messages show it."""
        return f"{self._prefix}{name}"

    def names(self) -> tuple[str, ...]:
        """The names of all fields of this object."""
        return tuple(self._raw)

    def value(self, name: str) -> object:
        """The value as it stands, None where it is missing."""
        return self._raw.get(name)

    def has(self, *names: str) -> bool:
        """Whether one of the fields holds a value."""
        return any(self._raw.get(name) is not None for name in names)

    def first(self, names: Sequence[str]) -> str:
        """The first of the names that holds a value, or an empty text."""
        return next((name for name in names if self._raw.get(name) is not None), "")

    def refusal(self, name: str, problem: str, allowed: str = "", hint: str = "") -> InputError:
        """The error that names this field."""
        value = self._raw.get(name)
        is_plain = value is None or isinstance(value, bool | float) or _is_whole(value)
        is_short = not isinstance(value, int) or abs(value) < 10**20
        given = value if is_plain and is_short else shown(value)
        return InputError(self.path(name), given, problem, allowed, hint)

    def whole(self, *names: str, low: int = 0, high: int = LARGEST) -> int | None:
        """A whole number under the first name that is given, or None.

        A list of equal numbers, one a layer, counts as that number.

        Raises:
            InputError: not a whole number, out of range, or different from layer to layer.
        """
        name = self.first(names)
        if not name:
            return None
        value = self._raw[name]
        number = self._same_in_every_layer(name, value) if isinstance(value, list) else value
        return self._checked(name, number, low, high)

    def _same_in_every_layer(self, name: str, values: list[object]) -> object:
        if not values or not all(_is_whole(item) and item == values[0] for item in values):
            raise self.refusal(
                name, "differs from layer to layer, which is not counted", "one whole number"
            )
        self.log.note_derived(self.path(name), values[0], "the same in every layer of the list")
        return values[0]

    def _checked(self, name: str, value: object, low: int, high: int) -> int:
        if not _is_whole(value) or not isinstance(value, int | float):
            raise self.refusal(name, "is not a whole number", f"{low:,} to {high:,}")
        number = int(value)
        if not low <= number <= high:
            raise self.refusal(name, "is out of range", f"{low:,} to {high:,}")
        self.log.note_read(self.path(name), number)
        return number

    def need(self, *names: str, low: int = 1, high: int = LARGEST) -> int:
        """A whole number that has to be there.

        Raises:
            InputError: missing, or refused by ``whole``.
        """
        number = self.whole(*names, low=low, high=high)
        if number is None:
            also = f"also read as {', '.join(names[1:])}" if len(names) > 1 else ""
            raise self.refusal(
                names[0], "is missing, and nothing can be counted without it", hint=also
            )
        return number

    def whole_or(
        self, default: int, basis: str, *names: str, low: int = 0, high: int = LARGEST
    ) -> int:
        """A whole number, or the default, which is then noted as assumed."""
        number = self.whole(*names, low=low, high=high)
        if number is None:
            self.log.note_assumed(self.path(names[0]), default, basis)
            return default
        return number

    def flag(self, name: str) -> bool | None:
        """A yes or no, or None where it is missing.

        Raises:
            InputError: anything but true and false.
        """
        value = self._raw.get(name)
        if value is None:
            return None
        if not isinstance(value, bool):
            raise self.refusal(name, "is neither true nor false", "true, false")
        self.log.note_read(self.path(name), value)
        return value

    def word(self, *names: str) -> str:
        """A text, empty where it is missing.

        Raises:
            InputError: not a text.
        """
        name = self.first(names)
        if not name:
            return ""
        value = self._raw[name]
        if not isinstance(value, str):
            raise self.refusal(name, "is not a text")
        self.log.note_read(self.path(name), value)
        return printable(value)

    def words(self, name: str) -> tuple[str, ...] | None:
        """A list of texts, or None where it is missing.

        Raises:
            InputError: not a list of texts.
        """
        items = self._list(name)
        if items is None:
            return None
        texts = tuple(printable(item) for item in items if isinstance(item, str))
        if len(texts) != len(items):
            raise self.refusal(name, "is not a list of texts")
        return texts

    def wholes(self, name: str) -> tuple[int, ...] | None:
        """A list of whole numbers from 0, or None where it is missing.

        Raises:
            InputError: not such a list.
        """
        items = self._list(name)
        if items is None:
            return None
        numbers = tuple(item for item in items if isinstance(item, int) and 0 <= item <= LARGEST)
        if len(numbers) != len(items):
            raise self.refusal(name, "is not a list of whole numbers")
        return tuple(int(item) for item in numbers)

    def _list(self, name: str) -> list[object] | None:
        value = self._raw.get(name)
        if value is None:
            return None
        if not isinstance(value, list):
            raise self.refusal(name, "is not a list")
        self.log.note_read(self.path(name), value)
        return value

    def part(self, name: str) -> Fields | None:
        """A nested object, or None where it is missing.

        Raises:
            InputError: not an object.
        """
        value = self._raw.get(name)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self.refusal(name, "is not an object")
        return Fields(value, self.log, f"{self._prefix}{name}.")

    def parts(self, name: str) -> tuple[Fields, ...] | None:
        """A list of nested objects, or None where it is missing.

        Raises:
            InputError: not a list of objects.
        """
        items = self._list(name)
        if items is None:
            return None
        objects = tuple(item for item in items if isinstance(item, Mapping))
        if len(objects) != len(items):
            raise self.refusal(name, "is not a list of objects")
        return tuple(
            Fields(item, self.log, f"{self._prefix}{name}[{place}].")
            for place, item in enumerate(objects)
        )


def _is_whole(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value) and value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)
