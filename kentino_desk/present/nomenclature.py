"""The nomenclature page: every quantity, input and constant of the engine in one table each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.engine.input_titles import INPUT_TITLES
from kentino_desk.engine.policy import CONSTANTS
from kentino_desk.engine.quantity import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HEAD = (
    "# Nomenclature",
    "",
    (
        "Made from the engine by `python -m kentino_desk.app.nomenclature_page`; a test compares "
        "it with a fresh run. GB is 10^9 bytes, GiB is 2^30."
    ),
    "",
)


def nomenclature() -> str:
    """The page as Markdown."""
    return "\n".join([*HEAD, *_quantities(), *_inputs(), *_constants()]) + "\n"


def _table(title: str, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def _quantities() -> Iterator[str]:
    head = ("Name", "Title", "Symbol", "Unit", "Equation", "Source", "Expected error")
    rows = (
        (f"`{item.name}`", item.title, item.symbol, item.unit, item.equation, item.source,
         item.error or "exact arithmetic")
        for item in sorted(REGISTRY.values(), key=lambda item: item.name)
    )  # fmt: skip
    return _table("Quantities", head, rows)


def _inputs() -> Iterator[str]:
    head = ("Name", "Title", "Unit", "Comes from", "Source")
    rows = (
        (f"`{name}`", item.title, item.unit, item.origin, item.source)
        for name, item in sorted(INPUT_TITLES.items())
    )
    return _table("Inputs", head, rows)


def _constants() -> Iterator[str]:
    head = ("Name", "Title", "Value", "Low", "High", "Unit", "Evidence", "Source")
    rows = (
        (f"`{item.name}`", item.title, f"{item.value:.6g}", f"{item.low:.6g}", f"{item.high:.6g}",
         item.unit, item.evidence, item.source)
        for item in sorted(CONSTANTS.values(), key=lambda item: item.name)
    )  # fmt: skip
    return _table("Constants", head, rows)
