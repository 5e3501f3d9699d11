"""A model on its way in: what came, what was made of it, what keeps it from being added."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.importing import read_config
from kentino_desk.catalog.model_config.json_text import LIMIT_BYTES, parse_config
from kentino_desk.domain.errors import InputError, StorageError, UserError
from kentino_desk.store.files import read_limited

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kentino_desk.catalog.model_config.imported_model import ImportedModel
    from kentino_desk.session.catalog_in_use import CatalogInUse

PASTED = "pasted text"
NAME_MAX_LETTERS = 80
_NO_NAME = "Give the model a name."
_PLAIN_NAMES = frozenset({"config", "model", "params"})
"""File names that say nothing: the folder is the name then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDraft:
    """A refusal keeps what came in and the name that was typed."""

    source: str
    """File name, or "pasted text"."""
    size_bytes: int
    data: bytes
    name: str
    model: ImportedModel | None = None
    problem: str = ""
    """Why nothing could be counted."""
    name_problem: str = ""
    """Why the model cannot be added under this name."""

    @property
    def can_be_added(self) -> bool:
        """Whether it was counted and has a name that is free."""
        return self.model is not None and not self.name_problem


def draft_of_file(path: Path, catalog: CatalogInUse) -> ModelDraft:
    """A config.json on disk; one above the limit is refused by its size, before it is read."""
    try:
        size_bytes = _size_below_limit(path)
        data = read_limited(path, LIMIT_BYTES)
    except UserError as error:
        return ModelDraft(source=path.name, size_bytes=0, data=b"", name="", problem=str(error))
    draft = ModelDraft(source=path.name, size_bytes=size_bytes, data=data, name=name_of_file(path))
    return _counted(draft, catalog)


def _size_below_limit(path: Path) -> int:
    try:
        size_bytes = path.stat().st_size
    except OSError as error:
        raise StorageError(f"{path.name} cannot be read: {error.strerror}.") from error
    if size_bytes > LIMIT_BYTES:
        problem = f"the file is too large ({size_bytes:,} bytes)"
        raise InputError("", "", problem, f"up to {LIMIT_BYTES:,} bytes", source=path.name)
    return size_bytes


def draft_of_text(text: str, catalog: CatalogInUse) -> ModelDraft:
    """A config.json that was pasted; its name is the one it states, if it does."""
    data = text.encode("utf-8", "replace")
    draft = ModelDraft(source=PASTED, size_bytes=len(data), data=data, name="")
    return _counted(draft, catalog)


def renamed(draft: ModelDraft, name: str, catalog: CatalogInUse) -> ModelDraft:
    """The same under another name; its id follows the name."""
    named = replace(draft, name=name)
    return named if draft.model is None else _counted(named, catalog)


def name_of_file(path: Path) -> str:
    """What a model is called after its file."""
    stem = path.stem
    name = path.resolve().parent.name or stem if stem.lower() in _PLAIN_NAMES else stem
    return name[:NAME_MAX_LETTERS]


def _counted(draft: ModelDraft, catalog: CatalogInUse) -> ModelDraft:
    today = datetime.now(tz=UTC).date().isoformat()
    try:
        raw = parse_config(draft.data, draft.source)
        # Only a draft that was never counted takes its name from the text.
        name = draft.name if draft.model else draft.name or _stated_name(raw)
        model = read_config(raw, name.strip() or draft.source, today)
    except InputError as error:
        error.source = draft.source
        return replace(draft, model=None, problem=str(error), name_problem="")
    counted = replace(draft, name=name, model=model, problem="")
    return replace(counted, name_problem=_name_problem(counted, catalog))


def _stated_name(raw: Mapping[str, object]) -> str:
    stated = raw.get("_name_or_path")
    if not isinstance(stated, str):
        return ""
    tail = stated.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return "".join(letter for letter in tail if letter.isprintable())[:NAME_MAX_LETTERS]


def _name_problem(draft: ModelDraft, catalog: CatalogInUse) -> str:
    if not draft.name.strip():
        return _NO_NAME
    try:
        if draft.model is not None:
            catalog.with_model(draft.model.card)
    except UserError as error:
        return str(error)
    return ""
