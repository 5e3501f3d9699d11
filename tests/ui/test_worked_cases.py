"""Worked cases of decision_rules section 6 as the window shows them, from opening the file on."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

CASES = Path(__file__).resolve().parents[1] / "worked_cases"
SHOWN = ("W01", "W06", "W11", "W14", "W16")
ANSWERS = {"yes": "Yes", "no": "No", "not_needed": "Not needed"}
TITLES = {
    "ONE_NODE": "One node, 8\u00a0GPUs",
    "REPLICAS": "{nodes} nodes with replicas",
    "CLUSTER_IB": "Cluster of {nodes} nodes",
}


def expected(case):
    with (CASES / "expected.csv").open(encoding="utf-8", newline="") as stream:
        return {
            row["field"]: row["expected"].split("|")
            for row in csv.DictReader(stream)
            if row["case"] == case
        }


@pytest.fixture(params=SHOWN)
def case(request):
    return request.param


@pytest.fixture
def page(case, make, services, qtbot):
    window = make(services, CASES / f"{case}.toml")
    page = window.workload
    qtbot.waitUntil(lambda: page.outlook.is_settled, timeout=30_000)
    return page


def test_the_window_says_what_the_worked_case_expects(case, page):
    wanted, window = expected(case), page.window()
    verdict = window.bridge.shown.moment.evaluated.assessment.verdict
    assert [verdict.outcome.value] == wanted["verdict.outcome"]
    assert str(verdict.nodes) in wanted["verdict.nodes"]
    said = page.verdict.head.accessibleName()
    title = TITLES[verdict.outcome.value].format(nodes=verdict.nodes)
    assert said.startswith(f"Verdict: {title}"), said
    first = page.strip.selected_card.candidate
    build = verdict.chosen.candidate.build
    assert first.id == build.id
    assert build.gpu.id in wanted["verdict.build.gpu"]
    assert str(build.node.gpu_count) in wanted["verdict.build.gpus_per_node"]
    assert first.name.startswith(f"{verdict.nodes}\u00a0×\u00a0{build.node.gpu_count} ")


def test_the_five_questions_are_answered_as_the_worked_case_expects(case, page):
    wanted = expected(case)
    shown = {line.question.number: line.question.answer for line in page.questions.lines}
    assert len(shown) == 5
    for number, answer in shown.items():
        allowed = {ANSWERS[word] for word in wanted[f"questions.{number}.answer"]}
        assert answer in allowed, number


def test_the_notes_of_the_worked_case_are_on_the_screen(case, page):
    keys = {note.key for note in page.window().bridge.shown.moment.evaluated.assessment.notes}
    named = {
        "W06": {"replicas_not_cluster", "operating_tax"},
        "W11": {"operating_tax", "nic_per_4_gpus"},
        "W14": {"replicas_not_cluster"},
        "W16": {"half_node_trap"},
    }
    assert named.get(case, set()) <= keys
    assert {note.key for note in page.window().bridge.shown.view.notes} == keys
