"""Constants refitted without a unit: what the search finds, and that it never saw the unit."""

from dataclasses import replace

import numpy as np
import pytest

from kentino_desk.app.validation_page import paths_of
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.validation.cross import (
    FEWEST_UNITS,
    METHODS,
    NEAR,
    class_scores,
    held_out,
    inside_of_others,
)
from kentino_desk.validation.cross_offline import held_out_offline
from kentino_desk.validation.cross_page import word
from kentino_desk.validation.fit import Errors, fitted, levers_of, table_of
from kentino_desk.validation.kinds import validate

TRAINING = METHODS["perf-training"]


@pytest.fixture(scope="module")
def report():
    return validate("perf-training", paths_of("perf-training"), load_snapshot())


NAMES = ("element-wise passes, llm-foundry", "attention share, h100, NVLink, dense")


def errors_of(table, moves=()):
    """Errors under moves of the first constants of ``NAMES``."""
    levers = levers_of(table, TRAINING.knobs)
    moved = dict(zip(NAMES, moves, strict=False))
    return Errors(table, levers).logs(np.array([moved.get(lever.name, 0.0) for lever in levers]))


def table_with(report, moves):
    """The rows, measured exactly as constants moved by ``moves`` predict them."""
    table = table_of(report.rows, TRAINING.quantities)
    table = table.where(table.groups["class"] == "dense, NVLink")
    errors = errors_of(table, moves)
    measured = {name: table.measured[name] + errors[name] for name in table.measured}
    return replace(table, measured=measured)


def test_the_columns_predict_what_the_rows_say(report):
    table = table_of(report.rows, TRAINING.quantities)
    errors = errors_of(table)
    said = [item.error_pct for row in report.rows for item in row.scored]
    found = 100.0 * np.expm1(errors["tokens_per_s_per_gpu"])
    np.testing.assert_allclose(found, said, atol=1e-6)


def test_the_search_finds_a_constant_that_is_off(report):
    table = table_with(report, [0.4])
    levers = levers_of(table, TRAINING.knobs)
    moves = fitted(table, levers, spread=5.0)
    found = {lever.name: move for lever, move in zip(levers, moves, strict=True)}
    assert found.pop(NAMES[0]) == pytest.approx(0.4, abs=0.05)
    assert max(abs(move) for move in found.values()) < 0.15


def test_right_constants_stay(report):
    table = table_with(report, [])
    assert not fitted(table, levers_of(table, TRAINING.knobs), NEAR).any()


def test_a_constant_of_one_group_moves_its_own_rows_only(report):
    table = table_of(report.rows, TRAINING.quantities)
    before, after = errors_of(table), errors_of(table, [0.4, -0.2])
    figure = "tokens_per_s_per_gpu"
    changed = before[figure] != after[figure]
    groups = table.groups
    card = NAMES[1].removeprefix("attention share, ")
    own = (groups["stack"] == "llm-foundry") | (groups["card and fabric"] == card)
    assert (changed == own).all()


def test_a_constant_that_no_seen_row_depends_on_stays(report):
    table = table_with(report, [0.4])
    levers = levers_of(table, TRAINING.knobs)
    moves = fitted(table, levers, 5.0, table.groups["stack"] != "llm-foundry")
    place = next(i for i, lever in enumerate(levers) if lever.name == NAMES[0])
    assert moves[place] == 0.0


def test_a_unit_is_predicted_without_its_own_measurements(report):
    unit = "llmfoundry|7b"
    changed = [
        replace(
            row,
            details=tuple(replace(item, measured=item.measured * 3.0) for item in row.details),
        )
        if row.unit == unit
        else row
        for row in report.rows
    ]
    figure = "tokens_per_s_per_gpu"
    before = held_out(report)
    after = held_out(replace(report, rows=tuple(changed)))
    own = before.table.units == unit
    shift = before.near[figure][own] - after.near[figure][own]
    np.testing.assert_allclose(shift, np.log(3.0))


def test_a_range_read_off_the_other_units():
    errors = np.array([0.0, 0.1, 0.2, 0.05, 0.9])
    units = np.array(["a", "a", "a", "b", "c"])
    # a lies outside what b and c span but for its middle; b inside; c beyond all others.
    assert inside_of_others(errors, units) == pytest.approx(100.0 * 3 / 5)
    assert inside_of_others(errors[:3], units[:3]) is None


def test_classes_of_few_units_get_no_verdict(report):
    scores = class_scores(held_out(report), ("class",))
    words = {item.name: word(item) for item in scores}
    assert {item.name for item in scores if item.units < FEWEST_UNITS} == {
        name for name, found in words.items() if found == "too few units"
    }


@pytest.mark.parametrize(
    ("kind", "group", "name"),
    [
        ("serving", "card and fabric", "h100, NVLink"),
        ("serving", "card and fabric", "h200, NVLink"),
        ("serving", "engine", "vllm"),
        ("serving", "engine", "trtllm"),
        ("serving", "engine", "sglang"),
        ("perf-training", "class", "dense, NVLink"),
        ("perf-training", "class", "experts"),
        ("perf-training", "card and fabric", "b200, NVLink, experts"),
        ("perf-training", "card and fabric", "gb200, NVLink, experts"),
        ("perf-training", "card and fabric", "h100, NVLink, dense"),
        ("perf-training", "card and fabric", "h100, NVLink, experts"),
        ("collectives", "class", "NVLink in a node"),
    ],
)
def test_medians_of_classes_with_five_units_rise_by_a_third_at_most(kind, group, name):
    found = held_out(validate(kind, paths_of(kind), load_snapshot()))
    scores = [item for item in class_scores(found, (group,)) if item.name == name]
    assert scores
    assert all(item.counts and item.holds_near and item.holds_loose for item in scores)


def test_experts_on_b300_hold_near_their_printed_constants(report):
    """Five units whose releases differ by up to 1.8 times: loosely, they rise by 35 %."""
    scores = class_scores(held_out(report), ("card and fabric",))
    found = next(item for item in scores if item.name == "b300, NVLink, experts")
    assert found.counts
    assert found.holds_near


@pytest.mark.parametrize("kind", sorted(METHODS))
def test_no_class_with_five_units_fails(kind):
    found = held_out(validate(kind, paths_of(kind), load_snapshot()))
    judged = [item for item in class_scores(found, METHODS[kind].reported) if item.counts]
    assert judged
    assert [item.name for item in judged if word(item) == "no"] == []


@pytest.fixture(scope="module")
def offline():
    return held_out_offline(validate("perf-inference", paths_of("perf-inference"), load_snapshot()))


def test_any_six_units_at_full_load_choose_the_printed_slots(offline):
    slots = next(item for item in offline.moved if item.name == "slots")
    assert (slots.units, slots.rows) == (7, 440)
    assert (slots.least, slots.together, slots.most) == (1.0, 1.0, 1.0)


def test_runs_at_full_load_hold_for_a_unit_their_constants_never_saw(offline):
    scores = {item.name: item for item in class_scores(offline, ("class",))}
    pool, other = scores["batch from the pool"], scores["open loop"]
    assert pool.counts
    assert pool.holds_near
    assert pool.holds_loose
    assert other.near == other.loose == other.printed
