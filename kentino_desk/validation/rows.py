"""Measured rows of a CSV file: columns checked, empty cells kept as not stated."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import InputError
from kentino_desk.store.files import read_limited

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

SIZE_LIMIT_BYTES = 20_000_000


class Row(Mapping[str, str]):
    """Cells of one row by column; an empty cell is not stated."""

    def __init__(self, cells: Mapping[str, str], source: str, line: int = 0) -> None:
        self._cells = cells
        self.source = source
        self.line = line

    def __getitem__(self, column: str) -> str:
        """The text of a cell, without blanks around it."""
        return self._cells[column]

    def __iter__(self) -> Iterator[str]:
        """Columns in the order of the file."""
        return iter(self._cells)

    def __len__(self) -> int:
        """Number of columns."""
        return len(self._cells)

    @property
    def id(self) -> str:
        """Name of the row: its own, the line of its source, or its line in the file."""
        return self._cells.get("id") or self._cells.get("source_row") or f"line {self.line}"

    def number(self, column: str) -> float | None:
        """The number of a cell; None where it is empty.

        Raises:
            InputError: something else than a finite number.
        """
        cell = self[column]
        if not cell:
            return None
        try:
            value = float(cell)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InputError(
                f"{self.id}.{column}", cell, "is not a number", "a number or nothing",
                source=self.source,
            )  # fmt: skip
        return value

    def count(self, column: str) -> int | None:
        """The same as a whole number from 0."""
        value = self.number(column)
        if value is not None and (value < 0 or value != int(value)):
            raise InputError(
                f"{self.id}.{column}", self[column], "is not a whole number",
                "a whole number or nothing", source=self.source,
            )  # fmt: skip
        return None if value is None else int(value)


def read_rows(
    paths: Iterable[Path], columns: tuple[str, ...], other_columns: tuple[str, ...] = ()
) -> tuple[Row, ...]:
    """All rows of some files, which must have exactly these columns, or exactly the other ones.

    Raises:
        InputError: an empty or binary file, unknown or missing columns, a row of another length.
        StorageError: a folder, or a file that cannot be read.
    """
    return tuple(row for path in paths for row in _rows_of(path, columns, other_columns))


def _rows_of(path: Path, columns: tuple[str, ...], other_columns: tuple[str, ...]) -> list[Row]:
    table = _table(_text(path), path.name)
    if not table:
        raise InputError(
            "", "", "the file is empty", f"a header of {columns[0]}, …", source=path.name
        )
    header = [name.strip() for name in table[0]]
    if not other_columns or set(header) != set(other_columns):
        _check_header(header, columns, path.name)
    if len(table) == 1:
        raise InputError("", "", "the file has no rows below its header", source=path.name)
    return [_row(header, cells, place, path.name) for place, cells in enumerate(table[1:], 2)]


def _text(path: Path) -> str:
    data = read_limited(path, SIZE_LIMIT_BYTES)
    if b"\0" in data:
        raise InputError("", "", "the file is not text", "a CSV file in UTF-8", source=path.name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            "", "", "the file is not text", "a CSV file in UTF-8", source=path.name
        ) from error


def _table(text: str, name: str) -> list[list[str]]:
    try:
        return [cells for cells in csv.reader(io.StringIO(text, newline=""), strict=True) if cells]
    except csv.Error as error:
        raise InputError("", "", f"the file is no CSV file ({error})", source=name) from error


def _check_header(header: list[str], columns: tuple[str, ...], name: str) -> None:
    for column in columns:
        if column not in header:
            raise InputError("column", column, "is missing", source=name)
    for column in header:
        if column not in columns:
            raise InputError("column", column, "is unknown", ", ".join(columns), source=name)
        if header.count(column) > 1:
            raise InputError("column", column, "stands twice", source=name)


def _row(header: list[str], cells: list[str], line: int, name: str) -> Row:
    if len(cells) != len(header):
        raise InputError(
            f"row {line}", cells[0], f"has {len(cells)} cells", f"{len(header)} cells", source=name
        )
    return Row(dict(zip(header, (cell.strip() for cell in cells), strict=True)), name, line)
