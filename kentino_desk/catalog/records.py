"""Every row of the catalog and of the user's models, read once; facts of a row on request."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.catalog.check import grade_of, is_fact
from kentino_desk.catalog.database import read_trusted
from kentino_desk.catalog.expected import EXPECTED
from kentino_desk.catalog.places import CATALOG_PATH
from kentino_desk.catalog.tables import (
    ANY_GPU,
    MODELS,
    NODES,
    PRICE_LINES,
    PRICE_LISTS,
    TABLE_BY_NAME,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from kentino_desk.catalog.columns import SqlValue
    from kentino_desk.catalog.text import CatalogRows
    from kentino_desk.domain.model_card import ModelCard

HELD_GPUS = "gpu_ids"
"""The cards of a node: a table of its own in the database, a field of the node here. A price has
the name, currency and day of its list in the same way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogRecord:
    """One row. ``is_own`` marks a model of the user."""

    table: str
    id: str
    values: Mapping[str, SqlValue]
    read_on: str
    is_own: bool = False

    def text(self, name: str) -> str:
        """A column as text, empty where nothing is known."""
        value = self.values.get(name)
        return "" if value is None else str(value)

    @property
    def source(self) -> str:
        """Where the row comes from; empty in tables without sources."""
        return self.text("source")

    @property
    def unverified(self) -> frozenset[str]:
        """Fields that were recalled and not read; ``all`` stands for the row."""
        return frozenset(self.text("unverified").split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One field of a row. ``grade`` is empty where the row states nothing of its own."""

    name: str
    value: SqlValue
    grade: str
    is_unverified: bool


def read_records(path: Path = CATALOG_PATH) -> Mapping[str, tuple[CatalogRecord, ...]]:
    """All rows by table.

    Raises:
        CatalogError: the catalog cannot be trusted.
    """
    rows = read_trusted(path, EXPECTED)
    read_on = str(rows["catalog"][0][1])
    found = {
        name: tuple(_record(name, record, read_on) for record in _named(rows, name))
        for name in TABLE_BY_NAME
    }
    found[NODES.name] = tuple(_with_gpus(found[NODES.name], rows))
    found[PRICE_LINES.name] = tuple(_with_list(found[PRICE_LINES.name], rows))
    return MappingProxyType(found)


def record_of_card(card: ModelCard) -> CatalogRecord:
    """A model of the user as a row beside those of the catalog."""
    source = card.source
    values: dict[str, SqlValue] = {
        column.name: getattr(card, column.name, "") for column in MODELS.columns
    }
    values |= {
        "source": source.address,
        "evidence": source.evidence.value,
        "unverified": " ".join(sorted(source.unverified)),
    }
    return CatalogRecord(
        table=MODELS.name, id=card.id, values=values, read_on=source.read_on, is_own=True
    )


def facts_of(record: CatalogRecord) -> tuple[Fact, ...]:
    """The fields of a row, each with its grade."""
    return tuple(_facts(record))


def _facts(record: CatalogRecord) -> Iterator[Fact]:
    table, values = TABLE_BY_NAME[record.table], dict(record.values)
    recalled = record.unverified
    for column in table.columns:
        known = table.has_source and is_fact(column, values)
        yield Fact(
            name=column.name,
            value=values[column.name],
            grade=grade_of(values, column.name).value if known else "",
            is_unverified=known and not recalled.isdisjoint({column.name, "all"}),
        )
    if HELD_GPUS in values:
        yield Fact(
            name=HELD_GPUS,
            value=values[HELD_GPUS],
            grade=grade_of(values, HELD_GPUS).value,
            is_unverified=not recalled.isdisjoint({HELD_GPUS, "all"}),
        )


def _named(rows: CatalogRows, table: str) -> Iterator[dict[str, SqlValue]]:
    names = TABLE_BY_NAME[table].names
    return (dict(zip(names, row, strict=True)) for row in rows[table])


def _record(table: str, values: dict[str, SqlValue], read_on: str) -> CatalogRecord:
    label = "item" if table == PRICE_LINES.name else TABLE_BY_NAME[table].keys[0]
    return CatalogRecord(table=table, id=str(values[label]), values=values, read_on=read_on)


def _with_gpus(nodes: Iterable[CatalogRecord], rows: CatalogRows) -> Iterator[CatalogRecord]:
    held: dict[str, list[str]] = {}
    for node_id, _, gpu_id in rows["node_gpus"]:
        held.setdefault(str(node_id), []).append(str(gpu_id))
    for node in nodes:
        gpu_ids = " ".join(held.get(node.id, [ANY_GPU]))
        yield replace(node, values={**node.values, HELD_GPUS: gpu_ids})


def _with_list(lines: Iterable[CatalogRecord], rows: CatalogRows) -> Iterator[CatalogRecord]:
    lists = {str(record["id"]): record for record in _named(rows, PRICE_LISTS.name)}
    for line in lines:
        of = lists[line.text("list_id")]
        more = {
            "list_name": of["name"],
            "currency": of["currency"],
            "is_sample": of["is_sample"],
        }
        yield replace(line, values={**line.values, **more}, read_on=str(of["valid_from"]))
