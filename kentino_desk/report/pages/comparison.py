"""The comparison of the pinned builds, as the Compare screen shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.present.compare import compare_view, usual_pins
from kentino_desk.present.cost_chart import cost_chart
from kentino_desk.report.blocks import Column, Figure, Heading, Paragraph, Role, Row, Table

if TYPE_CHECKING:
    from kentino_desk.present.compare_views import CompareCell, CompareRow, CompareView
    from kentino_desk.report.blocks import Block
    from kentino_desk.report.context import Context

NAME_SHARE = 0.22


def comparison_blocks(context: Context) -> tuple[Block, ...]:
    """The table with its groups; nothing where fewer than two builds can be compared."""
    assessment = context.assessment
    pins = context.details.pins or usual_pins(assessment)
    view = compare_view(assessment, pins, context.language)
    if view is None:
        return ()
    words = context.words
    share = (1.0 - NAME_SHARE) / len(view.heads)
    columns = (
        Column(title="", share=NAME_SHARE),
        *(Column(title=_titled(view, place), share=share) for place in range(len(view.heads))),
    )
    caption = words.gettext(
        "“{best}” marks the best of a row where builds differ; percentages stand against the first "
        "build.",
        best=view.best_word,
    )
    return (
        Heading(text=words.gettext("Comparison"), level=2),
        *((Paragraph(text=view.reason, keep=True),) if view.reason else ()),
        Table(columns=columns, rows=tuple(_rows(view))),
        Paragraph(text=caption, role=Role.CAPTION),
        *_cost(context, pins),
    )


def _cost(context: Context, pins: tuple[str, ...]) -> tuple[Block, ...]:
    chart = cost_chart(context.assessment, pins, context.language)
    if chart is None:
        return ()
    return (Figure(title=chart.title, chart=chart, caption=chart.frontier_word),)


def _titled(view: CompareView, place: int) -> str:
    head = view.heads[place]
    return ", ".join(part for part in (head.name, head.kind, head.mark) if part)


def _rows(view: CompareView) -> list[Row]:
    rows: list[Row] = []
    for group in view.groups:
        rows.append(Row(cells=(group.title, *("" for _ in view.heads)), strong=True))
        rows += [_row(view, row) for row in group.rows]
    return rows


def _row(view: CompareView, row: CompareRow) -> Row:
    return Row(
        cells=(row.name, *(_said(view, cell) for cell in row.cells)),
        tones=(row.cells[0].tone.PLAIN, *(cell.tone for cell in row.cells)),
    )


def _said(view: CompareView, cell: CompareCell) -> str:
    word = view.best_word if cell.best else ""
    return ", ".join(part for part in (cell.text, word, cell.difference) if part)
