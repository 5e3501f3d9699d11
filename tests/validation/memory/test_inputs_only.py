"""A prediction looks at what a user knows before a run, never at what the run measured."""

from __future__ import annotations

import csv

import pytest

from kentino_desk.app.validation_page import DATA
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.validation.kinds import KINDS, validate

ROWS = dict(DATA)
MEASURED = {
    "memory-inference": (
        "weights_gib_per_gpu", "kv_cache_tokens", "activation_peak_gib", "total_used_gib_per_gpu",
        "cuda_graph_gib", "non_torch_gib", "hand_weights_gib_per_gpu",
        "kv_bytes_per_token_per_gpu_implied",
    ),
    "memory-training": ("peak_gib_per_gpu", "hand_weights_gib_per_gpu"),
}  # fmt: skip


def predictions(kind, path):
    report = validate(kind, (path,), load_snapshot())
    figures = {
        (row.id, item.figure): (item.predicted, item.low, item.high)
        for row in report.rows
        for item in row.scored
    }
    words = {row.id: row.verdict and row.verdict.predicted for row in report.rows}
    return figures, words


def rewritten(kind, tmp_path, change):
    with ROWS[kind].open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        change(row)
    path = tmp_path / f"{kind}.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, KINDS[kind].columns)
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.mark.parametrize("kind", list(MEASURED))
def test_measured_columns_do_not_move_a_prediction(kind, tmp_path):
    def disturb(row):
        for name in MEASURED[kind]:
            if row[name]:
                row[name] = str(float(row[name]) * 1.7 + 1.0)

    assert predictions(kind, rewritten(kind, tmp_path, disturb)) == predictions(kind, ROWS[kind])


def test_the_measured_pool_moves_the_tokens_of_a_given_pool_alone(tmp_path):
    def disturb(row):
        if row["kv_cache_gib_per_gpu"]:
            row["kv_cache_gib_per_gpu"] = str(float(row["kv_cache_gib_per_gpu"]) * 2.0)

    kind = "memory-inference"
    changed, words = predictions(kind, rewritten(kind, tmp_path, disturb))
    figures, same_words = predictions(kind, ROWS[kind])
    moved = {figure for (_, figure), value in figures.items() if changed[_, figure] != value}
    assert moved == {"kv_tokens_given_pool"}
    assert words == same_words


@pytest.mark.parametrize("kind", list(MEASURED))
def test_the_name_of_a_row_does_not_move_a_prediction(kind, tmp_path):
    def rename(row):
        row["id"] = "X" + row["id"]

    figures, words = predictions(kind, rewritten(kind, tmp_path, rename))
    named, named_words = predictions(kind, ROWS[kind])
    assert {(row[1:], figure): value for (row, figure), value in figures.items()} == named
    assert {row[1:]: word for row, word in words.items()} == named_words
