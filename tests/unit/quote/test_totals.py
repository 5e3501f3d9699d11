from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_desk.quote.totals import (
    DocumentDiscount,
    LineKind,
    QuoteLine,
    rounded,
    spread,
    total_quote,
    total_with_options,
)

D = Decimal


def line(quantity, price, discount="0", rate="0.21", kind=LineKind.ITEM):
    return QuoteLine(
        description="part",
        quantity=D(quantity),
        unit_price=D(price),
        vat_rate=D(rate),
        discount=D(discount),
        kind=kind,
    )


def share(text):
    return DocumentDiscount(share=D(text))


def amount(text):
    return DocumentDiscount(amount=D(text))


def texts(values):
    return [str(value) for value in values]


def test_rounding_goes_half_away_from_zero():
    assert texts(rounded(D(value), 2) for value in ("2.675", "1.005", "-2.675")) == [
        "2.68",
        "1.01",
        "-2.68",
    ]


def test_worked_example_of_the_quote_arithmetic():
    totals = total_quote(
        [
            line(2, "183400.00", "0.035"),
            line(16, "1289.333"),
            line(1, "4870.50", rate="0.12"),
            line(3, "612.00", "0.15"),
        ],
        "CZK",
        share("0.0175"),
    )
    assert texts(item.net for item in totals.lines) == [
        "353962.00",
        "20629.33",
        "4870.50",
        "1560.60",
    ]
    assert texts(item.share for item in totals.lines) == ["6194.33", "361.01", "85.24", "27.31"]
    assert (totals.subtotal, totals.discount) == (D("381022.43"), D("6667.89"))
    assert [(rate.rate, rate.base, rate.vat) for rate in totals.rates] == [
        (D("0.21"), D("369569.28"), D("77609.55")),
        (D("0.12"), D("4785.26"), D("574.23")),
    ]
    assert (totals.net, totals.vat, totals.gross) == (
        D("374354.54"),
        D("78183.78"),
        D("452538.32"),
    )


def test_spreading_example_gives_the_first_line_the_missing_unit():
    assert texts(spread(D(100), [D(1000)] * 3, 2)) == ["33.34", "33.33", "33.33"]


def test_qc_01_unit_price_with_three_decimals_is_not_cut_first():
    totals = total_quote([line(3000, "47.833")], "CZK")
    assert (totals.net, totals.vat, totals.gross) == (
        D("143499.00"),
        D("30134.79"),
        D("173633.79"),
    )


def test_qc_02_a_credit_makes_no_phantom_discount():
    totals = total_quote([line(3, "4.625"), line(1, "-0.69", kind=LineKind.CREDIT)], "EUR")
    assert texts(item.net for item in totals.lines) == ["13.88", "-0.69"]
    assert (totals.net, totals.vat, totals.gross) == (D("13.19"), D("2.77"), D("15.96"))
    assert totals.discount == 0
    assert totals.line_discounts == 0


@pytest.mark.parametrize(
    ("case", "lines", "discount", "expected"),
    [
        ("QC-03", [line(3, "45.00")], amount("60.00"), ("75.00", "15.75", "90.75")),
        ("QC-04", [line(1, "100.00")], amount("20.00"), ("80.00", "16.80", "96.80")),
    ],
)
def test_qc_03_and_04_the_document_discount_comes_before_vat(case, lines, discount, expected):
    totals = total_quote(lines, "EUR", discount)
    assert (totals.net, totals.vat, totals.gross) == tuple(map(D, expected)), case


def test_qc_05_a_percentage_is_spread_over_the_lines_of_one_base():
    lines = [line(1, "67.79"), line(2, "67.79"), line(3, "67.79"), line(1, "33.33")]
    totals = total_quote(lines, "EUR", share("0.122"))
    assert (totals.subtotal, totals.discount) == (D("440.07"), D("53.69"))
    assert texts(item.share for item in totals.lines) == ["8.27", "16.54", "24.81", "4.07"]
    assert (totals.net, totals.vat, totals.gross) == (D("386.38"), D("81.14"), D("467.52"))


def test_qc_06_a_currency_without_minor_unit_has_whole_lines():
    totals = total_quote([line(1, "100.5", rate="0"), line(1, "100.5", rate="0")], "JPY")
    assert texts(item.net for item in totals.lines) == ["101", "101"]
    assert str(totals.gross) == "202"


def test_qc_07_vat_of_many_tiny_lines_is_taken_on_their_sum():
    totals = total_quote([line(1, "0.03")] * 7, "EUR")
    assert (totals.net, totals.vat, totals.gross) == (D("0.21"), D("0.04"), D("0.25"))


def test_qc_08_before_discount_and_after_subtract_to_the_printed_figures():
    lines = [line(1, "1000.00", "0.10"), line(2, "333.33"), line(1, "0.01", "0.50")]
    totals = total_quote(lines, "EUR")
    assert (totals.list_value, totals.line_discounts, totals.net) == (
        D("1666.67"),
        D("100.00"),
        D("1566.67"),
    )
    assert (totals.vat, totals.gross) == (D("329.00"), D("1895.67"))


def test_qc_14_an_option_counts_only_in_the_second_sum():
    lines = [
        line(2, "248750.00", "0.04"),
        line(1, "18990.00"),
        line(1, "12500.00", kind=LineKind.OPTION),
    ]
    without = total_quote(lines, "CZK", share("0.025"))
    assert (without.net, without.vat, without.gross) == (
        D("484175.25"),
        D("101676.80"),
        D("585852.05"),
    )
    assert total_with_options(lines, "CZK", share("0.025")).gross == D("600598.93")


def test_qc_15_the_total_with_options_is_computed_again_not_added():
    lines = [line(1, "333.33"), line(1, "0.12", kind=LineKind.OPTION)]
    assert total_quote(lines, "EUR", share("0.03")).gross == D("391.23")
    assert total_with_options(lines, "EUR", share("0.03")).gross == D("391.37")


def test_a_discount_above_the_sum_takes_the_sum_and_no_more():
    totals = total_quote([line(1, "10.00")], "EUR", amount("15.00"))
    assert (totals.discount, totals.gross) == (D("10.00"), D("0.00"))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: line(0, "1"),
        lambda: line(1, "-1"),
        lambda: line(1, "1", "1.01"),
        lambda: line(1, "1", rate="-0.1"),
        DocumentDiscount,
        lambda: DocumentDiscount(share=D("1.1")),
        lambda: DocumentDiscount(amount=D(-1)),
        lambda: DocumentDiscount(share=D("0.1"), amount=D(1)),
    ],
)
def test_what_is_no_quote_is_refused(wrong):
    with pytest.raises(ValueError):
        wrong()


prices = st.decimals(min_value=0, max_value=10**7, places=3)
line_lists = st.lists(
    st.builds(
        line,
        st.integers(1, 500),
        prices,
        st.decimals(min_value=0, max_value=1, places=3),
        st.sampled_from(["0.21", "0.12", "0"]),
    ),
    min_size=1,
    max_size=12,
)
discounts = st.decimals(min_value=0, max_value=1, places=4).map(
    lambda value: DocumentDiscount(share=value)
)


@given(line_lists, discounts)
def test_lines_less_their_shares_add_up_to_net(lines, discount):
    totals = total_quote(lines, "CZK", discount)
    assert sum(item.net - item.share for item in totals.lines) == totals.net
    assert sum(item.share for item in totals.lines) == totals.discount
    assert all(0 <= item.share <= item.net for item in totals.lines)


@given(line_lists, discounts)
def test_vat_of_a_rate_is_within_half_a_unit_of_base_times_rate(lines, discount):
    for rate in total_quote(lines, "CZK", discount).rates:
        assert abs(rate.vat - rate.base * rate.rate) <= D("0.005")


@given(line_lists)
def test_without_discounts_the_net_is_the_sum_of_the_lines(lines):
    totals = total_quote(lines, "CZK")
    assert totals.net == totals.subtotal == sum(item.net for item in totals.lines)


@given(line_lists, st.randoms(use_true_random=False))
def test_the_order_of_the_lines_changes_no_sum(lines, chance):
    shuffled = list(lines)
    chance.shuffle(shuffled)
    first, second = total_quote(lines, "CZK"), total_quote(shuffled, "CZK")
    assert (first.net, first.vat, first.gross) == (second.net, second.vat, second.gross)


@given(line_lists, st.integers(2, 50))
def test_a_larger_quantity_scales_a_line_up_to_the_rounding(lines, factor):
    for item in lines:
        larger = QuoteLine(
            description=item.description,
            quantity=item.quantity * factor,
            unit_price=item.unit_price,
            vat_rate=item.vat_rate,
            discount=item.discount,
        )
        one = total_quote([item], "CZK").net
        assert abs(total_quote([larger], "CZK").net - one * factor) <= D("0.005") * (factor + 1)
