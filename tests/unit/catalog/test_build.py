from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from kentino_desk.catalog.build import build_catalog, write_expected
from kentino_desk.catalog.expected import EXPECTED
from kentino_desk.catalog.places import EXPECTED_PATH, TEXT_DIR
from kentino_desk.catalog.tables import APPLICATION_ID, TABLES
from kentino_desk.domain.errors import CatalogError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def text_dir(tmp_path: Path) -> Path:
    return shutil.copytree(TEXT_DIR, tmp_path / "text")


def _edit(path: Path, old: str, new: str) -> None:
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new, 1), encoding="utf-8")


def test_building_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    first = build_catalog(TEXT_DIR, tmp_path / "a.db")
    second = build_catalog(TEXT_DIR, tmp_path / "b.db")
    assert (tmp_path / "a.db").read_bytes() == (tmp_path / "b.db").read_bytes()
    assert first == second


def test_the_text_builds_to_the_content_the_package_expects(tmp_path: Path) -> None:
    assert build_catalog(TEXT_DIR, tmp_path / "a.db").content == EXPECTED.content


def test_the_build_leaves_nothing_but_the_catalog(tmp_path: Path) -> None:
    build_catalog(TEXT_DIR, tmp_path / "a.db")
    assert [item.name for item in tmp_path.iterdir()] == ["a.db"]


def test_tables_are_strict_journal_is_delete_and_the_file_says_whose_it_is(tmp_path: Path) -> None:
    build_catalog(TEXT_DIR, tmp_path / "a.db")
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        listed = {row[1]: row[5] for row in connection.execute("PRAGMA table_list")}
        assert all(listed[table.name] == 1 for table in TABLES)
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE gpus SET memory_gb = -1 WHERE id = 'l4'",
        "UPDATE gpus SET memory_gb = 'much' WHERE id = 'l4'",
        "UPDATE gpus SET memory_gb = NULL WHERE id = 'l4'",
        "UPDATE gpus SET evidence = 'heard' WHERE id = 'l4'",
        "UPDATE models SET attention = 'magic' WHERE id = 'llama-3.1-8b'",
        "UPDATE node_gpus SET gpu_id = 'no-such-card' WHERE node_id = 'own-l4-1'",
    ],
)
def test_the_database_refuses_what_the_text_may_not_say(tmp_path: Path, statement: str) -> None:
    build_catalog(TEXT_DIR, tmp_path / "a.db")
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(statement)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("gpus.toml", "memory_gb = 24", "memory_gb = 0", "memory_gb is below 1"),
        ("gpus.toml", "memory_gb = 24", "memory_gb = nan", "memory_gb is not finite"),
        ("gpus.toml", "memory_gb = 24", 'memory_gb = "24"', "memory_gb is not a real value"),
        ("gpus.toml", "memory_gb = 24", "memory = 24", "unknown key memory; nearest: memory_gb"),
        ("gpus.toml", "memory_gb = 24\n", "", "memory_gb is missing"),
        ("gpus.toml", 'id = "rtx-5090"', 'id = "rtx-4090"', "rtx-4090 stands there twice"),
        ("gpus.toml", 'id = "rtx-4090"', 'id = "RTX 4090"', "RTX 4090 is no id"),
        ("gpus.toml", "[[gpu]]", "[[card]]", "[[card]] is no part of it"),
        ("gpus.toml", "[[gpu]]", "[[gpu", "cannot be read"),
        ("gpus.toml", 'unverified = ["min_', 'unverified = ["max_', "which is no field"),
        ("nodes.toml", 'gpu_ids = ["l4"]', 'gpu_ids = ["l5"]', "gpu_id = l5 does not stand in"),
        ("nodes.toml", 'gpu_ids = ["l4"]', 'gpu_ids = "l4"', "gpu_ids is a list of GPU ids"),
        ("nodes.toml", "cpu_tdp_w = 290", "", "cpu_tdp_w is missing"),
        ("fabrics.toml", 'link_id = "ib-200"', 'link_id = "ib-2"', "does not stand in links"),
        ("fabrics.toml", 'id = "ib200"', 'id = "ib250"', "id is none of ib200"),
        ("models/meta.toml", "hidden = 4096", "", "hidden is missing"),
        ("models/meta.toml", "full_layers = 32\n", "", "has no layers of any kind"),
        ("models/meta.toml", "full_layers = 32", "full_layers = 33", "has more layers"),
        ("prices/sample-eur.csv", "nic:ib200", "nic:ib250", "nic:ib250 is nothing"),
        ("prices/sample-eur.csv", "nic:ib400", "nic:ib200", "nic:ib200 stands there twice"),
        ("prices/sample-eur.csv", ",14000.00", ",-5", "-5 is no price"),
        ("prices/sample-eur.csv", "node:own-p6-1:rtx-pro-6000-bw-ws", "service:x", "has no price"),
        ("catalog.toml", "2026-12-02", "yesterday", "read_on is a day"),
        ("catalog.toml", "sample-eur.csv", "other.csv", "price list cannot be read"),
    ],
)
def test_a_wrong_row_is_refused_by_name(
    text_dir: Path, file: str, old: str, new: str, said: str
) -> None:
    _edit(text_dir / file, old, new)
    with pytest.raises(CatalogError) as caught:
        build_catalog(text_dir, text_dir / "a.db")
    assert said in str(caught.value)
    assert not (text_dir / "a.db").exists()


def test_a_graded_row_needs_a_source(text_dir: Path) -> None:
    _edit(
        text_dir / "gpus.toml",
        'source = "https://www.techpowerup.com/gpu-specs/geforce-rtx-4090.c3889"',
        'source = "recalled, no source read"',
    )
    with pytest.raises(CatalogError, match="is graded vendor without a source"):
        build_catalog(text_dir, text_dir / "a.db")


def test_a_failed_build_leaves_the_old_catalog_alone(text_dir: Path) -> None:
    target = text_dir / "a.db"
    build_catalog(text_dir, target)
    before = target.read_bytes()
    _edit(text_dir / "gpus.toml", "memory_gb = 24", "memory_gb = 0")
    with pytest.raises(CatalogError):
        build_catalog(text_dir, target)
    assert target.read_bytes() == before


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="cannot be written"):
        build_catalog(TEXT_DIR, tmp_path / "missing" / "a.db")


def test_the_expected_hashes_are_written_as_they_stand_in_the_package(tmp_path: Path) -> None:
    target = tmp_path / "expected.py"
    write_expected(EXPECTED, target)
    assert target.read_text(encoding="utf-8") == EXPECTED_PATH.read_text(encoding="utf-8")
    with pytest.raises(CatalogError, match="hashes cannot be written"):
        write_expected(EXPECTED, tmp_path / "missing" / "expected.py")
