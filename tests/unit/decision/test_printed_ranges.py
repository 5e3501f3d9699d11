"""Ranges on screen and paper are those that validation scores its rows against."""

from __future__ import annotations

import pytest

from kentino_desk.decision.errors import row_bands
from kentino_desk.decision.space import space_for
from kentino_desk.engine.policy_power import POWER_BANDS
from kentino_desk.engine.policy_speed_bands import SERVING_BANDS, TRAINING_BANDS

CLASSES = {
    "h100-sxm": "hopper", "h200-sxm": "hopper", "b200": "blackwell", "b300": "blackwell",
    "rtx-pro-6000-bw-server": "other", "rtx-5090": "other", "a100-sxm-80": "other",
}  # fmt: skip


def ends(result, key):
    figure = result.figures[key]
    return figure.low / figure.value, figure.high / figure.value


@pytest.mark.parametrize(("card", "band"), CLASSES.items())
def test_a_closed_loop_carries_the_range_of_its_class(assessed, card, band):
    rows = assessed("W06b").best_per_build
    result = next(
        item
        for item in rows
        if item.candidate.build.gpu.id == card and item.figures["ttft_s"].value is not None
    )
    bands = SERVING_BANDS[band]
    assert ends(result, "tokens_per_s_total") == pytest.approx(bands["output_tok_s"])
    assert ends(result, "tpot_ms") == pytest.approx(bands["tpot_ms"])
    assert ends(result, "ttft_s") == pytest.approx(bands["ttft_ms"])
    low, high = bands["tpot_ms"]
    assert ends(result, "tokens_per_s_per_user") == pytest.approx((1 / high, 1 / low))
    assert result.figures["ttft_s"].not_validated == (band == "other")


def test_a_class_without_rows_is_no_surer_than_a_measured_one():
    for figure, (low, high) in SERVING_BANDS["other"].items():
        for band in ("hopper", "blackwell"):
            assert low <= SERVING_BANDS[band][figure][0]
            assert high >= SERVING_BANDS[band][figure][1]


def test_training_carries_the_range_of_its_class(assessed):
    result = assessed("W13").best_per_build[0]
    assert ends(result, "tokens_per_s_total") == pytest.approx(TRAINING_BANDS["dense, NVLink"])


def test_typical_power_carries_the_range_of_metered_nodes(assessed):
    result = assessed("W01").best_per_build[0]
    assert ends(result, "power_typical_w") == pytest.approx(POWER_BANDS["system_w"])


def test_confidence_draws_from_the_same_ranges(assessed, snapshot):
    found = assessed("W06b")
    space = space_for(found.workload, snapshot)
    speeds, firsts = row_bands(space)
    for place, candidate in enumerate(space.candidates):
        bands = SERVING_BANDS[CLASSES.get(candidate.build.gpu.id, "other")]
        assert tuple(speeds[:, place]) == bands["output_tok_s"]
        assert tuple(firsts[:, place]) == bands["ttft_ms"]
