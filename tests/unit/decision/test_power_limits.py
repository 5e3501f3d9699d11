"""What a lower power limit saves and costs."""

from __future__ import annotations

import pytest

from kentino_desk.decision.power_limits import power_limits, settable_limits
from kentino_desk.present.json_document import evaluate_document
from kentino_desk.present.site import feed_of


def rows_of(assessment):
    return {row.limit_w: row for row in power_limits(assessment.evaluation, chosen(assessment))}


def chosen(assessment):
    return assessment.verdict.chosen


@pytest.mark.parametrize(
    ("case", "limit", "low", "best"),
    [
        # training_fit_notes, section 7: RTX PRO 6000 against its 600 W.
        ("W11", 450, 0.75, 0.88),
        ("W11", 300, 0.50, 0.73),
        ("W01", 450, 1.0, 1.0),
        ("W01", 300, 0.66, 0.83),
    ],
)
def test_the_speed_left_is_that_of_the_notes(assessed, case, limit, low, best):
    row = rows_of(assessed(case))[limit]
    assert row.speed[0] == pytest.approx(low, abs=0.01)
    assert row.speed[1] == pytest.approx(best, abs=0.01)
    assert row.speed[0] <= row.speed[1] <= row.speed[2] <= 1.0


@pytest.mark.parametrize("case", ["W01", "W08", "W11", "W17"])
def test_the_highest_row_is_the_card_without_a_limit(assessed, case):
    assessment = assessed(case)
    rows = rows_of(assessment)
    top = rows[max(rows)]
    assert top.limit_w == chosen(assessment).candidate.build.gpu.tdp_w
    assert top.speed == (1.0, 1.0, 1.0)
    assert top.power_max_w == pytest.approx(chosen(assessment).figures["power_max_w"].value)
    watts = [rows[limit].power_max_w for limit in sorted(rows)]
    assert watts == sorted(watts)


def test_a_limit_below_half_the_power_or_below_the_cards_least_is_not_offered(snapshot):
    assert settable_limits(snapshot.gpus["rtx-pro-6000-bw-server"]) == (300.0, 450.0, 600.0)
    assert 300.0 not in settable_limits(snapshot.gpus["h100-sxm"])
    for gpu in snapshot.gpus.values():
        for limit in settable_limits(gpu):
            assert 0.5 * gpu.tdp_w <= limit <= gpu.tdp_w
            assert limit >= (gpu.min_power_limit_w or 0.0)


def test_the_table_does_not_move_with_the_limit_that_was_asked_for(assessed):
    free, bound = (rows_of(assessed("W01", constraints__power_limit_w=w)) for w in (600.0, 450.0))
    assert free.keys() == bound.keys()
    for limit, row in free.items():
        assert bound[limit].speed == pytest.approx(row.speed)


def test_the_document_holds_the_rows_and_their_grade(assessed, snapshot):
    document = evaluate_document(assessed("W01"), snapshot)
    assert [row["limit_w"] for row in document["power_limits"]] == [300.0, 450.0, 600.0]
    assert {row["evidence"] for row in document["power_limits"]} == {"measured"}
    assert (
        document["power_limits"][0]["speed"]["low"] < document["power_limits"][0]["speed"]["best"]
    )


@pytest.mark.parametrize("case", ["W01", "W11"])
def test_a_feed_needs_the_rating_of_a_load_that_never_pauses(assessed, case):
    # NEC 210.20(A): a continuous load takes at most 80 % of its breaker.
    figures = chosen(assessed(case)).figures
    current, rating = (figures[key].value for key in ("feed_current_a", "circuit_rating_a"))
    assert rating == pytest.approx(current / 0.8)
    breaker = feed_of(figures["node_max_w"].value).breaker_a
    assert rating <= breaker
