"""``kentino-desk catalog build|check|show``."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from kentino_desk.catalog.build import build_catalog, write_expected
from kentino_desk.catalog.check import CatalogReport, check_catalog
from kentino_desk.catalog.places import CATALOG_PATH
from kentino_desk.catalog.show import RowFacts, show_row, show_table, table_names
from kentino_desk.domain.errors import CatalogError, InputError, nearest

if TYPE_CHECKING:
    from kentino_desk.catalog.columns import SqlValue

ACTIONS = ("build", "check", "show")


def catalog_main(action: str, table: str | None, row_id: str | None, as_json: bool) -> int:
    """Run one action and return the exit code.

    Raises:
        InputError: unknown action, table or row.
        CatalogError: the catalog cannot be built, read or trusted.
    """
    if action == "build":
        return _build(as_json)
    if action == "check":
        return _check(as_json)
    if action == "show":
        return _show(table, row_id, as_json)
    raise InputError(
        "catalog", action, "unknown action", ", ".join(ACTIONS), near=nearest(action, ACTIONS)
    )


def _build(as_json: bool) -> int:
    hashes = build_catalog()
    write_expected(hashes)
    document: dict[str, object] = {"path": str(CATALOG_PATH), "content_hash": hashes.content}
    _write(document if as_json else f"built {CATALOG_PATH}\ncontent hash {hashes.content}")
    return 0


def _check(as_json: bool) -> int:
    report = check_catalog()
    _write(_report_document(report) if as_json else _report_text(report))
    return 0 if report.is_whole else CatalogError.exit_code


def _report_document(report: CatalogReport) -> dict[str, object]:
    verdict = {"is_whole": report.is_whole, "matches_text": report.matches_text}
    return asdict(report) | verdict


def _report_text(report: CatalogReport) -> str:
    lines = [report.path, "", "rows"]
    lines += _columns(report.rows_per_table)
    lines += ["", "values by grade", *_columns(report.values_by_grade)]
    lines += ["", f"content hash   {report.content_hash or 'none'}"]
    lines += [f"expected hash  {report.expected_hash}"]
    lines += [f"text builds to {report.text_hash or 'nothing'}", ""]
    lines += list(report.problems) or ["The catalog is whole."]
    return "\n".join(lines)


def _columns(counts: dict[str, int]) -> list[str]:
    return [f"  {name:<14}{count:>7}" for name, count in counts.items()] or ["  none"]


def _show(table: str | None, row_id: str | None, as_json: bool) -> int:
    if table is None:
        names = list(table_names())
        _write({"tables": names} if as_json else "\n".join(names))
    elif row_id is None:
        rows = show_table(table)
        _write({"table": table, "rows": rows} if as_json else _table_text(rows))
    else:
        facts = show_row(table, row_id)
        _write(asdict(facts) if as_json else _row_text(facts))
    return 0


def _table_text(rows: list[dict[str, SqlValue]]) -> str:
    """One line a row: the first four columns, aligned; the rest is a matter for one row."""
    cells = [[_shown(value) for value in list(row.values())[:4]] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    )


def _row_text(facts: RowFacts) -> str:
    width = max(len(item.name) for item in facts.fields)
    lines = [f"{facts.table}: {facts.id}"]
    lines += [f"source {facts.source}"] if facts.source else []
    lines += [f"read on {facts.read_on}", ""]
    lines += [
        f"{item.name:<{width}}  {_shown(item.value):<28}  {item.grade}".rstrip()
        for item in facts.fields
    ]
    return "\n".join(lines)


def _shown(value: SqlValue) -> str:
    if value is None or value == "":
        return "–"
    return f"{value:,.10g}".replace(",", " ") if isinstance(value, float) else str(value)


def _write(content: dict[str, object] | str) -> None:
    text = (
        content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=2)
    )
    sys.stdout.write(text + "\n")
