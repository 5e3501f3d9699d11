from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.assess import assess
from kentino_desk.decision.decision_map import COARSE, Boundary, DecisionMap, Region, map_of
from kentino_desk.domain.workload_reading import read_workload
from kentino_desk.present.map_chart import NO_ANSWER, map_chart
from kentino_desk.present.map_picture import DOTS, picture
from kentino_desk.present.terms import build_name

CASES = Path(__file__).resolve().parents[2] / "worked_cases"
AXES = ("serving.concurrent_users", "serving.context_tokens")
SNAPSHOT = load_snapshot()
INPUTS = read_workload(tomllib.loads((CASES / "W01.toml").read_text("utf-8"))).without(
    ["serving.input_tokens"]
)
ASSESSMENT = assess(INPUTS, SNAPSHOT)
DRAWN = map_of(ASSESSMENT, AXES)
CHART = map_chart(DRAWN, ASSESSMENT, "en")


def test_the_title_names_the_build_of_the_verdict_and_how_far_it_reaches():
    assert CHART.title.startswith(build_name(ASSESSMENT.verdict.chosen.candidate.build))
    assert "about" in CHART.title
    assert CHART.title.endswith("at 8,192\u00a0tokens")


def test_each_dot_names_its_answer_and_lies_in_one_region():
    for row, exact in zip(CHART.cells, CHART.exact, strict=True):
        for region, place in zip(row, exact, strict=True):
            fill = CHART.regions[region].fill
            assert (CHART.answers[place] == "nothing fits") == (fill == NO_ANSWER)
    assert {item.fill for item in CHART.regions} >= {0, 1, 2, 3}


def test_the_dot_at_the_middle_of_a_cell_is_that_of_the_cell():
    xs, ys = np.log(DRAWN.x), np.log(DRAWN.y)
    for row, y in enumerate(ys):
        for column, x in enumerate(xs):
            dots = [
                round((at - ends[0]) / (ends[-1] - ends[0]) * (DOTS - 1))
                for at, ends in ((y, ys), (x, xs))
            ]
            found = {
                CHART.exact[min(max(dots[0] + up, 0), DOTS - 1)][
                    min(max(dots[1] + on, 0), DOTS - 1)
                ]
                for up in (-1, 0, 1)
                for on in (-1, 0, 1)
            }
            assert DRAWN.cells[row, column] in found


def test_a_line_stands_where_it_was_found_and_not_in_the_middle():
    regions = tuple(Region(outcome=None, build=None, nodes=count, replicas=0) for count in (1, 2))
    drawn = DecisionMap(
        x_key=AXES[0], y_key=AXES[1], x=(0.0, 1.0), y=(0.0, 1.0), regions=regions,
        cells=np.array([[0, 1], [0, 1]]), here=(0.0, 0.0),
        boundaries=(
            Boundary(across="x", row=0, column=0, at=0.25),
            Boundary(across="x", row=1, column=0, at=0.75),
        ),
    )  # fmt: skip
    dots = picture(drawn, x_is_log=False, y_is_log=False)
    for row, share in ((0, 0.25), (DOTS - 1, 0.75), (DOTS // 2, 0.5)):
        assert (dots[row] == 0).mean() == pytest.approx(share, abs=0.01)


def test_regions_are_ordered_by_size_so_that_colours_tell_more_from_less():
    fills = [item.fill for item in CHART.regions]
    assert fills == sorted(fills)


@pytest.mark.parametrize("language", ["en", "cs"])
def test_the_twin_holds_the_ends_with_the_largest_context_first(language):
    chart = map_chart(DRAWN, ASSESSMENT, language)
    head, *rows = chart.twin
    assert (len(head), len(rows)) == (9, 8)
    assert head[1].startswith("4\u00a0")
    lowest, highest = (
        float(row[0].split("\u00a0")[0].replace(",", "")) for row in (rows[-1], rows[0])
    )
    assert lowest < highest or language == "cs"
    assert all(len(row) == len(head) for row in rows)


def test_ticks_are_round_and_lie_between_the_ends():
    for axis in (CHART.x, CHART.y):
        assert 2 <= len(axis.ticks) <= 8
        assert all(axis.low <= tick <= axis.high for tick, _ in axis.ticks)
    assert [word for _, word in CHART.x.ticks] == ["4", "8", "16", "32", "64", "128", "256", "512"]
    shares = map_of(ASSESSMENT, ("serving.prompt_reuse", AXES[1]), COARSE)
    chart = map_chart(shares, ASSESSMENT, "en")
    assert not chart.x.is_log
    assert [word for _, word in chart.x.ticks][:2] == ["0", "20"]


def test_a_point_outside_is_not_drawn_and_said():
    chart = map_chart(replace(DRAWN, here=(4_000.0, 8192.0)), ASSESSMENT, "en")
    assert chart.point is None
    assert chart.title == "The customer's own values lie outside this map"


def test_a_point_whose_dot_holds_its_neighbours_answer_is_called_close():
    chart = map_chart(replace(DRAWN, here=(8.0, 8192.0)), ASSESSMENT, "en")
    assert "close to a line" in chart.title
