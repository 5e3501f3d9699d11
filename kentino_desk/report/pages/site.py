"""Part 8: the page for the facility manager, usable when torn out alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.decision.power_limits import power_limits
from kentino_desk.domain.choices import Evidence
from kentino_desk.engine.site import LINE_VOLTAGE_V, PHASE_VOLTAGE_V
from kentino_desk.present.counted import counted, power
from kentino_desk.present.numbers import NOTHING
from kentino_desk.present.site import site_of
from kentino_desk.report.blocks import (
    Column,
    Heading,
    KeyFigure,
    KeyFigures,
    Pairs,
    Paragraph,
    Row,
    Signatures,
    Table,
    Ticks,
)

if TYPE_CHECKING:
    from kentino_desk.decision.power_limits import PowerLimit
    from kentino_desk.decision.results import CandidateResult
    from kentino_desk.present.site import Feed, Site
    from kentino_desk.report.blocks import Block
    from kentino_desk.report.context import Context


def site_blocks(context: Context) -> tuple[Block, ...]:
    """Four figures, a table, the feeds, a list to tick, lines to sign."""
    result, words = context.chosen, context.words
    head = Heading(text=words.gettext("8 Power, cooling and site"))
    if result is None:
        nothing = words.gettext("Nothing fits, so there is nothing to install.")
        return (head, Paragraph(text=nothing))
    site = site_of(result)
    return (
        head,
        Paragraph(text=_intro(context, site)),
        KeyFigures(items=_key_figures(context, site)),
        Pairs(items=_pairs(context, result, site)),
        *_feeds(context, site),
        *_limits(context, result),
        Heading(text=words.gettext("Site checklist"), level=2),
        Ticks(
            columns=(words.gettext("yes"), words.gettext("no"), words.gettext("to be done")),
            rows=_ticks(context, site),
        ),
        Signatures(
            labels=(words.gettext("Filled in by, function"), words.gettext("Date, signature"))
        ),
    )


def _intro(context: Context, site: Site) -> str:
    return context.words.ngettext(
        "For the facility manager. The figures are for one node, which is the whole delivery.",
        "For the facility manager. The figures are for all {count} nodes unless one node is named.",
        site.nodes,
        count=site.nodes,
    )


def _key_figures(context: Context, site: Site) -> tuple[KeyFigure, ...]:
    words, shown = context.words, context.shown
    feed = site.feed
    return (
        KeyFigure(
            value=power(site.max_w, context.language),
            label=words.gettext("largest power, and the heat of it"),
        ),
        KeyFigure(value=_ampere(context, feed), label=_feed_label(context, feed)),
        KeyFigure(
            value=shown.figure(site.airflow_m3_h, "m3/h"),
            label=words.gettext("of air at a rise of {kelvin}\u00a0K", kelvin=_air_rise(context)),
        ),
        KeyFigure(value=shown.figure(site.rack_u, "U"), label=words.gettext("in the rack")),
    )


def _air_rise(context: Context) -> str:
    return context.shown.exact(context.assessment.workload.constraints.air_rise_k)


def _ampere(context: Context, feed: Feed | None) -> str:
    return context.shown.figure(feed.one_a, "A") if feed else NOTHING


def _feed_label(context: Context, feed: Feed | None) -> str:
    words = context.words
    if feed is not None and feed.phases == 1:
        return words.gettext("per node in one feed at 230\u00a0V when the other is lost")
    return words.gettext("per phase and node in one feed when the other is lost")


def _pairs(context: Context, result: CandidateResult, site: Site) -> tuple[tuple[str, str], ...]:
    words, shown = context.words, context.shown
    node = result.candidate.build.node
    inlet = f"{shown.exact(node.inlet_c_max)}\u00a0°C" if node.inlet_c_max else ""
    return (
        (words.gettext("Power, maximum"), shown.figure(site.max_w, "W")),
        (words.gettext("Power, typical"), shown.figure(site.typical_w, "W")),
        (words.gettext("Heat in BTU/h"), shown.figure(site.heat_btu_h, "BTU/h")),
        (words.gettext("Air in CFM"), shown.figure(site.airflow_cfm, "CFM")),
        (words.gettext("Weight"), _stated(context, result, "weight_kg", site.weight_kg, "kg")),
        (words.gettext("Depth"), _stated(context, result, "depth_mm", node.depth_mm, "mm")),
        (words.gettext("Inlet temperature"), _at_most(context, inlet)),
        (words.gettext("Power supplies per node"), _supplies(context, result)),
        (words.gettext("After one feed is lost"), _after_loss(context, site)),
        (words.gettext("Efficiency of the power supplies"), _share(context, site.psu_efficiency)),
        (words.gettext("Energy per year, day and night"), _energy_of_year(context, site)),
        (
            words.gettext("Energy per million tokens"),
            shown.figure(site.energy_kwh_per_million, "kWh"),
        ),
        *_height(context),
    )


def _share(context: Context, value: float | None) -> str:
    return NOTHING if value is None else context.shown.percent(value)


def _height(context: Context) -> tuple[tuple[str, str], ...]:
    """A site at sea level, or one whose height nobody stated, needs no line."""
    metres = context.assessment.workload.constraints.altitude_m
    if not metres:
        return ()
    shown = f"{context.shown.exact(metres)}\u00a0m"
    return ((context.words.gettext("Height above sea level"), shown),)


def _energy_of_year(context: Context, site: Site) -> str:
    if site.energy_kwh_per_year is None:
        return NOTHING
    return context.shown.figure(site.energy_kwh_per_year / 1_000, "MWh")


def _stated(
    context: Context, result: CandidateResult, name: str, value: float | None, unit: str
) -> str:
    words = context.words
    if value is None:
        return words.gettext("not stated")
    shown = f"{context.shown.plain(value)}\u00a0{unit}"
    source = result.candidate.build.node.source
    if source.evidence_of(name) is Evidence.ESTIMATE:
        return words.gettext("{value} (estimate)", value=shown)
    return shown


def _at_most(context: Context, value: str) -> str:
    words = context.words
    return words.gettext("at most {value}", value=value) if value else words.gettext("not stated")


def _supplies(context: Context, result: CandidateResult) -> str:
    node = result.candidate.build.node
    if not node.psu_count or not node.psu_w:
        return context.words.gettext("not stated")
    watts = context.shown.figure(node.psu_w, "W")
    shown = f"{node.psu_count}\u00a0×\u00a0{watts}"
    return f"{shown}, {node.psu_redundancy}" if node.psu_redundancy else shown


def _after_loss(context: Context, site: Site) -> str:
    words = context.words
    if site.psu_after_loss_w is None or site.node_max_w is None:
        return words.gettext("not stated")
    values = {
        "need": power(site.node_max_w, context.language),
        "have": power(site.psu_after_loss_w, context.language),
    }
    if site.node_max_w <= site.psu_after_loss_w:
        return words.gettext("full power, {need} of {have}", **values)
    return words.gettext("reduced: {need} wanted, {have} left", **values)


def _feeds(context: Context, site: Site) -> tuple[Block, ...]:
    feed, words, shown = site.feed, context.words, context.shown
    if feed is None:
        return ()
    columns = (
        Column(title=words.gettext("Feeds of one node"), share=0.46),
        Column(title=words.gettext("Voltage"), share=0.22),
        Column(title=words.gettext("A per feed"), share=0.16, numeric=True),
        Column(title=words.gettext("Breaker"), share=0.16, numeric=True),
    )
    voltage = _voltage(context, feed)
    breaker = f"{feed.phases}\u00a0×\u00a0{feed.breaker_a}\u00a0A" if feed.breaker_a else NOTHING
    rows = (
        (words.gettext("Both feeds carry"), voltage, shown.figure(feed.both_a, "A"), breaker),
        (words.gettext("One feed is lost"), voltage, shown.figure(feed.one_a, "A"), breaker),
    )
    return (Table(columns=columns, rows=tuple(Row(cells=cells) for cells in rows)),)


def _limits(context: Context, result: CandidateResult) -> tuple[Block, ...]:
    """What a lower power limit of the cards saves, and what it costs in speed."""
    found = power_limits(context.assessment.evaluation, result)
    if len(found) < 2:
        return ()
    words, shown, language = context.words, context.shown, context.language
    columns = (
        Column(title=words.gettext("Power limit per GPU"), share=0.24),
        Column(title=words.gettext("Node, maximum"), share=0.18, numeric=True),
        Column(title=words.gettext("All, maximum"), share=0.18, numeric=True),
        Column(title=words.gettext("All, typical"), share=0.18, numeric=True),
        Column(title=words.gettext("Speed left"), share=0.22, numeric=True),
    )
    rows = tuple(
        Row(
            cells=(
                shown.figure(item.limit_w, "W"),
                power(item.node_max_w, language),
                power(item.power_max_w, language),
                power(item.power_typical_w, language),
                _speed(context, item),
            )
        )
        for item in found
    )
    return (Table(columns=columns, rows=rows),)


def _speed(context: Context, item: PowerLimit) -> str:
    low, best, high = (context.shown.percent(value) for value in item.speed)
    if low == high:
        return best
    return f"{best} ({context.shown.whole(100 * item.speed[0])}–{high})"


def _voltage(context: Context, feed: Feed) -> str:
    words = context.words
    low, high = context.shown.plain(PHASE_VOLTAGE_V), context.shown.plain(LINE_VOLTAGE_V)
    if feed.phases == 1:
        return words.gettext("{volts}\u00a0V, one phase", volts=low)
    return words.gettext("{low}/{high}\u00a0V, three phases", low=low, high=high)


def _ticks(context: Context, site: Site) -> tuple[str, ...]:
    words, shown = context.words, context.shown
    feed = site.feed
    breaker = (
        f"{feed.phases}\u00a0×\u00a0{feed.breaker_a}\u00a0A" if feed and feed.breaker_a else NOTHING
    )
    return (
        words.gettext(
            "Two feeds of {breaker} for each node, from separate sources", breaker=breaker
        ),
        words.gettext("Outlets and power distribution units of that rating"),
        words.gettext("Uninterruptible supply carries peaks of 1.4 times the typical power"),
        words.gettext(
            "Cooling of {heat}, air from front to back", heat=power(site.max_w, context.language)
        ),
        words.gettext("Rack with {rack} free, depth and load", rack=shown.figure(site.rack_u, "U")),
        words.gettext("Delivery path: doors, lift, ramp, lifting gear"),
        words.gettext("Network ports, management network and addresses"),
        words.gettext("Storage for models and data can be reached"),
        words.gettext("Access of technicians, working hours, fire system"),
        words.gettext(
            "Room for {nodes} and who signs for the site is known",
            nodes=counted(site.nodes, "nodes", context.language),
        ),
    )
