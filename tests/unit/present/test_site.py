from __future__ import annotations

import pytest

from kentino_desk.present.site import feed_of


@pytest.mark.parametrize(
    ("power_w", "phases", "one_a", "breaker_a"),
    [
        (6_614.0, 3, 9.546, 16),
        (9_500.0, 3, 13.712, 32),
        (680.0, 1, 2.957, 16),
        (3_599.0, 1, 15.65, 32),
    ],
)
def test_one_feed_carries_everything_when_the_other_is_lost(power_w, phases, one_a, breaker_a):
    feed = feed_of(power_w)
    assert feed.phases == phases
    assert feed.one_a == pytest.approx(one_a, abs=0.01)
    assert feed.both_a == pytest.approx(one_a / 2, abs=0.01)
    assert feed.breaker_a == breaker_a


def test_three_phases_begin_at_3600_w():
    assert feed_of(3_599.9).phases == 1
    assert feed_of(3_600.0).phases == 3


def test_a_load_above_every_breaker_says_so():
    assert feed_of(200_000.0).breaker_a is None
