from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_desk.domain.money import Money
from kentino_desk.present.numbers import LANGUAGE_HABITS, numbers, parts_of_total

NBSP = "\u00a0"
ALL = sorted(LANGUAGE_HABITS)


@pytest.mark.parametrize(
    ("language", "number", "day"),
    [
        ("cs", f"1{NBSP}234{NBSP}567,50", f"2.{NBSP}12.{NBSP}2026"),
        ("sk", f"1{NBSP}234{NBSP}567,50", f"2.{NBSP}12.{NBSP}2026"),
        ("pl", f"1{NBSP}234{NBSP}567,50", "2.12.2026"),
        ("de", "1.234.567,50", "02.12.2026"),
        ("en", "1,234,567.50", f"2{NBSP}December{NBSP}2026"),
        ("ru", f"1{NBSP}234{NBSP}567,50", "02.12.2026"),
    ],
)
def test_each_language_writes_numbers_and_days_its_own_way(language, number, day):
    shown = numbers(language)
    assert shown.plain(Decimal("1234567.5"), 2) == number
    assert shown.day(date(2026, 12, 2)) == day


@pytest.mark.parametrize(
    ("language", "expected"),
    [("cs", f"12,50{NBSP}Kč"), ("sk", f"12,50{NBSP}CZK"), ("en", f"12.50{NBSP}CZK")],
)
def test_a_currency_stands_after_the_number_as_the_language_names_it(language, expected):
    assert numbers(language).money(Money.of("12.5", "CZK")) == expected


def test_a_unit_price_keeps_the_decimals_it_has():
    assert numbers("cs").amount(Decimal("47.833"), "CZK") == "47,833"
    assert numbers("cs").amount(Decimal(47), "CZK") == "47,00"
    assert numbers("cs").amount(Decimal(101), "JPY") == "101"


def test_numbers_round_half_away_from_zero_with_a_true_minus():
    shown = numbers("en")
    assert shown.plain(Decimal("2.675"), 2) == "2.68"
    assert shown.plain(-2.5) == "\N{MINUS SIGN}3"


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (15.14, "tok/s", f"15,1{NBSP}tok/s"),
        (1929.4, "tok/s", f"1{NBSP}929{NBSP}tok/s"),
        (58.34, "GiB", f"58,3{NBSP}GiB"),
        (0.731, "share", f"73{NBSP}%"),
        (1316.2, "m3/h", f"1{NBSP}316{NBSP}m³/h"),
        (0.052, "s", f"0,05{NBSP}s"),
        (6614.0, "W", f"6{NBSP}614{NBSP}W"),
        (None, "s", "—"),
        (float("nan"), "s", "—"),
    ],
)
def test_a_figure_has_the_decimals_of_its_unit_and_a_no_break_space(value, unit, expected):
    assert numbers("cs").figure(value, unit) == expected


def test_a_range_has_the_same_decimals_at_both_ends():
    assert numbers("cs").span(12.11, 118.2, "tok/s") == "12–118"
    assert numbers("cs").span(12.11, 18.24, "tok/s") == "12,1–18,2"
    assert numbers("cs").span(7.0, 7.0, "GiB") == ""
    assert numbers("cs").span(None, 1.0, "s") == ""


def test_an_unknown_language_is_refused():
    with pytest.raises(KeyError):
        numbers("xx")


@given(
    st.sampled_from(ALL),
    st.decimals(min_value=-(10**12), max_value=10**12, places=2, allow_nan=False),
)
def test_what_was_printed_reads_back_as_the_same_number(language, value):
    shown = numbers(language)
    assert shown.parse(shown.plain(value, 2)) == value


@given(st.lists(st.floats(0.01, 500.0), min_size=1, max_size=8))
def test_printed_parts_add_up_to_the_printed_total(parts):
    printed = parts_of_total(parts, 1)
    exact = sum(Decimal(repr(part)) for part in parts)
    assert abs(sum(printed) - exact) <= Decimal("0.05")
    assert all(abs(float(p) - q) <= 0.1 for p, q in zip(printed, parts, strict=True))
