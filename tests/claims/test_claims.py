"""Every claim of the seller: a figure of ours that agrees, or a disagreement that is listed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kentino_desk.app.claims_page import PAGE
from kentino_desk.claims.desk import Desk
from kentino_desk.claims.judging import (
    Found,
    Judgement,
    above,
    at_least,
    below,
    fit,
    not_applicable,
    number,
)
from kentino_desk.claims.page import claims_page
from kentino_desk.claims.register import ANSWERS, counts, counts_in_words
from kentino_desk.claims.rows import read_claims
from kentino_desk.domain.choices import Grade

CLAIMS = read_claims()
LISTED = frozenset({
    "C016", "C021", "C029", "C030", "C047", "C060", "C065", "C066", "C070", "C074", "C075",
    "C101", "C102", "C107", "C110", "C120", "C121", "C167", "C169", "C185", "C186", "C202",
})  # fmt: skip
"""Disagreements that are known: each stands in docs/claims.md with both figures."""
NO_FIGURE = frozenset(["C114", "C118", "C138", "C143", "C144", "C145", "C180"])
"""Claims to be checked for which the product has no figure of that kind."""


def test_the_table_has_every_claim_once_and_each_has_an_answer():
    assert [claim.id for claim in CLAIMS] == [f"C{place:03d}" for place in range(1, 208)]
    assert set(ANSWERS) == {claim.id for claim in CLAIMS}


@pytest.mark.parametrize(
    "claim", [pytest.param(claim, id=f"seed-claims-{claim.id}-{claim.check}") for claim in CLAIMS]
)
def test_a_claim_agrees_or_is_a_listed_disagreement(judged, claim):
    found = next(item for item in judged if item.claim.id == claim.id)
    wanted = Judgement.AGREES
    if claim.id in LISTED:
        wanted = Judgement.DISAGREES
    elif claim.check == "none" or claim.id in NO_FIGURE:
        wanted = Judgement.NOT_APPLICABLE
    assert found.judgement is wanted, (found.found, found.why)
    assert found.why
    assert (found.found is None) == (wanted is Judgement.NOT_APPLICABLE)


def test_the_page_of_claims_is_what_the_program_finds_today(judged):
    assert PAGE.read_text(encoding="utf-8") == claims_page(judged)


def test_every_disagreement_stands_in_its_own_list_with_both_figures(judged):
    text = claims_page(judged)
    listed = text.partition("## Where we disagree")[2].partition("## Every claim")[0]
    for item in judged:
        assert (f"| {item.claim.id} |" in listed) == (item.judgement is Judgement.DISAGREES)


def test_the_counts_add_up_to_the_table(judged):
    assert sum(counts(judged).values()) == len(CLAIMS)
    assert counts_in_words(judged).startswith("207 claims of the seller: ")


PLAIN = replace(CLAIMS[0], low=10.0, high=20.0, conditions="")


@pytest.mark.parametrize(
    ("claim", "ours", "agrees"),
    [
        (PLAIN, 9.5, True),
        (PLAIN, 9.49, False),
        (PLAIN, 21.0, True),
        (PLAIN, 21.01, False),
        (replace(PLAIN, conditions="approximate"), 9.0, True),
        (replace(PLAIN, conditions="approximate"), 8.99, False),
        (PLAIN, (1.0, 9.6), True),
        (PLAIN, (1.0, 9.4), False),
        (replace(PLAIN, high=None), 1000.0, True),
        (replace(PLAIN, low=None), 0.0, True),
    ],
)
def test_a_number_agrees_inside_the_widened_range_and_not_beyond(claim, ours, agrees):
    found = number(lambda _desk: Found(ours, "why"))(None, claim)
    assert (found.judgement is Judgement.AGREES) == agrees


@pytest.mark.parametrize(
    ("rule", "ours", "agrees"),
    [(at_least, 19.0, True), (at_least, 18.9, False), (below, 19.9, True), (below, 20.0, False),
     (above, 20.1, True), (above, 20.0, False)],
)  # fmt: skip
def test_a_one_sided_claim_has_its_own_side(rule, ours, agrees):
    found = rule(lambda _desk: Found(ours, "why"))(None, PLAIN)
    assert (found.judgement is Judgement.AGREES) == agrees


@pytest.mark.parametrize(
    ("word", "eight", "four", "agrees"),
    [
        ("int4_only_tight", Grade.WEIGHTS_ONLY, Grade.TIGHT, True),
        ("int4_only_tight", Grade.TIGHT, Grade.FITS, False),
        ("int4_yes_fp8_marginal", Grade.TIGHT, Grade.FITS, True),
        ("int4_yes_fp8_marginal", Grade.FITS, Grade.FITS, False),
        ("marginal_or_no", Grade.TIGHT, Grade.NO, True),
        ("no", Grade.NO, Grade.TIGHT, False),
    ],
)
def test_the_words_of_the_seller_allow_these_grades(word, eight, four, agrees):
    claim = replace(PLAIN, word=word)
    found = fit(lambda _desk: {"8 bit": eight, "4 bit": four}, "why")(None, claim)
    assert (found.judgement is Judgement.AGREES) == agrees


def test_a_word_is_no_number():
    with pytest.raises(TypeError, match="no number"):
        number(lambda _desk: Found("word", "why"))(None, PLAIN)


def test_a_claim_without_a_figure_says_why():
    found = not_applicable("no such thing")(None, PLAIN)
    assert (found.judgement, found.found, found.why) == (
        Judgement.NOT_APPLICABLE, None, "no such thing",
    )  # fmt: skip


def test_our_figure_does_not_come_from_the_claim():
    """Every claimed number is moved far away: no figure of ours moves with it."""
    desk = Desk.shipped()
    for claim in CLAIMS:
        moved = replace(claim, low=-7e20, high=-7e20)
        first, second = (ANSWERS[claim.id](desk, item) for item in (claim, moved))
        assert first.found == second.found, claim.id
