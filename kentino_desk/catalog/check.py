"""What the catalog holds and whether it is whole: for ``catalog check`` and ``selftest``."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.catalog.content_hash import Hashes, content_hash, file_hash
from kentino_desk.catalog.database import REMEDY, open_read_only, read_database
from kentino_desk.catalog.expected import EXPECTED
from kentino_desk.catalog.places import CATALOG_PATH, TEXT_DIR
from kentino_desk.catalog.tables import SOURCE_COLUMNS, TABLES, Table
from kentino_desk.catalog.text import read_text
from kentino_desk.domain.choices import Evidence
from kentino_desk.domain.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kentino_desk.catalog.columns import Column, SqlValue
    from kentino_desk.catalog.text import CatalogRows

_NOT_FACTS = frozenset({"id", "notes", "unsized_reason", *(item.name for item in SOURCE_COLUMNS)})
"""Columns that name or comment a row instead of stating something about the world."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogReport:
    """The state of a catalog file. It is whole if ``problems`` is empty."""

    path: str
    rows_per_table: dict[str, int]
    content_hash: str
    expected_hash: str
    values_by_grade: dict[str, int]
    text_hash: str
    """Hash that the text builds to; empty where the text cannot be read."""
    problems: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Whether the catalog may be used."""
        return not self.problems

    @property
    def matches_text(self) -> bool:
        """Whether the text builds to the same content."""
        return bool(self.text_hash) and self.text_hash == self.content_hash


def check_catalog(path: Path = CATALOG_PATH, text_dir: Path = TEXT_DIR) -> CatalogReport:
    """Read the catalog and its text and report; a damaged file is a finding, not an error."""
    problems: list[str] = []
    rows = _rows_or_none(path, problems)
    own_hash = content_hash(rows) if rows else ""
    text_hash = _text_hash(text_dir, problems)
    if rows and Hashes(own_hash, file_hash(path)) != EXPECTED:
        problems.append(f"{path}: is not the one this program was made with; {REMEDY}.")
    if rows and text_hash and own_hash != text_hash:
        problems.append(f"{path}: the text builds to other content; {REMEDY}.")
    return CatalogReport(
        path=str(path),
        rows_per_table={name: len(found) for name, found in (rows or {}).items()},
        content_hash=own_hash,
        expected_hash=EXPECTED.content,
        values_by_grade=_values_by_grade(rows or {}),
        text_hash=text_hash,
        problems=tuple(problems),
    )


def _rows_or_none(path: Path, problems: list[str]) -> CatalogRows | None:
    try:
        rows = read_database(path)
        _check_whole(path)
    except CatalogError as error:
        problems.append(str(error))
        return None
    return rows


def _check_whole(path: Path) -> None:
    """The slower checks that a start leaves to the content hash."""
    try:
        with closing(open_read_only(path)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            orphans = connection.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.Error as error:
        raise CatalogError(f"{path}: the catalog is damaged ({error}); {REMEDY}.") from error
    if verdict != "ok" or orphans:
        raise CatalogError(f"{path}: the catalog is damaged; {REMEDY}.")


def _text_hash(text_dir: Path, problems: list[str]) -> str:
    try:
        return content_hash(read_text(text_dir))
    except CatalogError as error:
        problems.append(str(error))
        return ""


def _values_by_grade(rows: CatalogRows) -> dict[str, int]:
    counted = Counter(
        grade
        for table in TABLES
        if table.has_source
        for row in rows.get(table.name, [])
        for grade in _grades(table, row)
    )
    return {grade.value: counted[grade] for grade in Evidence}


def _grades(table: Table, row: tuple[SqlValue, ...]) -> Iterator[Evidence]:
    record = dict(zip(table.names, row, strict=True))
    for column in table.columns:
        if is_fact(column, record):
            yield grade_of(record, column.name)


def is_fact(column: Column, record: dict[str, SqlValue]) -> bool:
    """Whether the row states something here, instead of leaving it at what most rows have."""
    value = record[column.name]
    return column.name not in _NOT_FACTS and value is not None and value != column.default


def grade_of(record: dict[str, SqlValue], name: str) -> Evidence:
    """Grade of one field: a field named as unconfirmed is an estimate, whatever the row is."""
    unverified = str(record["unverified"]).split()
    if name in unverified or "all" in unverified:
        return Evidence.ESTIMATE
    return Evidence(str(record["evidence"]))
