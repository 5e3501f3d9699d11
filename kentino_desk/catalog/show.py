"""Rows of the catalog for reading: a table, or one row with source, date and grades."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.catalog.check import grade_of, is_fact
from kentino_desk.catalog.database import read_trusted
from kentino_desk.catalog.expected import EXPECTED
from kentino_desk.catalog.places import CATALOG_PATH
from kentino_desk.catalog.tables import TABLE_BY_NAME, Table
from kentino_desk.domain.errors import InputError, nearest

if TYPE_CHECKING:
    from pathlib import Path

    from kentino_desk.catalog.columns import Column, SqlValue
    from kentino_desk.catalog.text import CatalogRows


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldFact:
    """One field of a row; ``grade`` is empty in tables without sources."""

    name: str
    value: SqlValue
    grade: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFacts:
    """One row with where it comes from."""

    table: str
    id: str
    source: str
    read_on: str
    fields: tuple[FieldFact, ...]


def table_names() -> tuple[str, ...]:
    """Names that ``show_table`` knows."""
    return tuple(TABLE_BY_NAME)


def show_table(name: str, path: Path = CATALOG_PATH) -> list[dict[str, SqlValue]]:
    """All rows of a table.

    Raises:
        InputError: unknown table (nearest names offered).
        CatalogError: the catalog cannot be trusted.
    """
    table = _table(name)
    rows = read_trusted(path, EXPECTED)
    return [dict(zip(table.names, row, strict=True)) for row in rows[table.name]]


def show_row(name: str, row_id: str, path: Path = CATALOG_PATH) -> RowFacts:
    """One row, each field with its grade.

    Raises:
        InputError: unknown table or row (nearest names offered).
        CatalogError: the catalog cannot be trusted.
    """
    table = _table(name)
    rows = read_trusted(path, EXPECTED)
    record = _record(table, row_id, rows)
    return RowFacts(
        table=table.name,
        id=row_id,
        source=str(record.get("source", "")),
        read_on=str(rows["catalog"][0][1]),
        fields=tuple(
            FieldFact(
                name=column.name, value=record[column.name], grade=_grade(table, record, column)
            )
            for column in table.columns
        )
        + _held_gpus(table, row_id, rows),
    )


def _table(name: str) -> Table:
    if name not in TABLE_BY_NAME:
        raise InputError(
            "table",
            name,
            "unknown table",
            ", ".join(TABLE_BY_NAME),
            near=nearest(name, TABLE_BY_NAME),
        )
    return TABLE_BY_NAME[name]


def _record(table: Table, row_id: str, rows: CatalogRows) -> dict[str, SqlValue]:
    label = "item" if table.name == "price_lines" else table.keys[0]
    records = [dict(zip(table.names, row, strict=True)) for row in rows[table.name]]
    for record in records:
        if record[label] == row_id:
            return record
    known = [str(record[label]) for record in records]
    raise InputError(
        "id",
        row_id,
        f"no such row in {table.name}",
        "an id of the table",
        near=nearest(row_id, known),
    )


def _grade(table: Table, record: dict[str, SqlValue], column: Column) -> str:
    if not table.has_source or not is_fact(column, record):
        return ""
    return grade_of(record, column.name).value


def _held_gpus(table: Table, row_id: str, rows: CatalogRows) -> tuple[FieldFact, ...]:
    """The cards of a node, which stand in a table of their own."""
    if table.name != "nodes":
        return ()
    record = _record(table, row_id, rows)
    held = " ".join(str(gpu_id) for node_id, _, gpu_id in rows["node_gpus"] if node_id == row_id)
    grade = grade_of(record, "gpu_ids").value
    return (FieldFact(name="gpu_ids", value=held or "*", grade=grade),)
