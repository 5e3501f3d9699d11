"""The worked cases of the decision rules: every field of ``expected.csv`` from the JSON."""

from __future__ import annotations

import csv
import json
import re
from functools import lru_cache
from pathlib import Path

import pytest

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.assess import assess
from kentino_desk.domain.errors import InputError
from kentino_desk.present.json_document import evaluate_document
from kentino_desk.store.workload_file import load_workload

CASES = Path(__file__).resolve().parents[1] / "worked_cases"
SELECTOR = re.compile(r"candidates\[(?P<where>.*?)\]\.(?P<what>.*)")
MISSING = object()


@lru_cache(maxsize=64)
def evaluated(case):
    snapshot = load_snapshot()
    try:
        assessment = assess(load_workload(CASES / f"{case}.toml"), snapshot)
    except InputError as error:
        return error
    return json.loads(json.dumps(evaluate_document(assessment, snapshot), allow_nan=False))


def rows():
    with (CASES / "expected.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def matches(candidate, key, wanted):
    if key != "id":
        return str(candidate[key]) in wanted.split("|")
    first, *others = wanted.split("|")
    stem = first.rsplit("-", 1)[0]
    names = [first, *(f"{stem}-{other}" for other in others)]
    return any(
        candidate["id"] == name or (name.endswith("*") and candidate["id"].startswith(name[:-1]))
        for name in names
    )


def selected(document, where):
    wanted = [part.split("=", 1) for part in where.split(",")]
    for candidate in document["candidates"]:
        if all(matches(candidate, key, value) for key, value in wanted):
            return candidate
    return MISSING


def dotted(document, path):
    found = document
    for name in path.split("."):
        if name == "questions":
            found = {str(item["number"]): item for item in found["questions"]}
        elif found is None or name not in found:
            return MISSING
        else:
            found = found[name]
    return found


def looked_up(document, field):
    match = SELECTOR.fullmatch(field)
    if match:
        candidate = selected(document, match["where"])
        found = candidate if candidate is MISSING else dotted(candidate, match["what"])
    elif field.startswith(("verdict.", "questions.", "partner.", "figures.")):
        found = dotted(document, field)
    else:
        found = dotted(document, f"figures.{field}")
    return found["value"] if isinstance(found, dict) and "value" in found else found


PLAIN = [
    row
    for row in rows()
    if row["field"] not in {"notes", "exit_code", "refusal", "rank", "verdict.sentence"}
    and not row["field"].startswith(("smallest ", "alternative "))
]


def word(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=f"decision_rules-6-{row['case']}-{row['field']}") for row in PLAIN]
)
def test_worked_case_gives_the_expected_field(row):
    found = looked_up(evaluated(row["case"]), row["field"])
    assert found is not MISSING
    if row["tolerance"]:
        share = float(row["tolerance"].rstrip("%")) / 100.0
        assert float(found) == pytest.approx(float(row["expected"]), rel=share)
    elif isinstance(found, float) and found.is_integer():
        assert str(int(found)) in row["expected"].split("|")
    else:
        assert word(found) in row["expected"].split("|")


def note_keys(case):
    return [note["key"] for note in evaluated(case)["notes"]]


NOTES = [
    ("W02", "smaller_is_enough"),
    ("W06", "operating_tax"),
    ("W06", "replicas_not_cluster"),
    ("W10", "smaller_is_enough"),
    ("W11", "operating_tax"),
    ("W11", "nic_per_4_gpus"),
    ("W11", "spare_node"),
    ("W11", "seller_efficiency"),
    ("W11", "measure_first"),
    ("W16", "half_node_trap"),
]


@pytest.mark.parametrize(("case", "key"), NOTES)
def test_worked_case_carries_the_expected_note(case, key):
    assert key in note_keys(case)


ARTICLES = [
    ("W04", "C016"),
    ("W04c", "C016"),
    ("W05", "C021, C030"),
    ("W06", "C065"),
    ("W07", "C025"),
]


@pytest.mark.parametrize(("case", "claims"), ARTICLES)
def test_an_article_that_speaks_of_the_case_stands_beside_the_grade(case, claims):
    notes = [n for n in evaluated(case)["notes"] if n["key"] == "article_disagrees"]
    assert any(claims == note["numbers"]["claims"] for note in notes)


def test_the_article_on_mixtral_is_contradicted_at_8k():
    notes = [n for n in evaluated("W04c")["notes"] if n["key"] == "article_disagrees"]
    assert [note["numbers"]["agrees"] for note in notes] == [0]


@pytest.mark.parametrize(("case", "formats"), [("W18", {"fp8"}), ("W18b", {"nvfp4", "int4"})])
def test_the_largest_format_that_fits_is_named(case, formats):
    notes = [n for n in evaluated(case)["notes"] if n["key"] == "largest_format_that_fits"]
    assert [note["numbers"]["format"] in formats for note in notes] == [True]


def test_leaner_recipes_stand_beside_a_state_that_needs_a_cluster():
    notes = [n for n in evaluated("W11")["notes"] if n["key"] == "alternative_recipe"]
    totals = {n["numbers"]["optimizer"]: n["numbers"]["state_tb"] for n in notes}
    assert totals["adamw_bf16"] == pytest.approx(0.564, rel=0.03)
    assert totals["adamw_8bit"] == pytest.approx(0.423, rel=0.04)


def test_the_frontier_sentence_names_the_range_of_gpus():
    sentence = evaluated("W12")["verdict"]["sentence"]
    assert "32" in sentence
    assert "128" in sentence


def test_one_box_ranks_above_two_halves():
    order = [candidate["id"] for candidate in evaluated("W16")["candidates"]]
    halves = [place for place, name in enumerate(order) if name.startswith("2x4-")]
    assert order.index("1x8-rtx-pro-6000-bw-server") < min(halves)


REFUSALS = [
    ("W17b", ("training.throughput_value", "3000", "2,336", "18,690")),
    ("W19", ("serving.context_tokens", "32768", "8192")),
    ("W20", ("workload.weights", "int4", "qlora")),
]


@pytest.mark.parametrize(("case", "words"), REFUSALS)
def test_a_refusal_names_field_value_and_limit(case, words):
    error = evaluated(case)
    assert isinstance(error, InputError)
    assert error.exit_code == 3
    assert all(word in str(error) for word in words)
