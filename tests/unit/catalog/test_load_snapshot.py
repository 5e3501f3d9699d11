from __future__ import annotations

import random
import shutil
import sqlite3
import time
from contextlib import closing
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from kentino_desk.catalog.expected import EXPECTED
from kentino_desk.catalog.places import CATALOG_PATH
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.errors import CatalogError

if TYPE_CHECKING:
    from pathlib import Path

REMEDY = "run kentino-desk catalog build"


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    return shutil.copy(CATALOG_PATH, tmp_path / "catalog.db")


def test_the_shipped_catalog_becomes_a_snapshot() -> None:
    snapshot = load_snapshot()
    assert snapshot.version == "2026.12"
    assert snapshot.read_on == "2026-12-02"
    assert snapshot.content_hash == EXPECTED.content
    assert snapshot.price_list.is_sample
    assert snapshot.price_list.name == "SAMPLE"
    price = snapshot.prices["node:own-p6-8:rtx-pro-6000-bw-server"].price
    assert price == Decimal("100000.00")


def test_loading_is_fast_enough_for_every_start() -> None:
    times_s = []
    for _ in range(5):
        start_s = time.perf_counter()
        load_snapshot()
        times_s.append(time.perf_counter() - start_s)
    assert min(times_s) < 0.15


def test_a_catalog_in_a_read_only_folder_loads(catalog: Path) -> None:
    catalog.chmod(0o444)
    catalog.parent.chmod(0o555)
    try:
        assert load_snapshot(catalog).version == "2026.12"
    finally:
        catalog.parent.chmod(0o755)


@pytest.mark.parametrize("seed", range(40))
def test_any_flipped_bit_is_refused(catalog: Path, seed: int) -> None:
    content = bytearray(catalog.read_bytes())
    choice = random.Random(seed)
    content[choice.randrange(len(content))] ^= 1 << choice.randrange(8)
    catalog.write_bytes(content)
    with pytest.raises(CatalogError) as caught:
        load_snapshot(catalog)
    assert REMEDY in str(caught.value)
    assert str(catalog) in str(caught.value)


@pytest.mark.parametrize("place", [0, 17, 18, 19, 24, 60, 68, 92, 96, 4_096])
def test_a_flipped_header_byte_is_refused(catalog: Path, place: int) -> None:
    content = bytearray(catalog.read_bytes())
    content[place] ^= 0xFF
    catalog.write_bytes(content)
    with pytest.raises(CatalogError, match=REMEDY):
        load_snapshot(catalog)


def test_a_changed_price_is_refused(catalog: Path) -> None:
    with closing(sqlite3.connect(catalog)) as connection, connection:
        connection.execute("UPDATE price_lines SET price = '1.00' WHERE item = 'nic:ib200'")
    with pytest.raises(CatalogError, match="not the one this program was made with"):
        load_snapshot(catalog)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_cut_catalog_is_refused(catalog: Path, share: float) -> None:
    content = catalog.read_bytes()
    catalog.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(CatalogError, match=REMEDY):
        load_snapshot(catalog)


def test_an_empty_catalog_is_refused(catalog: Path) -> None:
    catalog.write_bytes(b"")
    with pytest.raises(CatalogError, match="is empty; run kentino-desk catalog build"):
        load_snapshot(catalog)


def test_a_missing_catalog_is_refused_and_not_made(tmp_path: Path) -> None:
    missing = tmp_path / "catalog.db"
    with pytest.raises(CatalogError, match="is missing; run kentino-desk catalog build"):
        load_snapshot(missing)
    assert not missing.exists()


def test_a_folder_and_a_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="is no file"):
        load_snapshot(tmp_path)
    (tmp_path / "catalog.db").write_text("not a database " * 500, encoding="utf-8")
    with pytest.raises(CatalogError, match="is damaged"):
        load_snapshot(tmp_path / "catalog.db")


def test_the_file_of_another_program_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE gpus (id TEXT)")
    with pytest.raises(CatalogError, match="is not a Kentino Desk catalog"):
        load_snapshot(other)


def test_a_path_with_blanks_and_signs_of_an_address_loads(tmp_path: Path) -> None:
    folder = tmp_path / "na prodej? 100 %#"
    folder.mkdir()
    assert load_snapshot(shutil.copy(CATALOG_PATH, folder / "catalog.db")).models
