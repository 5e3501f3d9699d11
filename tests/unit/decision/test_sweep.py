"""The verdict at many points equals the verdict of each point alone."""

from __future__ import annotations

import numpy as np
import pytest

from kentino_desk.decision.assess import assess
from kentino_desk.decision.known_borders import KnownBorders
from kentino_desk.decision.points import AS_GIVEN, points_of, typed
from kentino_desk.decision.sweep import verdicts_of
from kentino_desk.decision.tally import Asked
from kentino_desk.domain.errors import InputError

POINTS = 25
RANGES = {
    "serving.concurrent_users": (1, 5000), "serving.context_tokens": (600, 60_000),
    "serving.ttft_s": (0.2, 60.0), "serving.tokens_per_s_per_user": (1.0, 80.0),
    "serving.prompt_reuse": (0.01, 0.99), "serving.demand_value": (10.0, 30_000.0),
    "serving.max_num_seqs": (2, 600), "serving.utilisation": (0.4, 0.97),
    "batch.output_tokens_total": (1e6, 1e11), "batch.deadline_days": (0.05, 100.0),
    "batch.input_tokens": (16, 20_000), "training.tokens": (1e6, 1e12),
    "training.deadline_days": (0.5, 500.0), "training.sequence_length": (64, 60_000),
    "training.micro_batch": (1, 32), "training.global_batch_tokens": (1e4, 2e7),
    "constraints.nodes_max": (1, 8), "constraints.budget_eur": (5e3, 1e6),
    "constraints.site_kw_max": (0.5, 60.0), "constraints.rack_u_max": (1, 40),
}  # fmt: skip
CASES = [
    ("W01", "serving.concurrent_users", "serving.context_tokens"),
    ("W01", "serving.ttft_s", "serving.tokens_per_s_per_user"),
    ("W01", "constraints.site_kw_max", "constraints.rack_u_max"),
    ("W01", "serving.max_num_seqs", "serving.utilisation"),
    ("W02", "constraints.budget_eur", "serving.concurrent_users"),
    ("W06", "serving.prompt_reuse", "constraints.nodes_max"),
    ("W06b", "serving.concurrent_users", "serving.ttft_s"),
    ("W14", "serving.demand_value", "serving.context_tokens"),
    ("W15b", "batch.output_tokens_total", "batch.deadline_days"),
    ("W05", "batch.input_tokens", "batch.deadline_days"),
    ("W10b", "training.sequence_length", "training.deadline_days"),
    ("W11", "training.micro_batch", "training.global_batch_tokens"),
    ("W13", "training.tokens", "constraints.nodes_max"),
    ("W12", "training.tokens", "training.deadline_days"),
    ("W17", "constraints.budget_eur", "training.deadline_days"),
]


def alone(inputs, snapshot):
    try:
        verdict = assess(inputs, snapshot).verdict
    except InputError:
        return (None, None, 0, 0)
    chosen = verdict.chosen
    name = chosen.candidate.id if chosen else None
    return (verdict.outcome, name, verdict.nodes, verdict.replicas)


@pytest.mark.parametrize(("case", "first", "second"), CASES)
def test_a_sweep_says_at_each_point_what_that_workload_alone_says(
    case, first, second, case_inputs, snapshot
):
    random = np.random.default_rng(7)
    inputs, varied = case_inputs(case), {}
    for key in (first, second):
        low, high = RANGES[key]
        values = np.exp(random.uniform(np.log(low), np.log(high), POINTS))
        varied[key] = np.array([typed(key, value) for value in values], dtype=float)
    points = points_of(inputs, snapshot, varied)
    found = verdicts_of(points, snapshot)
    for point in range(POINTS):
        workload = inputs
        for key, values in varied.items():
            workload = workload.with_value(key, typed(key, values[point]))
        candidate = found.candidate(point)
        swept = (
            found.outcome(point), candidate.id if candidate else None,
            int(found.nodes[point]), int(found.replicas[point]),
        )  # fmt: skip
        assert swept == alone(workload, snapshot), {k: v[point] for k, v in varied.items()}


def test_equal_verdicts_have_equal_codes_and_others_do_not(case_inputs, snapshot):
    users = np.arange(1.0, 400.0)
    points = points_of(case_inputs("W01"), snapshot, {"serving.concurrent_users": users})
    found = verdicts_of(points, snapshot)
    seen = {}
    for point, code in enumerate(found.codes.tolist()):
        candidate = found.candidate(point)
        verdict = (found.outcome(point), candidate and candidate.id, int(found.replicas[point]))
        assert seen.setdefault(code, verdict) == verdict
    assert len(set(seen.values())) == len(seen)


def around(inputs, snapshot, first, second):
    """Points around the present one, which is the first; values come twice."""
    random = np.random.default_rng(11)
    now = assess(inputs, snapshot).workload
    varied = {}
    for key in (first, second):
        section, _, name = key.partition(".")
        section = "serving" if key in {"batch.input_tokens", "batch.output_tokens"} else section
        present = float(getattr(getattr(now, section), name) or RANGES[key][1])
        spread = present * np.exp(random.uniform(-1.5, 1.5, 40))
        values = [present, *(typed(key, max(value, RANGES[key][0])) for value in spread)]
        varied[key] = np.tile(np.array(values, dtype=float), 2)
    return points_of(inputs, snapshot, varied)


@pytest.mark.parametrize(("case", "first", "second"), CASES)
def test_points_told_apart_from_the_first_are_those_that_differ(
    case, first, second, case_inputs, snapshot
):
    points = around(case_inputs(case), snapshot, first, second)
    whole = verdicts_of(points, snapshot).codes
    apart = verdicts_of(points, snapshot, Asked(changes_only=True)).codes
    assert np.array_equal(apart != apart[0], whole != whole[0])


@pytest.mark.parametrize(("case", "first", "second"), CASES)
def test_what_an_earlier_sweep_found_changes_no_verdict(case, first, second, case_inputs, snapshot):
    points = around(case_inputs(case), snapshot, first, second)
    asked = Asked(known=KnownBorders())
    alone = verdicts_of(points, snapshot).codes
    for _ in range(2):
        assert np.array_equal(verdicts_of(points, snapshot, asked).codes, alone)


def test_lengths_are_filled_in_at_points_as_in_one_workload(case_inputs, snapshot):
    lengths = ("serving.input_tokens", "serving.output_tokens", "serving.context_tokens")
    inputs = case_inputs("W01").without(lengths)
    for key, value in (("serving.context_tokens", 3000), ("serving.output_tokens", 900)):
        points = points_of(inputs, snapshot, {key: np.array([AS_GIVEN, value])})
        for place, one in enumerate((inputs, inputs.with_value(key, value))):
            serving = assess(one, snapshot).workload.serving
            for name in lengths:
                assert points.number(name)[place] == getattr(serving, name.split(".")[1])


def test_a_value_that_all_points_share_counts(case_inputs, snapshot):
    context = {"serving.context_tokens": np.full(3, 9000.0)}
    points = points_of(case_inputs("W01"), snapshot, context)
    assert (points.number("serving.context_tokens") == 9000).all()
    tokens = {"training.sequence_length": np.full(2, 1024.0)}
    points = points_of(case_inputs("W13"), snapshot, tokens)
    assert (points.number("training.sequence_length") == 1024).all()
