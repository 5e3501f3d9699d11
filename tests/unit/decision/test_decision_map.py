"""The colour of a map at a point is the verdict of that point."""

from __future__ import annotations

import numpy as np
import pytest

from kentino_desk.decision.assess import assess
from kentino_desk.decision.decision_map import COARSE, FINE, default_axes, map_of
from kentino_desk.decision.points import typed
from kentino_desk.domain.errors import InputError


def alone(inputs, snapshot):
    try:
        verdict = assess(inputs, snapshot).verdict
    except InputError:
        return (None, None, 0)
    chosen = verdict.chosen.candidate.id if verdict.chosen else None
    return (verdict.outcome, chosen, verdict.replicas)


@pytest.mark.parametrize(
    ("case", "axes", "count"),
    [
        ("W01", None, 200),
        ("W01", ("serving.ttft_s", "serving.tokens_per_s_per_user"), 20),
        ("W06", None, 20),
        ("W15b", None, 20),
        ("W11", None, 20),
        ("W13", None, 20),
    ],
)
def test_the_colour_at_random_cells_is_the_verdict_of_that_workload(
    case, axes, count, case_inputs, snapshot
):
    inputs = case_inputs(case)
    size = FINE if axes is None else COARSE
    drawn = map_of(assess(inputs, snapshot), axes, size)
    random = np.random.default_rng(3)
    for _ in range(count):
        row, column = random.integers(len(drawn.y)), random.integers(len(drawn.x))
        x, y = typed(drawn.x_key, drawn.x[column]), typed(drawn.y_key, drawn.y[row])
        region = drawn.regions[drawn.cells[row, column]]
        point = inputs.with_value(drawn.x_key, x).with_value(drawn.y_key, y)
        build = region.build.id if region.build else None
        assert (region.outcome, build, region.replicas) == alone(point, snapshot), (x, y)


def test_a_boundary_lies_between_two_cells_that_differ(assessed):
    drawn = map_of(assessed("W01"))
    assert drawn.boundaries
    for side in drawn.boundaries:
        values, place = (drawn.x, side.column) if side.across == "x" else (drawn.y, side.row)
        assert values[place] <= side.at <= values[place + 1]
        right, down = (0, 1) if side.across == "x" else (1, 0)
        assert (
            drawn.cells[side.row, side.column] != drawn.cells[side.row + right, side.column + down]
        )


def test_each_kind_of_work_has_its_own_axes(assessed):
    assert default_axes(assessed("W01").workload) == (
        "serving.concurrent_users", "serving.context_tokens",
    )  # fmt: skip
    assert default_axes(assessed("W14").workload)[0] == "serving.demand_value"
    assert default_axes(assessed("W13").workload) == ("training.tokens", "training.deadline_days")


def test_an_axis_that_is_no_number_of_the_workload_is_refused(assessed):
    with pytest.raises(InputError, match="is no number of this workload"):
        map_of(assessed("W01"), ("serving.concurrent_users", "training.tokens"))
    with pytest.raises(InputError, match="stands on both axes"):
        map_of(assessed("W01"), ("serving.ttft_s", "serving.ttft_s"))


def test_a_map_that_is_stopped_is_no_map(assessed):
    assert map_of(assessed("W02"), count=COARSE, stopped=lambda: True) is None
