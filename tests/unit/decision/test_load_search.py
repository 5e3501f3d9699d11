from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kentino_desk.decision.load_search import largest_met

BORDERS = st.lists(
    st.tuples(st.integers(1, 1024), st.floats(0.0, 1100.0), st.floats(0.2, 4.0)),
    min_size=1, max_size=8,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(BORDERS)
def test_the_border_is_found_to_the_unit_whatever_the_curve(rows):
    most = np.array([float(row[0]) for row in rows])
    border = np.array([row[1] for row in rows])
    bend = np.array([row[2] for row in rows])

    def margins_at(points, rows):
        return 1.0 - (points / np.maximum(border[rows], 1e-6)) ** bend[rows]

    expected = np.minimum(np.floor(border), most)
    assert largest_met(most, margins_at).tolist() == expected.tolist()


def test_a_smooth_curve_takes_few_passes():
    passes = []

    def margins_at(points, _rows):
        passes.append(points)
        return 1.0 - (5.0 + points * 0.37) / 100.0

    assert largest_met(np.full(50, 1024.0), margins_at).tolist() == [256.0] * 50
    assert len(passes) <= 3


def test_rows_that_know_their_border_are_not_tried_again():
    border = np.array([2000.0, 0.0, 700.3])
    tried = []

    def margins_at(points, rows):
        tried.append(rows.tolist())
        return 1.0 - (points / np.maximum(border[rows], 1e-6)) ** 3.0

    assert largest_met(np.full(3, 1024.0), margins_at).tolist() == [1024.0, 0.0, 700.0]
    assert tried[0] == [0, 1, 2]
    assert all(rows == [2] for rows in tried[1:])
