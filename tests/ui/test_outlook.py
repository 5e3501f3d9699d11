"""Flips and confidence in the window."""

from __future__ import annotations

from pathlib import Path

import pytest

from kentino_desk.session.actions import SetField

W01 = Path(__file__).resolve().parents[1] / "worked_cases" / "W01.toml"
USERS = "serving.concurrent_users"


@pytest.fixture
def window(make, services):
    return make(services, W01)


@pytest.fixture
def settle(window, qtbot):
    def wait():
        qtbot.waitUntil(lambda: window.workload.outlook.is_settled, timeout=20_000)
        return window.workload

    return wait


def told(window):
    verdict = window.bridge.shown.moment.evaluated.assessment.verdict
    chosen = verdict.chosen.candidate.id if verdict.chosen else None
    return verdict.outcome, chosen, verdict.replicas


def test_the_verdict_changes_exactly_at_the_flip_that_the_slider_shows(window, settle, qtbot):
    ticks = settle().form.rows[USERS].slider.ticks
    row, now = window.workload.form.rows[USERS], told(window)
    assert len(ticks) == 2
    for tick in ticks:
        side = 1 if tick > 48 else -1
        seen = []
        for users in (tick - side, tick, tick + side):
            row.edit.clear()
            qtbot.keyClicks(row.edit, str(int(users)))
            seen.append(told(window))
        assert seen[0] == now
        assert seen[1] != now
        assert seen[2] != now


def test_the_card_says_what_flips_the_verdict_and_how_sure_it_is(window, settle):
    card = settle().verdict
    assert any("%" in line.accessibleName() for line in card.lines if "Confidence" in
               line.accessibleName())  # fmt: skip
    assert "81\u00a0users" in card.findChild(type(card._note)).accessibleName()


def test_a_change_takes_the_old_flips_away(window, settle):
    settle()
    window.bridge.dispatch(SetField(USERS, "60"))
    assert not window.workload.outlook.is_settled
    assert window.workload.form.rows[USERS].slider.ticks == ()
    assert settle().form.rows[USERS].slider.ticks


def test_the_flips_stand_under_the_map(window, settle):
    settle()
    table = window.workload.centre.map.flips.model()
    assert table.index(0, 0).data() == "Users at once"
    assert "81\u00a0users" in table.index(0, 2).data()


def test_the_card_says_what_would_help_where_nothing_fits(make, services, qtbot):
    window = make(services, W01.with_name("W06b.toml"))
    qtbot.waitUntil(lambda: window.workload.outlook.is_settled, timeout=20_000)
    card = window.workload.verdict
    said = card.findChild(type(card._note)).accessibleName()
    assert "Prompt: " in said
    assert "would allow 4\u00a0×\u00a08 RTX PRO 6000 Server" in said
