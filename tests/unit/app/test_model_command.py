from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kentino_desk.app import model_command
from kentino_desk.app.model_command import model_import, model_remove
from kentino_desk.domain.errors import InputError, StorageError
from kentino_desk.session.own_models import load_with_own_models

CONFIGS = Path(__file__).resolve().parents[2] / "validation" / "configs"
KIMI = CONFIGS / "Kimi-K2.5.json"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    own = tmp_path / "own"
    monkeypatch.setattr(model_command, "own_folder", lambda: own)
    return own


def test_the_json_document_holds_whole_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert model_import(KIMI, as_json=True, keep=False) == 0
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert document["params_decoder"] == 1_026_408_232_448
    assert document["params_total"] == 1_026_879_376_368
    assert document["params_active"] == 32_861_500_928
    assert document["kv_bytes_per_token"] == 70_272
    assert document["state_bytes_per_sequence"] == 0
    assert document["window_tokens"] == 0
    assert document["layers"] == 61
    assert document["assumed"] == []
    assert document["warnings"] == []
    assert printed.err == ""


def test_the_text_says_what_was_read_derived_and_assumed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    model_import(CONFIGS / "Llama-4-Scout-17B-16E.json", as_json=False, keep=False)
    printed = capsys.readouterr().out
    assert "108,225,039,360 parameters" in printed
    assert "48 (36 chunked, 12 full, 48 with experts)" in printed
    for title in ("Derived", "Assumed", "Read"):
        assert f"\n{title}\n" in printed
    assert "Look at" not in printed
    assert "published for Llama 4" in printed


def test_warnings_stand_under_a_title_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    model_import(CONFIGS / "DeepSeek-V4-Flash.json", as_json=False, keep=False)
    printed = capsys.readouterr().out
    assert "\nLook at\n  Prediction blocks (MTP): 1." in printed
    assert "not validated" in printed


def test_a_kept_model_is_seen_at_once(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shutil.copy(KIMI, tmp_path / "Acme-1T.json")
    assert model_import(Path(path), as_json=True, keep=True) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["id"] == "acme-1t"
    assert printed.err == "acme-1t is now one of your models.\n"
    snapshot, problems = load_with_own_models(folder)
    assert snapshot.model("acme-1t").params_total == 1_026_879_376_368
    assert problems == ()


def test_a_model_of_the_catalog_is_not_replaced(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match=r"kimi-k2\.5.*already"):
        model_import(KIMI, as_json=True, keep=True)
    assert not folder.exists()
    assert capsys.readouterr().out == ""


def test_a_file_that_is_only_called_config_takes_the_name_of_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "Acme-7B"
    folder.mkdir()
    shutil.copy(KIMI, folder / "config.json")
    model_import(folder / "config.json", as_json=True, keep=False)
    assert json.loads(capsys.readouterr().out)["name"] == "Acme-7B"


def test_a_refusal_names_the_file_and_the_field(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"model_type": "whisper", "d_model": 8}', encoding="utf-8")
    with pytest.raises(InputError, match=r"^config\.json: model_type = \"whisper\": is a speech"):
        model_import(path, as_json=True, keep=False)


def test_a_large_file_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(b"{" * 5_000_001)
    with pytest.raises(InputError, match="too large"):
        model_import(path, as_json=True, keep=False)


def test_a_missing_file_is_file_trouble(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="does not exist"):
        model_import(tmp_path / "nowhere.json", as_json=True, keep=False)


def test_an_empty_field_is_named_in_the_words_of_the_file(tmp_path: Path) -> None:
    config = json.loads((CONFIGS / "Llama-3.1-70B.json").read_text("utf-8"))
    config["hidden_size"] = None
    path = tmp_path / "x.json"
    path.write_text(json.dumps(config), "utf-8")
    with pytest.raises(InputError, match="hidden_size = null"):
        model_import(path, as_json=False, keep=False)


def test_a_kept_model_is_taken_out_again_and_a_wrong_id_names_the_near_one(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shutil.copy(KIMI, tmp_path / "Acme-1T.json")
    model_import(Path(path), as_json=True, keep=True)
    with pytest.raises(InputError, match=r"acme-1.*none of your models.*acme-1t"):
        model_remove("acme-1")
    assert model_remove("acme-1t") == 0
    assert capsys.readouterr().err.endswith("acme-1t is no longer one of your models.\n")
    assert "acme-1t" not in load_with_own_models(folder)[0].models
