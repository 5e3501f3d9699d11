"""The reviewed text of the catalog as rows, every one of them checked."""

from __future__ import annotations

import csv
import tomllib
from typing import TYPE_CHECKING, Any

from kentino_desk.catalog.columns import SqlValue
from kentino_desk.catalog.row_rules import check_rows
from kentino_desk.catalog.tables import (
    ANY_GPU,
    CATALOG,
    FABRICS,
    GPUS,
    LINKS,
    MODELS,
    NODE_GPUS,
    NODES,
    PRICE_LINES,
    PRICE_LISTS,
    TABLES,
    Table,
)
from kentino_desk.domain.errors import CatalogError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Row = dict[str, SqlValue]
CatalogRows = dict[str, list[tuple[SqlValue, ...]]]


def read_text(folder: Path) -> CatalogRows:
    """All rows of the text in ``folder``, by table, in the order of their keys.

    Raises:
        CatalogError: a file that cannot be read, or a row that breaks a rule.
    """
    rows = _read_tables(folder)
    check_rows(rows)
    return {table.name: _in_order(table, rows[table.name]) for table in TABLES}


def _read_tables(folder: Path) -> dict[str, list[Row]]:
    head = _load_toml(folder / "catalog.toml")
    models = sorted((folder / "models").glob("*.toml"))
    node_file = folder / "nodes.toml"
    nodes = list(_blocks(node_file, "node"))
    lists = list(_price_list_rows(head))
    return {
        CATALOG.name: [_row(CATALOG, head.get("catalog", {}), "catalog.toml")],
        GPUS.name: _file_rows(GPUS, folder / "gpus.toml", "gpu"),
        NODES.name: [_row(NODES, _without_gpus(raw), node_file.name) for raw in nodes],
        NODE_GPUS.name: [row for raw in nodes for row in _node_gpus(raw, node_file.name)],
        LINKS.name: _file_rows(LINKS, folder / "links.toml", "link"),
        FABRICS.name: _file_rows(FABRICS, folder / "fabrics.toml", "fabric"),
        MODELS.name: [row for path in models for row in _file_rows(MODELS, path, "model")],
        PRICE_LISTS.name: lists,
        PRICE_LINES.name: [
            line for raw in head.get("price_list", []) for line in _price_lines(folder, raw)
        ],
    }


def _load_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CatalogError(f"{path.name}: the catalog text cannot be read: {error}.") from error


def _blocks(path: Path, kind: str) -> Iterator[dict[str, Any]]:
    content = _load_toml(path)
    unknown = sorted(set(content) - {kind})
    if unknown:
        raise CatalogError(f"{path.name}: [[{unknown[0]}]] is no part of it, only [[{kind}]] is.")
    yield from content.get(kind, [])


def _file_rows(table: Table, path: Path, kind: str) -> list[Row]:
    return [_row(table, raw, path.name) for raw in _blocks(path, kind)]


def _row(table: Table, raw: Mapping[str, Any], where: str) -> Row:
    label = f"{where}: {raw.get('id', '(no id)')}"
    unknown = [name for name in raw if name not in table.names]
    if unknown:
        near = ", ".join(nearest(unknown[0], table.names))
        raise CatalogError(f"{label}: unknown key {unknown[0]}; nearest: {near}.")
    given = {name: _joined(value) if name == "unverified" else value for name, value in raw.items()}
    row: Row = {}
    for column in table.all_columns:
        try:
            name = column.name
            row[name] = column.read(given[name]) if name in given else column.fill(row)
        except ValueError as error:
            raise CatalogError(f"{label}: {column.name} {error}.") from error
    return row


def _joined(value: object) -> object:
    is_list = isinstance(value, list) and value and all(isinstance(item, str) for item in value)
    return " ".join(value) if is_list and isinstance(value, list) else value


def _without_gpus(raw: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in raw.items() if name != "gpu_ids"}
    return kept | {"any_gpu": raw.get("gpu_ids") == [ANY_GPU]}


def _node_gpus(raw: Mapping[str, Any], where: str) -> list[Row]:
    gpu_ids = raw.get("gpu_ids")
    if not isinstance(gpu_ids, list) or not gpu_ids:
        raise CatalogError(f"{where}: {raw.get('id')}: gpu_ids is a list of GPU ids.")
    if gpu_ids == [ANY_GPU]:
        return []
    return [
        _row(NODE_GPUS, {"node_id": raw["id"], "position": place, "gpu_id": gpu_id}, where)
        for place, gpu_id in enumerate(gpu_ids)
    ]


def _price_list_rows(head: Mapping[str, Any]) -> Iterator[Row]:
    for place, raw in enumerate(head.get("price_list", [])):
        kept = {name: value for name, value in raw.items() if name != "file"}
        yield _row(PRICE_LISTS, kept | {"position": place}, "catalog.toml")


def _price_lines(folder: Path, raw: Mapping[str, Any]) -> list[Row]:
    path = folder / "prices" / str(raw.get("file", ""))
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            lines = list(csv.DictReader(stream, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CatalogError(f"{path.name}: the price list cannot be read: {error}.") from error
    return [
        _row(PRICE_LINES, line | {"list_id": raw["id"], "position": place}, path.name)
        for place, line in enumerate(lines)
    ]


def _in_order(table: Table, rows: list[Row]) -> list[tuple[SqlValue, ...]]:
    ordered = sorted(rows, key=lambda row: tuple(_sort_key(row[name]) for name in table.keys))
    return [tuple(row[name] for name in table.names) for row in ordered]


def _sort_key(value: SqlValue) -> tuple[float, bytes]:
    """Numbers by value and texts by their bytes, as SQLite orders them."""
    if isinstance(value, str):
        return 0.0, value.encode()
    return float(value or 0), b""
