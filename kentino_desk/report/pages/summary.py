"""Part 1: the need, the recommendation, four figures, why not the others, the price."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Binding, Kind
from kentino_desk.present.counted import counted, measured
from kentino_desk.present.language import later
from kentino_desk.present.load_words import (
    carried,
    figure_of,
    load_figure,
    load_in_words,
    load_unit,
    value_of,
    wish_for,
)
from kentino_desk.present.need_words import need_sentence
from kentino_desk.present.numbers import NOTHING
from kentino_desk.present.terms import build_name
from kentino_desk.present.verdict_words import power
from kentino_desk.present.views import Tone
from kentino_desk.report.blocks import (
    Column,
    Heading,
    KeyFigure,
    KeyFigures,
    Paragraph,
    Remark,
    Role,
    Row,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import CandidateResult
    from kentino_desk.present.views import CandidateView
    from kentino_desk.report.blocks import Block
    from kentino_desk.report.context import Context

MOST_ALTERNATIVES = 5

HELPS = ("relax", "largest_format_that_fits", "alternative_recipe")
"""Notes that say what would help where nothing fits."""

FIGURE_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "tokens_per_s_per_user": later("per user on the closest build"),
        "ttft_s": later("to the first word on the closest build"),
        "tokens_per_s_total": later("in all on the closest build"),
        "batch_days": later("for the corpus at full rate"),
        "train_days": later("for the run"),
        "efficiency": later("of the speed of one GPU is kept per GPU"),
    }
)


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


def key_figures(context: Context) -> tuple[KeyFigure, ...]:
    """Speed or time, what it carries, power, price."""
    result = context.closest
    if result is None:
        return ()
    if context.chosen is None:
        return (*_missed_figures(context, result), _power(context, result))
    return (*_work_figures(context, result), _power(context, result), _price_figure(context))


def _work_figures(context: Context, result: CandidateResult) -> tuple[KeyFigure, ...]:
    kind = context.assessment.workload.kind
    if kind is Kind.CHAT:
        return (_speed(context, result), _carried(context, result))
    if kind is Kind.BATCH:
        return (_total(context, result), _figure(context, result, "batch_days"))
    return (_figure(context, result, "train_days"), _figure(context, result, "efficiency"))


def _speed(context: Context, result: CandidateResult) -> KeyFigure:
    figure = figure_of(context.assessment, result, "tokens_per_s_per_user")
    if figure is None or figure.value is None:
        return _total(context, result)
    label = context.words.gettext(
        "per user at {load}; estimated range {range}",
        load=load_in_words(context.assessment, context.language),
        range=context.shown.span(figure.low, figure.high, figure.unit),
    )
    return KeyFigure(value=context.shown.figure(figure.value, figure.unit), label=label)


def _total(context: Context, result: CandidateResult) -> KeyFigure:
    total = value_of(result, "tokens_per_s_total")
    label = context.words.gettext("output of all copies together, estimate")
    return KeyFigure(value=context.shown.figure(total, "tok/s"), label=label)


def _carried(context: Context, result: CandidateResult) -> KeyFigure:
    unit = load_unit(context.assessment)
    load = load_figure(context.assessment)
    whole = carried(result)
    rest = whole - (load.value or 0.0) if load else 0.0
    label = context.words.gettext(
        "carried within all targets; headroom {headroom}", headroom=context.shown.value(rest, unit)
    )
    return KeyFigure(value=measured(whole, unit, context.language), label=label)


def _figure(context: Context, result: CandidateResult, key: str) -> KeyFigure:
    figure, words, shown = figure_of(context.assessment, result, key), context.words, context.shown
    value = measured(figure.value, figure.unit, context.language) if figure else NOTHING
    span = shown.span(figure.low, figure.high, figure.unit) if figure else ""
    wish = wish_for(context.assessment.workload, key)
    label = words.gettext(FIGURE_LABELS[key])
    if span:
        label = words.gettext("{label}; range {range}", label=label, range=span)
    if wish:
        wanted = counted(wish.value, wish.unit, context.language)
        label = words.gettext("{label}; want {wish}", label=label, wish=wanted)
    return KeyFigure(value=value, label=label)


def _missed_figures(context: Context, result: CandidateResult) -> tuple[KeyFigure, ...]:
    """What the closest build does where nothing fits."""
    binding = context.assessment.verdict.binding
    if binding is Binding.LATENCY:
        keys: tuple[str, ...] = ("tokens_per_s_per_user", "ttft_s")
    elif binding in {Binding.DEADLINE, Binding.THROUGHPUT}:
        serving = context.assessment.workload.kind.is_serving
        keys = ("tokens_per_s_total", "batch_days" if serving else "train_days")
    else:
        return _memory_figures(context, result)
    return tuple(_figure(context, result, key) for key in keys)


def _memory_figures(context: Context, result: CandidateResult) -> tuple[KeyFigure, ...]:
    shown, words = context.shown, context.words
    used, room = value_of(result, "used_gib"), value_of(result, "capacity_gib")
    build = build_name(result.candidate.build)
    return (
        KeyFigure(
            value=shown.figure(used, "GiB"),
            label=words.gettext("needed per GPU on the closest build, {build}", build=build),
        ),
        KeyFigure(value=shown.figure(room, "GiB"), label=words.gettext("there are per GPU")),
    )


def _power(context: Context, result: CandidateResult) -> KeyFigure:
    typical = value_of(result, "power_typical_w")
    rack = result.candidate.build.node.rack_u
    units = rack * result.candidate.build.nodes if rack else None
    label = context.words.gettext(
        "at most; typically {typical}; {rack} in the rack",
        typical=power(typical, context.language),
        rack=context.shown.figure(units, "U"),
    )
    return KeyFigure(value=power(value_of(result, "power_max_w"), context.language), label=label)


def _price_figure(context: Context) -> KeyFigure:
    words, totals = context.words, context.totals
    if totals is None:
        return _orientation(context)
    currency = context.shown.currency(totals.currency)
    value = f"{context.shown.plain(totals.net)}\u00a0{currency}"
    label = words.gettext("without VAT, sample price") if _sample(context) else ""
    return KeyFigure(value=value, label=label or words.gettext("without VAT"))


def _orientation(context: Context) -> KeyFigure:
    """A price that is no offer of ours, or none at all."""
    words, chosen = context.words, context.chosen
    if chosen is None or chosen.price is None:
        return KeyFigure(value=NOTHING, label=words.gettext("price on request"))
    value = context.shown.rounded_money(chosen.price)
    return KeyFigure(value=value, label=words.gettext("partner's price, for orientation"))


def _sample(context: Context) -> bool:
    return context.snapshot.price_list.is_sample


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
    others = [view for view in context.view.candidates if not view.partner]
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
        Paragraph(text=valid, role=Role.CAPTION),
    )


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
        found += [Remark(text=note.text, tone=Tone.PLAIN, sources="") for note in helps.values()]
        found += _partner(context)
    if context.view.verdict.close_call:
        found.append(Remark(text=context.view.verdict.close_call, tone=Tone.WARN, sources=""))
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
