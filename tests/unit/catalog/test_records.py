from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kentino_desk.catalog.records import facts_of, read_records, record_of_card
from kentino_desk.catalog.show import show_row, show_table
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.errors import CatalogError

if TYPE_CHECKING:
    from pathlib import Path

RECORDS = read_records()


def record(table: str, row_id: str):
    return next(item for item in RECORDS[table] if item.id == row_id)


@pytest.mark.parametrize("table", ["gpus", "nodes", "fabrics", "links", "models", "price_lines"])
def test_every_row_of_the_database_is_a_record(table: str) -> None:
    assert len(RECORDS[table]) == len(show_table(table))


@pytest.mark.parametrize(("table", "row_id"), [("gpus", "h100-sxm"), ("nodes", "own-p6-8")])
def test_facts_agree_with_catalog_show(table: str, row_id: str) -> None:
    shown = {item.name: (item.value, item.grade) for item in show_row(table, row_id).fields}
    facts = {fact.name: (fact.value, fact.grade) for fact in facts_of(record(table, row_id))}
    assert facts == shown


def test_recalled_fields_are_told_from_estimates_that_were_read() -> None:
    recalled = {fact.name: fact for fact in facts_of(record("gpus", "a10"))}
    assert recalled["launch_year"].is_unverified
    assert not recalled["memory_gb"].is_unverified
    estimate = facts_of(record("links", "pcie-host-gen4-x8"))
    graded = [fact for fact in estimate if fact.grade]
    assert {fact.grade for fact in graded} == {"estimate"}
    assert not any(fact.is_unverified for fact in graded)


def test_a_price_has_currency_and_day_of_its_list() -> None:
    line = record("price_lines", "nic:ib200")
    assert line.text("currency") == "EUR"
    assert line.read_on == "2026-12-01"
    assert line.values["is_sample"]


def test_a_host_for_any_card_says_so() -> None:
    assert record("nodes", "generic-host-8").text("gpu_ids") == "*"


def test_a_card_of_a_snapshot_gives_the_record_it_came_from() -> None:
    card = load_snapshot().models["llama-3.1-8b"]
    made, shipped = record_of_card(card), record("models", "llama-3.1-8b")
    only_shown = {"released", "licence", "notes"}
    assert made.is_own
    assert made.read_on == shipped.read_on
    assert set(made.values) == set(shipped.values)
    for name in set(made.values) - only_shown - {"unverified"}:
        assert made.values[name] == shipped.values[name], name
    assert made.unverified == shipped.unverified


def test_a_catalog_that_cannot_be_trusted_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError):
        read_records(tmp_path / "none.db")
