from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.errors import InputError, StorageError
from kentino_desk.store.model_overlay import (
    FILE_NAME,
    LIMIT_BYTES,
    add_to_overlay,
    load_overlay,
    overlay_text,
)

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = load_snapshot().models
CARD = replace(SHIPPED["glm-5.2"], id="acme-1", name="Acme 1")


def write(folder: Path, **changed: Any) -> Path:
    document = json.loads(overlay_text((CARD,)))
    model = document["models"][0]
    for name, value in changed.items():
        if value == "missing":
            del model[name]
        else:
            model[name] = value
    path = folder / FILE_NAME
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_no_file_means_no_models(tmp_path: Path) -> None:
    assert load_overlay(tmp_path / "nowhere") == ()


@pytest.mark.parametrize("model_id", ["glm-5.2", "gemma-4-e2b", "deepseek-v4-flash", "kimi-k2.5"])
def test_a_model_comes_back_as_it_was_added(tmp_path: Path, model_id: str) -> None:
    add_to_overlay(tmp_path / "new", SHIPPED[model_id])
    assert load_overlay(tmp_path / "new") == (SHIPPED[model_id],)


def test_models_stand_in_the_order_of_their_ids(tmp_path: Path) -> None:
    add_to_overlay(tmp_path, CARD)
    add_to_overlay(tmp_path, replace(CARD, id="aaa"))
    assert [card.id for card in load_overlay(tmp_path)] == ["aaa", "acme-1"]


def test_a_model_is_not_added_twice(tmp_path: Path) -> None:
    add_to_overlay(tmp_path, CARD)
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(InputError, match=r"acme-1.*already"):
        add_to_overlay(tmp_path, CARD)
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_a_folder_that_cannot_be_made_is_file_trouble(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StorageError, match="cannot be made"):
        add_to_overlay(tmp_path / "taken" / "below", CARD)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"id": "No Id"}, "id"),
        ({"id": 3}, "id"),
        ({"name": "x" * 3_000}, "name"),
        ({"hidden": 0}, "hidden"),
        ({"hidden": 1.5}, "hidden"),
        ({"hidden": -1}, "hidden"),
        ({"hidden": True}, "hidden"),
        ({"layers": 10**30}, "layers"),
        ({"layers": 3}, "layers"),
        ({"params_total": "many"}, "params_total"),
        ({"params_total": float("nan")}, "params_total"),
        ({"params_total": 1e20}, "params_total"),
        ({"params_active": 9e13}, "params_active"),
        ({"moe_layers": 0}, "experts"),
        ({"gated_ffn": 1}, "gated_ffn"),
        ({"attention": "flash"}, "attention"),
        ({"native_format": "auto"}, "native_format"),
        ({"native_format": ["fp8"]}, "native_format"),
        ({"max_context": "long"}, "max_context"),
        ({"source": "here"}, "source"),
        ({"source": {"evidence": "sure"}}, "source.evidence"),
        ({"source": {"evidence": "vendor", "unverified": [3]}}, "source.unverified"),
        ({"source": {"evidence": "vendor", "address": "here"}}, "source.read_on"),
        ({"vocab": "missing"}, "vocab"),
        ({"colour": "red"}, "colour"),
    ],
    ids=str,
)
def test_a_value_that_is_refused_is_named_and_the_file_kept_aside(
    tmp_path: Path, changed: dict[str, Any], field: str
) -> None:
    path = write(tmp_path, **changed)
    content = path.read_bytes()
    with pytest.raises(InputError) as caught:
        load_overlay(tmp_path)
    assert caught.value.field == f"models[0].{field}"
    assert str(caught.value).startswith("models.json: ")
    assert (tmp_path / "models.json.bad").read_bytes() == content
    assert load_overlay(tmp_path) == ()


@pytest.mark.parametrize("changed", [{"max_context": None}, {"ratio_4_layers": "missing"}], ids=str)
def test_what_may_be_unknown_may_be_left_out(tmp_path: Path, changed: dict[str, Any]) -> None:
    write(tmp_path, **changed)
    assert len(load_overlay(tmp_path)) == 1


def test_a_model_that_cannot_be_sized_needs_no_shape(tmp_path: Path) -> None:
    write(tmp_path, hidden=0, unsized_reason="shape not published")
    assert load_overlay(tmp_path)[0].unsized_reason == "shape not published"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "not valid JSON"),
        (b"\xff", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"[]", "holds no JSON object"),
        (b'{"version": 2, "models": []}', "version = 2"),
        (b'{"version": 1, "models": {}}', "is not a list"),
        (b'{"version": 1, "models": [3]}', "is not an object"),
        (b" " * (LIMIT_BYTES + 1), "too large"),
    ],
    ids=lambda value: value[:12] if isinstance(value, bytes) else value,
)
def test_a_damaged_file_is_refused_with_the_reason(
    tmp_path: Path, data: bytes, problem: str
) -> None:
    (tmp_path / FILE_NAME).write_bytes(data)
    with pytest.raises(InputError, match=problem):
        load_overlay(tmp_path)


def test_a_model_that_stands_there_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text(overlay_text((CARD, CARD)), encoding="utf-8")
    with pytest.raises(InputError, match=r"acme-1.*twice"):
        load_overlay(tmp_path)
