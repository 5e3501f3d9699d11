"""Flips land exactly, and shares of the outcomes come from the same rules."""

from __future__ import annotations

import numpy as np
import pytest

from kentino_desk.decision.assess import assess
from kentino_desk.decision.confidence import confidence_of
from kentino_desk.decision.errors import draws
from kentino_desk.decision.flips import flip_keys, flips_of
from kentino_desk.decision.outlook import outlook_of
from kentino_desk.decision.points import typed
from kentino_desk.domain.choices import Outcome
from kentino_desk.domain.errors import InputError
from kentino_desk.domain.workload_fields import FIELD_BY_KEY


def said(inputs, snapshot):
    verdict = assess(inputs, snapshot).verdict
    chosen = verdict.chosen.candidate.id if verdict.chosen else None
    return verdict.outcome, chosen, verdict.replicas


@pytest.mark.parametrize("case", ["W01", "W02", "W06", "W14", "W15b", "W10b", "W11", "W13"])
def test_a_flip_is_the_first_value_that_differs(case, case_inputs, snapshot):
    inputs = case_inputs(case)
    now = said(inputs, snapshot)
    found = flips_of(assess(inputs, snapshot))
    assert found
    for flip in found:
        there = said(inputs.with_value(flip.key, typed(flip.key, flip.value)), snapshot)
        assert there == (flip.outcome, flip.build, flip.replicas), flip
        assert there != now
        step = 1.0 if FIELD_BY_KEY[flip.key].kind == "int" else abs(flip.value) * 2e-5
        before = flip.value - step if flip.rises else flip.value + step
        assert said(inputs.with_value(flip.key, typed(flip.key, before)), snapshot) == now, flip


def test_no_nearer_number_of_users_flips_the_verdict(case_inputs, snapshot):
    inputs = case_inputs("W01")
    now = said(inputs, snapshot)
    users = {
        flip.rises: int(flip.value) for flip in flips_of(assess(inputs, snapshot))
        if flip.key == "serving.concurrent_users"
    }  # fmt: skip
    for number in range(users[False] + 1, users[True]):
        assert said(inputs.with_value("serving.concurrent_users", number), snapshot) == now


def test_only_numbers_that_the_workload_uses_may_flip_it(assessed):
    chat, demand = flip_keys(assessed("W01").workload), flip_keys(assessed("W14").workload)
    assert "serving.concurrent_users" in chat
    assert "serving.demand_value" not in chat
    assert "serving.concurrent_users" not in demand
    assert "constraints.budget_eur" not in chat
    assert not any(key.startswith("training.") for key in chat)


def test_a_search_that_is_stopped_returns_nothing(assessed):
    assert outlook_of(assessed("W01"), lambda: True) is None


def test_draws_are_the_same_at_every_call_and_end_where_the_ranges_end():
    found = draws()
    assert found.count >= 500
    assert draws() is found
    for name in ("rate", "first", "memory", "exchange"):
        values = getattr(found, name)
        assert abs(float(np.mean(values))) < 1e-9
        assert float(np.mean(values > 1.645)) == pytest.approx(0.05, abs=0.005)


def test_a_wide_margin_is_sure_and_a_close_one_is_not(assessed):
    sure = confidence_of(assessed("W01", serving__concurrent_users=45))
    close = confidence_of(assessed("W01", serving__concurrent_users=78))
    for found in (sure, close):
        assert sum(found.outcomes.values()) == pytest.approx(1.0)
    assert sure.share > close.share
    assert close.close_call
    assert close.share < 0.8
    assert "rate" in close.measure_first


def test_a_range_across_the_gate_is_a_close_call(assessed):
    assert confidence_of(assessed("W11")).close_call


def test_where_nothing_fits_the_changes_that_help_are_named_and_do_help(case_inputs, snapshot):
    for case in ("W18", "W06b"):
        inputs = case_inputs(case)
        found = outlook_of(assess(inputs, snapshot))
        assert found.relaxations
        for item in found.relaxations:
            value = item.value if isinstance(item.value, str) else typed(item.key, item.value)
            changed = inputs.with_value(item.key, None if value == "any" else value)
            outcome, build, _ = said(changed, snapshot)
            assert (outcome, build) == (item.outcome, item.build)
            assert outcome is not Outcome.NOTHING_FITS


def test_a_value_that_is_refused_is_no_flip(case_inputs, snapshot):
    for flip in flips_of(assess(case_inputs("W08"), snapshot)):
        try:
            said(case_inputs("W08").with_value(flip.key, typed(flip.key, flip.value)), snapshot)
        except InputError:
            pytest.fail(f"{flip.key} = {flip.value} is refused")
