from __future__ import annotations

import pytest

from kentino_desk.present.counted import counted, measured

NBSP = "\u00a0"


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, "1 uživatel"),
        (2, "2 uživatelé"),
        (4, "4 uživatelé"),
        (5, "5 uživatelů"),
        (60, "60 uživatelů"),
    ],
)
def test_czech_bends_users_in_three_forms(count, expected):
    assert counted(count, "users", "cs").replace(NBSP, " ") == expected


@pytest.mark.parametrize(
    ("days", "expected"),
    [(1.0, "1,0 dne"), (2.5, "2,5 dne"), (14.0, "14 dní"), (63.7, "64 dní")],
)
def test_czech_days_with_a_fraction_take_the_genitive(days, expected):
    assert measured(days, "days", "cs").replace(NBSP, " ") == expected


def test_a_given_number_of_days_prints_as_it_was_given():
    assert counted(14.0, "days", "cs") == f"14{NBSP}dní"
    assert counted(2.0, "days", "cs") == f"2{NBSP}dny"
    assert counted(2.25, "days", "en") == f"2.25{NBSP}days"


def test_a_unit_that_is_a_symbol_is_not_translated():
    assert counted(12.0, "tok/s", "cs") == f"12{NBSP}tok/s"
    assert measured(6614.0, "W", "cs") == f"6{NBSP}614{NBSP}W"


def test_a_missing_figure_prints_a_dash():
    assert measured(None, "users", "en") == "—"
    assert measured(float("inf"), "days", "en") == "∞"
