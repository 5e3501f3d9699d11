from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase

from kentino_desk.session.catalog_in_use import CatalogInUse
from kentino_desk.ui.start import make_application, make_services, make_window


def pytest_collection_modifyitems(items):
    """The offscreen plugin says what it lacks at every show and popup; nothing else is excused."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("^This plugin does not support", extend=True))


class Answers:
    """Stands in for the file dialogs."""

    def __init__(self):
        self.to_open = None
        self.to_import = None
        self.to_save = None
        self.suggested = []

    def open_path(self, _parent):
        return self.to_open

    def config_path(self, _parent):
        return self.to_import

    def save_path(self, _parent, suggested, _kind):
        self.suggested.append(suggested)
        return self.to_save


@pytest.fixture(scope="session")
def real_services(tmp_path_factory):
    return make_services(tmp_path_factory.mktemp("state"))


@pytest.fixture
def application(qapp):
    if not QFontDatabase.families().count("Source Sans Pro"):
        make_application()
    return qapp


@pytest.fixture
def services(real_services, tmp_path):
    catalog = CatalogInUse(real_services.snapshot, tmp_path / "own")
    return make_services(tmp_path / "state", catalog)


@pytest.fixture
def answers():
    return Answers()


@pytest.fixture
def make(application, qtbot, answers):
    """Windows over given services, shown and closed again."""

    def make_one(services, file=None, size=(1440, 900)):
        window = make_window(services, file, answers)
        qtbot.addWidget(window)
        window.resize(*size)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window

    return make_one


@pytest.fixture
def window(make, services):
    return make(services)


@pytest.fixture
def press(qtbot):
    """Types as a person does: every key goes to the widget that has the focus."""

    def type_keys(window, *keys):
        for key in keys:
            target = window.focusWidget() or window
            if isinstance(key, str):
                qtbot.keyClicks(target, key)
            elif isinstance(key, tuple):
                qtbot.keyClick(target, key[0], key[1])
            else:
                qtbot.keyClick(target, key)

    return type_keys


CTRL = Qt.KeyboardModifier.ControlModifier
