from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.pricing import build_price
from kentino_desk.domain.candidate import Build
from kentino_desk.domain.choices import Fabric
from kentino_desk.quote.bill import PartKind, bill_of, bill_totals
from kentino_desk.quote.totals import DocumentDiscount

RATE = Decimal("0.21")


def build(nodes, fabric):
    snapshot = load_snapshot()
    node = snapshot.nodes["own-p6-8"]
    return Build(node=node, gpu=snapshot.gpus["rtx-pro-6000-bw-server"], nodes=nodes, fabric=fabric)


def kinds(bill):
    return [line.kind for line in bill.lines]


def test_one_node_is_one_line_with_its_parts_spelled_out():
    bill = bill_of(build(1, Fabric.NONE), load_snapshot())
    assert kinds(bill) == [PartKind.NODE]
    parts = {part.kind: part.quantity for part in bill.lines[0].parts}
    assert parts[PartKind.GPU] == 8
    assert parts[PartKind.CPU] == 2


def test_replicas_get_a_load_balancer_and_never_a_fabric():
    bill = bill_of(build(10, Fabric.NONE), load_snapshot())
    assert kinds(bill) == [PartKind.NODE, PartKind.SERVICE]


@pytest.mark.parametrize(("nodes", "switch"), [(2, False), (4, False), (5, True)])
def test_a_cluster_gets_cards_cables_and_a_switch_above_four_nodes(nodes, switch):
    bill = bill_of(build(nodes, Fabric.IB200), load_snapshot())
    quantities = {line.kind: line.quantity for line in bill.lines}
    assert quantities[PartKind.NIC] == quantities[PartKind.CABLE] == 2 * nodes
    assert (PartKind.SWITCH in quantities) is switch
    assert PartKind.SERVICE not in quantities


@pytest.mark.parametrize(
    ("nodes", "fabric"), [(1, Fabric.NONE), (3, Fabric.NONE), (3, Fabric.IB200)]
)
def test_the_bill_costs_what_the_candidate_says(nodes, fabric):
    snapshot, chosen = load_snapshot(), build(nodes, fabric)
    totals = bill_totals(bill_of(chosen, snapshot), RATE)
    assert totals.net == build_price(chosen, snapshot).amount
    assert totals.gross == totals.net + totals.vat


def test_a_discount_comes_off_before_vat():
    bill = bill_of(build(1, Fabric.NONE), load_snapshot())
    totals = bill_totals(bill, RATE, DocumentDiscount(share=Decimal("0.03")))
    assert totals.discount == totals.subtotal * Decimal("0.03")
    assert totals.vat == totals.net * RATE


def test_a_position_without_a_price_leaves_no_sum():
    snapshot = load_snapshot()
    prices = replace(snapshot.price_list, lines=())
    bill = bill_of(build(1, Fabric.NONE), replace(snapshot, price_list=prices))
    assert bill.unpriced == bill.lines
    assert bill_totals(bill, RATE) is None
