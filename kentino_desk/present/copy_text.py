"""The verdict and the table of candidates as text with tabs, for mails and spreadsheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.present.language import later, text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kentino_desk.present.views import AssessmentView, CandidateView

HEAD = (
    later("Build"),
    later("Layout"),
    later("Formats"),
    later("Memory"),
    later("Figure"),
    later("Unit"),
    later("Users held"),
    later("First word"),
    later("Throughput"),
    later("Efficiency"),
    later("Power"),
    later("Price"),
    later("Reason"),
)
PRICED = 2
"""Columns at the end that tell prices: the price and the reason."""


def verdict_text(view: AssessmentView) -> str:
    """Title, sentence and rows of the verdict, then the five questions."""
    verdict = view.verdict
    lines = [verdict.title, verdict.sentence]
    if verdict.close_call:
        lines.append(verdict.close_call)
    lines += [f"{row.name}\t{row.value}\t{row.beside}".rstrip() for row in verdict.rows]
    lines += [
        "\t".join((str(item.number), item.question, item.answer, item.detail)).rstrip()
        for item in view.questions
    ]
    return "\n".join(lines) + "\n"


def candidates_text(view: AssessmentView, *, prices: bool = True) -> str:
    """All candidates, one a line, with a head; without prices, and the reasons that name them."""
    words = text(view.language)
    rows = [tuple(words.gettext(title) for title in HEAD), *(_cells(c) for c in view.candidates)]
    return table_text(rows if prices else [row[:-PRICED] for row in rows])


def table_text(rows: Iterable[tuple[str, ...]]) -> str:
    """Rows with tabs between the cells; what a cell holds stays in its cell."""
    return "".join("\t".join(map(_cell, row)) + "\n" for row in rows)


def _cells(item: CandidateView) -> tuple[str, ...]:
    return (
        item.name,
        item.layout,
        item.formats,
        item.grade_word,
        item.figure,
        item.figure_unit,
        item.users,
        item.ttft,
        item.total,
        item.efficiency,
        item.power,
        item.price,
        item.reason,
    )


def _cell(value: str) -> str:
    return " ".join(value.split()) if any(mark in value for mark in "\t\r\n") else value
