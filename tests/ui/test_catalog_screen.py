from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from kentino_desk.catalog.model_config.json_text import LIMIT_BYTES
from kentino_desk.catalog.places import CATALOG_PATH
from kentino_desk.domain.errors import CatalogError
from kentino_desk.present.views import Tone
from kentino_desk.session.actions import SetModel
from kentino_desk.session.catalog_in_use import CatalogInUse
from kentino_desk.session.own_models import load_with_own_models
from kentino_desk.session.state import Screen
from kentino_desk.store.model_overlay import load_overlay
from kentino_desk.ui.catalog import page as page_module
from kentino_desk.ui.catalog.fact_list import FactModel
from kentino_desk.ui.catalog.row_table import CatalogModel
from kentino_desk.ui.look import Look
from kentino_desk.ui.start import make_services, open_catalog

CTRL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
CONFIG = {
    "model_type": "llama",
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "num_hidden_layers": 16,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "max_position_embeddings": 131072,
    "vocab_size": 128256,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
}


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "Zebra-1B.json"
    path.write_text(json.dumps(CONFIG), "utf-8")
    return path


@pytest.fixture
def opened(window, press):
    press(window, (Qt.Key.Key_6, CTRL))
    return window.catalog


def copy(text):
    QApplication.clipboard().setText(text)


def drop(page, content):
    where, action = QPoint(400, 300), Qt.DropAction.CopyAction
    held = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(where, action, content, LEFT, held)
    QApplication.sendEvent(page, enter)
    assert enter.isAccepted()
    event = QDropEvent(QPointF(where), action, content, LEFT, held)
    QApplication.sendEvent(page, event)
    return event


def names(page):
    model = page.list.table.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def fields(page):
    model = page.detail.facts.model()
    role = Qt.ItemDataRole.AccessibleTextRole
    return [model.index(row, 0).data(role) for row in range(model.rowCount())]


def lines_read(page):
    model = page.importing.facts.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def choose_table(page, press, window, title):
    page.tables.tables.setFocus()
    for _ in range(6):
        if page.tables.tables.currentItem().text().startswith(title):
            return
        press(window, Qt.Key.Key_Down)
    raise AssertionError(title)


def test_ctrl_6_shows_the_tables_with_their_counts(window, opened):
    assert window.bridge.session.state.view.screen is Screen.CATALOG
    assert window.pages.currentWidget() is opened
    tables = opened.tables.tables
    said = [tables.item(row).text() for row in range(tables.count())]
    titles = ["GPUs", "Nodes", "Fabrics", "Links", "Models", "Prices"]
    assert [line.partition(",")[0] for line in said] == titles
    assert said[4] == f"Models, {len(window.services.snapshot.models)}"
    assert window.focusWidget() is opened.list.filter


def test_typing_filters_by_name_and_id_and_the_arrows_choose(window, opened, press):
    press(window, "pro 6000 server")
    assert names(opened) == ["RTX PRO 6000 Server"]
    assert opened.detail.title.text() == "RTX PRO 6000 Blackwell Server Edition"
    assert opened.list._count.text().endswith("1 of 56")
    press(window, Qt.Key.Key_Escape)
    assert opened.list.filter.text() == ""
    press(window, "h100-sxm", Qt.Key.Key_Down)
    assert opened.list.table.currentIndex().row() == 1
    assert opened.detail.title.text() == names(opened)[1] == "H100 SXM5 80 GB"


def test_each_field_of_the_detail_has_value_source_date_and_grade(window, opened, press):
    press(window, "a10g")
    said = fields(opened)
    assert (
        "Memory bandwidth, 600\u00a0GB/s, recalled, no source read · 2026-12-02, "
        "estimate, unverified"
    ) in said
    assert "FP8 dense, not known" in said
    assert opened.detail.warning.isVisible()
    press(window, Qt.Key.Key_Escape, "h100 pcie")
    vendor = next(line for line in fields(opened) if line.startswith("Memory bandwidth"))
    assert vendor.endswith(", vendor")
    assert "https://" in vendor
    assert not opened.detail.warning.isVisible()


def test_a_filter_that_leaves_nothing_says_what_to_do(window, opened, press):
    press(window, "zzz")
    assert opened.list.empty.isVisible()
    assert "Esc clears the filter" in opened.list.empty.text()
    assert fields(opened) == []
    choose_table(opened, press, window, "Models")
    opened.list.filter.setFocus()
    press(window, "zzz")
    assert "config.json (Ctrl+I)" in opened.list.empty.text()
    press(window, Qt.Key.Key_Escape)
    assert not opened.list.empty.isVisible()


def test_each_table_keeps_its_own_filter_and_fills_list_and_detail(window, opened, press):
    press(window, "l40")
    for title in ("Nodes", "Fabrics", "Links", "Models", "Prices"):
        choose_table(opened, press, window, title)
        assert opened.list.filter.text() == ""
        assert len(names(opened)) == len(opened._lists[opened.table].rows) > 0
        assert fields(opened)
    opened.tables.choose("gpus")
    assert opened.list.filter.text() == "l40"


def test_models_that_cannot_be_sized_say_why(window, opened, press):
    opened.tables.choose("models")
    press(window, "command a+")
    model = opened.list.table.model()
    shown = [model.index(0, column).data() for column in range(model.columnCount())]
    assert "no layers known" in shown
    assert opened.detail.warning.text() == (
        "Cannot be sized yet: only the parameter count is known."
    )


def test_prices_are_marked_as_a_sample(opened):
    opened.tables.choose("price_lines")
    assert "SAMPLE" in opened.detail.warning.text()
    assert all(line.endswith("SAMPLE") for line in fields(opened))


def test_a_file_is_read_named_added_and_sized_without_a_mouse(
    window, press, qtbot, answers, config, services
):
    shipped = CATALOG_PATH.read_bytes()
    before = services.snapshot
    answers.to_import = config
    press(window, (Qt.Key.Key_I, CTRL))
    page = window.catalog
    assert page.importing.isVisible()
    assert window.focusWidget() is page.importing.open
    press(window, Qt.Key.Key_Space)
    assert page.importing.source.accessibleName() == (
        f"Zebra-1B.json · {config.stat().st_size}\u00a0B"
    )
    assert "Parameters: 1,235,814,400" in lines_read(page)
    assert (Tone.GOOD, "Nothing had to be assumed.") in page.importing.findings.sentences
    assert window.focusWidget() is page.importing.name
    press(window, "Zebra One")
    with qtbot.waitSignal(window.bridge.catalog_changed):
        press(window, Qt.Key.Key_Return)

    assert window.top_bar.message.startswith("Added Zebra One")
    assert window.focusWidget() is page.list.table
    assert names(page)[0] == "Zebra One · own"
    assert page.detail.subtitle.accessibleName() == "zebra-one · one of your models"
    assert page.tables.tables.item(4).text().endswith(" + 1 own")
    assert page.importer.draft is None
    assert CATALOG_PATH.read_bytes() == shipped
    assert "zebra-one" not in before.models

    press(window, (Qt.Key.Key_K, CTRL))
    qtbot.keyClicks(window.workload.form.model, "zeb")
    qtbot.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_Return)
    evaluated = window.bridge.shown.moment.evaluated
    assert not evaluated.is_stale
    assert evaluated.assessment.model.id == "zebra-one"
    assert evaluated.assessment.best_per_build
    assert window.workload.form.model.text() == "Zebra One"


def test_an_added_model_is_there_at_the_next_start(window, opened, press, config, tmp_path):
    opened.importer.take_file(config)
    opened.importer.add()
    assert [card.id for card in load_overlay(tmp_path / "own")] == ["zebra-1b"]
    snapshot, problems = load_with_own_models(tmp_path / "own")
    assert problems == ()
    assert "zebra-1b" in snapshot.models


def test_a_workload_that_waits_for_the_model_gets_its_figures(window, opened, config):
    window.bridge.dispatch(SetModel("zebra-1b"))
    assert window.bridge.shown.moment.evaluated.refusal is not None
    opened.importer.take_file(config)
    opened.importer.add()
    evaluated = window.bridge.shown.moment.evaluated
    assert evaluated.refusal is None
    assert evaluated.assessment.model.id == "zebra-1b"


def test_a_dropped_file_opens_the_importer(opened, config):
    assert not opened.importing.isVisible()
    content = QMimeData()
    content.setUrls([QUrl.fromLocalFile(str(config))])
    assert drop(opened, content).isAccepted()
    assert opened.importing.isVisible()
    assert opened.importer.draft.source == "Zebra-1B.json"
    assert opened.importing.name.text() == "Zebra-1B"
    assert opened.importing.add.isEnabled()


def test_dropped_text_is_read_as_pasted_text(opened):
    content = QMimeData()
    content.setText(json.dumps(CONFIG))
    drop(opened, content)
    assert opened.importing.source.accessibleName().startswith("pasted text")
    assert opened.importer.draft.model.layers == 16


def test_pasted_json_reaches_the_importer_from_the_list_and_from_the_filter(window, opened, press):
    for widget in (opened.list.table, opened.list.filter, opened.tables.tables):
        opened.importing.hide()
        copy(json.dumps(CONFIG | {"_name_or_path": "acme/Zebra-9"}))
        widget.setFocus()
        press(window, (Qt.Key.Key_V, CTRL))
        assert opened.importing.isVisible(), widget.accessibleName()
        assert opened.importing.name.text() == "Zebra-9"
        assert opened.list.filter.text() == ""
        opened.importer._show(None)


def test_a_pasted_word_goes_into_the_filter(window, opened, press):
    copy("l40s")
    press(window, (Qt.Key.Key_V, CTRL))
    assert opened.list.filter.text() == "l40s"
    assert not opened.importing.isVisible()


def test_an_empty_clipboard_is_told(window, opened, press):
    copy("")
    opened.list.table.setFocus()
    press(window, (Qt.Key.Key_V, CTRL))
    assert "clipboard holds no text" in window.top_bar.message


def test_a_refusal_names_the_field_and_loses_nothing(window, opened, press):
    copy(json.dumps(CONFIG | {"hidden_size": None}))
    opened.list.table.setFocus()
    press(window, (Qt.Key.Key_V, CTRL))
    importing = opened.importing
    assert importing.message.isVisible()
    assert "hidden_size" in importing.message.text()
    assert '"num_hidden_layers": 16' in importing.text.toPlainText()
    assert not importing.add.isEnabled()
    importing.paste.setFocus()
    press(window, Qt.Key.Key_Escape)
    assert not importing.isVisible()
    press(window, (Qt.Key.Key_I, CTRL))
    assert "hidden_size" in importing.message.text()


def test_a_name_that_is_taken_is_refused_with_the_sentence_until_it_is_another(
    window, opened, press, config
):
    opened.open_importer()
    opened.importer.take_file(config)
    press(window, "Llama 3.1 8B", Qt.Key.Key_Return)
    importing = opened.importing
    assert "is a model of the catalog already" in importing.name_message.text()
    assert importing.name.property("state") == "invalid"
    assert not importing.add.isEnabled()
    assert importing.name.text() == "Llama 3.1 8B"
    importing.name.selectAll()
    press(window, Qt.Key.Key_Delete)
    assert importing.name_message.text() == "Give the model a name."
    press(window, "Mine")
    assert not importing.name_message.isVisible()
    assert importing.add.isEnabled()


def test_assumptions_stand_before_the_button_with_their_reason(opened):
    bare = {key: value for key, value in CONFIG.items() if key != "tie_word_embeddings"}
    opened.importer.take_text(json.dumps(bare))
    tone, sentence = opened.importing.findings.sentences[0]
    assert tone is Tone.WARN
    assert sentence.startswith("Assumed: tie_word_embeddings is ")
    assert "Assumed" in lines_read(opened)
    assert opened.importing.name_message.text() == "Give the model a name."


def test_a_file_above_the_limit_is_refused_before_it_is_read(opened, tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(LIMIT_BYTES + 1)
    opened.importer.take_file(path)
    assert "too large" in opened.importing.message.text()
    assert opened.importer.draft.data == b""


def test_a_folder_that_cannot_be_written_keeps_the_draft(window, opened, config, tmp_path):
    (tmp_path / "own").touch()
    opened.open_importer()
    opened.importer.take_file(config)
    opened.importing.add.click()
    assert "cannot be" in opened.importing.name_message.text()
    assert opened.importing.name.text() == "Zebra-1B"
    assert "zebra-1b" not in window.services.snapshot.models


def test_the_catalog_is_not_for_the_customers_eyes(window, opened, press):
    press(window, Qt.Key.Key_F9)
    assert window.bridge.session.state.view.screen is Screen.WORKLOAD
    assert not window.rail.buttons[Screen.CATALOG].isVisible()
    press(window, (Qt.Key.Key_6, CTRL))
    assert window.bridge.session.state.view.screen is Screen.WORKLOAD
    assert "holds prices" in window.top_bar.message
    press(window, (Qt.Key.Key_I, CTRL))
    assert window.bridge.session.state.view.screen is Screen.WORKLOAD
    press(window, Qt.Key.Key_F9, (Qt.Key.Key_6, CTRL))
    assert window.catalog.isVisible()


@pytest.mark.parametrize("key", [Qt.Key.Key_5, Qt.Key.Key_6], ids=["proposal", "catalog"])
def test_why_away_from_the_workload_opens_nothing_that_cannot_be_seen(window, press, key):
    press(window, (key, CTRL))
    before = window.focusWidget()
    press(window, Qt.Key.Key_F1)
    assert "Ctrl+2" in window.top_bar.message
    assert window.focusWidget() is before
    press(window, (Qt.Key.Key_2, CTRL))
    assert not window.why.panel.isVisible()


def test_a_refused_catalog_is_said_and_nothing_can_be_added(
    make, press, tmp_path, monkeypatch, config
):
    def refuse():
        raise CatalogError("catalog.db was changed.")

    monkeypatch.setattr(page_module, "read_records", refuse)
    services = make_services(tmp_path / "state", CatalogInUse(None, tmp_path, "It was changed."))
    window = make(services)
    press(window, (Qt.Key.Key_6, CTRL))
    assert window.catalog.list.empty.text() == "catalog.db was changed."
    window.catalog.open_importer()
    window.catalog.importer.take_file(config)
    assert window.catalog.importing.name_message.text() == "It was changed."
    assert not window.catalog.importing.add.isEnabled()


def test_a_damaged_file_of_own_models_does_not_close_the_catalog(tmp_path):
    (tmp_path / "models.json").write_bytes(b"{")
    assert open_catalog(tmp_path).snapshot is not None


def test_f6_goes_through_tables_filter_list_detail_importer_and_top_bar(window, opened, press):
    opened.importing.show()
    opened.tables.tables.setFocus()
    stops = (
        opened.list.filter,
        opened.list.table,
        opened.detail.facts,
        opened.importing.open,
        window.top_bar.export,
        opened.tables.tables,
    )
    for stop in stops:
        press(window, Qt.Key.Key_F6)
        assert window.focusWidget() is stop


@pytest.mark.parametrize("size", [(1920, 1080), (1440, 900), (1280, 720), (1100, 700), (960, 540)])
def test_names_keep_their_room_and_the_importer_stays_inside(make, services, press, config, size):
    window = make(services, size=size)
    press(window, (Qt.Key.Key_I, CTRL))
    page = window.catalog
    page.importer.take_file(config)
    QApplication.processEvents()
    for part in (page.tables, page.list, page.detail, page.importing):
        assert page.rect().contains(part.mapTo(page, part.rect().bottomRight()))
    for table in ("gpus", "nodes", "fabrics", "links", "models", "price_lines"):
        page.tables.choose(table)
        QApplication.processEvents()
        assert page.list.table.columnWidth(0) >= 120, table
        assert not page.list.table.horizontalScrollBar().maximum(), table


def test_the_models_of_list_and_detail_keep_the_rules_of_qt(opened, qtmodeltester):
    rows = CatalogModel(Look())
    shown = opened._lists["models"]
    rows.show_rows(shown.columns, shown.rows)
    qtmodeltester.check(rows, force_py=True)
    assert rows.row_of("none") == -1
    assert rows.row_at(99_999) is None
    role = Qt.ItemDataRole.TextAlignmentRole
    for column in range(rows.columnCount()):
        head = rows.headerData(column, Qt.Orientation.Horizontal, role)
        assert head == rows.index(0, column).data(role)
    assert rows.headerData(0, Qt.Orientation.Vertical) is None


def test_the_model_of_facts_keeps_the_rules_of_qt(opened, config, qtmodeltester):
    opened.importer.take_file(config)
    facts = opened.importing.facts.model()
    assert isinstance(facts, FactModel)
    qtmodeltester.check(facts, force_py=True)


@pytest.fixture
def added(window, opened, press, config):
    opened.open_importer()
    opened.importer.take_file(config)
    opened.importing.add.click()
    assert opened.list.table.current_id == "zebra-1b"
    return opened


def test_delete_takes_an_own_model_out_and_the_detail_puts_it_back(window, added, press, tmp_path):
    assert added.detail.deed.text() == "Remove from my models"
    press(window, Qt.Key.Key_Delete)
    assert "zebra-1b" not in window.services.snapshot.models
    assert [card.id for card in load_overlay(tmp_path / "own")] == []
    assert "Removed Zebra-1B" in window.top_bar.message
    assert window.focusWidget() is added.list.table
    assert added.detail.deed.text() == "Put Zebra-1B back"
    added.detail.deed.click()
    assert added.list.table.current_id == "zebra-1b"
    assert [card.id for card in load_overlay(tmp_path / "own")] == ["zebra-1b"]
    assert "zebra-1b" in window.services.snapshot.models


def test_a_shipped_model_offers_no_removal(window, opened, press):
    opened.tables.choose("models")
    opened.list.show_row("llama-3.1-8b")
    assert not opened.detail.deed.isVisible()
    before = len(window.services.snapshot.models)
    opened.list.table.setFocus()
    press(window, Qt.Key.Key_Delete)
    assert len(window.services.snapshot.models) == before


def test_the_model_of_the_workload_is_not_removed(window, added, press):
    window.bridge.dispatch(SetModel("zebra-1b"))
    press(window, Qt.Key.Key_Delete)
    assert "Choose another one first" in window.top_bar.message
    assert "zebra-1b" in window.services.snapshot.models
