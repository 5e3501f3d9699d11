"""What would help, in words: true when typed in as printed, short, and silent where all is well."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.assess import assess
from kentino_desk.domain.choices import Outcome
from kentino_desk.present.relaxation_words import _further, help_sentences
from kentino_desk.report.context import ProposalDetails
from kentino_desk.report.context import context_of as proposal_context
from kentino_desk.report.document import document_of
from kentino_desk.report.proposal import words_of
from kentino_desk.store.workload_file import load_workload

CASES = Path(__file__).resolve().parents[2] / "worked_cases"


@pytest.fixture(scope="module")
def snapshot():
    return load_snapshot()


@pytest.fixture
def case(snapshot):
    return lambda name: assess(load_workload(CASES / f"{name}.toml"), snapshot)


def test_a_prompt_that_is_too_long_is_named_with_how_much(case):
    first, *_ = help_sentences(case("W06b"), "en")
    assert re.fullmatch(
        r"Prompt: [\d,]+\stokens instead of 32,256\stokens \(\u2212\d+\s%\) would allow .+\.", first
    )


def test_the_printed_prompt_helps_when_it_is_typed(case, snapshot):
    assessment = case("W06b")
    tokens = int(
        re.search(r"Prompt: ([\d,]+)", help_sentences(assessment, "en")[0])[1].replace(",", "")
    )
    changed = assessment.inputs.with_value("serving.input_tokens", tokens)
    assert assess(changed, snapshot).verdict.outcome is not Outcome.NOTHING_FITS
    more = assessment.inputs.with_value("serving.input_tokens", tokens + 1)
    assert assess(more, snapshot).verdict.outcome is Outcome.NOTHING_FITS


def test_a_choice_is_named_without_a_number(case):
    assert "GPUs allowed: any would allow 1\u00a0×\u00a08 RTX PRO 6000 Server." in help_sentences(
        case("W05b"), "en"
    )


@pytest.mark.parametrize("name", ["W01", "W11"])
def test_a_build_that_is_proposed_needs_no_help(case, name):
    assert help_sentences(case(name), "en") == ()


@pytest.mark.parametrize("name", ["W05b", "W06b", "W08b"])
@pytest.mark.parametrize("language", ["en", "cs"])
def test_the_summary_on_paper_says_it(case, snapshot, name, language):
    assessment = case(name)
    context = proposal_context(assessment, snapshot, language, ProposalDetails())
    assert help_sentences(assessment, language)[0] in words_of(document_of(context))


@given(st.floats(1e-3, 1e6), st.floats(1e-3, 1e6))
def test_a_value_is_shortened_away_from_the_present_one(value, now):
    short = _further("serving.ttft_s", value, now)
    assert abs(short / value - 1.0) <= 0.0101
    assert short >= value * (1 - 1e-12) if value > now else short <= value * (1 + 1e-12)
