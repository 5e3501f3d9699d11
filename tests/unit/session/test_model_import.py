from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from kentino_desk.catalog.model_config.json_text import LIMIT_BYTES
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.errors import CatalogError, InputError, StorageError
from kentino_desk.session.catalog_in_use import CatalogInUse
from kentino_desk.session.model_import import (
    draft_of_file,
    draft_of_text,
    name_of_file,
    renamed,
)
from kentino_desk.store.model_overlay import add_to_overlay, load_overlay

CONFIGS = Path(__file__).resolve().parents[2] / "validation" / "configs"
SHIPPED = load_snapshot()
CARD = replace(SHIPPED.models["llama-3.1-8b"], id="acme-8b", name="Acme 8B")
SMALL = json.dumps(
    {
        "model_type": "llama",
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "vocab_size": 100,
    }
)


@pytest.fixture
def catalog(tmp_path: Path) -> CatalogInUse:
    return CatalogInUse(SHIPPED, tmp_path / "own")


def test_a_kept_model_is_in_force_and_in_the_users_file(
    catalog: CatalogInUse, tmp_path: Path
) -> None:
    after = catalog.keep(CARD)
    assert catalog.snapshot is after
    assert after.model("acme-8b") == CARD
    assert "acme-8b" not in SHIPPED.models
    assert load_overlay(tmp_path / "own") == (CARD,)


def test_a_model_is_not_kept_twice_and_nothing_is_written(
    catalog: CatalogInUse, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="is a model of the catalog already"):
        catalog.keep(SHIPPED.models["llama-3.1-8b"])
    assert catalog.snapshot is SHIPPED
    assert not (tmp_path / "own").exists()


def test_a_model_that_another_window_kept_is_refused_by_the_file(
    catalog: CatalogInUse, tmp_path: Path
) -> None:
    add_to_overlay(tmp_path / "own", CARD)
    with pytest.raises(InputError, match="is one of your models already"):
        catalog.keep(CARD)
    assert catalog.snapshot is SHIPPED


def test_nothing_is_kept_over_a_refused_catalog(tmp_path: Path) -> None:
    catalog = CatalogInUse(None, tmp_path, "The catalog was changed.")
    with pytest.raises(CatalogError, match="was changed"):
        catalog.keep(CARD)


def test_nothing_is_in_force_that_could_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "own").touch()
    catalog = CatalogInUse(SHIPPED, tmp_path / "own")
    with pytest.raises(StorageError):
        catalog.keep(CARD)
    assert catalog.snapshot is SHIPPED


def test_a_file_is_counted_and_named_after_itself(catalog: CatalogInUse) -> None:
    draft = draft_of_file(CONFIGS / "Kimi-K2.5.json", catalog)
    assert draft.name == "Kimi-K2.5"
    assert draft.problem == ""
    assert draft.model is not None
    assert draft.model.params_decoder == 1_026_408_232_448
    assert draft.size_bytes == (CONFIGS / "Kimi-K2.5.json").stat().st_size


@pytest.mark.parametrize(
    ("path", "name"),
    [("acme/config.json", "acme"), ("acme/Model.json", "acme"), ("acme/zebra-7b.json", "zebra-7b")],
)
def test_a_file_name_that_says_nothing_gives_way_to_its_folder(path: str, name: str) -> None:
    assert name_of_file(Path(path)) == name


def test_pasted_text_has_the_name_it_states_and_else_none(catalog: CatalogInUse) -> None:
    nameless = draft_of_text(SMALL, catalog)
    assert nameless.name == ""
    assert nameless.model is not None
    assert nameless.name_problem == "Give the model a name."
    assert not nameless.can_be_added
    stated = draft_of_text('{"_name_or_path": "acme\\\\zebra/", ' + SMALL[1:], catalog)
    assert stated.name == "zebra"
    assert stated.can_be_added
    odd = draft_of_text('{"_name_or_path": 5, ' + SMALL[1:], catalog)
    assert odd.name == ""


def test_another_name_gives_another_id_and_a_blank_one_is_refused(catalog: CatalogInUse) -> None:
    draft = renamed(draft_of_text(SMALL, catalog), "Acme 1", catalog)
    assert draft.model is not None
    assert (draft.model.card.id, draft.model.card.name) == ("acme-1", "Acme 1")
    assert draft.can_be_added
    blank = renamed(draft, "  ", catalog)
    assert blank.name == "  "
    assert not blank.can_be_added
    assert renamed(draft, "Llama 3.1 8B", catalog).name_problem.startswith("model = ")


def test_a_name_that_was_cleared_does_not_come_back_from_the_text(catalog: CatalogInUse) -> None:
    draft = draft_of_text('{"_name_or_path": "acme/zebra", ' + SMALL[1:], catalog)
    assert renamed(draft, "", catalog).name == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON"),
        ("[1]", "holds no JSON object"),
        ('{"a": 1, "a": 2}', "stands there twice"),
        ("[" * 100_000, "nested too deeply"),
        (SMALL.replace("64", '"wide"'), "hidden_size"),
        (SMALL.replace("hidden_size", "hiden"), "hidden_size"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_keeps_the_text(
    catalog: CatalogInUse, text: str, words: str
) -> None:
    draft = draft_of_text(text, catalog)
    assert draft.problem.startswith("pasted text: ")
    assert words in draft.problem
    assert draft.data == text.encode()
    assert draft.model is None
    assert renamed(draft, "kept", catalog).problem == draft.problem


def test_letters_that_no_file_can_hold_are_refused_and_not_a_crash(catalog: CatalogInUse) -> None:
    assert draft_of_text("\ud800", catalog).problem


def test_a_file_above_the_limit_is_refused_by_its_size(
    catalog: CatalogInUse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "big.json"
    path.touch()
    os.truncate(path, LIMIT_BYTES + 1)
    monkeypatch.setattr(Path, "open", lambda *_args: pytest.fail("was read"))
    draft = draft_of_file(path, catalog)
    assert "big.json: the file is too large (5,000,001 bytes)" in draft.problem
    assert draft.model is None


def test_a_missing_file_and_a_folder_are_refused(catalog: CatalogInUse, tmp_path: Path) -> None:
    assert "cannot be read" in draft_of_file(tmp_path / "none.json", catalog).problem
    assert "is a folder" in draft_of_file(tmp_path, catalog).problem
