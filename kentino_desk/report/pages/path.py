"""Part 4: the five questions in order, and how the work scales."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.present.efficiency_chart import efficiency_chart
from kentino_desk.present.seller_words import seller_rows
from kentino_desk.present.views import Tone
from kentino_desk.report.blocks import Column, Figure, Heading, Paragraph, Row, Table

if TYPE_CHECKING:
    from kentino_desk.decision.results import CandidateResult
    from kentino_desk.present.views import QuestionView
    from kentino_desk.report.blocks import Block
    from kentino_desk.report.context import Context


def path_blocks(context: Context) -> tuple[Block, ...]:
    """Questions, deciding figures, limits; the scaling chart."""
    words = context.words
    columns = (
        Column(title="", share=0.04),
        Column(title=words.gettext("Question"), share=0.39),
        Column(title=words.gettext("Answer"), share=0.11),
        Column(title=words.gettext("Deciding figure"), share=0.31),
        Column(title=words.gettext("Limit"), share=0.15),
    )
    return (
        Heading(text=words.gettext("4 Decision path")),
        Paragraph(
            text=words.gettext(
                "The first yes to question 1, 2, 4 or 5 ends the debate whether a cluster is "
                "needed. The others are answered for completeness."
            ),
            keep=True,
        ),
        Table(columns=columns, rows=tuple(_row(item) for item in context.view.questions)),
        *_scaling(context),
    )


def _row(item: QuestionView) -> Row:
    return Row(
        cells=(str(item.number), item.question, item.answer, item.figure, item.limit),
        decided=item.decided,
        tones=(Tone.MUTED, Tone.PLAIN, item.tone, Tone.PLAIN, Tone.MUTED),
    )


def _scaling(context: Context) -> tuple[Block, ...]:
    result = context.closest
    chart = efficiency_chart(context.assessment, result, context.language) if result else None
    if chart is None:
        return ()
    caption = context.words.gettext(
        "Figure 2. Speed per GPU against one GPU, computed for this card and layout. Hollow "
        "diamonds are the seller's figures, 0.73 for one node of 8 GPUs and 0.65 for two of 4. "
        "TP = tensor, PP = pipeline, DP = data parallel, FSDP = sharded data parallel."
    )
    figure = Figure(title=chart.title, chart=chart, caption=caption)
    return (figure, *_seller(context, result))


def _seller(context: Context, result: CandidateResult | None) -> tuple[Block, ...]:
    """The seller's figures beside ours, layout by layout, and what would make them true."""
    rows = seller_rows(context.assessment, result, context.language) if result else ()
    if not rows:
        return ()
    words = context.words
    columns = (
        Column(title=words.gettext("Seller's figure"), share=0.2),
        Column(title=words.gettext("Layout"), share=0.22),
        Column(title=words.gettext("Computed here"), share=0.18),
        Column(title=words.gettext("Does it hold?"), share=0.13),
        Column(title=words.gettext("It holds with"), share=0.27),
    )
    return (Table(columns=columns, rows=tuple(Row(cells=cells) for cells in rows)),)
