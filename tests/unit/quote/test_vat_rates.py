from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from kentino_desk.domain.errors import InputError
from kentino_desk.quote.vat_rates import standard_rate, vat_rates


@pytest.mark.parametrize(("country", "rate"), [("CZ", 21), ("SK", 23), ("PL", 23), ("DE", 19)])
def test_each_country_has_its_standard_rate_with_a_source(country, rate):
    found = standard_rate(country, date(2026, 12, 2))
    assert found.rate == Decimal(rate) / 100
    assert found.source.startswith("https://")


def test_a_country_without_a_row_is_refused_and_the_known_ones_are_named():
    with pytest.raises(InputError, match="CZ, DE, PL, SK"):
        standard_rate("FR", date(2026, 12, 2))


def test_a_day_before_the_first_row_is_refused():
    with pytest.raises(InputError, match="no VAT rate"):
        standard_rate("SK", date(2020, 1, 1))


def test_the_table_has_one_rate_a_country_and_day():
    keys = [(row.country, row.valid_from) for row in vat_rates()]
    assert len(keys) == len(set(keys))
