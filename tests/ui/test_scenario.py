from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from kentino_desk.session.state import Screen, Theme

pypdf = pytest.importorskip("pypdf")

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
USERS = "serving.concurrent_users"


def verdict_of(window):
    return window.bridge.shown.view.verdict


def text_of_pdf(path):
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def tab_to(window, press, widget, most=60):
    for _ in range(most):
        if window.focusWidget() is widget:
            return
        press(window, Qt.Key.Key_Tab)
    raise AssertionError(f"Tab never reaches {widget.accessibleName()}")


def test_from_nothing_to_a_proposal_by_keyboard_alone(window, press, qtbot, answers, tmp_path):
    answers.to_save = tmp_path / "proposal.pdf"
    press(window, (Qt.Key.Key_N, CTRL))
    assert verdict_of(window).title == "Choose a model"

    model = window.workload.form.model
    assert window.focusWidget() is model
    press(window, "lla")
    qtbot.keyClicks(model, "ma 3.3")
    popup = QApplication.activePopupWidget()
    assert popup is not None
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert window.bridge.session.state.model == "llama-3.3-70b"
    assert model.text() == "Llama 3.3 70B"

    users = window.workload.form.rows[USERS].edit
    tab_to(window, press, users)
    users.selectAll()
    press(window, "4", "8")
    assert window.bridge.session.state.inputs.get(USERS) == 48

    card = window.workload.strip.selected_card
    for _ in range(12):
        if window.focusWidget() is card:
            break
        press(window, Qt.Key.Key_F6)
    press(window, Qt.Key.Key_P)
    assert window.bridge.session.state.pins == (card.candidate.id,)

    verdict = verdict_of(window)
    assert "One node" in verdict.title
    assert "60\u00a0users" in verdict.sentence
    assert "tok/s" in window.workload.verdict.lines[0].accessibleName()

    press(window, (Qt.Key.Key_T, CTRL))
    twin = window.workload.centre.memory.twin
    assert twin.isVisible()
    parts = [twin.model().index(row, 0).data() for row in range(twin.model().rowCount())]
    assert "weights" in parts
    assert "KV cache" in parts

    with qtbot.waitSignal(window.runner.finished, timeout=30_000):
        press(window, (Qt.Key.Key_E, CTRL))
    text = text_of_pdf(answers.to_save)
    assert "Llama 3.3 70B" in text
    assert "kW" in text
    assert "uživatelů" in text
    assert "Wrote proposal.pdf." in window.top_bar.message


def test_three_letters_and_enter_take_the_first_model_found(window, press, qtbot):
    press(window, (Qt.Key.Key_K, CTRL))
    model = window.workload.form.model
    qtbot.keyClicks(model, "qwe")
    popup = QApplication.activePopupWidget()
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert "qwen" in window.bridge.session.state.model


def test_two_letters_find_nothing_and_a_wrong_name_is_refused_with_words(window, press, qtbot):
    press(window, (Qt.Key.Key_K, CTRL))
    before = window.bridge.session.state.model
    qtbot.keyClicks(window.workload.form.model, "qw")
    assert QApplication.activePopupWidget() is None
    press(window, "xxx", Qt.Key.Key_Return)
    message = window.workload.form._model_message.text()
    assert "unknown model" in message.lower()
    assert verdict_of(window).title
    press(window, Qt.Key.Key_Escape, (Qt.Key.Key_Z, CTRL))
    assert window.bridge.session.state.model == before


def test_bad_entries_show_their_message_and_figures_stay(window, press):
    row = window.workload.form.rows["serving.ttft_s"]
    row.edit.setFocus()
    row.edit.selectAll()
    press(window, "1,000")
    title = verdict_of(window).title
    assert row.edit.text() == "1,000"
    assert row._message.isVisible()
    assert row._message.text() == "Can mean 1 or 1000; type 1 or 1000"
    press(window, "x")
    assert verdict_of(window).title == title
    assert verdict_of(window).stale == "From the last valid entry."
    row.edit.selectAll()
    press(window, "2,5")
    assert not row._message.isVisible()
    assert verdict_of(window).stale == ""


def test_a_context_above_the_models_maximum_keeps_the_last_good_figures(window, press):
    row = window.workload.form.rows["serving.context_tokens"]
    good = window.bridge.shown.moment.evaluated.assessment
    row.edit.setFocus()
    row.edit.selectAll()
    press(window, "200k")
    assert row._message.isVisible()
    assert window.bridge.shown.moment.evaluated.is_stale
    assert window.bridge.shown.moment.evaluated.assessment.model is good.model


def test_undo_and_redo_reach_the_field_that_has_the_focus(window, press):
    users = window.workload.form.rows[USERS].edit
    users.setFocus()
    users.selectAll()
    press(window, "99")
    assert users.text() == "99"
    press(window, (Qt.Key.Key_Z, CTRL))
    assert users.text() == "48"
    press(window, (Qt.Key.Key_Z, CTRL | SHIFT))
    assert users.text() == "99"


def test_tab_goes_through_form_tabs_chart_verdict_questions_strip_and_top_bar(window, press):
    page = window.workload
    order = (
        page.form.kind,
        page.form.model,
        page.form.rows[USERS].edit,
        page.form.confirm,
        page.centre.memory_plot,
        page.verdict.lines[0],
        page.questions.lines[0],
        page.strip.cards[0],
        window.top_bar.export,
    )
    page.form.kind.setFocus()
    for widget in order:
        tab_to(window, press, widget)


def test_undo_says_what_was_undone(window, press):
    users = window.workload.form.rows[USERS].edit
    users.setFocus()
    users.selectAll()
    press(window, "9", (Qt.Key.Key_Z, CTRL))
    assert window.top_bar.message == "Undone: Users at once"


def test_new_can_be_undone(window, press):
    press(window, (Qt.Key.Key_N, CTRL), (Qt.Key.Key_Z, CTRL))
    assert window.bridge.session.state.model == "llama-3.3-70b"


def test_why_opens_on_f1_explains_an_input_and_closes_on_esc(window, press):
    line = window.workload.verdict.lines[0]
    line.setFocus()
    press(window, Qt.Key.Key_F1)
    panel = window.why.panel
    assert panel.isVisible()
    assert panel.view.value in panel.view.text
    assert panel.view.equation
    first = panel.view.title
    inner = next(row for row in panel.rows if row.item.key)
    inner.setFocus()
    press(window, Qt.Key.Key_Return)
    assert panel.view.title != first
    press(window, Qt.Key.Key_Backspace)
    assert panel.view.title == first
    press(window, (Qt.Key.Key_C, CTRL))
    assert QApplication.clipboard().text() == panel.view.text
    press(window, Qt.Key.Key_Escape)
    assert not panel.isVisible()
    assert window.focusWidget() is line


def test_why_refreshes_in_place_when_its_figure_changes(window, press):
    window.workload.verdict.lines[0].setFocus()
    press(window, Qt.Key.Key_F1)
    before = window.why.panel.view.value
    users = window.workload.form.rows[USERS].edit
    users.setFocus()
    users.selectAll()
    press(window, "9")
    assert window.why.panel.isVisible()
    assert window.why.panel.view.value != before


def test_every_figure_with_a_key_can_be_explained(window):
    rows = [row for row in window.bridge.shown.view.verdict.rows if row.key]
    assert len(rows) >= 4
    for row in rows:
        assert window.why.open(row.row, row.key), row.key
        window.why.close()


def test_verdict_and_table_go_to_the_clipboard_as_text(window, press):
    press(window, (Qt.Key.Key_C, CTRL | SHIFT))
    text = QApplication.clipboard().text()
    assert text.startswith(verdict_of(window).title)
    assert window.bridge.shown.view.candidates[0].name in text


def test_customer_view_has_no_prices_and_esc_does_not_leave_it(window, press):
    card = window.workload.strip.selected_card
    price = card.candidate.price
    assert price in card.accessibleName()
    press(window, Qt.Key.Key_F9)
    assert price not in card.accessibleName()
    assert not window.top_bar._sample.isVisible()
    shown = [label.text() for label in window.findChildren(QLabel) if label.isVisible()]
    assert not any("EUR" in text for text in shown)
    press(window, Qt.Key.Key_Escape)
    assert window.bridge.session.state.view.customer
    press(window, Qt.Key.Key_F9)
    assert price in card.accessibleName()


def test_the_dark_theme_changes_sheet_charts_and_marks(window, press):
    press(window, (Qt.Key.Key_L, CTRL | SHIFT))
    assert window.bridge.session.state.view.theme is Theme.DARK
    assert window.look.tokens.name == "dark"
    assert "#1C2127" in window.styleSheet()
    chart = window.workload.centre.memory_plot
    corner = chart.grab().toImage().pixelColor(4, chart.height() - 4)
    assert corner.name().upper() == "#1C2127"


def test_at_960_by_540_everything_is_reached_by_keys(make, services, press):
    window = make(services, size=(960, 540))
    page = window.workload
    assert page.bar.isVisible()
    assert not page.verdict.isVisible()
    assert not page.form.isVisible()
    press(window, Qt.Key.Key_F2)
    assert page.form.isVisible()
    users = page.form.rows[USERS].edit
    assert window.focusWidget() is users
    users.selectAll()
    press(window, "50")
    sentence = verdict_of(window).sentence
    assert "62.5" in sentence or "63\u00a0users" in sentence
    press(window, Qt.Key.Key_Escape)
    assert not page.form.isVisible()
    press(window, (Qt.Key.Key_5, CTRL))
    assert window.bridge.session.state.view.screen is Screen.PROPOSAL
    assert window.proposal.export.export.isVisible()
    inside = window.proposal.rect().contains(
        window.proposal.export.mapTo(window.proposal, window.proposal.export.rect().bottomRight())
    )
    assert inside


def test_arrows_in_the_strip_choose_another_build_and_the_charts_follow(window, press):
    window.workload.strip.selected_card.setFocus()
    first = window.bridge.shown.result.candidate.id
    press(window, Qt.Key.Key_Right)
    assert window.bridge.shown.result.candidate.id != first
    about = window.workload.centre._about.accessibleName()
    assert about.startswith(window.workload.strip.selected_card.candidate.name)


def test_a_slider_moves_the_value_of_its_field(window, press):
    row = window.workload.form.rows[USERS]
    row.slider.setFocus()
    press(window, Qt.Key.Key_PageUp)
    assert window.bridge.session.state.inputs.get(USERS) > 48
    assert row.edit.text() == f"{window.bridge.session.state.inputs.get(USERS):,}"


@pytest.mark.parametrize("kind", ["batch", "lora", "qlora", "full", "pretrain"])
def test_every_kind_of_work_has_a_form_and_an_answer(window, kind):
    window.workload.form.kind.chosen.emit(kind)
    assert window.bridge.session.state.kind == kind
    shown = [row for row in window.workload.form.rows.values() if not row.isHidden()]
    assert all(kind in row.spec.used_by for row in shown)
    assert verdict_of(window).title
    assert window.bridge.shown.moment.evaluated.refusal is None


def test_the_list_of_models_is_dark_in_the_dark(window, press, qtbot):
    press(window, (Qt.Key.Key_L, CTRL | SHIFT), (Qt.Key.Key_K, CTRL))
    qtbot.keyClicks(window.workload.form.model, "qwen")
    popup = QApplication.activePopupWidget()
    image = popup.grab().toImage()
    assert image.pixelColor(image.width() - 30, image.height() - 20).lightness() < 80
    qtbot.keyClick(popup, Qt.Key.Key_Escape)


def test_what_is_copied_in_customer_view_names_no_price(window, press):
    press(window, (Qt.Key.Key_C, CTRL | SHIFT))
    assert "EUR" in QApplication.clipboard().text()
    press(window, Qt.Key.Key_F9)
    press(window, (Qt.Key.Key_C, CTRL | SHIFT))
    copied = QApplication.clipboard().text()
    assert "tok/s" in copied
    assert "EUR" not in copied
