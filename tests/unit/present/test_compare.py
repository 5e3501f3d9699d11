from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

import pytest

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.assess import assess
from kentino_desk.domain.workload import WorkloadInputs
from kentino_desk.domain.workload_reading import read_workload
from kentino_desk.present.compare import compare_view, compared, usual_pins
from kentino_desk.present.cost_chart import cost_chart, efficient
from kentino_desk.present.language import languages
from kentino_desk.present.views import Tone
from kentino_desk.report.context import ProposalDetails, context_of
from kentino_desk.report.document import document_of
from kentino_desk.report.proposal import words_of

CASES = Path(__file__).resolve().parents[2] / "worked_cases"
SNAPSHOT = load_snapshot()
CHOSEN, TWIN, SMALL = (
    "1x8-rtx-pro-6000-bw-server", "2x4-rtx-pro-6000-bw-server", "1x4-rtx-pro-6000-bw-server",
)  # fmt: skip


@lru_cache(maxsize=16)
def case(name):
    raw = tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8"))
    return assess(read_workload(raw), SNAPSHOT)


def rows(view):
    return {row.name: row for group in view.groups for row in group.rows}


def test_the_groups_are_those_of_the_design():
    view = compare_view(case("W01"), (CHOSEN, TWIN), "en")
    assert [group.title for group in view.groups] == [
        "Fit", "Speed", "Scaling", "Power and cooling", "Price and running cost", "Notes",
    ]  # fmt: skip


def test_fewer_than_two_builds_are_no_comparison_and_more_than_five_are_cut():
    found = case("W01")
    assert compare_view(found, (CHOSEN,), "en") is None
    assert compare_view(found, (CHOSEN, "no-such-build"), "en") is None
    every = tuple(item.candidate.id for item in found.best_per_build)
    assert len(compare_view(found, every, "en").heads) == 5


def test_the_recommended_build_stands_first_and_is_named():
    view = compare_view(case("W01"), (SMALL, TWIN, CHOSEN), "en")
    assert [head.id for head in view.heads] == [CHOSEN, SMALL, TWIN]
    assert [head.mark for head in view.heads] == ["Recommended", "", "half-node trap"]
    assert view.reason.startswith("First, because")


def test_the_best_of_a_row_is_marked_where_builds_differ_and_nowhere_else():
    view = compare_view(case("W01"), (CHOSEN, TWIN, SMALL), "en")
    power = rows(view)["Power, maximum"]
    assert [cell.best for cell in power.cells] == [False, False, True]
    assert [cell.best for cell in rows(view)["Memory grade"].cells] == [False] * 3
    speed = rows(view)["Speed per user, want 12\u00a0tok/s"]
    assert [cell.best for cell in speed.cells] == [True, True, False]


def test_equal_rows_are_known_as_equal():
    view = compare_view(case("W01"), (CHOSEN, TWIN), "en")
    assert rows(view)["Layout"].is_equal
    assert not rows(view)["Price"].is_equal


def test_differences_stand_against_the_first_build():
    view = compare_view(case("W01"), (CHOSEN, TWIN, SMALL), "en")
    price = rows(view)["Price"]
    assert [cell.difference for cell in price.cells] == ["", "+8\u00a0%", "\u221248\u00a0%"]
    assert price.spread == "\u221248\u00a0% to +8\u00a0%"


def test_a_missed_target_is_toned_as_missed():
    late = "1x8-rtx-5090"
    view = compare_view(case("W01"), (CHOSEN, late), "en")
    wait = rows(view)["First word, want 3\u00a0s"]
    assert [cell.tone for cell in wait.cells] == [Tone.PLAIN, Tone.BAD]


def test_the_customer_sees_no_price_and_no_reason_that_names_one():
    dearer = "1x8-rtx-pro-6000-bw-maxq"
    view = compare_view(case("W01"), (CHOSEN, dearer), "en", prices=False)
    printed = " ".join(cell.text for row in rows(view).values() for cell in row.cells)
    assert "EUR" not in printed
    assert "Price" not in rows(view)
    assert "EUR" not in view.reason


def test_the_customer_does_not_see_how_much_dearer_a_partner_platform_is():
    sample = assess(
        WorkloadInputs.of({"workload.kind": "chat", "workload.model": "llama-3.3-70b"}), SNAPSHOT
    )
    partner = next(
        item for item in sample.best_per_build if item.candidate.build.is_partner and item.passes
    )
    pins = (sample.verdict.chosen.candidate.id, partner.candidate.id)
    shown, hidden = (compare_view(sample, pins, "en", prices=on) for on in (True, False))
    assert "× the price" in rows(shown)["Reason"].cells[1].text
    assert rows(hidden)["Reason"].cells[1].text == "Partner platform, not our own build"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", ["W01", "W05", "W08", "W11", "W12", "W14", "W15a", "W06b"])
def test_every_kind_of_work_compares_its_usual_builds(name, language):
    found = case(name)
    view = compare_view(found, usual_pins(found), language)
    assert view is not None
    for group in view.groups:
        for row in group.rows:
            assert len(row.cells) == len(view.heads)
            assert all("{" not in cell.text for cell in row.cells)


def test_the_frontier_joins_the_builds_that_no_cheaper_one_outruns():
    found = case("W01")
    chart = cost_chart(found, usual_pins(found), "en")
    for point in chart.points:
        better = [p for p in chart.points if p.cost <= point.cost and p.rate >= point.rate]
        others = [p for p in better if (p.cost, p.rate) != (point.cost, point.rate)]
        assert point.on_frontier == (not others)
    assert list(chart.frontier) == sorted(chart.frontier)
    assert len(chart.twin) == len(chart.points) + 1


def test_of_two_equal_places_both_are_efficient():
    assert efficient([(1.0, 2.0), (1.0, 2.0)]) == {(1.0, 2.0)}


def test_a_build_without_a_price_is_on_no_chart():
    assert cost_chart(case("W01"), (CHOSEN,), "en") is None


def test_paper_prints_the_table_of_the_screen():
    found, pins = case("W01"), (CHOSEN, SMALL)
    details = ProposalDetails(pins=pins)
    printed = words_of(document_of(context_of(found, SNAPSHOT, "cs", details)))
    view = compare_view(found, pins, "cs")
    assert "Srovnání" in printed
    for row in rows(view).values():
        assert row.name in printed
        assert all(cell.text in printed for cell in row.cells)
    assert [item.candidate.id for item in compared(found, pins)] == list(pins)


def test_the_cost_of_energy_is_compared_where_its_price_is_stated():
    found = case("W01")
    names = rows(compare_view(found, (CHOSEN, TWIN), "en"))
    assert "Price and energy of three years" not in names
    stated = assess(found.inputs.with_value("constraints.energy_eur_per_kwh", 0.2), SNAPSHOT)
    said = rows(compare_view(stated, (CHOSEN, TWIN), "en"))
    assert said["Cost of that energy"].cells[0].text.endswith("\u00a0EUR")
    assert said["Price and energy of three years"].prices
    hidden = rows(compare_view(stated, (CHOSEN, TWIN), "en", prices=False))
    assert "Price and energy of three years" not in hidden
    assert "Cost of that energy" in hidden
