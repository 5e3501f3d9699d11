from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from kentino_desk.session.actions import SetField, SetMapAxes, ShowTab
from kentino_desk.session.state import Tab
from kentino_desk.ui.workload.map_jobs import Drawn
from kentino_desk.ui.workload.map_panel import LAST_STEP

CTRL = Qt.KeyboardModifier.ControlModifier


def is_last(end):
    return isinstance(end.value, Drawn) and end.value.step == LAST_STEP


@pytest.fixture
def wait_for_map(window, qtbot):
    def wait(act):
        with qtbot.waitSignal(
            window.runner.finished, timeout=60_000, check_params_cb=is_last
        ) as caught:
            act()
        return caught.args[0].value

    return wait


@pytest.fixture
def panel(window, wait_for_map):
    wait_for_map(lambda: window.bridge.dispatch(ShowTab(Tab.MAP)))
    return window.workload.centre.map


def test_the_tab_draws_coarse_then_fine_and_says_when_it_is_done(window, qtbot):
    steps = []
    window.runner.finished.connect(lambda end: steps.append(end.value.step))
    with qtbot.waitSignal(window.runner.finished, timeout=60_000, check_params_cb=is_last):
        window.workload.centre.tabs[Tab.MAP].click()
    panel = window.workload.centre.map
    assert steps == list(range(LAST_STEP + 1))
    assert not panel.is_busy
    assert panel.plot.chart.point == (48.0, 8192.0)
    assert "1\u00a0×\u00a08 RTX PRO 6000 Server" in panel.plot.chart.title
    assert panel.plot.accessibleName() == panel.plot.chart.title


def test_a_change_of_the_workload_draws_another_map_and_keeps_the_old_one_meanwhile(
    window, panel, wait_for_map
):
    before = panel.plot.chart
    drawn = wait_for_map(lambda: _type_users(window, panel, before))
    assert panel.plot.chart is drawn.chart
    assert drawn.chart.point == (96.0, 8192.0)


def _type_users(window, panel, before):
    window.bridge.dispatch(SetField("serving.concurrent_users", "96"))
    assert panel.is_busy
    assert panel.plot.chart is before


def test_a_map_of_older_inputs_is_dropped(window, panel, wait_for_map):
    def change_twice():
        window.bridge.dispatch(SetField("serving.concurrent_users", "96"))
        panel._on_timer_timeout()
        window.bridge.dispatch(SetField("serving.concurrent_users", "24"))

    shown = []
    panel.plot.redraw, original = (
        lambda *args: (shown.append(panel.plot.chart.point), original(*args)),
        panel.plot.redraw,
    )
    wait_for_map(change_twice)
    assert (96.0, 8192.0) not in shown
    assert panel.plot.chart.point == (24.0, 8192.0)


def test_a_refused_entry_keeps_the_map(window, panel):
    before = panel.plot.chart
    window.bridge.dispatch(SetField("serving.context_tokens", "500000"))
    assert panel.plot.chart is before
    assert not panel.is_busy


def test_other_axes_are_chosen_and_the_same_one_swaps(window, panel, wait_for_map):
    reuse = panel.up.findData("serving.prompt_reuse")

    def choose():
        panel.up.setCurrentIndex(reuse)
        panel.up.activated.emit(reuse)

    drawn = wait_for_map(choose)
    assert drawn.order.axes == ("serving.concurrent_users", "serving.prompt_reuse")
    assert not drawn.chart.y.is_log
    wait_for_map(
        lambda: window.bridge.dispatch(
            SetMapAxes("serving.prompt_reuse", "serving.concurrent_users")
        )
    )
    assert panel.across.currentData() == "serving.prompt_reuse"


def test_arrows_move_from_the_customers_point_and_the_words_follow(window, panel, press):
    plot = panel.plot
    plot.setFocus()
    press(window, Qt.Key.Key_Right)
    first = plot.spoken
    assert first.partition(":")[0].endswith("tokens")
    press(window, Qt.Key.Key_Up)
    assert plot.spoken != first
    press(window, *[Qt.Key.Key_Up] * 60)
    assert plot.spoken.endswith("nothing fits")
    assert plot.accessibleDescription() == plot.spoken


def move_mouse(plot, at):
    none = Qt.MouseButton.NoButton
    kind, keys = QEvent.Type.MouseMove, Qt.KeyboardModifier.NoModifier
    where = plot.viewport().mapToGlobal(at)
    QApplication.sendEvent(plot.viewport(), QMouseEvent(kind, at, where, none, none, keys))


def test_the_mouse_reads_the_cell_under_it(panel):
    plot = panel.plot
    move_mouse(plot, QPointF(plot.area.left() + 1, plot.area.bottom() - 1))
    assert plot.current == 0
    assert plot.spoken.startswith("4\u00a0users, ")
    move_mouse(plot, QPointF(2, 2))
    assert plot.current == -1


def test_the_map_turns_into_a_table(window, panel, press):
    press(window, (Qt.Key.Key_T, CTRL))
    assert panel.frame.shows_twin
    model = panel.frame.twin.model()
    assert model.rowCount() == 8
    press(window, (Qt.Key.Key_T, CTRL))
    assert not panel.frame.shows_twin


def test_without_a_model_there_is_nothing_to_draw(window, press):
    press(window, (Qt.Key.Key_N, CTRL))
    window.bridge.dispatch(ShowTab(Tab.MAP))
    panel = window.workload.centre.map
    assert panel.plot.chart is None
    assert not panel.is_busy
