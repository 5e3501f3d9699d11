"""The four large figures of the summary: speed or time, what it carries, power, price."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Binding, Kind
from kentino_desk.present.counted import counted, measured, power
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
from kentino_desk.present.numbers import NOTHING
from kentino_desk.present.terms import build_name
from kentino_desk.report.blocks import KeyFigure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import CandidateResult
    from kentino_desk.report.context import Context

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
