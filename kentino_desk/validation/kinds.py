"""The kinds of validation, and one run over some files."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import InputError, nearest
from kentino_desk.validation import (
    collectives,
    memory_inference,
    memory_training,
    perf_inference,
    perf_training,
    power,
    serving,
)
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
    score_row: Callable[[Row, CatalogSnapshot], RowScore] | None = None
    score_rows: Callable[[tuple[Row, ...], CatalogSnapshot], tuple[RowScore, ...]] | None = None
    """Instead of ``score_row`` where a measurement is a comparison of rows."""
    other_columns: tuple[str, ...] = ()
    """Columns of a second sort of file that the kind takes as well."""
    by_unit: bool = False
    """Whether every figure is also scored by unit: one source, one model."""
    ordered: str = ""
    """The figure whose order over pairs of rows is scored; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one run found."""

    kind: Kind
    rows: tuple[RowScore, ...]


_KINDS = (
    Kind(
        name=memory_inference.KIND,
        columns=memory_inference.COLUMNS,
        figures=memory_inference.FIGURES,
        score_row=memory_inference.score_row,
    ),
    Kind(
        name=memory_training.KIND,
        columns=memory_training.COLUMNS,
        figures=memory_training.FIGURES,
        score_row=memory_training.score_row,
    ),
    Kind(
        name=serving.KIND,
        columns=serving.COLUMNS,
        figures=serving.FIGURES,
        score_row=serving.score_row,
        by_unit=True,
        ordered="output_tok_s",
    ),
    Kind(
        name=collectives.KIND,
        columns=collectives.COLUMNS,
        other_columns=collectives.OPERATOR_COLUMNS,
        figures=collectives.FIGURES,
        score_row=collectives.score_row,
        by_unit=True,
    ),
    Kind(
        name=perf_inference.KIND,
        columns=perf_inference.COLUMNS,
        figures=perf_inference.FIGURES,
        score_row=perf_inference.score_row,
        by_unit=True,
        ordered="output_tok_s",
    ),
    Kind(
        name=perf_training.KIND,
        columns=perf_training.COLUMNS,
        figures=perf_training.FIGURES,
        score_row=perf_training.score_row,
        by_unit=True,
        ordered="tokens_per_s_per_gpu",
    ),
    Kind(
        name=power.KIND,
        columns=power.COLUMNS,
        figures=power.FIGURES,
        score_rows=power.score_rows,
        by_unit=True,
    ),
)
KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _KINDS})


def validate(name: str, paths: tuple[Path, ...], snapshot: CatalogSnapshot) -> Report:
    """Predict every row of some files.

    Raises:
        InputError: unknown kind, no file, or a file whose columns or cells are refused.
        StorageError: a file that cannot be read.
    """
    kind = known_kind(name)
    if not paths:
        raise InputError("DATA.csv", "", "no file is named", "one file or more")
    rows = read_rows(paths, kind.columns, kind.other_columns)
    return Report(kind=kind, rows=_scores(kind, rows, snapshot))


def _scores(kind: Kind, rows: tuple[Row, ...], snapshot: CatalogSnapshot) -> tuple[RowScore, ...]:
    if kind.score_rows is not None:
        return kind.score_rows(rows, snapshot)
    assert kind.score_row is not None
    return tuple(kind.score_row(row, snapshot) for row in rows)


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
