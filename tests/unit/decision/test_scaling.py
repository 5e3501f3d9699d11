"""Scaling over every link of the catalog, the gate, and the seller's two figures beside ours."""

from __future__ import annotations

import pytest

from kentino_desk.decision.scaling import (
    SIDES,
    AgainstGate,
    against,
    efficiencies,
    scaling_lines,
    scaling_table,
)
from kentino_desk.decision.scaling_points import COUNTS
from kentino_desk.decision.seller_scaling import literal_layout, seller_figures
from kentino_desk.domain.choices import Fabric
from kentino_desk.present.scaling_document import scaling_document

# training_fit_notes, section 8: 70B, BF16, s 4096, full recompute, RTX PRO 6000, 16k tokens a GPU.
NOTES = {
    ("tp", "none", 8, 1): (0.26, 0.28, 0.64),
    ("tp2_pp", "none", 8, 1): (0.53, 0.73, 0.81),
    ("fsdp", "none", 8, 1): (0.62, 0.78, 0.95),
    ("tp", "ib200", 16, 2): (0.12, 0.14, 0.31),
    ("fsdp", "ib200", 16, 2): (0.57, 0.76, 0.90),
    ("fsdp", "ib400", 16, 2): (0.61, 0.77, 0.94),
    ("fsdp", "roce100", 16, 2): (0.26, 0.54, 0.69),
    ("fsdp", "tcp25", 16, 2): (0.07, 0.09, 0.13),
    ("tp2_pp", "ib200", 16, 2): (0.43, 0.66, 0.76),
}


@pytest.fixture(scope="module")
def full_70b(assessed):
    return assessed("W11")


@pytest.mark.parametrize("place", NOTES, ids=str)
def test_the_lines_are_those_of_the_notes_for_a_70b_step(full_70b, place):
    layout, fabric, gpus, nodes = place
    table = scaling_table(full_70b, full_70b.verdict.chosen)
    line = next(line for line in table if (line.key, line.fabric) == (layout, fabric))
    found = next(item for item in line.points if item.point.gpus == gpus)
    assert found.point.nodes == nodes
    low, best, high = NOTES[place]
    assert found.best == pytest.approx(best, abs=0.02)
    assert found.low == pytest.approx(low, abs=0.09)
    assert found.high == pytest.approx(high, abs=0.05)


@pytest.mark.parametrize("case", ["W01", "W08", "W11", "W17"])
def test_every_network_of_the_catalog_has_its_line_or_a_reason(assessed, case):
    assessment = assessed(case)
    document = scaling_document(assessment)
    links = {line["link"] for line in document["lines"]}
    links |= {item["link"] for item in document["left_out"]}
    assert links >= {str(fabric) for fabric in assessment.snapshot.fabrics} | {"pcie", "nvlink"}
    assert all(item["why"] for item in document["left_out"])


@pytest.mark.parametrize("case", ["W01", "W08", "W11", "W17"])
def test_ranges_hold_the_best_value_and_one_card_loses_nothing(assessed, case):
    assessment = assessed(case)
    for line in scaling_table(assessment, assessment.verdict.chosen):
        assert set(line.gpus) <= set(COUNTS)
        for item in line.points:
            assert 0.0 <= item.low <= item.best <= item.high <= 1.0 + 1e-9
            if item.point.gpus == 1:
                assert item.low == pytest.approx(1.0)


def test_the_chart_takes_its_lines_from_the_table(full_70b):
    chosen = full_70b.verdict.chosen
    table = {(line.key, line.fabric): line for line in scaling_table(full_70b, chosen)}
    lines = {line.key: line for line in scaling_lines(full_70b, chosen)}
    assert lines["tp_node"].points == table["tp", Fabric.NONE].points
    inside, across = (table["fsdp", fabric].points for fabric in (Fabric.NONE, Fabric.IB200))
    assert lines["fsdp_across"].points == inside + across


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.60, 0.9, "holds"), (0.59, 0.61, "measure first"), (0.2, 0.599, "below")],
)
def test_a_range_on_both_sides_of_the_limit_is_measured_first(low, high, verdict):
    assert against(low, high, 0.60) is AgainstGate(verdict)


def test_the_sellers_figures_are_no_tensor_group_and_hold_for_sharded_copies(full_70b):
    # training_fit_notes, section 8: 0.73 needs 190 GB/s as TP8 and about 13k tokens as FSDP.
    inside, across = seller_figures(full_70b, full_70b.verdict.chosen)
    assert (inside.claim, across.claim) == ("C074", "C075")
    for figure in (inside, across):
        literal = literal_layout(figure, Fabric.IB200)
        assert literal.holds is AgainstGate.BELOW
    assert literal_layout(inside, Fabric.IB200).condition.least == pytest.approx(190, rel=0.08)
    sharded = next(item for item in inside.ours if item.scaled.point.layout == "fsdp")
    assert sharded.condition.least == pytest.approx(13_000, rel=0.08)
    over_ib = next(
        item
        for item in across.ours
        if (item.scaled.point.layout, item.scaled.point.fabric) == ("fsdp", Fabric.IB200)
    )
    assert over_ib.condition.least == pytest.approx(10_000, rel=0.10)
    assert over_ib.scaled.point.cards_per_node == 4


def test_the_condition_is_the_border_at_which_the_figure_holds(assessed):
    tokens = {}
    for case, batch in (("W11", 1), ("W11", 8)):
        assessment = assessed(case, training__micro_batch=batch)
        inside, _ = seller_figures(assessment, assessment.verdict.chosen)
        found = next(item for item in inside.ours if item.scaled.point.layout == "fsdp")
        tokens[batch] = found
    for found in tokens.values():
        enough = found.condition.has >= found.condition.least
        assert enough == (found.scaled.best >= 0.73)
    assert tokens[1].scaled.best < 0.73 < tokens[8].scaled.best


def test_a_served_group_never_leaves_its_node_and_the_document_says_so(assessed):
    document = scaling_document(assessed("W01"))
    tensor = [line for line in document["lines"] if line["layout"] == "tp"]
    assert [line["link"] for line in tensor] == ["pcie"]
    assert {item["link"] for item in document["left_out"] if item.get("layout") == "tp"} >= {
        "ib200", "tcp25",
    }  # fmt: skip
    assert document["seller"][1]["ours"] == []


def test_more_network_cards_in_a_node_help_what_the_network_holds_back(assessed):
    found = {}
    for nics in (1, 4):
        assessment = assessed("W11", constraints__nics_per_node=nics)
        table = scaling_table(assessment, assessment.verdict.chosen)
        line = next(x for x in table if (x.key, x.fabric) == ("fsdp", Fabric.ROCE100))
        found[nics] = line.efficiency[0]
        assert scaling_document(assessment)["nics_per_node"] == nics
    assert found[1] < 0.60 < found[4]


@pytest.mark.parametrize("case", ["W01", "W11"])
def test_the_three_sides_together_are_the_three_sides_alone(assessed, case):
    assessment = assessed(case)
    chosen = assessment.verdict.chosen
    points = tuple(item.point for line in scaling_table(assessment, chosen) for item in line.points)
    together = efficiencies(assessment, chosen, points, SIDES)
    alone = [efficiencies(assessment, chosen, points, (side,))[0] for side in SIDES]
    assert together.tolist() == [values.tolist() for values in alone]
