from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from kentino_desk.session.actions import PinCandidates, SetCustomerView, SetField, ShowScreen
from kentino_desk.session.state import Screen
from kentino_desk.ui.compare.model import CompareModel

CTRL = Qt.KeyboardModifier.ControlModifier
LONG = "Ředitelství velmi dlouhého zákazníka s mnoha slovy a pobočkami, a. s."


def model_of(window):
    return window.compare.table.model()


def titles(window):
    return [line.title for line in model_of(window).lines]


@pytest.fixture
def five(window, press):
    press(window, (Qt.Key.Key_3, CTRL))
    window.compare.pin_best.click()
    return window


def test_ctrl_3_shows_the_screen_and_an_empty_one_says_what_to_do(window, press):
    press(window, (Qt.Key.Key_3, CTRL))
    assert window.pages.currentWidget() is window.compare
    assert window.rail.buttons[Screen.COMPARE].isChecked()
    assert window.compare.is_empty
    assert "P on a card" in window.compare.empty_words.text()
    assert window.compare.pin_best.isVisible()


def test_p_pins_from_the_strip_and_two_pins_are_compared(window, press):
    cards = window.workload.strip.cards
    for card in cards[:2]:
        card.setFocus()
        press(window, Qt.Key.Key_P)
    assert window.bridge.session.state.pins == (cards[0].candidate.id, cards[1].candidate.id)
    press(window, (Qt.Key.Key_3, CTRL))
    assert not window.compare.is_empty
    assert model_of(window).columnCount() == 3
    assert model_of(window).head_at(0).chosen


def test_the_best_are_pinned_in_one_step_and_taken_back_in_one(five):
    assert len(five.bridge.session.state.pins) == 5
    assert model_of(five).columnCount() == 6
    five.actions_by_name["undo"].trigger()
    assert five.bridge.session.state.pins == ()
    assert five.compare.is_empty


def test_equal_rows_leave_on_demand(five):
    every = titles(five)
    five.compare.differences.click()
    fewer = titles(five)
    assert set(fewer) < set(every)
    assert "Price" in fewer
    assert "Memory grade" not in fewer
    table = five.compare.table
    heights = {
        table.rowHeight(place)
        for place, line in enumerate(model_of(five).lines)
        if line.row is not None and not line.is_note
    }
    assert len(heights) == 1
    five.compare.all_rows.click()
    assert titles(five) == every


def test_p_takes_the_pin_of_the_current_column_away(five, press):
    table = five.compare.table
    table.setFocus()
    table.setCurrentIndex(model_of(five).index(1, 2))
    gone = table.current_id
    press(five, Qt.Key.Key_P)
    assert gone not in five.bridge.session.state.pins
    assert len(five.bridge.session.state.pins) == 4
    assert model_of(five).columnCount() == 5


def test_enter_looks_at_the_build_of_the_column(five, press):
    table = five.compare.table
    table.setFocus()
    table.setCurrentIndex(model_of(five).index(1, 1))
    wanted = table.current_id
    press(five, Qt.Key.Key_Return)
    assert five.bridge.session.state.chosen == wanted
    assert five.pages.currentWidget() is five.workload


def test_a_cell_says_build_row_value_and_that_it_is_the_best(five):
    model = model_of(five)
    row = titles(five).index("Price")
    said = [
        model.data(model.index(row, column), Qt.ItemDataRole.AccessibleTextRole)
        for column in range(5)
    ]
    best = [text for text in said if ", best" in text]
    assert len(best) == 1
    assert all("Price: " in text for text in said)


def test_figures_follow_the_workload_while_the_screen_is_looked_at(five):
    model = model_of(five)
    row = next(n for n, title in enumerate(titles(five)) if title.startswith("Speed per user"))
    before = model.data(model.index(row, 0))
    five.bridge.dispatch(SetField("serving.concurrent_users", "30"))
    assert model_of(five).data(model.index(row, 0)) != before


def test_customer_view_hides_prices_and_the_cost_chart(five):
    five.bridge.dispatch(SetCustomerView(on=True))
    assert five.pages.currentWidget() is five.compare
    assert not any("Price" in title and "running" not in title for title in titles(five))
    assert not five.compare.side.cost.isVisible()
    cells = [
        model_of(five).data(model_of(five).index(row, column)) or ""
        for row in range(model_of(five).rowCount())
        for column in range(model_of(five).columnCount())
    ]
    assert not any("EUR" in cell for cell in cells)


def test_pins_of_builds_that_are_gone_leave_the_table_and_not_the_session(five):
    pins = five.bridge.session.state.pins
    five.bridge.dispatch(SetField("constraints.gpus", "rtx-5090"))
    assert five.bridge.session.state.pins == pins
    five.bridge.dispatch(PinCandidates(("no-such-build",)))
    assert five.compare.is_empty


def test_the_proposal_is_one_button_away(five):
    five.compare.side.propose.click()
    assert five.pages.currentWidget() is five.proposal


def test_the_chart_has_its_dots_and_its_table(five, press):
    plot = five.compare.side.plot
    assert len(plot.points) == len(plot.chart.points) >= 2
    plot.setFocus()
    assert five.compare.side.cost.twin.model().rowCount() == len(plot.chart.points)
    press(five, (Qt.Key.Key_T, CTRL))
    assert five.compare.side.cost.shows_twin


def test_f6_walks_through_the_panels(five, press):
    seen = set()
    for _ in range(6):
        press(five, Qt.Key.Key_F6)
        seen.add(five.focusWidget())
    assert {five.compare.table, five.compare.side.propose} <= seen


def test_the_screen_stands_at_the_smallest_window_and_with_a_long_customer(make, services):
    window = make(services, size=(800, 480))
    window.bridge.dispatch(ShowScreen(Screen.COMPARE))
    window.compare.pin_best.click()
    assert not window.compare.side.isVisible()
    assert window.compare.table.isVisible()


def test_without_figures_the_screen_says_so(make, services, tmp_path):
    file = Path(tmp_path / "w.toml")
    file.write_text('schema = 1\n[workload]\nkind = "chat"\nmodel = "none-such"\n', "utf-8")
    window = make(services, file)
    window.bridge.dispatch(ShowScreen(Screen.COMPARE))
    assert window.compare.is_empty
    assert "No figures yet" in window.compare.empty_words.text()
    assert not window.compare.pin_best.isVisible()


def test_the_model_keeps_the_rules_of_qt(window, qtmodeltester):
    model = CompareModel(window.look, window)
    qtmodeltester.check(model)
    window.bridge.dispatch(ShowScreen(Screen.COMPARE))
    window.compare.pin_best.click()
    qtmodeltester.check(model_of(window))


def row_of(window, title):
    return next(n for n, line in enumerate(model_of(window).lines) if line.title.startswith(title))


def test_f1_explains_the_figure_of_the_current_cell_over_the_table(five, press):
    table, panel = five.compare.table, five.why.panel
    table.setFocus()
    table.setCurrentIndex(model_of(five).index(row_of(five, "Power, maximum"), 1))
    press(five, Qt.Key.Key_F1)
    assert panel.isVisible()
    assert panel.parentWidget() is five.compare
    assert five.compare.rect().contains(panel.geometry())
    press(five, Qt.Key.Key_Escape)
    assert not panel.isVisible()
    assert table.hasFocus()


def test_f1_on_words_says_so_and_the_workload_screen_has_its_panel_back(five, press):
    table = five.compare.table
    table.setFocus()
    table.setCurrentIndex(model_of(five).index(row_of(five, "Layout"), 0))
    press(five, Qt.Key.Key_F1)
    assert not five.why.panel.isVisible()
    assert "words need no formula" in five.top_bar.message
    press(five, (Qt.Key.Key_2, CTRL))
    press(five, Qt.Key.Key_F1)
    assert five.why.panel.isVisible()
    assert five.why.panel.parentWidget() is five.workload
