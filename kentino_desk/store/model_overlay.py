"""The user's own models: one JSON file beside the shipped catalog, which is never altered."""

from __future__ import annotations

import json
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any

from kentino_desk.domain.errors import InputError, StorageError, nearest
from kentino_desk.domain.model_card import ModelCard
from kentino_desk.store.card_values import check_card, read_value, write_value
from kentino_desk.store.files import read_limited, write_whole

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME = "models.json"
VERSION = 1
LIMIT_BYTES = 5_000_000
_FIELDS: dict[str, Field[Any]] = {item.name: item for item in fields(ModelCard)}


def load_overlay(folder: Path) -> tuple[ModelCard, ...]:
    """The models the user imported, none where there is no file.

    A file that is refused is kept aside as ``models.json.bad`` before the error is raised, so that
    the next start is clean and nothing is lost.

    Raises:
        InputError: the file is damaged, or a value in it is refused.
        StorageError: it cannot be read.
    """
    path = folder / FILE_NAME
    if not path.exists():
        return ()
    try:
        return _read_cards(read_limited(path, LIMIT_BYTES))
    except InputError as error:
        path.replace(path.with_suffix(".json.bad"))
        error.source = path.name
        error.hint = f"it is kept as {path.name}.bad"
        raise


def add_to_overlay(folder: Path, card: ModelCard) -> None:
    """Add a model for good.

    Raises:
        InputError: a model of that id stands there already, or the file is damaged.
        StorageError: the folder cannot be made or written.
    """
    cards = load_overlay(folder)
    if card.id in {known.id for known in cards}:
        raise InputError("model", card.id, "is one of your models already", hint="rename the file")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder} cannot be made: {error.strerror}.") from error
    write_whole(folder / FILE_NAME, overlay_text((*cards, card)).encode("utf-8"))


def remove_from_overlay(folder: Path, model_id: str) -> ModelCard:
    """Take a model out of the user's models; what was taken out is given back.

    Raises:
        InputError: no model of that id stands there, or the file is damaged.
        StorageError: the folder cannot be written.
    """
    cards = load_overlay(folder)
    removed = next((card for card in cards if card.id == model_id), None)
    if removed is None:
        known = [card.id for card in cards]
        raise InputError(
            "model", model_id, "is none of your models", ", ".join(known),
            near=nearest(model_id, known),
        )  # fmt: skip
    left = tuple(card for card in cards if card is not removed)
    write_whole(folder / FILE_NAME, overlay_text(left).encode("utf-8"))
    return removed


def overlay_text(cards: tuple[ModelCard, ...]) -> str:
    """The models as the text of the file."""
    models = [
        {name: write_value(getattr(card, name)) for name in _FIELDS}
        for card in sorted(cards, key=lambda item: item.id)
    ]
    document = {"version": VERSION, "models": models}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _read_cards(data: bytes) -> tuple[ModelCard, ...]:
    document = _parse(data)
    if document.get("version") != VERSION:
        raise InputError("version", document.get("version"), "is not known", str(VERSION))
    models = document.get("models")
    if not isinstance(models, list):
        raise InputError("models", "", "is not a list")
    cards = tuple(_read_card(place, raw) for place, raw in enumerate(models))
    ids = [card.id for card in cards]
    twice = next((item for item in ids if ids.count(item) > 1), "")
    if twice:
        raise InputError("models", twice, "stands there twice")
    return cards


def _parse(data: bytes) -> dict[str, object]:
    try:
        document = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError("", "", "the file is not valid JSON") from error
    if not isinstance(document, dict):
        raise InputError("", "", "the file holds no JSON object")
    return document


def _read_card(place: int, raw: object) -> ModelCard:
    where = f"models[{place}]"
    if not isinstance(raw, dict):
        raise InputError(where, "", "is not an object")
    unknown = sorted(set(raw) - set(_FIELDS))
    if unknown:
        raise InputError(f"{where}.{unknown[0][:60]}", "", "is no field of a model")
    values: dict[str, Any] = {}
    for name, item in _FIELDS.items():
        if name in raw:
            values[name] = read_value(f"{where}.{name}", str(item.type), raw[name])
        elif item.default is MISSING:
            raise InputError(f"{where}.{name}", "", "is missing")
    card = ModelCard(**values)
    check_card(where, card)
    return card
