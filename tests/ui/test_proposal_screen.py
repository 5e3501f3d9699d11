from __future__ import annotations

from PySide6.QtCore import Qt

from kentino_desk.session.state import Screen
from kentino_desk.ui.proposal.jobs import Preview

CTRL = Qt.KeyboardModifier.ControlModifier


def open_proposal(window, press, qtbot):
    with qtbot.waitSignal(
        window.runner.finished, timeout=30_000, check_params_cb=lambda end: bool(end.value)
    ) as caught:
        press(window, (Qt.Key.Key_5, CTRL))
    return caught.args[0].value


def test_the_pages_are_shown_with_their_headings(window, press, qtbot):
    preview = open_proposal(window, press, qtbot)
    assert isinstance(preview, Preview)
    page = window.proposal
    assert page.preview._where.text() == f"Page 1 of {len(preview.pages)}"
    assert page.sections.count() >= 5
    pages = [number for _, _, number in preview.headings]
    assert pages == sorted(pages)
    assert len(set(pages)) > len(pages) // 2
    page.sections.itemActivated.emit(page.sections.item(page.sections.count() - 1))
    assert page.preview.index == pages[-1]
    page.preview.show_page(0)
    page.preview.page.setFocus()
    press(window, Qt.Key.Key_PageDown)
    assert page.preview._where.text() == f"Page 2 of {len(preview.pages)}"


def test_the_language_and_the_customer_make_new_pages(window, press, qtbot):
    open_proposal(window, press, qtbot)
    with qtbot.waitSignal(window.runner.finished, timeout=30_000):
        window.proposal.document.language.chosen.emit("en")
    english = [window.proposal.sections.item(0).text()]
    assert english[0].isascii() or "·" in english[0]
    window.proposal.document.customer.setFocus()
    with qtbot.waitSignal(window.runner.finished, timeout=30_000):
        press(window, "Acme")
    assert window.bridge.session.state.customer == "Acme"
    assert "Acme" in window.proposal.export._name.accessibleName()


def test_the_checklist_counts_assumed_values_and_jumps_to_their_field(window, press, qtbot):
    open_proposal(window, press, qtbot)
    rows = window.proposal.checklist.rows
    texts = [row.finding.text for row in rows]
    assert "Prices come from the sample list" in texts
    assumed = next(row for row in rows if row.finding.field == "serving.prompt_reuse")
    assumed.setFocus()
    press(window, Qt.Key.Key_Return)
    assert window.bridge.session.state.view.screen is Screen.WORKLOAD
    assert window.focusWidget() is window.workload.form.rows["serving.prompt_reuse"].edit


def test_confirming_the_assumed_values_empties_the_checklist_of_them(window, press, qtbot):
    window.workload.form.confirm.click()
    open_proposal(window, press, qtbot)
    texts = [row.finding.text for row in window.proposal.checklist.rows]
    assert not any(text.startswith("Assumed") for text in texts)


def test_without_figures_the_screen_says_what_to_do(window, press):
    press(window, (Qt.Key.Key_N, CTRL), (Qt.Key.Key_5, CTRL))
    assert "choose a model" in window.proposal.preview.page.message
    assert not window.proposal.export.export.isEnabled()
