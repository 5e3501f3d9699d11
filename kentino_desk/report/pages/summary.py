"""Part 1: the need, the recommendation, four figures, why not the others, the price."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from kentino_desk.decision.running_cost import MONTHS, energy_cost
from kentino_desk.present.counted import counted
from kentino_desk.present.need_words import need_sentence
from kentino_desk.present.terms import build_name
from kentino_desk.present.views import Tone
from kentino_desk.report.blocks import (
    Column,
    Heading,
    KeyFigures,
    Paragraph,
    Remark,
    Role,
    Row,
    Table,
)
from kentino_desk.report.pages.key_figures import key_figures

if TYPE_CHECKING:
    from kentino_desk.present.views import CandidateView
    from kentino_desk.report.blocks import Block
    from kentino_desk.report.context import Context

MOST_ALTERNATIVES = 5
MOST_HELPS = 4

HELPS = ("relax", "largest_format_that_fits", "alternative_recipe")
"""Notes that say what would help where nothing fits."""

MEASURE = "measure_first"
"""Note that speaks where a limit lies inside a range, however sure the outcome is."""


def summary_blocks(context: Context) -> tuple[Block, ...]:
    """The page for the one who decides."""
    words, details = context.words, context.details
    kicker = " · ".join(part for part in (details.customer, details.project) if part)
    head: list[Block] = [Paragraph(text=kicker, role=Role.KICKER)] if kicker else []
    return (
        *head,
        Heading(
            text=words.gettext("Summary of the proposal"), level=0, mark=words.gettext("1 Summary")
        ),
        Heading(text=words.gettext("Need"), level=2),
        Paragraph(text=need_sentence(context.assessment, context.language)),
        *_answer(context),
        *_why_not(context),
        *_price(context),
        *_doubts(context),
    )


def _answer(context: Context) -> tuple[Block, ...]:
    verdict, words = context.view.verdict, context.words
    title = words.gettext("Recommendation") if context.chosen else words.gettext("Answer")
    figures = key_figures(context)
    return (
        Heading(text=title, level=2),
        Paragraph(text=verdict.title, role=Role.ANSWER),
        *_build_line(context),
        Paragraph(text=verdict.sentence),
        *((KeyFigures(items=figures),) if figures else ()),
    )


def _build_line(context: Context) -> tuple[Block, ...]:
    if context.chosen is None:
        return ()
    build = context.chosen.candidate.build
    line = context.words.gettext(
        "{build}: {gpu} with {memory}\u00a0GB each",
        build=build_name(build),
        gpu=build.gpu.name,
        memory=context.shown.exact(build.gpu.memory_gb),
    )
    return (Paragraph(text=line, role=Role.STRONG),)


def _why_not(context: Context) -> tuple[Block, ...]:
    rows = [view for view in _alternatives(context) if view is not None]
    if not rows:
        return ()
    words = context.words
    title = (
        words.gettext("Why this build and not another")
        if context.chosen
        else words.gettext("What was tried")
    )
    unit = rows[0].figure_unit
    columns = (
        Column(title=words.gettext("Build"), share=0.29),
        Column(title=unit, share=0.13, numeric=True),
        Column(title=words.gettext("Memory"), share=0.14),
        Column(title=words.gettext("Price"), share=0.15, numeric=True),
        Column(title=words.gettext("Reason"), share=0.29),
    )
    return (
        Heading(text=title, level=2),
        Table(columns=columns, rows=tuple(_alternative(view) for view in rows)),
    )


def _alternatives(context: Context) -> list[CandidateView | None]:
    verdict, partner = context.assessment.verdict, context.assessment.partner
    wanted = [context.row_of(item) for item in (verdict.chosen, verdict.smaller, verdict.larger)]
    chosen = context.chosen
    partner_asked = chosen is not None and chosen.candidate.build.is_partner
    others = [view for view in context.view.candidates if view.partner == partner_asked]
    last = context.row_of(partner.result) if partner else None
    unique = list(dict.fromkeys(view for view in (*wanted, *others) if view is not None))
    if last in unique:
        last = None
    return [*unique[: MOST_ALTERNATIVES - (last is not None)], last]


def _alternative(view: CandidateView) -> Row:
    return Row(
        cells=(view.name, view.figure, view.grade_word, view.price, view.reason),
        chosen=view.chosen,
        strong=view.chosen,
    )


def _price(context: Context) -> tuple[Block, ...]:
    totals, words, shown = context.totals, context.words, context.shown
    if totals is None:
        return ()
    title = words.gettext("Price at a glance, {currency}", currency=shown.currency(totals.currency))
    amounts = tuple(
        shown.amount(value, totals.currency) for value in (totals.net, totals.vat, totals.gross)
    )
    vat = words.gettext("VAT {rate}", rate=shown.percent(context.vat.rate))
    columns = (
        Column(title="", share=0.4),
        Column(title=words.gettext("Without VAT"), share=0.2, numeric=True),
        Column(title=vat, share=0.2, numeric=True),
        Column(title=words.gettext("With VAT"), share=0.2, numeric=True),
    )
    row = Row(cells=(words.gettext("Recommended build"), *amounts), strong=True)
    valid = words.gettext(
        "Without obligation, prices until {day}.", day=shown.day(context.details.valid_until)
    )
    return (
        Heading(text=title, level=2),
        Table(columns=columns, rows=(row,)),
        *_energy(context),
        Paragraph(text=valid, role=Role.CAPTION),
    )


def _energy(context: Context) -> tuple[Block, ...]:
    """What the energy of a month costs, where the customer stated its price."""
    tariff = context.assessment.workload.constraints.energy_eur_per_kwh
    cost = energy_cost(context.chosen, context.assessment.workload) if context.chosen else None
    if cost is None or tariff is None:
        return ()
    sentence = context.words.gettext(
        "Energy, an estimate: about {month} a month at {tariff}, without cooling of the room.",
        month=context.shown.rounded_money(cost * (1 / Decimal(MONTHS))),
        tariff=counted(tariff, "EUR/kWh", context.language),
    )
    return (Paragraph(text=sentence),)


def _partner(context: Context) -> list[Block]:
    partner = context.assessment.partner
    if partner is None or partner.result.price is None:
        return []
    sentence = context.words.gettext(
        "A partner platform meets the request: {build}, {price} without VAT. We compare it, we do "
        "not build it.",
        build=build_name(partner.result.candidate.build),
        price=context.shown.rounded_money(partner.result.price),
    )
    return [Remark(text=sentence, tone=Tone.PLAIN, sources="")]


def _doubts(context: Context) -> tuple[Block, ...]:
    words = context.words
    found: list[Block] = []
    helps = {note.key: note for note in context.view.notes if note.key in HELPS}
    if context.chosen is None:
        told = [*context.helps[:MOST_HELPS], *(note.text for note in helps.values())]
        found += [Remark(text=line, tone=Tone.PLAIN, sources="") for line in told]
        found += _partner(context)
    measure = next((note.text for note in context.view.notes if note.key == MEASURE), "")
    if doubt := context.view.verdict.close_call or measure:
        found.append(Remark(text=doubt, tone=Tone.WARN, sources=""))
    count = len(context.view.assumed)
    if count:
        sentence = words.ngettext(
            "{count} input is assumed and not confirmed; part 2 lists it.",
            "{count} inputs are assumed and not confirmed; part 2 lists them.",
            count,
            count=count,
        )
        found.append(Remark(text=sentence, tone=Tone.WARN, sources=""))
    title = (
        words.gettext("What could change it")
        if context.chosen
        else words.gettext("What would help")
    )
    return (Heading(text=title, level=2), *found) if found else ()
