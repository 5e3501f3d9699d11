from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kentino_desk.domain.choices import Kind
from kentino_desk.domain.workload import WorkloadInputs
from kentino_desk.session import actions as act
from kentino_desk.session.reducer import reduce
from kentino_desk.session.state import AppState, Screen, Tab, Theme

USERS = "serving.concurrent_users"
LOADED = WorkloadInputs.of({"workload.kind": "chat", "workload.model": "m", USERS: 48})


def test_a_good_entry_becomes_a_value():
    state = reduce(AppState(), act.SetField(USERS, "1 000"))
    assert state.inputs.get(USERS) == 1000
    assert state.draft(USERS) is None


def test_a_bad_entry_stays_as_typed_and_the_last_good_value_stays_in_force():
    state = reduce(AppState(inputs=LOADED), act.SetField(USERS, "48x"))
    assert state.inputs.get(USERS) == 48
    assert state.draft(USERS).text == "48x"
    assert "not a number" in state.draft(USERS).message
    mended = reduce(state, act.SetField(USERS, "60"))
    assert mended.draft(USERS) is None
    assert mended.inputs.get(USERS) == 60


def test_an_emptied_field_goes_back_to_its_preset_but_a_required_one_does_not():
    assert reduce(AppState(inputs=LOADED), act.SetField(USERS, " ")).inputs.get(USERS) is None
    state = reduce(AppState(inputs=LOADED), act.SetField("workload.model", ""))
    assert state.model == "m"
    assert state.draft("workload.model").message


def test_clearing_a_field_takes_its_draft_away():
    state = reduce(AppState(inputs=LOADED), act.SetField(USERS, "x"))
    assert reduce(state, act.ClearField(USERS)).draft(USERS) is None


def test_another_kind_keeps_the_values_and_drops_the_drafts():
    state = reduce(AppState(inputs=LOADED), act.SetField(USERS, "x"))
    state = reduce(state, act.SetKind(Kind.LORA))
    assert state.kind is Kind.LORA
    assert state.drafts == ()
    assert state.inputs.get(USERS) == 48


def test_another_model_follows_the_verdict_again():
    state = replace(AppState(inputs=LOADED), chosen="1x8-a")
    assert reduce(state, act.SetModel("n")).chosen is None


def test_confirmed_values_are_given():
    state = reduce(AppState(inputs=LOADED), act.ConfirmAssumed((("serving.growth", 0.25),)))
    assert state.inputs.get("serving.growth") == 0.25


def test_pins_toggle_and_end_at_five():
    state = AppState()
    for name in "abcdef":
        state = reduce(state, act.PinCandidate(name))
    assert state.pins == tuple("abcde")
    assert reduce(state, act.PinCandidate("b")).pins == tuple("acde")


def test_names_lose_control_letters_and_end_at_a_length():
    state = reduce(AppState(), act.SetCustomer("Příklad\u202e\nData" + "x" * 500))
    assert state.customer.startswith("PříkladData")
    assert len(state.customer) == 120
    assert reduce(AppState(), act.SetProject("Brno")).project == "Brno"


def test_load_new_and_saved_follow_the_file():
    state = reduce(AppState(), act.Load(LOADED, Path("a.toml")))
    assert not state.has_unsaved_changes
    changed = reduce(state, act.SetField(USERS, "50"))
    assert changed.has_unsaved_changes
    assert not reduce(changed, act.MarkSaved(Path("b.toml"))).has_unsaved_changes
    assert reduce(changed, act.New()).model == ""
    assert reduce(AppState(), act.Load(LOADED)).has_unsaved_changes


@pytest.mark.parametrize(
    ("action", "name", "value"),
    [
        (act.SetTheme(Theme.DARK), "theme", Theme.DARK),
        (act.SetLanguage("en"), "language", "en"),
        (act.ShowScreen(Screen.PROPOSAL), "screen", Screen.PROPOSAL),
        (act.ShowTab(Tab.CANDIDATES), "tab", Tab.CANDIDATES),
        (act.SetCustomerView(on=True), "customer", True),
    ],
)
def test_what_is_looked_at_changes_the_view_alone(action, name, value):
    state = reduce(AppState(inputs=LOADED), action)
    assert getattr(state.view, name) == value
    assert state.inputs == LOADED


def test_an_action_that_changes_nothing_gives_the_same_state():
    state = AppState(inputs=LOADED)
    assert reduce(state, act.SetField(USERS, "48")) is state
    assert reduce(state, act.ChooseCandidate(None)) is state


def test_a_name_of_a_candidate_is_kept_when_chosen():
    assert reduce(AppState(), act.ChooseCandidate("1x8-a")).chosen == "1x8-a"


def test_the_catalog_gives_way_to_the_workload_in_customer_view():
    state = reduce(AppState(), act.ShowScreen(Screen.CATALOG))
    assert state.view.screen is Screen.CATALOG
    shown = reduce(state, act.SetCustomerView(on=True))
    assert shown.view.screen is Screen.WORKLOAD
    assert reduce(shown, act.ShowScreen(Screen.CATALOG)) is shown
    left = reduce(shown, act.SetCustomerView(on=False))
    assert reduce(left, act.ShowScreen(Screen.CATALOG)).view.screen is Screen.CATALOG
