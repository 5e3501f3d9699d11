from __future__ import annotations

import json
import shutil
from functools import partial
from typing import TYPE_CHECKING

import pytest

from kentino_desk.app import catalog_command
from kentino_desk.app.catalog_command import catalog_main
from kentino_desk.catalog.build import build_catalog, write_expected
from kentino_desk.catalog.check import check_catalog
from kentino_desk.catalog.expected import EXPECTED
from kentino_desk.catalog.places import CATALOG_PATH, TEXT_DIR
from kentino_desk.domain.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def test_check_prints_rows_hash_and_values_by_grade(capsys: pytest.CaptureFixture[str]) -> None:
    assert catalog_main("check", None, None, as_json=False) == 0
    printed = capsys.readouterr().out
    assert "models            231" in printed
    assert EXPECTED.content in printed
    assert "measured" in printed
    assert "The catalog is whole." in printed


def test_check_as_json_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert catalog_main("check", None, None, as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["is_whole"] is True
    assert document["matches_text"] is True
    assert document["rows_per_table"]["gpus"] == 56


def test_check_of_a_damaged_catalog_ends_with_4_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = shutil.copy(CATALOG_PATH, tmp_path / "catalog.db")
    damaged.write_bytes(damaged.read_bytes()[:5_000])
    monkeypatch.setattr(catalog_command, "check_catalog", partial(check_catalog, damaged))
    assert catalog_main("check", None, None, as_json=False) == 4
    assert "run kentino-desk catalog build" in capsys.readouterr().out


def test_build_writes_the_database_and_what_it_is_recognised_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    built = partial(build_catalog, TEXT_DIR, tmp_path / "catalog.db")
    written = partial(write_expected, path=tmp_path / "expected.py")
    monkeypatch.setattr(catalog_command, "build_catalog", built)
    monkeypatch.setattr(catalog_command, "write_expected", written)
    assert catalog_main("build", None, None, as_json=False) == 0
    assert EXPECTED.content in capsys.readouterr().out
    assert EXPECTED.content in (tmp_path / "expected.py").read_text(encoding="utf-8")


def test_show_lists_tables_then_rows_then_one_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert catalog_main("show", None, None, as_json=False) == 0
    assert "fabrics" in capsys.readouterr().out.split()
    assert catalog_main("show", "fabrics", None, as_json=False) == 0
    assert len(capsys.readouterr().out.splitlines()) == 7
    assert catalog_main("show", "gpus", "l40s", as_json=False) == 0
    assert "read on 2026-12-02" in capsys.readouterr().out


def test_show_as_json_carries_grades(capsys: pytest.CaptureFixture[str]) -> None:
    assert catalog_main("show", "gpus", "l40s", as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    grades = {item["name"]: item["grade"] for item in document["fields"]}
    assert grades["memory_gb"] == "vendor"


@pytest.mark.parametrize(
    ("action", "table", "near"), [("chek", None, "check"), ("show", "modells", "models")]
)
def test_unknown_words_are_refused_with_the_nearest(
    action: str, table: str | None, near: str
) -> None:
    with pytest.raises(InputError) as caught:
        catalog_main(action, table, None, as_json=False)
    assert near in caught.value.near
