from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_desk.domain.errors import InputError
from kentino_desk.domain.workload_fields import FIELD_BY_KEY, FIELDS
from kentino_desk.session.field_text import message_of, read_field, show_value

USERS = FIELD_BY_KEY["serving.concurrent_users"]
TTFT = FIELD_BY_KEY["serving.ttft_s"]
SPEED = FIELD_BY_KEY["serving.tokens_per_s_per_user"]
GROWTH = FIELD_BY_KEY["serving.growth"]
BUDGET = FIELD_BY_KEY["constraints.budget_eur"]
TOKENS = FIELD_BY_KEY["training.tokens"]
POWER = FIELD_BY_KEY["constraints.power_limit_w"]


@pytest.mark.parametrize(
    ("spec", "text", "value"),
    [
        (USERS, "48", 48),
        (USERS, " 48 users", 48),
        (USERS, "8k", 8000),
        (USERS, "1,000", 1000),
        (USERS, "1.000", 1000),
        (USERS, "1 000", 1000),
        (USERS, "1\u00a0000", 1000),
        (USERS, "12\u202f345", 12345),
        (USERS, "1,000,000", 1_000_000),
        (USERS, "1.5k", 1500),
        (USERS, "1.00", 1),
        (GROWTH, "3.125", 0.03125),
        (TOKENS, "70B", 70_000_000_000),
        (TOKENS, "1.5M", 1_500_000),
        (TOKENS, "1,5 M", 1_500_000),
        (TOKENS, "15T", 15_000_000_000_000),
        (TTFT, "0,5", 0.5),
        (TTFT, ".5", 0.5),
        (TTFT, "3.", 3.0),
        (TTFT, "12.500", 12.5),
        (TTFT, "0.125", 0.125),
        (TTFT, "1,234.5", 1234.5),
        (TTFT, "1.234,5 s", 1234.5),
        (TTFT, "1 234", 1234.0),
        (TTFT, "1 234,5", 1234.5),
        (SPEED, "12 tok/s", 12.0),
        (GROWTH, "25", 0.25),
        (GROWTH, "25 %", 0.25),
        (GROWTH, "12,5%", 0.125),
        (BUDGET, "250 000", 250_000.0),
        (BUDGET, "250k", 250_000.0),
        (BUDGET, "1,250,000", 1_250_000.0),
    ],
)
def test_a_number_is_read_as_people_type_it(spec, text, value):
    assert read_field(spec, text) == value


@pytest.mark.parametrize(
    ("spec", "text", "words"),
    [
        (USERS, "nan", "not a number"),
        (USERS, "inf", "not a number"),
        (USERS, "1_000", "not a number"),
        (USERS, "\u0664\u0668", "not a number"),
        (USERS, "", "empty"),
        (USERS, "1.5", "not a whole number"),
        (USERS, "0", "too small"),
        (USERS, "-5", "too small"),
        (USERS, "\u22125", "too small"),
        (USERS, "2M", "too large"),
        (USERS, "10,00,000", "odd places"),
        (USERS, "1 00", "odd places"),
        (USERS, "1,2.3,4", "odd places"),
        (USERS, "12 GPUs", "not a number"),
        (USERS, "9" * 60, "not a number"),
        (USERS, "1e3", "not a number"),
        (TTFT, "1,000", "can mean 1 or 1000"),
        (TTFT, "1.000", "can mean 1 or 1000"),
        (BUDGET, "250.000", "can mean 250 or 250000"),
        (TOKENS, "1.500M", "can mean 1.5 or 1500"),
        (GROWTH, "1200", "too large"),
    ],
)
def test_a_number_that_is_none_or_two_is_refused_in_words(spec, text, words):
    with pytest.raises(InputError) as caught:
        read_field(spec, text)
    assert words in str(caught.value)
    assert caught.value.field == spec.key


def test_the_message_of_a_field_names_what_is_legal_in_the_units_of_the_field():
    with pytest.raises(InputError) as caught:
        read_field(GROWTH, "1200")
    assert message_of(GROWTH, caught.value) == "Is too large; allowed: 0 to 1000 %"
    with pytest.raises(InputError) as caught:
        read_field(TTFT, "1,000")
    assert message_of(TTFT, caught.value) == "Can mean 1 or 1000; type 1 or 1000"


def test_other_kinds_of_field_are_read_by_their_words():
    assert read_field(FIELD_BY_KEY["constraints.own_builds_only"], "No") is False
    assert read_field(FIELD_BY_KEY["training.packing"], "yes") is True
    assert read_field(FIELD_BY_KEY["constraints.gpus"], "a, b,") == ("a", "b")
    assert read_field(FIELD_BY_KEY["workload.weights"], "fp8") == "fp8"
    with pytest.raises(InputError, match="neither yes nor no"):
        read_field(FIELD_BY_KEY["training.packing"], "maybe")
    with pytest.raises(InputError) as caught:
        read_field(FIELD_BY_KEY["workload.weights"], "fp9")
    assert "nearest: fp8" in message_of(FIELD_BY_KEY["workload.weights"], caught.value)


@pytest.mark.parametrize(
    ("spec", "value", "text"),
    [
        (USERS, 8192, "8,192"),
        (TOKENS, 50_000_000, "50M"),
        (TOKENS, 15_000_000_000_000, "15T"),
        (TOKENS, 12_345_678, "12,345,678"),
        (TOKENS, 1_411_074_129_920, "1.41107412992T"),
        (TOKENS, 204_800_000, "204.8M"),
        (GROWTH, 0.07, "7"),
        (TTFT, 3.125, "3.1250"),
        (TTFT, 3.0, "3"),
        (BUDGET, 250_000.0, "250\u00a0000"),
        (POWER, 300.0, "300"),
        (FIELD_BY_KEY["training.packing"], True, "yes"),
        (FIELD_BY_KEY["constraints.gpus"], ("a", "b"), "a, b"),
        (FIELD_BY_KEY["workload.model"], "x", "x"),
        (USERS, None, ""),
    ],
)
def test_a_value_is_shown_as_people_write_it(spec, value, text):
    assert show_value(spec, value) == text


@given(st.data())
def test_what_a_field_shows_reads_back_as_the_same_value(data):
    numeric = [spec for spec in FIELDS if spec.kind in {"int", "float"}]
    spec = data.draw(st.sampled_from(numeric))
    if spec.kind == "int":
        value = data.draw(st.integers(int(spec.low), int(spec.high)))
        assert read_field(spec, show_value(spec, value)) == value
    else:
        value = data.draw(st.floats(spec.low, spec.high))
        shown = show_value(spec, value)
        assert read_field(spec, shown) == pytest.approx(value, rel=1e-9)


@given(st.text(max_size=20))
def test_no_text_ever_breaks_the_reader(text):
    for spec in (USERS, TTFT, GROWTH):
        try:
            value = read_field(spec, text)
        except InputError:
            continue
        assert spec.low <= value <= spec.high
