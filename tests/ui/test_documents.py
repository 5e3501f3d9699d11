from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from kentino_desk.session.catalog_in_use import CatalogInUse
from kentino_desk.store.last_state import load_last
from kentino_desk.store.workload_file import load_workload

CTRL = Qt.KeyboardModifier.ControlModifier
USERS = "serving.concurrent_users"


def type_users(window, press, text):
    edit = window.workload.form.rows[USERS].edit
    edit.setFocus()
    edit.selectAll()
    press(window, text)


def test_save_asks_once_and_then_writes_the_same_file(window, press, answers, tmp_path):
    answers.to_save = tmp_path / "w.toml"
    press(window, (Qt.Key.Key_S, CTRL))
    assert load_workload(answers.to_save).get(USERS) == 48
    type_users(window, press, "77")
    press(window, (Qt.Key.Key_S, CTRL))
    assert load_workload(answers.to_save).get(USERS) == 77
    assert len(answers.suggested) == 1
    assert not window.bridge.session.state.has_unsaved_changes


def test_a_file_changed_by_something_else_is_not_overwritten(window, press, answers, tmp_path):
    answers.to_save = tmp_path / "w.toml"
    press(window, (Qt.Key.Key_S, CTRL))
    (tmp_path / "w.toml").write_text("changed")
    answers.to_save = None
    press(window, (Qt.Key.Key_S, CTRL))
    assert (tmp_path / "w.toml").read_text() == "changed"
    assert "changed by something else" in window.top_bar.message


def test_open_shows_the_file_and_keeps_unsaved_work_aside(
    window, press, answers, tmp_path, services
):
    type_users(window, press, "77")
    answers.to_open = tmp_path / "other.toml"
    answers.to_open.write_text(
        'schema = 1\n[workload]\nkind = "chat"\nmodel = "llama-3.1-8b"\n', encoding="utf-8"
    )
    press(window, (Qt.Key.Key_O, CTRL))
    assert window.bridge.session.state.model == "llama-3.1-8b"
    assert load_workload(services.state_folder / "before-open.toml").get(USERS) == 77
    assert window.bridge.session.history.undo_action is None


def test_a_bad_file_is_told_in_the_bar_and_changes_nothing(window, press, answers, tmp_path):
    answers.to_open = tmp_path / "bad.toml"
    answers.to_open.write_bytes(b"")
    press(window, (Qt.Key.Key_O, CTRL))
    assert "bad.toml: the file is empty" in window.top_bar.message
    assert window.bridge.session.state.model == "llama-3.3-70b"


def test_the_last_state_is_written_at_close_and_opened_at_the_next_start(
    make, services, press, qtbot
):
    first = make(services)
    type_users(first, press, "77")
    first.close()
    assert load_last(services.state_folder).get(USERS) == 77
    second = make(services)
    assert second.bridge.session.state.inputs.get(USERS) == 77


def test_typing_is_kept_within_two_seconds_without_closing(window, press, qtbot, services):
    type_users(window, press, "77")
    path = services.state_folder / "last.toml"
    qtbot.waitUntil(lambda: path.exists() and load_last(path.parent).get(USERS) == 77, timeout=2500)


def test_a_damaged_last_state_is_told_and_the_window_opens(make, services):
    services.state_folder.mkdir(parents=True)
    (services.state_folder / "last.toml").write_bytes(b"\0")
    window = make(services)
    assert "kept as last.toml.bad" in window.top_bar.message
    assert window.bridge.shown.view.verdict.title == "Choose a model"


def test_a_refused_catalog_opens_the_window_with_figures_blocked(make, services, press):
    refused = CatalogInUse(None, services.state_folder, "The catalog was changed. Mend it with: x")
    blocked = replace(services, catalog=refused)
    window = make(blocked)
    verdict = window.bridge.shown.view.verdict
    assert verdict.title == "Figures are blocked"
    assert "Mend it with" in window.workload.verdict.head.accessibleName()
    assert window.bridge.shown.memory is None
    assert not window.top_bar.export.isEnabled()
    press(window, (Qt.Key.Key_E, CTRL))
    assert "Nothing to export" in window.top_bar.message
    type_users(window, press, "77")
    assert window.bridge.session.state.inputs.get(USERS) == 77


def test_export_to_a_place_that_cannot_be_written_is_told(window, press, answers, qtbot, tmp_path):
    answers.to_save = tmp_path / "missing" / "p.pdf"
    with qtbot.waitSignal(window.runner.finished, timeout=30_000):
        press(window, (Qt.Key.Key_E, CTRL))
    assert "cannot be written" in window.top_bar.message
