"""Parts 6 and 7: the bill of material and the price table."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.present.language import later
from kentino_desk.present.terms import FABRIC_WORDS, build_name
from kentino_desk.quote.bill import PartKind
from kentino_desk.report.blocks import Column, Heading, Paragraph, Role, Row, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.quote.bill import Bill, BillLine, IncludedPart
    from kentino_desk.quote.totals import QuoteTotals
    from kentino_desk.report.blocks import Block
    from kentino_desk.report.context import Context

PART_WORDS: Mapping[PartKind, str] = MappingProxyType(
    {
        PartKind.NODE: later("GPU node {name}, assembled and tested"),
        PartKind.GPU: later("GPU {name}"),
        PartKind.CPU: later("CPU {name}"),
        PartKind.PSU: later("Power supply {watts} {name}"),
        PartKind.NIC: later("Network card {fabric}"),
        PartKind.CABLE: later("Cable {fabric}"),
        PartKind.SWITCH: later("Switch {fabric}"),
        PartKind.SERVICE: later("Load balancer, set up"),
    }
)

SAMPLE_LIST = later("Invented SAMPLE prices of the list {name}, valid from {day}. Not an offer.")
OWN_LIST = later("Prices of the list {name}, valid from {day}.")


def price_blocks(context: Context) -> tuple[Block, ...]:
    """Bill and prices of the chosen build; without a build, the sentence that says so."""
    words, bill = context.words, context.bill
    if bill is None:
        return (
            Heading(text=words.gettext("6 Bill of material")),
            Paragraph(text=_no_bill(context)),
        )
    return (
        Heading(text=words.gettext("6 Bill of material")),
        _bill(context, bill),
        Heading(text=words.gettext("7 Price")),
        *_prices(context, bill),
    )


def _no_bill(context: Context) -> str:
    words, chosen = context.words, context.chosen
    if chosen is None:
        return words.gettext("Nothing fits, so nothing is offered and there is no price.")
    return words.gettext(
        "{build} is a partner platform. It is compared here and not quoted, so there is no bill of "
        "ours.",
        build=build_name(chosen.candidate.build),
    )


def _bill(context: Context, bill: Bill) -> Table:
    words = context.words
    columns = (
        Column(title=words.gettext("Pos."), share=0.07),
        Column(title=words.gettext("Description"), share=0.69),
        Column(title=words.gettext("Quantity"), share=0.12, numeric=True),
        Column(title=words.gettext("Unit"), share=0.12),
    )
    rows: list[Row] = []
    for line in bill.lines:
        rows.append(_bill_row(context, str(line.position), _name(context, line), line.quantity))
        rows += [_included(context, line, part) for part in line.parts]
    return Table(columns=columns, rows=tuple(rows))


def _bill_row(context: Context, position: str, name: str, quantity: int) -> Row:
    pieces = context.words.gettext("pcs")
    return Row(cells=(position, name, context.shown.whole(quantity), pieces))


def _included(context: Context, line: BillLine, part: IncludedPart) -> Row:
    words, shown = context.words, context.shown
    name = words.gettext(PART_WORDS[part.kind], name=part.name, watts=shown.figure(part.watts, "W"))
    said = words.gettext("included in {position}: {part}", position=line.position, part=name)
    return Row(
        cells=("", said.strip(), shown.whole(part.quantity), words.gettext("pcs")), muted=True
    )


def _name(context: Context, line: BillLine) -> str:
    build = context.chosen.candidate.build if context.chosen else None
    fabric = context.words.gettext(FABRIC_WORDS[build.fabric]) if build else ""
    return context.words.gettext(PART_WORDS[line.kind], name=line.name, fabric=fabric)


def _prices(context: Context, bill: Bill) -> tuple[Block, ...]:
    words, shown, totals = context.words, context.shown, context.totals
    if totals is None:
        return (Paragraph(text=words.gettext("Some positions have no price in the list.")),)
    currency = shown.currency(bill.currency)
    columns = (
        Column(title=words.gettext("Pos."), share=0.07),
        Column(title=words.gettext("Description"), share=0.45),
        Column(title=words.gettext("Quantity"), share=0.1, numeric=True),
        Column(
            title=words.gettext("Unit price, {currency}", currency=currency),
            share=0.19,
            numeric=True,
        ),
        Column(title=words.gettext("Net, {currency}", currency=currency), share=0.19, numeric=True),
    )
    lines = tuple(
        Row(
            cells=(
                str(line.position),
                _name(context, line),
                shown.whole(line.quantity),
                shown.amount(line.unit_price or Decimal(0), bill.currency),
                shown.amount(total.net, bill.currency),
            )
        )
        for line, total in zip(bill.lines, totals.lines, strict=True)
    )
    sums = _sums(context, totals)
    return (
        Table(columns=columns, rows=(*lines, *sums), totals=len(sums)),
        Paragraph(text=_source(context, bill), role=Role.CAPTION),
    )


def _sums(context: Context, totals: QuoteTotals) -> tuple[Row, ...]:
    words, shown = context.words, context.shown
    rows = []
    if totals.discount:
        rows.append((words.gettext("Subtotal"), totals.subtotal))
        rows.append((words.gettext("Discount"), -totals.discount))
    rows.append((words.gettext("Net"), totals.net))
    rows += [
        (
            words.gettext(
                "VAT {rate} of {base}",
                rate=shown.percent(item.rate),
                base=shown.amount(item.base, totals.currency),
            ),
            item.vat,
        )
        for item in totals.rates
    ]
    rows.append((words.gettext("Gross"), totals.gross))
    last = len(rows) - 1
    return tuple(
        Row(
            cells=("", name, "", "", shown.amount(value, totals.currency)),
            strong=index == last,
        )
        for index, (name, value) in enumerate(rows)
    )


def _source(context: Context, bill: Bill) -> str:
    template = SAMPLE_LIST if bill.is_sample else OWN_LIST
    day = date.fromisoformat(bill.valid_from)
    return context.words.gettext(template, name=bill.price_list, day=context.shown.day(day))
