"""A validation as a JSON document and as lines for the terminal."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from kentino_desk.validation.score import (
    TIGHT,
    figure_scores,
    order_score,
    outcome_score,
    skipped_counts,
    unit_median_abs_pct,
    verdicts_of,
)

if TYPE_CHECKING:
    from kentino_desk.validation.kinds import Report
    from kentino_desk.validation.score import Detail, RowScore, Verdict

_DIGITS = 4
_RIGHT = f"{'inside %':>10}{'by unit %':>11}"


def validation_document(report: Report) -> dict[str, Any]:
    """Everything a run found: totals, scores, outcomes, and every figure of every row."""
    skipped = skipped_counts(report.rows)
    scores = figure_scores(report.rows, report.kind.figures)
    figures = {name: _rounded(asdict(score)) for name, score in scores.items()}
    if report.kind.by_unit:
        for name, score in figures.items():
            median = unit_median_abs_pct(report.rows, name)
            score["unit_median_abs_pct"] = None if median is None else round(median, _DIGITS)
    return {
        "kind": report.kind.name,
        "rows": len(report.rows),
        "scored": len(report.rows) - sum(skipped.values()),
        "skipped": skipped,
        "figures": figures,
        "outcome": _outcome(report),
        **_ordering(report),
        "details": [line for row in report.rows for line in _details(row)],
    }


def _ordering(report: Report) -> dict[str, Any]:
    if not report.kind.ordered:
        return {}
    return {"ordering": _rounded(asdict(order_score(report.rows, report.kind.ordered)))}


def _outcome(report: Report) -> dict[str, Any]:
    verdicts = verdicts_of(report.rows)
    wrong = [item for item in verdicts if item.predicted != TIGHT and not item.is_right]
    return {
        **_rounded(asdict(outcome_score(report.rows))),
        "wrong": [_word(item) for item in wrong],
    }


def _word(verdict: Verdict) -> dict[str, str]:
    return {
        "id": verdict.id,
        "measured": verdict.measured,
        "predicted": verdict.predicted,
        "explained": verdict.explained,
    }


def _details(row: RowScore) -> list[dict[str, Any]]:
    lines = [_detail(item) for item in row.details]
    if not lines and row.skipped:
        lines = [{**dict.fromkeys(_DETAIL_KEYS), "id": row.id, "skipped": row.skipped}]
    return lines


_DETAIL_KEYS = (
    "id", "figure", "measured", "predicted", "low", "high", "error_pct", "skipped",
)  # fmt: skip


def _detail(item: Detail) -> dict[str, Any]:
    values = {name: getattr(item, name) for name in _DETAIL_KEYS}
    return _rounded(values) | {"skipped": item.skipped or None}


def _rounded(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: round(value, _DIGITS) if isinstance(value, float) else value
        for name, value in values.items()
    }


def validation_text(report: Report) -> str:
    """The scores as lines of text."""
    document = validation_document(report)
    lines = [f"{document['kind']}: {document['rows']} rows, {document['scored']} scored"]
    lines += [f"  skipped {count:4d}  {reason}" for reason, count in document["skipped"].items()]
    lines += [
        "",
        f"  {'figure':22}{'n':>5}{'median %':>10}{'p90 %':>8}{'bias %':>8}{_RIGHT}",
    ]
    for name, score in document["figures"].items():
        lines.append(
            f"  {name:22}{score['n']:5d}{score['median_abs_pct']:10.2f}{score['p90_abs_pct']:8.1f}"
            f"{score['bias_pct']:8.1f}{score['inside_range_pct']:10.1f}"
            f"{_unit_text(score):>11}"
        )
    return "\n".join([*lines, *_order_lines(document), "", *_outcome_lines(document["outcome"])])


def _unit_text(score: dict[str, Any]) -> str:
    median = score.get("unit_median_abs_pct")
    return "" if median is None else f"{median:.2f}"


def _order_lines(document: dict[str, Any]) -> list[str]:
    found = document.get("ordering")
    if not found or not found["pairs"]:
        return []
    return ["", f"  ordering: {found['pairs']} pairs, {found['right_pct']:.1f} % right"]


def _outcome_lines(outcome: dict[str, Any]) -> list[str]:
    if not outcome["n"]:
        return ["  outcome: no row states one"]
    right = "–" if outcome["right_pct"] is None else f"{outcome['right_pct']:.1f} %"
    head = (
        f"  outcome: {outcome['n']} rows, right {right} of decided, "
        f"tight {outcome['tight_pct']:.1f} %, false fits {outcome['false_fits']}"
    )
    return [head, *(f"    {_wrong_line(item)}" for item in outcome["wrong"])]


def _wrong_line(item: dict[str, str]) -> str:
    tail = f" ({item['explained']})" if item["explained"] else ""
    return f"{item['id']}: said {item['predicted']}, was {item['measured']}{tail}"
