from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from kentino_desk.ui.charts.twin import RowsModel
from kentino_desk.ui.look import Look
from kentino_desk.ui.workload.table_model import COLUMNS, CandidateModel


def test_the_candidate_model_keeps_the_rules_of_qt(window, qtmodeltester):
    model = CandidateModel(Look())
    items = window.bridge.shown.view.candidates
    model.show_candidates(items, (), items[0].id)
    qtmodeltester.check(model, force_py=True)


def test_pinned_candidates_stand_first_and_say_so(window):
    model = CandidateModel(Look())
    items = window.bridge.shown.view.candidates
    model.show_candidates(items, (items[2].id,), "")
    assert model.index(0, 0).data() == f"{items[2].name} · pinned"
    assert model.row_of(items[0].id) == 1
    assert model.row_of("none") == -1
    assert model.candidate_at(99_999) is None


def test_only_the_rows_that_differ_are_told(window, qtbot):
    model = CandidateModel(Look())
    items = window.bridge.shown.view.candidates
    model.show_candidates(items, (), "")
    changed = (items[0], replace(items[1], price="1 EUR"), *items[2:])
    with qtbot.waitSignal(model.dataChanged) as caught:
        model.show_candidates(changed, (), "")
    top, bottom, *_ = caught.args
    assert (top.row(), bottom.row(), bottom.column()) == (1, 1, len(COLUMNS) - 1)
    with qtbot.assertNotEmitted(model.modelReset):
        model.show_candidates(changed, (), items[0].id)


def test_titles_and_numbers_stand_on_the_same_side(window):
    model = CandidateModel(Look())
    items = window.bridge.shown.view.candidates
    model.show_candidates(items, (), "")
    role = Qt.ItemDataRole.TextAlignmentRole
    for column in range(len(COLUMNS)):
        head = model.headerData(column, Qt.Orientation.Horizontal, role)
        assert head == model.index(0, column).data(role)
    assert model.headerData(2, Qt.Orientation.Horizontal) == items[0].figure_unit
    assert model.headerData(0, Qt.Orientation.Vertical) is None


def test_the_twin_model_keeps_the_rules_of_qt(qtmodeltester, application):
    model = RowsModel()
    model.show_rows((("Part", "GiB"), ("weights", "33.8"), ("free", "37.3")))
    qtmodeltester.check(model, force_py=True)
    assert model.headerData(1, Qt.Orientation.Horizontal) == "GiB"
    assert model.index(1, 1).data() == "37.3"
