"""The tables behind the charts follow what is typed, in front or not."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from kentino_desk.app.bench import SAMPLE
from kentino_desk.session.actions import SetField

CTRL = Qt.KeyboardModifier.ControlModifier
USERS = "serving.concurrent_users"


@pytest.fixture
def sample(make, services):
    return make(services, SAMPLE)


def cells(table):
    model = table.model()
    columns = range(model.columnCount())
    return [[model.index(row, column).data() for column in columns] for row in range(3)]


def test_a_table_in_front_follows_what_is_typed(sample, press):
    centre = sample.workload.centre
    press(sample, (Qt.Key.Key_T, CTRL))
    assert centre.efficiency.shows_twin
    before = cells(centre.efficiency.twin)
    sample.bridge.dispatch(SetField(USERS, "400"))
    assert cells(centre.efficiency.twin) != before
    assert [row[1:] for row in cells(centre.efficiency.twin)] == [
        list(row[1:]) for row in sample.bridge.shown.efficiency.twin[1:4]
    ]


def test_a_table_that_comes_to_the_front_shows_what_was_typed_before(sample, press):
    sample.bridge.dispatch(SetField(USERS, "400"))
    press(sample, (Qt.Key.Key_T, CTRL))
    twin = sample.workload.centre.efficiency.twin
    assert twin.isVisible()
    shown = sample.bridge.shown.efficiency.twin
    assert twin.model().rowCount() == len(shown) - 1
    assert cells(twin) == [list(row) for row in shown[1:4]]
