"""Writes ``docs/validation.md`` from runs over the measured rows of the tests."""

from __future__ import annotations

from pathlib import Path

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.validation.kinds import validate
from kentino_desk.validation.page import validation_page

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "validation.md"
_ROWS = ROOT / "tests" / "validation"
DATA = (
    ("memory-inference", _ROWS / "memory" / "memory_inference.csv"),
    ("memory-training", _ROWS / "memory" / "memory_training.csv"),
    ("serving", _ROWS / "serving" / "serving_measured.csv"),
    ("collectives", _ROWS / "collectives" / "collectives.csv"),
    ("collectives", _ROWS / "collectives" / "operator_collectives.csv"),
    ("perf-inference", _ROWS / "perf_inference" / "perf_inference.csv"),
    ("perf-training", _ROWS / "perf_training" / "perf_training.csv"),
    ("power", _ROWS / "power" / "power_measured.csv"),
)


def fresh_page() -> str:
    """The page as a run of today finds it."""
    snapshot = load_snapshot()
    return validation_page(validate(kind, paths_of(kind), snapshot) for kind in dict(DATA))


def paths_of(kind: str) -> tuple[Path, ...]:
    """The files of one kind."""
    return tuple(path for name, path in DATA if name == kind)


if __name__ == "__main__":
    PAGE.write_text(fresh_page(), encoding="utf-8")
