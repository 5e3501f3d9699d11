"""Part 5: all builds that were compared, with the reason against each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.report.blocks import Column, Heading, Paragraph, Role, Row, Table

if TYPE_CHECKING:
    from kentino_desk.present.views import CandidateView
    from kentino_desk.report.blocks import Block
    from kentino_desk.report.context import Context

MOST_ROWS = 10


def alternatives_blocks(context: Context) -> tuple[Block, ...]:
    """The table of builds, best first."""
    words, views = context.words, context.view.candidates
    head = Heading(text=words.gettext("5 Alternatives"))
    if not views:
        return (head, Paragraph(text=words.gettext("No other build was left to compare.")))
    columns = (
        Column(title=words.gettext("Build"), share=0.205),
        Column(title=words.gettext("Layout, formats"), share=0.18),
        Column(title=words.gettext("Memory"), share=0.125),
        Column(title=views[0].figure_unit, share=0.1, numeric=True),
        Column(title=words.gettext("Power"), share=0.09, numeric=True),
        Column(title=_price_title(context), share=0.11, numeric=True),
        Column(title=words.gettext("Reason"), share=0.19),
    )
    kept = views[:MOST_ROWS]
    left_out = len(views) - len(kept)
    note = words.ngettext(
        "{count} further build is left out; it ranks after those above.",
        "{count} further builds are left out; they rank after those above.",
        left_out,
        count=left_out,
    )
    more = (Paragraph(text=note, role=Role.CAPTION),) if left_out else ()
    return (head, Table(columns=columns, rows=tuple(_row(view) for view in kept)), *more)


def _price_title(context: Context) -> str:
    currency = context.shown.currency(context.snapshot.price_list.currency)
    return context.words.gettext("Price, {currency}", currency=currency)


def _row(view: CandidateView) -> Row:
    return Row(
        cells=(
            view.name,
            f"{view.layout}; {view.formats}",
            view.grade_word,
            view.figure,
            view.power,
            view.price_amount,
            view.reason,
        ),
        chosen=view.chosen,
        strong=view.chosen,
    )
