from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.session.own_models import load_with_own_models, own_folder
from kentino_desk.store.model_overlay import FILE_NAME, add_to_overlay

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = load_snapshot()
CARD = replace(SHIPPED.models["llama-3.1-8b"], id="acme-8b")


def test_without_own_models_the_shipped_catalog_is_seen(tmp_path: Path) -> None:
    snapshot, problems = load_with_own_models(tmp_path)
    assert snapshot.content_hash == SHIPPED.content_hash
    assert problems == ()


def test_own_models_are_seen_at_once(tmp_path: Path) -> None:
    add_to_overlay(tmp_path, CARD)
    snapshot, problems = load_with_own_models(tmp_path)
    assert snapshot.model("acme-8b") == CARD
    assert problems == ()


def test_a_model_whose_id_the_catalog_has_taken_is_left_out_and_named(tmp_path: Path) -> None:
    add_to_overlay(tmp_path, SHIPPED.models["llama-3.1-8b"])
    add_to_overlay(tmp_path, CARD)
    snapshot, problems = load_with_own_models(tmp_path)
    assert "acme-8b" in snapshot.models
    assert len(problems) == 1
    assert "llama-3.1-8b" in problems[0]


def test_a_damaged_file_does_not_keep_the_program_from_starting(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"{")
    snapshot, problems = load_with_own_models(tmp_path)
    assert snapshot.content_hash == SHIPPED.content_hash
    assert problems == ("models.json: the file is not valid JSON; it is kept as models.json.bad.",)


def test_own_models_are_kept_in_the_folder_of_the_user() -> None:
    assert own_folder().name == "kentino-desk"
    snapshot, problems = load_with_own_models()
    assert len(snapshot.models) >= len(SHIPPED.models)
    assert problems == ()
