"""The sections of speed, collectives and power on the page of results: by unit and by class."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from kentino_desk.validation.aims import aim_sections
from kentino_desk.validation.cross_page import cross_sections
from kentino_desk.validation.known_misses import speed_reason
from kentino_desk.validation.page_tables import (
    FIGURE_WORDS,
    by_figure,
    group_table,
    markdown_table,
    number,
    scores,
)
from kentino_desk.validation.score import order_score, skipped_counts, unit_median_abs_pct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kentino_desk.validation.kinds import Report
    from kentino_desk.validation.score import Detail, RowScore

WORST_ROWS = 10


def speed_sections(report: Report) -> list[str]:
    """All sections of one kind whose figures are scored by unit."""
    groups = dict.fromkeys(name for row in report.rows for name in row.groups)
    return [
        f"## {report.kind.name}",
        _totals(report),
        _figures(report),
        *_ordering(report),
        "### By unit",
        "One source and one model each: median / p90 of the error in per cent (bias), rows.",
        _units(report),
        *aim_sections(report),
        *cross_sections(report),
        *(part for group in groups for part in group_table(report, group)),
        f"### The {WORST_ROWS} worst rows of each figure",
        _worst(report),
        "### Rows skipped",
        markdown_table(
            ("reason", "rows"),
            [(reason, str(count)) for reason, count in skipped_counts(report.rows).items()],
        ),
    ]


def _totals(report: Report) -> str:
    skipped = sum(bool(row.skipped) for row in report.rows)
    figures = [item for row in report.rows for item in row.scored]
    inside = 100.0 * sum(item.inside for item in figures) / len(figures)
    return (
        f"{len(report.rows)} rows, {len(report.rows) - skipped} scored, {skipped} skipped; "
        f"{len(figures)} figures, {inside:.1f} % inside their range."
    )


def _figures(report: Report) -> str:
    lines = [
        (FIGURE_WORDS[name], *scores(items), _unit_median(report, name))
        for name, items in by_figure(report)
    ]
    return markdown_table(
        ("figure", "rows", "median", "p90", "bias", "inside", "median of units"), lines
    )


def _unit_median(report: Report, name: str) -> str:
    median = unit_median_abs_pct(report.rows, name)
    return "–" if median is None else f"{median:.1f}"


def _ordering(report: Report) -> list[str]:
    if not report.kind.ordered:
        return []
    score = order_score(report.rows, report.kind.ordered)
    if not score.pairs or score.right_pct is None:
        return []
    text = "pairs of one source and model that differ by more than 10 %"
    return [f"Order of {score.pairs:,} {text}: {score.right_pct:.1f} % right."]


def _units(report: Report) -> str:
    figures = by_figure(report)
    units: defaultdict[str, list[Detail]] = defaultdict(list)
    for row in report.rows:
        units[row.unit].extend(row.scored)
    lines = []
    for unit, items in sorted(units.items()):
        if items:
            cells = [_cell([item for item in items if item.figure == name]) for name, _ in figures]
            lines.append((unit.replace("|", ", "), *cells))
    return markdown_table(("unit", *(FIGURE_WORDS[name] for name, _ in figures)), lines)


def _cell(items: Sequence[Detail]) -> str:
    if not items:
        return "–"
    errors = np.array([item.error_pct for item in items], dtype=float)
    sizes = np.abs(errors)
    return (
        f"{np.median(sizes):.0f} / {np.percentile(sizes, 90):.0f} "
        f"({np.median(errors):+.0f}), {len(items)}"
    )


def _worst(report: Report) -> str:
    lines = []
    for name, _ in by_figure(report):
        found = [(row, item) for row in report.rows for item in row.scored if item.figure == name]
        found.sort(key=lambda pair: -_distance(pair[1]))
        lines += [_line(row, item) for row, item in found[:WORST_ROWS]]
    header = ("row", "unit", "figure", "measured", "predicted", "error", "reason")
    return markdown_table(header, lines)


def _distance(item: Detail) -> float:
    """How far a prediction is off as a factor, so that too slow counts like too fast."""
    assert item.predicted is not None
    assert item.measured is not None
    return float(abs(np.log(max(item.predicted, 1e-12) / item.measured)))


def _line(row: RowScore, item: Detail) -> tuple[str, ...]:
    values = number(item.measured), number(item.predicted), f"{item.error_pct or 0.0:+.0f} %"
    unit = row.unit.replace("|", ", ")
    return (
        row.id,
        unit,
        FIGURE_WORDS[item.figure],
        *values,
        speed_reason(row.id, row.unit, row.groups),
    )
