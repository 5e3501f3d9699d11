"""Part 9: assumptions and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.present.fault_codes import FAULT_CODES
from kentino_desk.report.blocks import Column, Heading, Paragraph, Remark, Role, Row, Table

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
        *_fault_codes(context),
    )


def _fault_codes(context: Context) -> tuple[Block, ...]:
    """What the codes in the log of the driver mean, for whoever runs the machine."""
    words = context.words
    columns = (
        Column(title=words.gettext("Code (XID)"), share=0.14, numeric=True),
        Column(title=words.gettext("Meaning and first step"), share=0.86),
    )
    rows = tuple(Row(cells=(str(item.xid), words.gettext(item.words))) for item in FAULT_CODES)
    heading = Heading(text=words.gettext("Fault codes of the driver"), level=2)
    return (heading, Table(columns=columns, rows=rows))


def _sources(context: Context, sources: str) -> str:
    return context.words.gettext("Source: {source}", source=sources) if sources else ""
