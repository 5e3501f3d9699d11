"""Part 2: the requirement as understood, each value from the customer or assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.present.field_words import field_rows
from kentino_desk.present.need_words import need_sentence
from kentino_desk.present.verdict_words import billions
from kentino_desk.present.views import Tone
from kentino_desk.report.blocks import Column, Heading, Paragraph, Role, Row, Table

if TYPE_CHECKING:
    from kentino_desk.report.blocks import Block
    from kentino_desk.report.context import Context


def requirement_blocks(context: Context) -> tuple[Block, ...]:
    """Every input that was used."""
    words, model = context.words, context.assessment.model
    columns = (
        Column(title=words.gettext("Input"), share=0.44),
        Column(title=words.gettext("Value"), share=0.34),
        Column(title=words.gettext("Origin"), share=0.22),
    )
    card = words.gettext(
        "{model} has {params} parameters in {layers} layers.",
        model=model.name,
        params=billions(model.params_total, context.language),
        layers=model.layers,
    )
    return (
        Heading(text=words.gettext("2 Requirement as understood")),
        Paragraph(text=need_sentence(context.assessment, context.language)),
        Paragraph(text=card),
        Table(columns=columns, rows=_rows(context)),
        Paragraph(
            text=words.gettext(
                "Assumed values are presets of the kind of work. Please confirm or change them; "
                "the result can move with each of them."
            ),
            role=Role.CAPTION,
        ),
    )


def _rows(context: Context) -> tuple[Row, ...]:
    words = context.words
    given, assumed = words.gettext("from customer"), words.gettext("assumed")
    return tuple(
        Row(
            cells=(name, value, assumed if is_assumed else given),
            tones=(Tone.PLAIN, Tone.PLAIN, Tone.WARN if is_assumed else Tone.MUTED),
        )
        for name, value, is_assumed in field_rows(context.assessment, context.language)
    )
