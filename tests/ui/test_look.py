from __future__ import annotations

from itertools import pairwise

import pytest

from kentino_desk.session.state import Theme
from kentino_desk.ui.charts.geometry import (
    Span,
    bar_spans,
    crosses,
    group_spans,
    round_ticks,
    spread,
)
from kentino_desk.ui.fonts import font, metrics
from kentino_desk.ui.layout import density_for, place_workload
from kentino_desk.ui.look import Look
from kentino_desk.ui.painting import lines_of
from kentino_desk.ui.screenshots import take_screenshots
from kentino_desk.ui.theme import DARK, LIGHT, style_sheet


def luminance(code):
    parts = [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["text", "text2", "accent", "good", "warn", "bad"])
def test_text_colours_have_contrast_on_panels_and_on_the_window(tokens, name):
    code = getattr(tokens, name)
    assert contrast(code, tokens.panel) >= 4.5
    assert contrast(code, tokens.bg) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_series_colours_can_be_read_as_names_of_lines(tokens):
    for number in range(7):
        assert contrast(tokens.series(number), tokens.panel) >= 4.45


@pytest.mark.parametrize("theme", list(Theme))
def test_the_style_sheet_has_no_place_left_unfilled(theme):
    assert "$" not in style_sheet(theme)


def test_digits_have_one_width_and_both_weights_are_loaded(application):
    for strong in (False, True):
        widths = {metrics(14, strong=strong).horizontalAdvance(digit) for digit in "0123456789"}
        assert len(widths) == 1
    regular = metrics(14).horizontalAdvance("Žluťoučký Łódź Щёлк")
    assert metrics(14, strong=True).horizontalAdvance("Žluťoučký Łódź Щёлк") > regular
    assert font(20, strong=True).pixelSize() == 20


@pytest.mark.parametrize(
    ("size", "form", "right", "compact"),
    [
        ((1920, 1080), 320, 384, False),
        ((1440, 900), 288, 336, False),
        ((1280, 720), 248, 296, True),
        ((1440, 720), 248, 296, True),
        ((1100, 700), 248, 0, True),
        ((960, 540), 264, 0, True),
    ],
)
def test_widths_are_those_of_the_design(size, form, right, compact):
    density = density_for(*size)
    assert (density.form, density.right, density.compact) == (form, right, compact)


@pytest.mark.parametrize("size", [(1920, 1080), (1440, 900), (1280, 720), (1100, 700), (960, 540)])
def test_parts_of_the_workload_screen_never_overlap(size):
    density = density_for(*size)
    places = place_workload(size[0] - density.rail, size[1] - 48, density)
    boxes = [box for box in (places.centre, places.strip, places.right, places.bar) if box]
    if not density.form_is_drawer:
        boxes.append(places.form)
    for index, a in enumerate(boxes):
        assert a.w > 0
        assert a.h > 0
        for b in boxes[index + 1 :]:
            apart = a.x + a.w <= b.x or b.x + b.w <= a.x or a.y + a.h <= b.y or b.y + b.h <= a.y
            assert apart, (a, b)


def test_bars_have_the_widths_and_gaps_of_the_design():
    spans = bar_spans(["a", "a", "b", "b"], 476)
    assert all(span.width == 44 for span in spans)
    assert spans[1].left - spans[0].left == 50
    assert spans[2].left - spans[1].left == 72
    groups = group_spans(["a", "a", "b", "b"], spans)
    assert groups[0] == ("a", Span(spans[0].left, 94))


@pytest.mark.parametrize("count", [1, 8, 16, 64])
def test_bars_stay_inside_the_chart(count):
    spans = bar_spans([str(i // 2) for i in range(count)], 400)
    assert spans[0].left >= 0
    assert spans[-1].left + spans[-1].width <= 400
    assert all(a.left + a.width <= b.left for a, b in pairwise(spans))
    assert bar_spans([], 400) == ()


def test_axis_numbers_are_round_and_reach_the_top():
    assert round_ticks(95.6) == (0, 25, 50, 75, 100)
    assert round_ticks(31.8) == (0, 10, 20, 30, 40)
    assert round_ticks(187.2)[-1] == 200


def test_names_keep_their_distance_and_stay_inside():
    placed = spread([100, 101, 102, 20], 8, 110)
    ordered = sorted(placed)
    assert all(b - a >= 15 - 1e-9 for a, b in pairwise(ordered))
    assert ordered[-1] <= 110
    assert placed[3] == 20


def test_a_line_crosses_a_box_only_where_it_runs_through_it():
    box = (10, 10, 20, 20)
    assert crosses((0, 0), (30, 30), box)
    assert not crosses((0, 0), (9, 9), box)
    assert not crosses((0, 30), (30, 25), box)
    assert crosses((15, 12), (16, 15), box)


def test_a_long_text_ends_with_an_ellipsis_on_its_last_line(application):
    lines = lines_of("one two three four five six seven eight nine ten", 80, 14, 2)
    assert len(lines) == 2
    assert lines[1].endswith("…")
    assert lines_of("short", 80, 14, 2) == ("short",)


def test_icons_take_the_colour_of_the_theme(application):
    look = Look()
    light = look.pixmap("undo").toImage()
    look.set_theme(Theme.DARK)
    assert look.pixmap("undo").toImage() != light


def test_screenshots_show_every_screen_at_the_size_asked_for(application, tmp_path):
    from PySide6.QtGui import QImage  # noqa: PLC0415

    paths = take_screenshots(tmp_path / "new", theme="dark", size=(1280, 720), language="en")
    assert [path.stem for path in paths] == [
        "workload",
        "candidates",
        "decision-map",
        "compare-empty",
        "compare",
        "why",
        "customer-view",
        "proposal",
        "catalog",
        "catalog-import",
    ]
    images = [QImage(str(path)) for path in paths]
    assert all((image.width(), image.height()) == (1280, 720) for image in images)
    assert len({path.read_bytes() for path in paths}) == len(paths)
