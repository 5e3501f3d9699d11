from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_desk.report.plot import round_ticks, spread_labels


@pytest.mark.parametrize(
    ("top", "expected"),
    [
        (100.4, (0.0, 25.0, 50.0, 75.0, 100.0)),
        (33.0, (0.0, 10.0, 20.0, 30.0)),
        (188.0, (0.0, 50.0, 100.0, 150.0)),
    ],
)
def test_ticks_are_round_numbers(top, expected):
    assert round_ticks(top) == expected


@given(st.floats(0.5, 5_000.0))
def test_an_axis_has_three_to_seven_ticks_below_its_top(top):
    ticks = round_ticks(top)
    assert 3 <= len(ticks) <= 7
    assert ticks[-1] <= top * 1.0001


@given(st.lists(st.floats(20.0, 200.0), min_size=1, max_size=7))
def test_labels_never_stand_on_one_another(heights):
    placed = spread_labels(sorted(heights, reverse=True), 11.0, 18.0, 202.0)
    assert all(upper - lower >= 10.999 for upper, lower in pairwise(placed))
    assert placed[-1] >= 18.0
