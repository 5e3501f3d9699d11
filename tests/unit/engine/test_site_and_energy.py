"""Air, current, supplies, limits and energy against the figures of the planning rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kentino_desk.engine import policy
from kentino_desk.engine.quantity import compute

NODE = {
    "gpus_per_node": 8.0, "tdp_w": 600.0, "power_limit_w": 1e9, "draw_share": 0.93,
    "limited_share": 1.0, "cpu_sockets": 2.0, "cpu_tdp_w": 350.0, "dimms": 24.0, "nics": 4.0,
    "board_w": 80.0, "fan_share": 0.08, "nodes": 1.0,
}  # fmt: skip
SITE = {"air_rise_k": 15.0, "altitude_m": 0.0}


def node(*wanted, **given):
    values = compute(wanted, policy.values() | NODE | given)
    return [float(values[name]) for name in wanted]


@pytest.mark.parametrize(
    ("power_w", "m3_h", "cfm"),
    [(6_000.0, 1_194, 702), (10_200.0, 2_030, 1_194), (14_300.0, 2_846, 1_674)],
    ids=["6.0 kW (planning rules 2)", "DGX H100 (planning rules 2)", "DGX B200 (planning rules 2)"],
)
def test_air_at_15_k_at_sea_level(power_w, m3_h, cfm):
    found = compute(("airflow_m3_h", "airflow_cfm"), SITE | {"power_max_w": power_w})
    assert found["airflow_m3_h"] == pytest.approx(m3_h, abs=1.0)
    assert found["airflow_cfm"] == pytest.approx(cfm, abs=1.5)


@pytest.mark.parametrize(
    ("altitude_m", "ratio"),
    [(0, 1.0), (500, 0.953), (1000, 0.908), (1500, 0.864), (2000, 0.822), (3000, 0.742)],
)
def test_density_of_the_standard_atmosphere(altitude_m, ratio):
    found = compute(("air_density_share",), {"altitude_m": float(altitude_m)})
    assert found["air_density_share"] == pytest.approx(ratio, abs=6e-4)


def test_a_smaller_rise_and_thinner_air_both_ask_for_more_of_it():
    air = ("airflow_m3_h",)
    sea, tight, high = (
        compute(air, SITE | {"power_max_w": 6_000.0} | change)["airflow_m3_h"]
        for change in ({}, {"air_rise_k": 10.0}, {"altitude_m": 2_000.0})
    )
    assert tight == pytest.approx(1.5 * sea)
    assert high == pytest.approx(sea / 0.822, rel=1e-3)


def test_a_feed_carries_6_kw_on_three_phases_and_3_kw_on_one():
    found = compute(("feed_current_a",), {"node_max_w": np.array([3_000.0, 6_000.0])})
    assert found["feed_current_a"] == pytest.approx([13.04, 8.66], abs=0.01)


@pytest.mark.parametrize(
    ("share", "efficiency"), [(0.2, 0.90), (0.5, 0.94), (1.0, 0.91), (0.75, 0.925)],
    ids=["20 %", "50 %", "100 % (80 PLUS Platinum)", "between two points"],
)  # fmt: skip
def test_supplies_lose_what_80_plus_platinum_allows(share, efficiency):
    load, found = node("node_dc_max_w", "psu_efficiency_max")
    assert found == pytest.approx(0.94), "unknown supplies are taken at their best load"
    _, found = node("node_dc_max_w", "psu_efficiency_max", psu_rated_w=load / share)
    assert found == pytest.approx(efficiency)


def test_what_a_circuit_must_carry_is_sized_on_the_limit_and_not_on_the_draw():
    (plain,) = node("node_max_w", gpu_peak_share=1.0)
    assert plain == pytest.approx(6_770, rel=0.01), "training_fit_notes, section 7"
    most, typical = node("node_max_w", "node_typical_w")
    assert most > plain
    assert typical == pytest.approx(5_920, rel=0.01)
    same, less = node("node_max_w", "node_typical_w", draw_share=0.5)
    assert same == most
    assert less < typical


@pytest.mark.parametrize(
    ("limit_w", "training", "serving", "node_w"),
    [(600, 1.0, 1.0, 5_920), (450, 0.88, 1.0, 4_920), (300, 0.73, 0.83, 3_550)],
    ids=["600 W", "450 W", "300 W (training_fit_notes 7)"],
)
def test_what_a_limit_costs_in_speed_and_saves_in_power(limit_w, training, serving, node_w):
    limit = {"power_limit_w": float(limit_w)}
    speed, typical = node("work_speed", "node_typical_w", **limit)
    assert speed == pytest.approx(training, abs=0.01)
    assert typical == pytest.approx(node_w, rel=0.01)
    assert node("work_speed", limited_share=0.75, **limit) == [pytest.approx(serving, abs=0.01)]


def test_the_draw_of_a_card_by_phase_never_exceeds_its_limit():
    phases = ("gpu_idle_w", "gpu_decode_w", "gpu_prefill_w", "gpu_draw_w")
    assert node(*phases) == [pytest.approx(w) for w in (42.0, 300.0, 498.0, 558.0)]
    assert node(*phases, power_limit_w=300.0) == [pytest.approx(w) for w in (42, 300, 300, 300)]


def test_energy_is_power_over_rate():
    served = {"power_typical_w": 3_600.0, "tokens_per_s_total": 1_000.0}
    assert compute(("energy_kwh_per_million_tokens",), served)[
        "energy_kwh_per_million_tokens"
    ] == pytest.approx(1.0)
    assert compute(("energy_kwh_per_year",), {"power_typical_w": 1_000.0})[
        "energy_kwh_per_year"
    ] == pytest.approx(8_760.0)


@settings(max_examples=200)
@given(st.floats(0.01, 1e5), st.floats(0.01, 1e4), st.integers(1, 4_000), st.floats(0.0, 3_600.0))
def test_people_who_think_are_the_requests_in_flight_by_littles_law(ttft, tpot_ms, words, pause):
    given_values = {
        "ttft_s": ttft, "tpot_s": tpot_ms / 1e3, "output_tokens": float(words),
        "users_per_copy": 8.0, "replicas": 2.0, "think_s": pause,
    }  # fmt: skip
    found = compute(("people_served", "answer_s"), given_values)
    answer = float(found["answer_s"])
    assert found["people_served"] * answer / (answer + pause) == pytest.approx(16.0)
    assert found["people_served"] >= 16.0 - 1e-9
