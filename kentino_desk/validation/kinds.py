"""The kinds of validation, and one run over some files."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import InputError, nearest
from kentino_desk.validation import memory_inference, memory_training
from kentino_desk.validation.rows import read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.validation.rows import Row
    from kentino_desk.validation.score import RowScore


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of measured rows: its columns, its figures, and what predicts a row."""

    name: str
    columns: tuple[str, ...]
    figures: tuple[str, ...]
    score_row: Callable[[Row, CatalogSnapshot], RowScore]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one run found."""

    kind: Kind
    rows: tuple[RowScore, ...]


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        module.KIND: Kind(
            name=module.KIND,
            columns=module.COLUMNS,
            figures=module.FIGURES,
            score_row=module.score_row,
        )
        for module in (memory_inference, memory_training)
    }
)


def validate(name: str, paths: tuple[Path, ...], snapshot: CatalogSnapshot) -> Report:
    """Predict every row of some files.

    Raises:
        InputError: unknown kind, no file, or a file whose columns or cells are refused.
        StorageError: a file that cannot be read.
    """
    kind = known_kind(name)
    if not paths:
        raise InputError("DATA.csv", "", "no file is named", "one file or more")
    rows = read_rows(paths, kind.columns)
    return Report(kind=kind, rows=tuple(kind.score_row(row, snapshot) for row in rows))


def known_kind(name: str) -> Kind:
    """The kind of that name.

    Raises:
        InputError: none has it; the sentence names the known ones.
    """
    kind = KINDS.get(name)
    if kind is None:
        raise InputError(
            "kind", name, "is no validation that this program knows", ", ".join(KINDS),
            near=nearest(name, KINDS),
        )  # fmt: skip
    return kind
