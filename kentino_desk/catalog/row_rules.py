"""Rules between the rows of the catalog: unique keys, references, evidence, prices."""

from __future__ import annotations

import re
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from kentino_desk.catalog.tables import TABLES, Table
from kentino_desk.domain.choices import Evidence
from kentino_desk.domain.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from kentino_desk.catalog.columns import SqlValue

    Rows = Mapping[str, Sequence[Mapping[str, SqlValue]]]

_ID = re.compile(r"[a-z0-9][a-z0-9.\-]*")
_PRICE = re.compile(r"[0-9]{1,12}(\.[0-9]{1,4})?")
_NO_SOURCE = ", no source"
_TEXT_ONLY_KEYS = frozenset({"gpu_ids"})
"""Keys of the text that are a table of their own in the database."""
_SIZED_COLUMNS = ("params_total", "hidden", "layers", "heads", "kv_heads", "head_dim", "vocab")
_LAYER_COLUMNS = ("full_layers", "sliding_layers", "linear_layers", "mamba_layers")


def check_rows(rows: Rows) -> None:
    """Check every row against the rules that reach beyond one value.

    Raises:
        CatalogError: the first rule that is broken, with table and row.
    """
    for table in TABLES:
        _check_keys(table, rows)
        _check_references(table, rows)
        if table.has_source:
            _check_each(table.name, rows, partial(_source_problem, table))
    _check_each("models", rows, _model_problem)
    _check_each("nodes", rows, _node_problem)
    _check_each("catalog", rows, _date_problem)
    _check_prices(rows)


def _check_each(name: str, rows: Rows, problem_of: Callable[[Mapping[str, SqlValue]], str]) -> None:
    for row in rows[name]:
        problem = problem_of(row)
        if problem:
            raise CatalogError(f"{name}: {row.get('id', row.get('item', ''))}: {problem}.")


def _check_keys(table: Table, rows: Rows) -> None:
    seen: set[tuple[SqlValue, ...]] = set()
    for row in rows[table.name]:
        key = tuple(row[name] for name in table.keys)
        if key in seen:
            raise CatalogError(f"{table.name}: {key[0]} stands there twice.")
        if table.keys == ("id",) and not _ID.fullmatch(str(row["id"])):
            raise CatalogError(f"{table.name}: {row['id']} is no id (a-z, 0-9, point, hyphen).")
        seen.add(key)


def _check_references(table: Table, rows: Rows) -> None:
    for column in table.columns:
        if not column.references:
            continue
        other, _, key = column.references.partition(".")
        known = {row[key] for row in rows[other]}
        for row in rows[table.name]:
            if row[column.name] not in known:
                raise CatalogError(
                    f"{table.name}: {row[table.keys[0]]}: "
                    f"{column.name} = {row[column.name]} does not stand in {other}."
                )


def _source_problem(table: Table, row: Mapping[str, SqlValue]) -> str:
    named = str(row["unverified"]).split()
    unknown = [name for name in named if name not in {*table.names, *_TEXT_ONLY_KEYS, "all"}]
    if unknown:
        return f"unverified names {unknown[0]}, which is no field"
    if row["evidence"] != Evidence.ESTIMATE and _NO_SOURCE in str(row["source"]):
        return f"is graded {row['evidence']} without a source"
    return ""


def _model_problem(row: Mapping[str, SqlValue]) -> str:
    if row["unsized_reason"]:
        return ""
    missing = [name for name in _SIZED_COLUMNS if not row[name]]
    if missing:
        return f"{missing[0]} is missing; give it, or say why in unsized_reason"
    return next((problem for broken, problem in _shape_problems(row) if broken), "")


def _shape_problems(row: Mapping[str, SqlValue]) -> tuple[tuple[bool, str], ...]:
    by_kind = sum(_number(row[name]) for name in _LAYER_COLUMNS)
    has_routing = bool(row["moe_layers"] and row["experts_per_token"])
    return (
        (by_kind == 0, "has no layers of any kind"),
        (by_kind > _number(row["layers"]), "has more layers of all kinds together than layers"),
        (
            _number(row["params_active"]) > _number(row["params_total"]),
            "has more active parameters than parameters",
        ),
        (
            bool(row["experts"]) and not has_routing,
            "has experts, but not moe_layers and experts_per_token",
        ),
    )


def _number(value: SqlValue) -> float:
    return float(value or 0)


def _node_problem(row: Mapping[str, SqlValue]) -> str:
    if row["offered"] and row["cpu_tdp_w"] is None:
        return "is offered, but its power is not known: cpu_tdp_w is missing"
    if row["offered"] and row["any_gpu"]:
        return "is offered, so it names its cards"
    return ""


def _date_problem(row: Mapping[str, SqlValue]) -> str:
    try:
        date.fromisoformat(str(row["read_on"]))
    except ValueError:
        return "read_on is a day such as 2026-12-02"
    return ""


def _check_prices(rows: Rows) -> None:
    if not rows["price_lists"]:
        raise CatalogError("price_lists: there is none; catalog.toml names at least one.")
    known = set(_known_items(rows))
    for price_list in rows["price_lists"]:
        lines = [line for line in rows["price_lines"] if line["list_id"] == price_list["id"]]
        items = [str(line["item"]) for line in lines]
        _check_items(str(price_list["id"]), items, known)
        for line in lines:
            if not _PRICE.fullmatch(str(line["price"])):
                raise CatalogError(f"prices: {line['item']}: {line['price']} is no price.")
    _check_offer(rows)


def _check_items(list_id: str, items: list[str], known: set[str]) -> None:
    twice = [item for item in set(items) if items.count(item) > 1]
    if twice:
        raise CatalogError(f"prices: {list_id}: {twice[0]} stands there twice.")
    unknown = [i for i in items if i not in known and not re.fullmatch(r"service:[a-z\-]+", i)]
    if unknown:
        raise CatalogError(f"prices: {list_id}: {unknown[0]} is nothing in the catalog.")


def _known_items(rows: Rows) -> Iterable[str]:
    for row in rows["node_gpus"]:
        yield f"node:{row['node_id']}:{row['gpu_id']}"
    for row in rows["fabrics"]:
        yield from (f"{part}:{row['id']}" for part in ("nic", "cable", "switch"))


def _check_offer(rows: Rows) -> None:
    """Whatever is offered has a price in the first list, which is the one that is used."""
    first = min(rows["price_lists"], key=lambda row: _number(row["position"]))["id"]
    priced = {line["item"] for line in rows["price_lines"] if line["list_id"] == first}
    offered = {row["id"] for row in rows["nodes"] if row["offered"]}
    wanted = [item for item in _known_items(rows) if not item.startswith("node:")]
    wanted += [
        f"node:{row['node_id']}:{row['gpu_id']}"
        for row in rows["node_gpus"]
        if row["node_id"] in offered
    ]
    missing = [item for item in wanted if item not in priced]
    if missing:
        raise CatalogError(f"prices: {first}: {missing[0]} is offered and has no price.")
