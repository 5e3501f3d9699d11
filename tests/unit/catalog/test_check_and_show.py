from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from kentino_desk.catalog.check import check_catalog
from kentino_desk.catalog.places import CATALOG_PATH, TEXT_DIR
from kentino_desk.catalog.show import show_row, show_table
from kentino_desk.domain.errors import CatalogError, InputError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    return shutil.copy(CATALOG_PATH, tmp_path / "catalog.db")


def test_the_shipped_catalog_is_whole_and_matches_its_text() -> None:
    report = check_catalog()
    assert report.problems == ()
    assert report.is_whole
    assert report.matches_text
    assert report.rows_per_table["models"] == 231
    assert report.rows_per_table["links"] == 43
    assert set(report.values_by_grade) == {"measured", "vendor", "estimate"}
    assert all(count > 0 for count in report.values_by_grade.values())


def test_a_flipped_byte_is_reported_not_raised(catalog: Path) -> None:
    content = bytearray(catalog.read_bytes())
    content[len(content) // 2] ^= 1
    catalog.write_bytes(content)
    report = check_catalog(catalog)
    assert not report.is_whole
    assert str(catalog) in report.problems[0]


def test_a_missing_catalog_and_broken_text_are_both_reported(tmp_path: Path) -> None:
    report = check_catalog(tmp_path / "none.db", tmp_path)
    assert len(report.problems) == 2
    assert report.rows_per_table == {}
    assert not report.matches_text


def test_text_that_was_edited_and_not_built_is_reported(catalog: Path, tmp_path: Path) -> None:
    text = shutil.copytree(TEXT_DIR, tmp_path / "text")
    prices = text / "prices" / "sample-eur.csv"
    content = prices.read_text(encoding="utf-8").replace("14000.00", "14001.00")
    prices.write_text(content, encoding="utf-8")
    report = check_catalog(catalog, text)
    assert not report.matches_text
    assert any("the text builds to other content" in problem for problem in report.problems)


def test_a_row_is_shown_with_source_date_and_grades() -> None:
    facts = show_row("gpus", "h100-sxm")
    grades = {item.name: item.grade for item in facts.fields}
    assert facts.source.startswith("https://")
    assert facts.read_on == "2026-12-02"
    assert grades["memory_mib"] == "estimate"
    assert grades["memory_gb"] == "vendor"
    assert grades["tflops_fp4"] == ""


def test_measured_links_are_graded_so() -> None:
    facts = show_row("links", "allreduce-8-pcie-gen5-x16-rtx-pro-6000")
    grades = {item.name: item.grade for item in facts.fields}
    assert grades["measured_gb_per_s"] == "measured"


def test_a_node_is_shown_with_its_cards() -> None:
    shown = {item.name: item.value for item in show_row("nodes", "own-p6-8").fields}
    assert shown["gpu_ids"] == "rtx-pro-6000-bw-server rtx-pro-6000-bw-maxq"
    assert {i.name: i.value for i in show_row("nodes", "generic-host-8").fields}["gpu_ids"] == "*"


def test_a_price_is_found_by_its_item() -> None:
    shown = {item.name: item.value for item in show_row("price_lines", "nic:ib200").fields}
    assert shown["price"] == "1500.00"


def test_a_table_is_shown_in_full() -> None:
    assert next(row["id"] for row in show_table("fabrics")) == "ib200"


def test_unknown_names_are_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="nearest: gpus"):
        show_table("gpu")
    with pytest.raises(InputError, match=r"nearest: .*l40s"):
        show_row("gpus", "l40x")


def test_a_changed_catalog_is_not_shown(catalog: Path) -> None:
    catalog.write_bytes(catalog.read_bytes()[:-4_096])
    with pytest.raises(CatalogError):
        show_table("gpus", catalog)
