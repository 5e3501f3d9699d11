"""Part 9: assumptions and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.report.blocks import Heading, Paragraph, Remark, Role

if TYPE_CHECKING:
    from kentino_desk.report.blocks import Block
    from kentino_desk.report.context import Context


def notes_blocks(context: Context) -> tuple[Block, ...]:
    """What is not included, what is assumed, what to know."""
    words = context.words
    assumed = context.view.assumed
    listed = (
        words.gettext(
            "Assumed, not confirmed by the customer: {inputs}.", inputs="; ".join(assumed)
        )
        if assumed
        else words.gettext("Every input comes from the customer.")
    )
    return (
        Heading(text=words.gettext("9 Assumptions and notes")),
        Paragraph(text=listed),
        Paragraph(
            text=words.gettext(
                "Not included: building work, electrician, licences of software, storage outside "
                "the nodes, cabling beyond the bill of material."
            )
        ),
        *(
            Remark(text=note.text, tone=note.tone, sources=_sources(context, note.sources))
            for note in context.view.notes
        ),
        Paragraph(
            text=words.gettext(
                "C074 and the like are numbered statements of the seller's articles, each checked "
                "against the computation."
            ),
            role=Role.CAPTION,
        ),
    )


def _sources(context: Context, sources: str) -> str:
    return context.words.gettext("Source: {source}", source=sources) if sources else ""
