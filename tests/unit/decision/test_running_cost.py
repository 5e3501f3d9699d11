"""Energy at the price that the customer stated: plain multiplication, in money."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kentino_desk.decision.running_cost import cost_of_years, energy_cost
from kentino_desk.present.json_document import evaluate_document
from kentino_desk.report.context import ProposalDetails, context_of
from kentino_desk.report.document import document_of
from kentino_desk.report.proposal import words_of

TARIFF = 0.18


@pytest.fixture(scope="module")
def priced(assessed):
    return assessed("W01", constraints__energy_eur_per_kwh=TARIFF)


def test_a_year_costs_its_energy_times_the_price(priced):
    chosen = priced.verdict.chosen
    energy = chosen.figures["energy_kwh_per_year"].value
    cost = energy_cost(chosen, priced.workload)
    assert float(cost.amount) == pytest.approx(energy * TARIFF)
    assert isinstance(cost.amount, Decimal)
    whole = cost_of_years(chosen, priced.workload)
    assert whole.amount == chosen.price.amount + 3 * cost.amount


def test_without_a_price_of_energy_there_is_no_cost(assessed):
    found = assessed("W01")
    assert energy_cost(found.verdict.chosen, found.workload) is None
    assert cost_of_years(found.verdict.chosen, found.workload) is None


def test_the_price_of_energy_moves_no_verdict(priced, assessed):
    plain = assessed("W01")
    assert priced.verdict == plain.verdict or (
        priced.verdict.outcome is plain.verdict.outcome
        and priced.verdict.chosen.candidate == plain.verdict.chosen.candidate
    )
    order = [[item.candidate.id for item in found.best_per_build] for found in (priced, plain)]
    assert order[0] == order[1]


def test_json_and_paper_say_it(priced, snapshot):
    document = evaluate_document(priced, snapshot)
    yearly = document["candidates"][0]["energy_cost_eur_per_year"]
    assert yearly == pytest.approx(
        document["candidates"][0]["figures"]["energy_kwh_per_year"]["value"] * TARIFF
    )
    words = words_of(document_of(context_of(priced, snapshot, "en", ProposalDetails())))
    assert "a month at 0.18\u00a0EUR/kWh, without cooling of the room." in words
