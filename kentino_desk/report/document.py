"""Assessment and quote as the tree that is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.present.numbers import LANGUAGE_HABITS
from kentino_desk.report.blocks import Document, Section
from kentino_desk.report.pages.alternatives import alternatives_blocks
from kentino_desk.report.pages.annex import annex_blocks
from kentino_desk.report.pages.comparison import comparison_blocks
from kentino_desk.report.pages.notes import notes_blocks
from kentino_desk.report.pages.path import path_blocks
from kentino_desk.report.pages.price import price_blocks
from kentino_desk.report.pages.requirement import requirement_blocks
from kentino_desk.report.pages.site import site_blocks
from kentino_desk.report.pages.sizing import sizing_blocks
from kentino_desk.report.pages.summary import summary_blocks

if TYPE_CHECKING:
    from kentino_desk.report.context import Context


def document_of(context: Context) -> Document:
    """The whole proposal."""
    words, details = context.words, context.details
    title = words.gettext("Proposal for {model}", model=context.assessment.model.name)
    sample = context.snapshot.price_list.is_sample
    return Document(
        title=f"{title}, {details.customer}" if details.customer else title,
        author=details.seller,
        subject=context.view.verdict.title,
        language_tag=LANGUAGE_HABITS[context.language].tag,
        seller=details.seller,
        stamp=words.gettext("SAMPLE PRICES") if sample else "",
        footer=_footer(context),
        day=context.shown.day(details.issued_on),
        page_words=words.gettext("Page {page} / {pages}"),
        sections=_sections(context),
    )


def _footer(context: Context) -> str:
    words, details = context.words, context.details
    if not details.number:
        return words.gettext("Proposal, draft")
    return words.gettext(
        "Proposal {number}, revision {revision}", number=details.number, revision=details.revision
    )


def _sections(context: Context) -> tuple[Section, ...]:
    words = context.words
    return (
        Section(title=words.gettext("Summary"), blocks=summary_blocks(context)),
        Section(title=words.gettext("Requirement"), blocks=requirement_blocks(context)),
        Section(
            title=words.gettext("Sizing and decision"),
            blocks=(*sizing_blocks(context), *path_blocks(context)),
        ),
        Section(
            title=words.gettext("Alternatives and price"),
            blocks=(
                *alternatives_blocks(context),
                *comparison_blocks(context),
                *price_blocks(context),
            ),
            new_page=False,
        ),
        Section(title=words.gettext("Power, cooling and site"), blocks=site_blocks(context)),
        Section(title=words.gettext("Assumptions and notes"), blocks=notes_blocks(context)),
        Section(
            title=words.gettext("Sources and formulas"),
            blocks=annex_blocks(context),
            new_page=False,
        ),
    )
