"""Tables of the paper: head, rows, marked rows, closing sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reportlab.platypus import Paragraph, Table, TableStyle

from kentino_desk.present.views import Tone
from kentino_desk.report import flowables, palette
from kentino_desk.report.escape import markup
from kentino_desk.report.styles import column_style

if TYPE_CHECKING:
    from reportlab.platypus import Flowable

    from kentino_desk.report import blocks


def table_of(block: blocks.Table, width: float) -> Flowable:
    """A table whose head repeats on each page."""
    head = [
        Paragraph(markup(column.title), column_style(numeric=column.numeric, head=True))
        for column in block.columns
    ]
    rows = [_cells(row, block.columns) for row in block.rows]
    table = Table(
        [head, *rows],
        colWidths=[width * column.share for column in block.columns],
        repeatRows=1,
        splitInRow=1,
    )
    table.setStyle(TableStyle(_table_rules(block)))
    return table


def _cells(row: blocks.Row, columns: tuple[blocks.Column, ...]) -> list[Flowable]:
    tones = row.tones or (Tone.MUTED if row.muted else Tone.PLAIN,) * len(columns)
    return [
        Paragraph(
            markup(text),
            column_style(
                numeric=column.numeric,
                strong=row.strong,
                colour=palette.TONES[tone],
            ),
        )
        for text, column, tone in zip(row.cells, columns, tones, strict=True)
    ]


def _table_rules(block: blocks.Table) -> list[Any]:
    rules: list[Any] = [
        flowables.BASE_FONT,
        ("LINEBELOW", (0, 0), (-1, -1), 0.6, palette.LINE),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 4),
        ("LEFTPADDING", (0, 0), (0, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), 4),
        ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), 3.2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 4.2),
    ]
    marked = [
        (index, row) for index, row in enumerate(block.rows, start=1) if row.chosen or row.decided
    ]
    for index, row in marked:
        colour = palette.GOOD_BG if row.decided else palette.ACCENT_BG
        rules.append(("BACKGROUND", (0, index), (-1, index), colour))
    if marked:
        rules.append(("LEFTPADDING", (0, 1), (0, -1), 5))
        rules.append(("RIGHTPADDING", (-1, 1), (-1, -1), 5))
    if block.totals:
        rules.append(("NOSPLIT", (0, -block.totals - 1), (-1, -1)))
    return rules
