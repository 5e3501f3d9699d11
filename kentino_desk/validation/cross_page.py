"""The section of the page of results that leaves out whole units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.validation import cross_offline
from kentino_desk.validation.cross import METHODS, class_scores, held_out
from kentino_desk.validation.cross_offline import held_out_offline
from kentino_desk.validation.page_tables import FIGURE_WORDS, markdown_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kentino_desk.validation.cross import ClassScore, Moved
    from kentino_desk.validation.kinds import Report

_INTRODUCTION = """Every unit is predicted by constants that were refitted without it: by a search
that changes one constant at a time, on the mean over units of their median errors. "Near" keeps
the constants to about 15 % of their printed values, which saw the unit; "loose" lets them move by
half and more, so that the printed values hardly count. A class of five units or more holds where
its median of units rises by a third at most against the printed constants; it holds "near" where
only that fit does. "Inside" reads the 5-95 % range off the other units of the class: 90 % at best.
"""
_CONSTANTS = """Constants refitted near their printed values: factor with all units, and its range
with one left out."""


def cross_sections(report: Report) -> list[str]:
    """The section of one kind; nothing where its constants are not refitted."""
    if not any(row.inputs for row in report.rows):
        return []
    if report.kind.name == cross_offline.KIND:
        found, reported, why = held_out_offline(report), cross_offline.REPORTED, cross_offline.WHY
    elif method := METHODS.get(report.kind.name):
        found, reported, why = held_out(report), method.reported, method.why
    else:
        return []
    scores = class_scores(found, reported)
    return [
        "### Units left out",
        _INTRODUCTION.strip(),
        f"Constants: {why}",
        _scores(scores),
        _verdict(scores),
        _CONSTANTS,
        _constants(found.moved),
    ]


def _scores(scores: Sequence[ClassScore]) -> str:
    header = (
        "class", "figure", "rows", "units", "printed", "near", "loose", "inside", "holds"
    )  # fmt: skip
    lines = [
        (
            f"{item.group}: {item.name}", FIGURE_WORDS[item.figure], f"{item.rows:,}",
            str(item.units), f"{item.printed:.1f}", f"{item.near:.1f}", f"{item.loose:.1f}",
            "–" if item.inside is None else f"{item.inside:.0f} %", word(item),
        )
        for item in scores
    ]  # fmt: skip
    return markdown_table(header, lines)


def word(item: ClassScore) -> str:
    """Whether the median of a class holds for a unit it never saw."""
    if not item.counts:
        return "too few units"
    if not item.holds_near:
        return "no"
    return "yes" if item.holds_loose else "near"


def _verdict(scores: Sequence[ClassScore]) -> str:
    judged = [item for item in scores if item.counts]
    if not judged:
        return "No class has five units: the medians above are reported, not judged."
    failed = [f"{item.name} ({FIGURE_WORDS[item.figure]})" for item in judged if word(item) == "no"]
    near = [f"{item.name} ({FIGURE_WORDS[item.figure]})" for item in judged if word(item) == "near"]
    parts = [f"{len(judged)} figures of classes with five units or more."]
    parts.append(f"Do not hold: {', '.join(failed) or 'none'}.")
    parts.append(f"Hold near the printed constants only: {', '.join(near) or 'none'}.")
    return " ".join(parts)


def _constants(moved: Sequence[Moved]) -> str:
    header = ("rows of", "constant", "rows", "units", "all", "one left out")
    lines = [
        (
            item.pool, item.name, f"{item.rows:,}", str(item.units), f"x{item.together:.2f}",
            f"x{item.least:.2f}-{item.most:.2f}",
        )
        for item in moved
        if item.pool == cross_offline.POOL or (item.least, item.most) != (1.0, 1.0)
    ]  # fmt: skip
    return markdown_table(header, lines)
