"""What the way to an aim needs: exactly the units that keep the median above a point."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_desk.app.validation_page import paths_of
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.validation.aims import AIMS, Unit, aim_sections, needed, units_of
from kentino_desk.validation.kinds import validate
from kentino_desk.validation.score import unit_median_abs_pct


@pytest.fixture(scope="module")
def report():
    return validate("serving", paths_of("serving"), load_snapshot())


def test_the_unit_in_the_middle_is_the_median_that_is_printed(report):
    units = units_of(report, "ttft_ms")
    assert len(units) % 2 == 1
    middle = units[len(units) // 2]
    assert middle.size == pytest.approx(unit_median_abs_pct(report.rows, "ttft_ms"))


@given(
    st.lists(st.floats(1.0, 90.0), min_size=1, max_size=21).filter(lambda sizes: len(sizes) % 2),
    st.floats(1.0, 90.0),
)
def test_the_median_comes_to_a_point_when_the_named_units_do_and_not_before(sizes, point):
    units = [Unit(str(place), size, size, "") for place, size in enumerate(sorted(sizes))]
    named = needed(units, point)
    better = sorted(min(u.size, point) if u in named else u.size for u in units)
    assert better[len(better) // 2] <= point
    for left in named:
        without = sorted(
            min(u.size, point) if u in named and u is not left else u.size for u in units
        )
        assert without[len(without) // 2] > point


def test_the_page_says_why_each_point_below_is_not_reached(report):
    assert ("serving", "ttft_ms") in AIMS
    title, text, table = aim_sections(report)
    assert title == "### Time to first token: what the way to 26 % needs"
    assert "median of 21 units" in text
    assert "not known" not in table
