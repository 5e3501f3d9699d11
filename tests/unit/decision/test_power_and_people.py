"""Limits, air, network cards and pauses of a workload move its figures, and by how much."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.assess import assess
from kentino_desk.decision.presets import resolve
from kentino_desk.decision.search import search_inputs, searched
from kentino_desk.decision.search_rows import asked_of, search_rows
from kentino_desk.domain.workload import WorkloadInputs

SNAPSHOT = load_snapshot()
MODELS = sorted(card.id for card in SNAPSHOT.models.values() if card.can_be_sized)


def values_of(assessment, build, *keys):
    result = next(item for item in assessment.candidates if item.candidate.id == build)
    return [result.figures[key].value for key in keys]


def test_a_power_limit_saves_power_and_costs_speed(assessed):
    build = "1x8-rtx-pro-6000-bw-server"
    free = values_of(assessed("W11b"), build, "power_max_w", "train_days", "speed_at_limit")
    half = values_of(
        assessed("W11b", constraints__power_limit_w=300.0), build, "power_max_w", "train_days",
        "speed_at_limit",
    )  # fmt: skip
    assert half[0] < 0.7 * free[0]
    assert half[1] > 1.03 * free[1]
    assert half[2] == pytest.approx(0.73, abs=0.01)
    assert free[2] == 1.0


def test_a_card_is_not_limited_below_what_it_can_be_set_to(assessed):
    asked = assessed("W01", constraints__power_limit_w=60.0)
    for result in asked.candidates:
        lowest = result.candidate.build.gpu.min_power_limit_w
        if lowest is not None:
            assert result.figures["gpu_w"].value >= min(lowest, 0.75 * lowest)
            assert asked.evaluation.value("gpu_limit_w", result.row) >= lowest


def test_air_follows_the_rise_and_the_height_of_the_site(assessed):
    plain, changed = assessed("W01"), assessed(
        "W01", constraints__air_rise_k=10.0, constraints__altitude_m=1_000.0
    )  # fmt: skip
    first = plain.verdict.chosen.figures
    second = changed.verdict.chosen.figures
    ratio = second["airflow_m3_h"].value / first["airflow_m3_h"].value
    assert ratio == pytest.approx(1.5 / 0.908, rel=1e-3)
    assert second["airflow_cfm"].value == pytest.approx(second["airflow_m3_h"].value / 1.699)


def test_more_network_cards_never_slow_training_and_add_their_power(assessed):
    one, four = assessed("W11"), assessed("W11", constraints__nics_per_node=4)
    build = one.verdict.chosen.candidate.id
    slow, quick = (values_of(item, build, "train_days", "power_max_w") for item in (one, four))
    assert quick[0] <= slow[0]
    assert quick[1] > slow[1]


def test_people_who_pause_ask_for_less_at_once(assessed):
    busy, pausing = assessed("W01"), assessed("W01", serving__think_s=60.0)
    answer_s = 3.0 + (512 - 1) / 12.0
    share = answer_s / (answer_s + 60.0)
    assert pausing.figures["load"].value == pytest.approx(busy.figures["load"].value * share)
    people = pausing.verdict.chosen.figures["people_served"]
    assert people.low <= people.value <= people.high
    assert people.value >= busy.figures["load"].value
    assert busy.verdict.chosen.figures["people_served"].value == pytest.approx(
        busy.verdict.chosen.load_per_copy * busy.verdict.chosen.candidate.replicas
    )


def test_goodput_is_the_output_at_the_largest_load_within_the_targets(assessed):
    found = assessed("W01")
    for result in found.candidates:
        most = result.figures["users_within_targets"].value
        goodput = result.figures["goodput"].value
        assert (goodput == 0.0) == (most == 0.0)
        if result.passes:
            now = result.figures["tokens_per_s_total"].value
            assert goodput >= now * (1 - 1e-9)
            assert most >= result.load_per_copy * result.candidate.replicas


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(MODELS), st.integers(16, 32_000), st.integers(1, 2_000),
       st.sampled_from([None, 300.0]))  # fmt: skip
def test_energy_per_token_is_positive_and_finite(model, prompt, answer, limit):
    context = SNAPSHOT.models[model].max_context or prompt + answer
    prompt = max(min(prompt, context - answer), 1)
    values = {
        "workload.kind": "chat", "workload.model": model, "serving.input_tokens": prompt,
        "serving.output_tokens": min(answer, max(context - prompt, 1)),
    }  # fmt: skip
    if limit is not None:
        values["constraints.power_limit_w"] = limit
    asked = resolve(WorkloadInputs.of(values), SNAPSHOT.models[model])
    rows = search_rows(SNAPSHOT.models[model], SNAPSHOT, asked_of(asked))
    rows = rows.taken(np.arange(0, len(rows), 61))
    figures = searched(rows, asked, SNAPSHOT).figures
    assert (figures["tokens_per_s_total"] > 0).all()
    energy = figures["power_typical_w"] / figures["tokens_per_s_total"]
    known = np.isfinite(figures["power_typical_w"])
    assert np.isfinite(energy[known]).all()
    assert (energy[known] > 0).all()
    parts = search_inputs(rows, asked, SNAPSHOT)
    stated = np.isfinite(parts["tdp_w"] * parts["cpu_tdp_w"] * np.ones(len(rows)))
    assert (known == stated[searched(rows, asked, SNAPSHOT).carrying]).all()


@pytest.mark.parametrize("case", ["W01", "W05", "W11", "W12", "W17"])
def test_every_candidate_names_its_energy_with_a_range(case_inputs, case):
    found = assess(case_inputs(case), SNAPSHOT)
    for result in found.candidates:
        for key in ("energy_kwh_per_million", "energy_kwh_per_year"):
            figure = result.figures[key]
            if figure.value is not None:
                assert 0 < figure.low < figure.value < figure.high
                assert np.isfinite(figure.high)
