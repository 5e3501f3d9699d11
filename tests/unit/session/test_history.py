from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kentino_desk.domain.choices import Kind
from kentino_desk.domain.workload import WorkloadInputs
from kentino_desk.session import actions as act
from kentino_desk.session.history import History
from kentino_desk.session.recompute import Recomputer
from kentino_desk.session.session import Session
from kentino_desk.session.state import AppState, Theme

USERS = "serving.concurrent_users"
GROWTH = "serving.growth"


class Clock:
    def __init__(self):
        self.now_s = 0.0

    def __call__(self):
        return self.now_s


def session_with(clock):
    return Session(Recomputer(lambda inputs, _snapshot: inputs, None), history=History(clock))


def test_undo_and_redo_walk_back_and_forth():
    session = session_with(Clock())
    session.dispatch(act.SetField(USERS, "48"))
    session.dispatch(act.SetField(GROWTH, "30"))
    assert session.undo().state.inputs.get(GROWTH) is None
    assert session.undo().state.inputs.get(USERS) is None
    assert session.redo().state.inputs.get(USERS) == 48
    assert session.redo().state.inputs.get(GROWTH) == 0.3
    assert session.redo().state.inputs.get(GROWTH) == 0.3


def test_typing_in_one_field_is_one_step_and_a_pause_makes_two():
    clock = Clock()
    session = session_with(clock)
    for text, now_s in (("4", 0.0), ("48", 0.7), ("480", 1.4), ("4800", 2.3)):
        clock.now_s = now_s
        session.dispatch(act.SetField(USERS, text))
    assert session.undo().state.inputs.get(USERS) == 480
    assert session.undo().state.inputs.get(USERS) is None
    assert session.history.undo_action is None


def test_typing_after_an_undo_is_a_step_of_its_own():
    session = session_with(Clock())
    session.dispatch(act.SetField(USERS, "4"))
    session.dispatch(act.SetField(GROWTH, "4"))
    session.undo()
    session.dispatch(act.SetField(USERS, "5"))
    assert session.undo().state.inputs.get(USERS) == 4


def test_an_edit_clears_redo():
    session = session_with(Clock())
    session.dispatch(act.SetField(USERS, "4"))
    session.undo()
    assert session.history.redo_action == act.SetField(USERS, "4")
    session.dispatch(act.SetKind(Kind.BATCH))
    assert session.history.redo_action is None


def test_a_hundred_steps_are_kept():
    session = session_with(Clock())
    for number in range(150):
        session.dispatch(act.PinCandidate(str(number % 3)))
    steps = 0
    while session.history.undo_action is not None:
        session.undo()
        steps += 1
    assert steps == 100


def test_a_file_that_is_read_clears_the_history_and_the_view_is_never_undone():
    session = session_with(Clock())
    session.dispatch(act.SetField(USERS, "4"))
    session.dispatch(act.SetTheme(Theme.DARK))
    assert session.undo().state.view.theme is Theme.DARK
    session.dispatch(act.Load(WorkloadInputs.of({"workload.kind": "chat"})))
    assert session.history.undo_action is None
    assert session.history.redo_action is None


TEXTS = st.sampled_from(["1", "48", "8k", "x", "", "1.5", "25 %"])
KEYS = st.sampled_from([USERS, GROWTH, "serving.ttft_s"])
EDITS = st.one_of(
    st.builds(act.SetField, KEYS, TEXTS),
    st.builds(act.ClearField, KEYS),
    st.builds(act.SetKind, st.sampled_from(list(Kind))),
    st.builds(act.SetModel, st.sampled_from(["m", "n"])),
    st.builds(act.PinCandidate, st.sampled_from(["a", "b", "c"])),
    st.builds(act.ChooseCandidate, st.sampled_from(["a", "b", None])),
    st.builds(act.SetCustomer, st.sampled_from(["", "K"])),
    st.just(act.New()),
)


def document(state: AppState):
    return (state.inputs, state.drafts, state.pins, state.chosen, state.customer, state.project)


class Walk(RuleBasedStateMachine):
    """Edits at random; undo after do equals before, and figures belong to the shown state."""

    def __init__(self):
        super().__init__()
        self.clock = Clock()
        self.session = session_with(self.clock)

    @rule(action=EDITS, pause_s=st.sampled_from([0.1, 0.9]))
    def edit(self, action, pause_s):
        self.clock.now_s += pause_s
        before = self.session.state
        self.session.dispatch(action)
        if pause_s > 0.8 and self.session.state is not before:
            after = self.session.state
            assert document(self.session.undo().state) == document(before)
            assert document(self.session.redo().state) == document(after)

    @rule()
    def look_at_the_dark(self):
        self.session.dispatch(act.SetTheme(Theme.DARK))

    @precondition(lambda self: self.session.history.undo_action is not None)
    @rule()
    def undo_then_redo(self):
        before = self.session.state
        self.session.undo()
        assert document(self.session.redo().state) == document(before)

    @rule()
    def undo(self):
        self.session.undo()

    @rule()
    def load(self):
        self.session.dispatch(act.Load(WorkloadInputs.of({"workload.kind": "batch"})))

    @invariant()
    def figures_belong_to_the_state(self):
        assert self.session.moment.evaluated.inputs == self.session.state.inputs


TestWalk = Walk.TestCase
TestWalk.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
