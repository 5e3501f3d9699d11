"""``kentino-desk model import``."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.importing import read_config
from kentino_desk.catalog.model_config.json_text import LIMIT_BYTES, parse_config
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.errors import InputError
from kentino_desk.session.catalog_in_use import CatalogInUse
from kentino_desk.session.model_import import name_of_file
from kentino_desk.session.own_models import own_folder
from kentino_desk.store.files import read_limited

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from kentino_desk.catalog.model_config.imported_model import ImportedModel
    from kentino_desk.catalog.model_config.reading_log import Reading


def model_import(path: Path, as_json: bool, keep: bool) -> int:
    """Count the model of a config.json, print it, and keep it if asked.

    Raises:
        InputError: the file, or a field in it, is refused.
        StorageError: the file cannot be read, or the user's folder not be written.
    """
    model = import_file(path)
    if keep:
        _keep(model)
    text = json.dumps(model.document(), ensure_ascii=False, indent=2) if as_json else report(model)
    sys.stdout.write(text + "\n")
    return 0


def import_file(path: Path) -> ImportedModel:
    """The model of a config.json on disk, refused by size before it is parsed.

    Raises:
        InputError: the file, or a field in it, is refused.
        StorageError: the file cannot be read.
    """
    data = read_limited(path, LIMIT_BYTES)
    try:
        raw = parse_config(data, path.name)
        return read_config(raw, name_of_file(path), datetime.now(tz=UTC).date().isoformat())
    except InputError as error:
        error.source = path.name
        raise


def _keep(model: ImportedModel) -> None:
    """Refused where the catalog has a model of that id, before anything is written."""
    CatalogInUse(load_snapshot(), own_folder()).keep(model.card)
    sys.stderr.write(f"{model.card.id} is now one of your models.\n")


def model_remove(model_id: str) -> int:
    """Take one of the user's models out of every screen and command.

    Raises:
        InputError: it is none of the user's models.
        StorageError: the user's folder cannot be written.
    """
    CatalogInUse(None, own_folder()).remove(model_id)
    sys.stderr.write(f"{model_id} is no longer one of your models.\n")
    return 0


def report(model: ImportedModel) -> str:
    """Figures, then what was read, derived and assumed, and what to look at."""
    lines = [model.card.name, "", *_aligned(_figures(model))]
    lines += _section("Derived", model.derived)
    lines += _section("Assumed", model.assumed)
    lines += ["", "Look at", *(f"  {item}" for item in model.warnings)] if model.warnings else []
    lines += _section("Read", model.read)
    return "\n".join(lines)


def _figures(model: ImportedModel) -> list[tuple[str, str]]:
    kinds = ", ".join(f"{count} {kind}" for kind, count in model.layers_by_kind if count)
    card = model.card
    counts = (
        ("decoder", model.params_decoder, "parameters"),
        ("towers", model.params_towers, "parameters"),
        ("total", model.params_total, "parameters"),
        ("active", model.params_active, "parameters"),
        ("cache", model.kv_bytes_per_token, "bytes a token (full layers, 16 bit, one GPU)"),
        ("state", model.state_bytes_per_sequence, "bytes a sequence"),
        ("window", model.window_tokens, "tokens"),
    )
    figures = [(name, f"{count:,} {unit}") for name, count, unit in counts]
    figures.append(("layers", f"{model.layers} ({kinds})".replace("_", " ")))
    return [*figures, ("stored as", card.native_format_note)]


def _section(title: str, readings: Iterable[Reading]) -> list[str]:
    rows = [(item.name, f"{item.value}  {item.basis}".rstrip()) for item in readings]
    return ["", title, *_aligned(rows)] if rows else []


def _aligned(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in rows)
    return [f"  {name:<{width}}  {value}" for name, value in rows]
