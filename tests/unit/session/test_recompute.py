from __future__ import annotations

from types import SimpleNamespace

import pytest

from kentino_desk.domain.errors import InputError
from kentino_desk.domain.workload import WorkloadInputs
from kentino_desk.session import actions as act
from kentino_desk.session.field_views import FieldState, assumed_values, field_view
from kentino_desk.session.recompute import Recomputer
from kentino_desk.session.session import Session

USERS = "serving.concurrent_users"
CONTEXT = "serving.context_tokens"


def assess(inputs, _snapshot):
    context = inputs.get(CONTEXT) or 8192
    if context > 131_072:
        raise InputError(CONTEXT, context, "is above the model's maximum", "up to 131,072 tokens")
    serving = SimpleNamespace(
        concurrent_users=inputs.get(USERS) or 16, context_tokens=context, ttft_s=None
    )
    given = inputs.values
    return SimpleNamespace(
        workload=SimpleNamespace(
            model=inputs.get("workload.model"),
            serving=serving,
            assumed=tuple(key for key in (USERS, CONTEXT, "serving.ttft_s") if key not in given),
        )
    )


@pytest.fixture
def session():
    made = Session(Recomputer(assess, None))
    made.dispatch(act.SetModel("m"))
    return made


def test_every_new_question_has_a_new_revision_and_an_old_one_is_not_asked_again():
    asked = []
    recomputer = Recomputer(lambda inputs, _snapshot: asked.append(inputs), None)
    inputs = WorkloadInputs.of({"workload.model": "m"})
    first = recomputer.evaluate(inputs)
    assert recomputer.evaluate(inputs) is first
    assert recomputer.evaluate(inputs.with_value(USERS, 2)).revision == first.revision + 1
    assert len(asked) == 2


def test_without_a_model_nothing_is_asked():
    session = Session(Recomputer(assess, None))
    assert session.moment.evaluated.assessment is None
    assert session.moment.evaluated.refusal is None


def test_a_refused_combination_keeps_what_was_typed_and_the_last_good_figures(session):
    good = session.moment.evaluated.assessment
    moment = session.dispatch(act.SetField(CONTEXT, "200k"))
    assert moment.state.inputs.get(CONTEXT) == 200_000
    assert moment.evaluated.assessment is good
    assert moment.evaluated.is_stale
    shown = field_view(moment, CONTEXT)
    assert shown.state is FieldState.INVALID
    assert shown.text == "200,000"
    assert shown.message == "Is above the model's maximum; allowed: up to 131,072 tokens"
    assert not session.dispatch(act.SetField(CONTEXT, "100k")).evaluated.is_stale


def test_fields_say_whether_they_are_given_assumed_or_refused(session):
    assert field_view(session.moment, USERS).state is FieldState.ASSUMED
    assert field_view(session.moment, USERS).text == "16"
    given = field_view(session.dispatch(act.SetField(USERS, "20")), USERS)
    assert (given.state, given.text, given.unit) == (FieldState.GIVEN, "20", "users")
    refused = field_view(session.dispatch(act.SetField(USERS, "2o")), USERS)
    assert (refused.state, refused.text, refused.value) == (FieldState.INVALID, "2o", 20)


def test_assumed_values_are_those_nobody_gave_and_that_have_a_value(session):
    assert assumed_values(session.moment) == ((USERS, 16), (CONTEXT, 8192))
    session.dispatch(act.ConfirmAssumed(assumed_values(session.moment)))
    assert assumed_values(session.moment) == ()


def test_a_blocked_session_takes_entries_and_shows_no_figures():
    session = Session(None, blocked="the catalog was changed")
    moment = session.dispatch(act.SetModel("m"))
    assert moment.state.model == "m"
    assert moment.evaluated.assessment is None
    assert assumed_values(moment) == ()
    assert field_view(moment, USERS).text == ""


def test_another_catalog_answers_the_same_question_anew():
    def assess_known(_inputs, snapshot):
        if "m" not in snapshot:
            raise InputError("workload.model", "m", "unknown model")
        return SimpleNamespace(snapshot=snapshot)

    session = Session(Recomputer(assess_known, {"other"}))
    before = session.dispatch(act.SetModel("m"))
    assert before.evaluated.refusal is not None
    after = session.use_catalog({"other", "m"})
    assert after.state == before.state
    assert after.evaluated.refusal is None
    assert after.evaluated.assessment.snapshot == {"other", "m"}
    assert after.evaluated.revision > before.evaluated.revision


def test_a_session_without_figures_takes_another_catalog_in_silence():
    session = Session(None, blocked="refused")
    before = session.moment
    assert session.use_catalog({"m"}) is before
