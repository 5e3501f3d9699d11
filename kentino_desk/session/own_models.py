"""The shipped catalog with the user's own models on top: what every screen and command sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platformdirs import user_data_path

from kentino_desk.catalog.snapshot import load_snapshot, with_models
from kentino_desk.domain.errors import UserError
from kentino_desk.store.model_overlay import load_overlay

if TYPE_CHECKING:
    from pathlib import Path

    from kentino_desk.domain.snapshot import CatalogSnapshot


def own_folder() -> Path:
    """Where the user's models are kept."""
    return user_data_path("kentino-desk", appauthor=False)


def load_with_own_models(folder: Path | None = None) -> tuple[CatalogSnapshot, tuple[str, ...]]:
    """The snapshot, and a sentence for each of the user's models that could not be used.

    A damaged file of own models, or one whose id the catalog has meanwhile taken, does not keep
    the program from starting.

    Raises:
        CatalogError: the shipped catalog is missing or damaged.
    """
    snapshot = load_snapshot()
    problems: list[str] = []
    try:
        cards = load_overlay(own_folder() if folder is None else folder)
    except UserError as error:
        return snapshot, (str(error),)
    for card in cards:
        try:
            snapshot = with_models(snapshot, (card,))
        except UserError as error:
            problems.append(str(error))
    return snapshot, tuple(problems)
