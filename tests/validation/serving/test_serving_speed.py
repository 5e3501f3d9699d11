from __future__ import annotations

import csv

import pytest

from kentino_desk.app.validation_page import DATA
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.errors import InputError
from kentino_desk.validation.document import validation_document, validation_text
from kentino_desk.validation.kinds import KINDS, validate

PATH = dict(DATA)["serving"]


@pytest.fixture(scope="module")
def report():
    return validate("serving", (PATH,), load_snapshot())


@pytest.fixture(scope="module")
def document(report):
    return validation_document(report)


@pytest.mark.parametrize(
    ("figure", "unit_median", "p90"),
    [("output_tok_s", 10.0, 27.0), ("tpot_ms", 10.0, 25.0), ("ttft_ms", 32.0, 80.0)],
)
def test_issue_4_shows_1_units_are_predicted_within_their_targets(
    document, figure, unit_median, p90
):
    score = document["figures"][figure]
    assert score["n"] == 983
    assert score["unit_median_abs_pct"] <= unit_median
    assert score["p90_abs_pct"] <= p90
    assert 86.0 <= score["inside_range_pct"] <= 97.0


def test_rows_that_the_source_check_leaves_out_are_skipped_with_its_reason(document):
    assert document["scored"] == 983
    assert document["skipped"]["disaggregated"] == 172
    assert sum(document["skipped"].values()) == 1396 - 983


def test_the_order_of_runs_of_one_unit_is_right(document):
    assert document["ordering"]["pairs"] > 20_000
    assert document["ordering"]["right_pct"] >= 97.0


def test_the_text_names_the_median_of_the_units_and_the_order(report):
    text = validation_text(report)
    assert "by unit %" in text
    assert "pairs, 97." in text


def test_measured_columns_do_not_move_a_prediction(tmp_path, report):
    with PATH.open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["score"] == "yes"][::20]
    wanted = {row.id: [item.predicted for item in row.details] for row in report.rows}
    names = ("ttft_ms", "tpot_ms", "e2e_ms", "output_tok_s", "output_tok_s_per_gpu",
             "implied_compute_share")  # fmt: skip
    for row in rows:
        row.update({name: str(float(row[name] or 1) * 1.7) for name in names})
    path = tmp_path / "changed.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, KINDS["serving"].columns)
        writer.writeheader()
        writer.writerows(rows)
    changed = validate("serving", (path,), load_snapshot())
    assert len(changed.rows) == len(rows)
    for row in changed.rows:
        assert [item.predicted for item in row.details] == wanted[row.id]


def test_a_bad_length_is_refused_by_name(tmp_path):
    lines = PATH.read_text(encoding="utf-8").splitlines()
    header = lines[0].split(",")
    cells = next(line.split(",") for line in lines[1:] if line.endswith(",yes,"))
    cells[header.index("isl")] = "many"
    path = tmp_path / "bad.csv"
    path.write_text("\n".join([lines[0], ",".join(cells)]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"isl.*is not a number"):
        validate("serving", (path,), load_snapshot())
