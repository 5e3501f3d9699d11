from __future__ import annotations

import csv
from collections import defaultdict

import numpy as np
import pytest

from kentino_desk.app.validation_page import paths_of
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.validation.document import validation_document
from kentino_desk.validation.kinds import KINDS, validate

KIND = "perf-inference"
(PATH,) = paths_of(KIND)


@pytest.fixture(scope="module")
def report():
    return validate(KIND, (PATH,), load_snapshot())


@pytest.fixture(scope="module")
def document(report):
    return validation_document(report)


def unit_median(report, name, figure="output_tok_s"):
    units = defaultdict(list)
    for row in report.rows:
        if row.groups.get("class") == name:
            units[row.unit] += [abs(x.error_pct) for x in row.scored if x.figure == figure]
    return np.median([np.median(errors) for errors in units.values() if errors])


@pytest.mark.parametrize(
    ("name", "most"),
    [
        pytest.param("batch from the pool", 18.0, id="issue-4-shows-2-batch-inferred"),
        pytest.param("PCIe, up to 16 users", 20.0, id="issue-4-shows-2-few-users-on-pcie"),
        pytest.param("PCIe, above 16 users", 16.0, id="apart-many-users-on-pcie"),
        pytest.param("open loop", 11.0, id="apart-requests-at-a-rate"),
        pytest.param("users given", 10.0, id="apart-users-given"),
    ],
)
def test_units_are_predicted_within_their_targets(report, name, most):
    assert unit_median(report, name) <= most


def test_drafted_runs_and_lone_prompts_are_figures_apart(document, report):
    assert document["figures"]["output_tok_s_drafted"]["n"] == 164
    # No gain is promised for a draft head, as no constant holds for a unit it never saw.
    assert unit_median(report, "drafted", "output_tok_s_drafted") <= 28.0
    assert unit_median(report, "prompt alone", "prefill_tok_s") <= 36.0
    plain = {row.id for row in report.rows if row.groups.get("class") == "drafted"}
    assert not plain & {
        item["id"] for item in document["details"] if item["figure"] == "output_tok_s"
    }


def test_the_law_of_drafting_is_right_in_the_middle_where_half_of_the_guesses_are(document):
    found = document["figures"]["output_tok_s_half_right"]
    assert found["n"] == 164
    assert found["median_abs_pct"] <= 18.0
    assert abs(found["bias_pct"]) <= 3.0
    assert found["median_abs_pct"] < document["figures"]["output_tok_s_drafted"]["median_abs_pct"]


def test_the_order_of_runs_of_one_source_and_model_is_right(document):
    assert document["ordering"]["pairs"] > 10_000
    assert document["ordering"]["right_pct"] >= 93.0


@pytest.mark.parametrize(
    "figure",
    [
        "output_tok_s",
        "output_tok_s_drafted",
        "output_tok_s_half_right",
        "prefill_tok_s",
        "ttft_ms",
        "tpot_ms",
    ],
)
def test_ranges_hold_as_often_as_they_say(document, figure):
    score = document["figures"][figure]
    assert 86.0 <= score["inside_range_pct"] <= (97.0 if score["n"] >= 40 else 100.0)


def test_no_row_of_the_file_is_skipped(document):
    assert document["rows"] == document["scored"] == 875


def test_measured_columns_do_not_move_a_prediction(tmp_path, report):
    wanted = {row.id: [item.predicted for item in row.details] for row in report.rows}
    with PATH.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))[::25]
    names = ("published_value", "output_tok_s_total", "output_tok_s_per_gpu", "total_tok_s",
             "per_user_tok_s", "prefill_tok_s", "ttft_ms_mean", "ttft_ms_p99", "tpot_ms_mean",
             "itl_ms_mean")  # fmt: skip
    for row in rows:
        row.update({name: "7" for name in names if row[name]})
    path = tmp_path / "changed.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, KINDS[KIND].columns)
        writer.writeheader()
        writer.writerows(rows)
    for row in validate(KIND, (path,), load_snapshot()).rows:
        assert [item.predicted for item in row.details] == wanted[row.id]
