from __future__ import annotations

import csv
from collections import defaultdict

import numpy as np
import pytest

from kentino_desk.app.validation_page import paths_of
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.engine import policy
from kentino_desk.engine.quantity import compute
from kentino_desk.validation.document import validation_document
from kentino_desk.validation.kinds import KINDS, validate

KIND = "perf-training"
(PATH,) = paths_of(KIND)
# Tokens per second and GPU of the worked rows (training_fit_notes, section 10).
WORKED = {
    "TRN-0087": 4588, "TRN-0085": 3079, "TRN-0039": 10946, "TRN-0019": 1113, "TRN-0001": 1049,
    "TRN-0064": 28660, "TRN-0313": 6295, "TRN-0327": 538, "TRN-0328": 605, "TRN-0398": 7277,
    "TRN-0397": 11294, "TRN-0405": 5827, "TRN-0416": 37114, "TRN-0455": 52719, "TRN-0434": 40759,
    "TRN-0385": 2960, "TRN-0387": 2608, "TRN-0389": 481, "TRN-0390": 79,
}  # fmt: skip
WORKED_EXPERTS = {"TRN-0250": 25619, "TRN-0362": 10351, "TRN-0226": 2940}
NOTES_EXPERT_FACTOR = 0.70
"""Of the notes; ours is refitted, because theirs is 6 % too slow on the rows it came from."""


@pytest.fixture(scope="module")
def report():
    return validate(KIND, (PATH,), load_snapshot())


@pytest.fixture(scope="module")
def document(report):
    return validation_document(report)


def errors_of(report, name):
    units = defaultdict(list)
    for row in report.rows:
        if row.groups.get("class") == name:
            units[row.unit] += [abs(item.error_pct) for item in row.scored]
    return units


@pytest.mark.parametrize("row", list(WORKED))
def test_training_fit_notes_10_worked_rows_are_reproduced(document, row):
    found = next(item["predicted"] for item in document["details"] if item["id"] == row)
    assert found == pytest.approx(WORKED[row], rel=0.01)


@pytest.mark.parametrize("row", list(WORKED_EXPERTS))
def test_training_fit_notes_10_worked_rows_of_experts_follow_from_the_constant_of_the_notes(
    report, row
):
    inputs = next(item.inputs for item in report.rows if item.id == row)
    share = NOTES_EXPERT_FACTOR / policy.value("moe_expert_factor")
    theirs = {**inputs, "expert_tflops": inputs["expert_tflops"] * share}
    found = compute(("train_tokens_per_s_per_gpu",), theirs)["train_tokens_per_s_per_gpu"]
    assert found == pytest.approx(WORKED_EXPERTS[row], rel=0.01)


def test_experts_are_not_too_slow_on_the_whole(report):
    errors = [
        item.error_pct
        for row in report.rows
        if row.groups.get("class") == "experts"
        for item in row.scored
    ]
    assert abs(np.median(errors)) < 3.0


@pytest.mark.parametrize(
    ("name", "unit_median", "rows"),
    [("dense, NVLink", 7.0, 130), ("dense, PCIe", 7.0, 20), ("experts", 18.0, 100)],
)
def test_issue_4_shows_3_units_are_predicted_within_their_targets(report, name, unit_median, rows):
    units = errors_of(report, name)
    assert sum(map(len, units.values())) >= rows
    assert np.median([np.median(errors) for errors in units.values()]) <= unit_median


def test_adapters_without_offload_are_predicted_within_12_pct_a_unit_of_one_row_apart(report):
    units = errors_of(report, "adapters")
    errors = [error for unit in units.values() if len(unit) > 1 for error in unit]
    assert len(errors) >= 7
    assert np.median(errors) <= 12.0


def test_the_order_of_runs_of_one_source_and_model_is_right(document):
    assert document["ordering"]["pairs"] > 1500
    assert document["ordering"]["right_pct"] >= 95.0


def test_ranges_hold_as_often_as_they_say_and_few_rows_are_skipped(document):
    assert 86.0 <= document["figures"]["tokens_per_s_per_gpu"]["inside_range_pct"] <= 97.0
    assert sum(document["skipped"].values()) < 0.15 * document["rows"]
    assert all(document["skipped"])


def test_measured_columns_do_not_move_a_prediction(tmp_path, report):
    wanted = {row.id: [item.predicted for item in row.details] for row in report.rows}
    with PATH.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))[::7]
    names = ("tokens_per_s_per_gpu", "tokens_per_s_total", "tflops_per_gpu", "mfu_pct", "hfu_pct",
             "sol_pct", "mfu_calc_pct")  # fmt: skip
    for row in rows:
        row.update({name: "7" for name in names if row[name]})
    path = tmp_path / "changed.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, KINDS[KIND].columns)
        writer.writeheader()
        writer.writerows(rows)
    for row in validate(KIND, (path,), load_snapshot()).rows:
        assert [item.predicted for item in row.details] == wanted[row.id]
