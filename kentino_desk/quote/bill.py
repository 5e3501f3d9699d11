"""Bill of material: what the chosen build is made of, at the prices of the list."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

from kentino_desk.decision.pricing import bill_items
from kentino_desk.quote.totals import DocumentDiscount, QuoteLine, QuoteTotals, total_quote

if TYPE_CHECKING:
    from kentino_desk.domain.candidate import Build
    from kentino_desk.domain.snapshot import CatalogSnapshot


class PartKind(StrEnum):
    """What a line or an included part is."""

    NODE = "node"
    GPU = "gpu"
    CPU = "cpu"
    PSU = "psu"
    NIC = "nic"
    CABLE = "cable"
    SWITCH = "switch"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class IncludedPart:
    """A part inside a line, whose price is in that line; ``quantity`` is for the whole line."""

    kind: PartKind
    name: str
    quantity: int
    watts: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BillLine:
    """One priced position. ``unit_price`` is None where the list has no price."""

    position: int
    item: str
    kind: PartKind
    name: str
    quantity: int
    unit_price: Decimal | None
    parts: tuple[IncludedPart, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """All positions of a build in the currency of the price list."""

    lines: tuple[BillLine, ...]
    currency: str
    price_list: str
    valid_from: str
    is_sample: bool

    @property
    def unpriced(self) -> tuple[BillLine, ...]:
        """Positions for which the list has no price."""
        return tuple(line for line in self.lines if line.unit_price is None)


def bill_of(build: Build, snapshot: CatalogSnapshot) -> Bill:
    """The bill of a build; replicas get a load balancer and no fabric."""
    prices = snapshot.price_list
    return Bill(
        lines=tuple(
            _line(position, item, quantity, build, snapshot)
            for position, (item, quantity) in enumerate(bill_items(build), start=1)
        ),
        currency=prices.currency,
        price_list=prices.name,
        valid_from=prices.valid_from,
        is_sample=prices.is_sample,
    )


def bill_totals(
    bill: Bill, vat_rate: Decimal, discount: DocumentDiscount | None = None
) -> QuoteTotals | None:
    """Sums of a bill; None while a position has no price."""
    if bill.unpriced:
        return None
    lines = [
        QuoteLine(
            description=line.name,
            quantity=Decimal(line.quantity),
            unit_price=line.unit_price or Decimal(0),
            vat_rate=vat_rate,
        )
        for line in bill.lines
    ]
    return total_quote(lines, bill.currency, discount)


def _line(
    position: int, item: str, quantity: int, build: Build, snapshot: CatalogSnapshot
) -> BillLine:
    kind = PartKind(item.partition(":")[0])
    price = snapshot.prices.get(item)
    node = kind is PartKind.NODE
    return BillLine(
        position=position,
        item=item,
        kind=kind,
        name=build.node.name if node else price.description if price else item,
        quantity=quantity,
        unit_price=price.price if price else None,
        parts=_node_parts(build, quantity) if node else (),
    )


def _node_parts(build: Build, nodes: int) -> tuple[IncludedPart, ...]:
    node = build.node
    parts = [IncludedPart(PartKind.GPU, build.gpu.name, node.gpu_count * nodes)]
    if node.cpu_sockets and node.cpu_name:
        parts.append(IncludedPart(PartKind.CPU, node.cpu_name, node.cpu_sockets * nodes))
    if node.psu_count and node.psu_w:
        quantity = node.psu_count * nodes
        parts.append(IncludedPart(PartKind.PSU, node.psu_redundancy, quantity, node.psu_w))
    return tuple(parts)
