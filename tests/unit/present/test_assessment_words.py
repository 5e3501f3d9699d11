from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.assess import assess
from kentino_desk.decision.confidence import SHARES
from kentino_desk.decision.notes import NOTES
from kentino_desk.decision.rules import RULES
from kentino_desk.decision.verdict import CLOSE_CALLS
from kentino_desk.domain.choices import Answer, Binding, Outcome
from kentino_desk.domain.workload_fields import FIELDS
from kentino_desk.engine.input_titles import INPUT_TITLES
from kentino_desk.engine.policy import CONSTANTS
from kentino_desk.engine.quantity import REGISTRY
from kentino_desk.present import (
    close_call_words,
    note_words,
    nothing_words,
    question_words,
    verdict_words,
)
from kentino_desk.present.assessment import present
from kentino_desk.present.candidate_rows import reason_of, reason_without_price
from kentino_desk.present.copy_text import HEAD, candidates_text, verdict_text
from kentino_desk.present.efficiency_chart import efficiency_chart
from kentino_desk.present.field_words import CHOICE_WORDS, FIELD_NAMES, field_rows
from kentino_desk.present.json_document import evaluate_document
from kentino_desk.present.language import text
from kentino_desk.present.memory_chart import memory_chart
from kentino_desk.present.miss_words import MISSES
from kentino_desk.present.numbers import numbers
from kentino_desk.present.verdict_rows import shown_result
from kentino_desk.present.views import Tone
from kentino_desk.present.why import why
from kentino_desk.store.workload_file import load_workload

CASES = Path(__file__).resolve().parents[2] / "worked_cases"
SAMPLES = ("W01", "W04", "W05", "W06", "W06b", "W10b", "W11", "W12", "W13", "W14", "W15b", "W18")
LANGUAGES = ("en", "cs")
OPEN_PLACE = re.compile(r"\{\w+\}")


@lru_cache(maxsize=32)
def case(name):
    return assess(load_workload(CASES / f"{name}.toml"), load_snapshot())


def texts(view):
    verdict = view.verdict
    yield from (verdict.title, verdict.sentence, verdict.grade_word, verdict.close_call)
    for row in (*verdict.rows, *view.questions, *view.candidates, *view.notes):
        yield from (
            value for value in (getattr(row, n) for n in row.__slots__) if isinstance(value, str)
        )
    yield from view.assumed


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SAMPLES)
def test_every_sentence_is_filled_and_has_a_value_for_each_place(name, language):
    for said in texts(present(case(name), language)):
        assert not OPEN_PLACE.search(said), said
        assert "nan" not in said.lower().split(), said


def test_the_verdict_says_the_answer_then_the_number():
    view = present(case("W01"), "en")
    assert view.verdict.title == "One node, 8\u00a0GPUs, FP8"
    assert view.verdict.sentence == (
        "4 replicas of 2\u00a0GPUs carry 60\u00a0users on one node. No cluster is needed."
    )


def test_the_verdict_in_czech_bends_its_words():
    view = present(case("W01"), "cs")
    assert view.verdict.title == "Jeden server, 8\u00a0GPU, FP8"
    assert (
        "4 repliky po 2\u00a0GPU unesou na jednom serveru 60\u00a0uživatelů"
        in view.verdict.sentence
    )


def test_each_figure_of_the_card_stands_with_its_range_and_wish():
    rows = {row.key: row for row in present(case("W01"), "en").verdict.rows}
    speed = rows["tokens_per_s_per_user"]
    assert speed.value.endswith("\u00a0tok/s")
    assert re.fullmatch(r"[\d.]+–[\d.]+, want 12", speed.beside)
    assert speed.evidence == "estimate"
    assert rows["used_gib"].beside.startswith("of ")


def test_questions_show_the_deciding_figure_and_its_limit():
    first, second, third, fourth, fifth = present(case("W01"), "en").questions
    assert (first.answer, first.decided, first.tone) == ("Yes", True, Tone.GOOD)
    assert first.limit == "at most 70\u00a0%"
    assert second.figure.startswith("would be yes: ")
    assert (third.answer, third.limit) == ("No", "asked 60")
    assert fourth.answer == fifth.answer == "Not needed"


def test_the_chosen_build_stands_first_and_alone_is_chosen():
    views = present(case("W01"), "en").candidates
    assert views[0].chosen
    assert sum(view.chosen for view in views) == 1
    assert views[0].reason == "Recommended"


def test_a_candidate_that_fails_names_its_worst_miss_with_figures():
    failing = [view for view in present(case("W01"), "en").candidates if not view.passes]
    assert failing
    assert all(view.reason_tone is Tone.BAD for view in failing)
    assert any(re.search(r"Misses speed: [\d.]+ of 12", view.reason) for view in failing)


def test_nothing_fits_names_the_closest_own_build():
    verdict = present(case("W18"), "en").verdict
    assert verdict.title == "Nothing fits as asked"
    assert "the closest, 1\u00a0×\u00a01 L4" in verdict.sentence


def test_frontier_says_what_is_not_built():
    sentence = present(case("W12"), "en").verdict.sentence
    assert "32 to 128" in sentence
    assert "SXM boards come from a partner" in sentence


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_has_a_title(outcome):
    assert outcome in verdict_words.TITLES


@pytest.mark.parametrize("binding", list(Binding))
def test_every_constraint_has_its_sentences(binding):
    assert binding in nothing_words.NOTHING_SENTENCES
    assert binding in MISSES


def test_every_note_of_the_decision_has_words_and_no_words_are_left_over():
    written = {key.partition(".")[0] for key in note_words.SENTENCES}
    assert written == {rule.key for rule in NOTES}


def test_every_question_and_close_call_has_words():
    assert {rule.key for rule in RULES} == set(question_words.QUESTIONS)
    assert {key for key, _ in CLOSE_CALLS} | {SHARES} == set(close_call_words.REASONS)
    assert set(question_words.ANSWERS) == set(Answer)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_reason_and_figure_of_an_answer_has_words(name):
    for answer in case(name).questions:
        assert answer.reason_key in question_words.REASONS
        for figure in answer.figures:
            assert figure.key in question_words.FIGURES
            assert figure.key in question_words.LIMITS


def test_every_field_and_every_choice_has_a_name():
    assert {spec.key for spec in FIELDS} == set(FIELD_NAMES)
    for choices, words in CHOICE_WORDS.items():
        assert {str(item) for item in choices} == {str(item) for item in words}


def test_every_word_of_the_engine_is_translated():
    czech = text("cs")
    said = [word for item in REGISTRY.values() for word in (item.title, item.sentence)]
    said += [item.title for item in (*CONSTANTS.values(), *INPUT_TITLES.values())]
    alike = {"Prompt", "Attention", "Embedding"}
    assert [word for word in said if czech.gettext(word) == word and word not in alike] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["W01", "W08", "W11", "W18"])
def test_printed_parts_of_the_memory_chart_add_up_to_its_title(name, language):
    assessment = case(name)
    chart = memory_chart(assessment, shown_result(assessment), language)
    shown = numbers(language)
    parts = [shown.parse(item.text) for item in chart.bars[0].segments if item.key != "free"]
    assert shown.plain(sum(parts), 1) in chart.title
    used = shown_result(assessment).figures["used_gib"].value
    drawn = sum(item.value for item in chart.bars[0].segments if item.key != "free")
    assert math.isclose(drawn, used, rel_tol=0.01)


def test_the_memory_chart_has_a_bar_for_each_card_grouped_by_replica():
    chart = memory_chart(case("W01"), case("W01").verdict.chosen, "en")
    assert [bar.label for bar in chart.bars] == [str(n) for n in range(8)]
    assert [bar.group for bar in chart.bars[:3]] == ["Replica 1", "Replica 1", "Replica 2"]
    assert chart.twin[0] == ("Part", "GiB per GPU")
    assert chart.band_low < chart.band_high < chart.capacity


def test_a_fleet_of_replicas_is_drawn_as_one_bar():
    chart = memory_chart(case("W14"), case("W14").verdict.chosen, "en")
    assert len(chart.bars) == 1
    assert chart.bars[0].label.startswith("× ")
    assert chart.bars[0].group.endswith(" replicas")


def test_the_scaling_chart_names_its_lines_and_keeps_the_sellers_figures_apart():
    chart = efficiency_chart(case("W11"), case("W11").verdict.chosen, "en")
    assert {line.key for line in chart.lines} >= {"dp", "tp_node"}
    assert {mark.label for mark in chart.marks} == {
        "0.73 · 1\u00a0×\u00a08",
        "0.65 · 2\u00a0×\u00a04",
    }
    assert chart.limit == 60
    assert len(chart.twin) > len(chart.lines)
    assert chart.x_label.endswith("measure first near 60\u00a0%: FSDP, TP, PP")
    assert "kept: 1–2; measure first: 4; below: 8" in {row[-1] for row in chart.twin}
    assert all(len(row) == len(chart.twin[0]) for row in chart.twin)
    assert all(0 < y <= 100.5 for line in chart.lines for y in line.ys)


@pytest.mark.parametrize("name", ["W01", "W05", "W11", "W13", "W17"])
def test_every_figure_answers_to_why(name):
    assessment = case(name)
    result = shown_result(assessment)
    for key in result.figures:
        if result.figures[key].value is None:
            continue
        view = why(assessment, result, key, "en")
        assert view.value in view.text
        assert view.sentence
        assert view.equation
    for key in assessment.figures:
        assert why(assessment, None, key, "en").row == -1


def test_why_leads_to_the_quantities_below_and_tells_constants_apart():
    assessment = case("W01")
    view = why(assessment, assessment.verdict.chosen, "tokens_per_s_per_user", "cs")
    assert view.title == "Rychlost na uživatele"
    assert view.range.startswith("pravděpodobně ")
    deeper = [item.key for item in view.inputs if item.key]
    assert deeper == ["tpot_s"]
    inner = why(assessment, assessment.verdict.chosen, "tpot_s", "cs")
    assert inner.title == "Čas na výstupní token"
    assert inner.inputs


def test_why_of_an_unknown_figure_is_refused():
    with pytest.raises(KeyError):
        why(case("W01"), case("W01").verdict.chosen, "beauty", "en")


def test_copied_rows_keep_their_cells():
    view = present(case("W01"), "en")
    lines = candidates_text(view).splitlines()
    assert len(lines) == 1 + len(view.candidates)
    assert {line.count("\t") for line in lines} == {len(HEAD) - 1}
    assert verdict_text(view).startswith(view.verdict.title)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_json_document_has_its_keys_and_only_finite_numbers(name):
    document = evaluate_document(case(name), load_snapshot())
    again = json.loads(json.dumps(document, allow_nan=False))
    assert again["verdict"]["outcome"] == case(name).verdict.outcome
    assert [item["number"] for item in again["questions"]] == [1, 2, 3, 4, 5]
    figures = again["candidates"][0]["figures"]
    assert set(figures["used_gib"]) == {"value", "unit", "low", "high", "evidence"}
    assert {"weights_gib", "kv_gib", "users_held", "power_max_w", "price_eur"} <= set(figures)
    assert again["catalog"]["sample_prices"] is True


@pytest.mark.parametrize("name", SAMPLES)
def test_paper_tells_as_the_customers_only_what_was_given(name):
    assessment = case(name)
    given = {FIELD_NAMES[key] for key in assessment.inputs.values}
    own = {FIELD_NAMES[key] for key in FIELD_NAMES if key.startswith("ranking.")}
    rows = field_rows(assessment, "en")
    assert rows
    for field, _, assumed in rows:
        assert assumed or field in given
        assert field not in own


def test_the_customers_eyes_see_no_price_of_a_partner_platform():
    alone = case("W01")
    inputs = alone.inputs.with_value("constraints.own_builds_only", False)
    assessment = assess(inputs, alone.snapshot)
    partners = [
        item
        for item in assessment.best_per_build
        if item.candidate.build.is_partner and item.passes
    ]
    assert partners
    for item in partners:
        assert "price" in reason_of(assessment, item, "en")[0]
        assert "price" not in reason_without_price(assessment, item, "en")[0]


def test_an_outcome_that_is_sure_is_not_said_to_hold_where_a_range_crosses_a_limit():
    def said(verdict):
        row = next(row for row in present(replace(found, verdict=verdict), "en").verdict.rows
                   if row.name == "Confidence")  # fmt: skip
        return row.value

    found = case("W01")
    sure = replace(found.verdict, close_call=False, close_call_reasons=())
    assert said(sure) == "holds over the range"
    crossed = replace(sure, close_call_reasons=("speed_range",))
    assert said(crossed) == "holds over most of the range"
    assert said(replace(crossed, close_call=True)) == "close call: flips inside the range"
