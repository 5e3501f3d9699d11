from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from kentino_desk.domain.errors import CatalogError, InputError, StorageError
from kentino_desk.session.actions import ChooseCandidate, SetField, ShowTab
from kentino_desk.session.state import Tab
from kentino_desk.ui import start
from kentino_desk.ui.runner import Runner
from kentino_desk.ui.screenshots import take_screenshots
from kentino_desk.ui.services import Told

CTRL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


def test_arrows_step_through_the_points_of_a_chart_and_say_them(window, press):
    plot = window.workload.centre.memory_plot
    plot.setFocus()
    press(window, Qt.Key.Key_Home)
    assert plot.spoken.startswith("weights")
    assert plot.accessibleDescription() == plot.spoken
    press(window, Qt.Key.Key_Right)
    assert plot.spoken.startswith("KV cache")
    press(window, Qt.Key.Key_End)
    assert plot.spoken.startswith("free")
    window.workload.form.kind.setFocus()
    assert plot.spoken == ""


def move_mouse(plot, at):
    """A move as the window system sends it; the real cursor of a test machine may not move."""
    none = Qt.MouseButton.NoButton
    kind, keys = QEvent.Type.MouseMove, Qt.KeyboardModifier.NoModifier
    where = plot.viewport().mapToGlobal(at)
    QApplication.sendEvent(plot.viewport(), QMouseEvent(kind, at, where, none, none, keys))


def test_the_mouse_shows_the_nearest_point_within_reach(window):
    plot = window.workload.centre.efficiency_plot
    point = plot.points[0]
    move_mouse(plot, plot.pixel(point.x, point.y) + QPointF(3, 3))
    assert plot.spoken == point.text
    assert "%" in point.text
    move_mouse(plot, QPointF(plot.width() - 3, 3))
    assert plot.spoken == ""


def test_a_click_on_a_figure_explains_it(window, qtbot):
    line = window.workload.verdict.lines[1]
    qtbot.mouseClick(line, LEFT)
    assert window.why.panel.isVisible()
    assert line.explained
    qtbot.mouseClick(window.why.panel._close, LEFT)
    assert not window.why.panel.isVisible()
    assert not line.explained


def test_a_click_on_a_card_chooses_it_and_a_click_on_its_figure_explains_it(window, qtbot):
    card = window.workload.strip.cards[1]
    qtbot.mouseClick(card, LEFT)
    assert window.bridge.session.state.chosen == card.candidate.id
    assert card.selected
    qtbot.mouseClick(card, LEFT, pos=card._figure_box().center().toPoint())
    assert window.why.panel.view.key == "tokens_per_s_per_user"
    assert window.why.panel.view.value.startswith(card.candidate.figure)


def test_the_table_explains_its_figures_and_chooses_by_name(window, press, qtbot):
    window.bridge.dispatch(ShowTab(Tab.CANDIDATES))
    table = window.workload.centre.table
    table.setFocus()
    table.setCurrentIndex(table.model().index(1, 3))
    press(window, Qt.Key.Key_F1)
    assert window.why.panel.view.key == "users_held"
    press(window, Qt.Key.Key_Escape)
    table.setCurrentIndex(table.model().index(1, 0))
    wanted = table.current_id
    press(window, Qt.Key.Key_Return)
    assert window.bridge.session.state.chosen == wanted
    press(window, Qt.Key.Key_P)
    assert window.bridge.session.state.pins == (wanted,)
    where = table.visualRect(table.model().index(2, 4)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=where)
    assert window.why.panel.view.key == "ttft_s"


def test_every_explainable_cell_of_the_table_has_an_explanation(window):
    window.bridge.dispatch(ShowTab(Tab.CANDIDATES))
    table = window.workload.centre.table
    for column in range(table.model().columnCount()):
        table.setCurrentIndex(table.model().index(0, column))
        if table.ask_why():
            assert window.why.panel.isVisible(), column
            window.why.close()


def test_a_build_far_down_the_list_takes_a_place_in_the_strip_when_chosen(window):
    last = window.bridge.shown.build_ids[-1]
    window.bridge.dispatch(ChooseCandidate(last))
    assert window.workload.strip.selected_card.candidate.id == last
    assert len([card for card in window.workload.strip.cards if card.isVisible()]) == 5


def test_more_settings_unfold_and_a_choice_there_counts(window, qtbot):
    form = window.workload.form
    row = form.rows["workload.kv_cache"]
    assert row.isHidden()
    qtbot.mouseClick(form._fold, LEFT)
    assert row.isVisible()
    row.edit.chosen.emit("fp8")
    assert window.bridge.session.state.inputs.get("workload.kv_cache") == "fp8"
    qtbot.mouseClick(form._fold, LEFT)
    assert row.isHidden()


def test_a_small_window_shows_one_chart_at_a_time(make, services, qtbot):
    window = make(services, size=(960, 540))
    centre = window.workload.centre
    assert centre.memory.isVisible()
    assert not centre.efficiency.isVisible()
    qtbot.mouseClick(centre.other_chart, LEFT)
    assert centre.efficiency.isVisible()
    assert not centre.memory.isVisible()
    assert len([card for card in window.workload.strip.cards if card.isVisible()]) == 1


def test_a_narrow_window_has_the_questions_as_a_tab_and_a_wide_one_beside(make, services):
    window = make(services, size=(1100, 700))
    page = window.workload
    window.bridge.dispatch(ShowTab(Tab.QUESTIONS))
    assert page.questions.isVisible()
    assert page.centre.isAncestorOf(page.questions)
    window.resize(1440, 900)
    QApplication.processEvents()
    assert page.questions.isVisible()
    assert page.questions.parentWidget() is page


@pytest.mark.parametrize("size", [(1920, 1080), (1440, 900), (1280, 720), (1100, 700), (960, 540)])
def test_what_is_on_the_screen_is_inside_it(make, services, size):
    window = make(services, size=size)
    page = window.workload
    for part in (page.centre, page.strip, page.bar, page.verdict, page.questions):
        if part.isVisible() and part.parentWidget() is page:
            assert page.rect().contains(part.geometry()), part.accessibleName()
    for row in page.form.rows.values():
        if row.isVisible():
            right = row.edit.mapTo(page.form, row.edit.rect().topRight()).x()
            assert right <= page.form.width() - 8, row.row.key


def test_nothing_moves_while_a_number_grows(window):
    def places():
        page = window.workload
        return [
            part.geometry()
            for part in (page.verdict, page.questions, page.strip, *page.verdict.lines)
        ]

    before = places()
    for text in ("4", "48", "480", "4800"):
        window.bridge.dispatch(SetField("serving.concurrent_users", text))
        QApplication.processEvents()
        assert places() == before


def test_a_catalog_that_is_refused_blocks_figures_and_says_how_to_mend_it(monkeypatch, tmp_path):
    def refuse(_own):
        raise CatalogError("catalog.db is not the one this program was made with.")

    monkeypatch.setattr(start, "load_with_own_models", refuse)
    services = start.make_services(tmp_path)
    assert services.snapshot is None
    assert "kentino-desk catalog build" in services.blocked
    with pytest.raises(CatalogError):
        services.write_proposal(None, tmp_path / "p.pdf", "cs", Told())


def test_a_job_that_fails_ends_with_a_sentence_and_not_the_program(application, qtbot, caplog):
    runner = Runner()

    def bug(_stop):
        raise ZeroDivisionError

    def trouble(_stop):
        raise StorageError("the disk is full.")

    for job, words in ((bug, "program failed"), (trouble, "disk is full")):
        with qtbot.waitSignal(runner.finished) as caught:
            runner.submit(job)
        assert words in caught.args[0].problem
    assert "a job failed" in caplog.text
    assert not runner.is_busy
    runner.close()


def test_a_job_that_was_stopped_before_it_began_has_no_value(window, qtbot):
    from kentino_desk.ui.proposal.jobs import preview_job  # noqa: PLC0415
    from kentino_desk.ui.proposal.page import order_of  # noqa: PLC0415

    job = preview_job(window.services.write_proposal, order_of(window.bridge.shown))
    with qtbot.waitSignal(window.runner.finished) as caught:
        ticket = window.runner.submit(job)
        window.runner.stop(ticket)
    assert caught.args[0].value is None


def test_pictures_in_an_unknown_theme_or_an_impossible_folder_are_refused(application, tmp_path):
    with pytest.raises(InputError, match="light, dark"):
        take_screenshots(tmp_path, theme="blue")
    (tmp_path / "file").touch()
    with pytest.raises(StorageError):
        take_screenshots(tmp_path / "file" / "x")


def test_a_chosen_build_stays_chosen_while_the_users_change(window):
    second = window.bridge.shown.build_ids[1]
    window.bridge.dispatch(ChooseCandidate(second))
    window.bridge.dispatch(SetField("serving.concurrent_users", "40"))
    assert window.bridge.shown.result.candidate.id == second


def test_customer_view_hides_reasons_that_name_a_price(window, press):
    card = window.workload.strip.cards[0]
    item = replace(card.candidate, reason="Passes, costs 1\u00a0000\u00a0EUR more")
    card.show_candidate(item, selected=False, pinned=False, hides_price=True)
    assert "EUR" not in card.accessibleName()
    assert "EUR" not in card.toolTip()
