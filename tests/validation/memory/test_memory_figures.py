from __future__ import annotations

import pytest

from kentino_desk.app.validation_page import DATA, PAGE, fresh_page
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.validation.document import validation_document, validation_text
from kentino_desk.validation.kinds import validate
from kentino_desk.validation.known_misses import OTHERWISE

ROWS = {kind: path for kind, path in DATA if kind.startswith("memory")}


@pytest.fixture(scope="module")
def documents():
    snapshot = load_snapshot()
    return {
        kind: validation_document(validate(kind, (path,), snapshot)) for kind, path in ROWS.items()
    }


@pytest.fixture(scope="module")
def servers(documents):
    return documents["memory-inference"]


@pytest.fixture(scope="module")
def runs(documents):
    return documents["memory-training"]


@pytest.mark.parametrize(
    ("figure", "median", "p90", "least"),
    [
        pytest.param("weights_gib", 1.0, 8.0, 40, id="issue-3-shows-1-weights"),
        pytest.param("kv_tokens_given_pool", 0.5, 8.0, 35, id="issue-3-shows-1-pool-given"),
        pytest.param("kv_tokens", 5.0, 20.0, 25, id="issue-3-shows-1-end-to-end"),
        pytest.param("peak_gib", 2.0, 8.0, 20, id="whole-memory"),
    ],
)
def test_servers_are_predicted_within_their_targets(servers, figure, median, p90, least):
    score = servers["figures"][figure]
    assert score["n"] >= least
    assert score["median_abs_pct"] <= median
    assert score["p90_abs_pct"] <= p90


def test_training_peaks_are_predicted_within_their_targets(runs):
    score = runs["figures"]["peak_gib"]
    assert score["n"] >= 120
    assert score["median_abs_pct"] <= 8.0
    assert score["p90_abs_pct"] <= 30.0


@pytest.mark.parametrize("kind", list(ROWS))
def test_measurements_lie_in_the_printed_range_as_often_as_it_says(documents, kind):
    scored = [item for item in documents[kind]["details"] if not item["skipped"]]
    inside = sum(item["low"] <= item["measured"] <= item["high"] for item in scored)
    assert 88.0 <= 100.0 * inside / len(scored) <= 97.0


@pytest.mark.parametrize("kind", list(ROWS))
def test_nothing_is_said_to_fit_that_did_not(documents, kind):
    outcome = documents[kind]["outcome"]
    assert outcome["false_fits"] == 0
    assert outcome["right_pct"] >= 95.0
    assert outcome["tight_pct"] <= 22.0
    false = [item["id"] for item in outcome["wrong"] if item["predicted"] == "fits"]
    assert false == (["I065", "I092"] if kind == "memory-inference" else [])


@pytest.mark.parametrize("kind", list(ROWS))
def test_few_rows_are_skipped_and_each_for_a_stated_reason(documents, kind):
    document = documents[kind]
    apart = document["skipped"].get("marked as odd by the source check", 0)
    skipped = sum(document["skipped"].values())
    assert document["rows"] == document["scored"] + skipped
    assert skipped - apart < 0.10 * (document["rows"] - apart)
    assert all(document["skipped"])


@pytest.mark.parametrize("kind", list(ROWS))
def test_a_skipped_figure_carries_its_reason_and_no_prediction(documents, kind):
    for item in documents[kind]["details"]:
        if item["skipped"]:
            assert item["predicted"] is None
            assert item["error_pct"] is None
        else:
            assert item["low"] <= item["predicted"] <= item["high"]
            wanted = 100.0 * (item["predicted"] / item["measured"] - 1.0)
            assert item["error_pct"] == pytest.approx(wanted, abs=0.1)


def test_the_page_of_results_is_what_a_run_of_today_finds():
    assert PAGE.read_text(encoding="utf-8") == fresh_page()


def test_every_row_we_get_wrong_has_a_reason():
    assert OTHERWISE not in PAGE.read_text(encoding="utf-8")


def test_the_text_names_figures_outcome_and_false_words():
    path = ROWS["memory-inference"]
    text = validation_text(validate("memory-inference", (path,), load_snapshot()))
    assert "memory-inference: 114 rows" in text
    assert "kv_tokens_given_pool" in text
    assert "false fits 0" in text
    assert "I092: said fits, was oom" in text


def test_two_files_of_one_kind_are_one_run(tmp_path):
    path = ROWS["memory-training"]
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("".join(lines[:4]), encoding="utf-8")
    second.write_text("".join([lines[0], *lines[4:6]]), encoding="utf-8")
    report = validate("memory-training", (first, second), load_snapshot())
    assert [row.id for row in report.rows] == [line.split(",")[0] for line in lines[1:6]]
