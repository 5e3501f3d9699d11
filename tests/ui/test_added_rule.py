"""A rule added as one entry appears on screen, on paper, in the JSON and among the rules."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from kentino_desk.decision.assess import RULEBOOK, Rulebook, assess
from kentino_desk.decision.note_context import NoteRule
from kentino_desk.decision.results import RuleFigure
from kentino_desk.decision.rules import Finding, Rule
from kentino_desk.domain.choices import Answer, Severity
from kentino_desk.present.json_document import evaluate_document
from kentino_desk.report.context import ProposalDetails, context_of
from kentino_desk.report.document import document_of
from kentino_desk.report.proposal import words_of
from kentino_desk.session.actions import ShowScreen
from kentino_desk.session.checklist import findings
from kentino_desk.session.state import Screen

QUESTION = Rule(
    number=6,
    key="liquid_cooling",
    reads=("load",),
    ends=False,
    decide=lambda facts: Finding(
        yes=True,
        reason="too_hot_for_air",
        figures=(RuleFigure(key="users_per_rack", value=facts.load, unit="users", limit=50.0),),
    ),
)
NOTE = NoteRule(
    key="ask_for_the_water_loop",
    severity=Severity.LOOK,
    sources=("C160",),
    speaks=lambda context: iter([{"nodes": context.nodes, "supply": "cold"}]),
)
ADDED = Rulebook(questions=(*RULEBOOK.questions, QUESTION), notes=(*RULEBOOK.notes, NOTE))


@pytest.fixture
def shown(services, make):
    return make(replace(services, assess=partial(assess, rulebook=ADDED)))


def found(window):
    return window.bridge.session.moment.evaluated.assessment


def test_an_added_rule_is_on_the_screen(shown, services):
    line = shown.workload.questions.lines[5]
    assert line.question.question == "Liquid cooling?"
    assert line.question.answer == "Yes"
    assert "users per rack 60" in line.question.detail
    assert "limit 50" in line.question.detail
    assert line.isVisibleTo(shown)
    shown.bridge.dispatch(ShowScreen(Screen.PROPOSAL))
    listed = [item.text for item in findings(shown.bridge.shown, services.snapshot)]
    assert "Ask for the water loop: nodes 1\u00a0node, supply cold." in listed


@pytest.mark.parametrize("language", ["en", "cs"])
def test_an_added_rule_is_on_paper(shown, services, language):
    context = context_of(found(shown), services.snapshot, language, ProposalDetails())
    printed = words_of(document_of(context))
    assert "Liquid cooling?" in printed
    assert "Ask for the water loop" in printed


def test_an_added_rule_is_in_the_json(shown, services):
    document = evaluate_document(found(shown), services.snapshot)
    assert document["questions"][5]["number"] == 6
    assert document["questions"][5]["figures"]["users_per_rack"]["limit"] == 50.0
    assert "Liquid cooling?" not in document["questions"][5]["sentence"]
    note = next(item for item in document["notes"] if item["key"] == NOTE.key)
    assert note["sources"] == ["C160"]
    assert note["numbers"] == {"nodes": 1, "supply": "cold"}


def test_an_added_rule_obeys_what_every_rule_obeys(shown):
    """The same conditions as tests/unit/decision/test_rules.py holds for the shipped rules."""
    answers = found(shown).questions
    assert [answer.number for answer in answers] == [rule.number for rule in ADDED.questions]
    assert answers[5].answer is Answer.YES
    assert answers[5].margin == pytest.approx(1 - 60 / 50)
    shipped = assess(shown.bridge.session.state.inputs, found(shown).snapshot)
    assert found(shown).verdict.outcome is shipped.verdict.outcome
    assert found(shown).questions[:5] == shipped.questions
