"""Pictures of each screen from the sample workload, taken without a display."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication

from kentino_desk.domain.errors import InputError, StorageError, nearest
from kentino_desk.present.language import languages
from kentino_desk.session.actions import (
    SetCustomerView,
    SetLanguage,
    SetTheme,
    ShowScreen,
    ShowTab,
)
from kentino_desk.session.state import Screen, Tab, Theme
from kentino_desk.ui.start import (
    SAMPLE,
    make_application,
    make_services,
    make_window,
    open_catalog,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.session.actions import Action
    from kentino_desk.ui.main_window import MainWindow

SAMPLE_CONFIG = SAMPLE.with_name("sample-config.json")
_PREVIEW_LIMIT_MS = 30_000
_TURNS_TO_SETTLE = 3


def take_screenshots(
    folder: Path,
    theme: str = "light",
    size: tuple[int, int] = (1440, 900),
    scale: float = 1.0,
    language: str = "cs",
) -> list[Path]:
    """One PNG a screen, each ``size`` pixels large; ``language`` is that of the proposal.

    Raises:
        InputError: there is no such theme or language.
        StorageError: the folder or a file cannot be written.
    """
    _check_choice("--theme", theme, tuple(Theme))
    _check_choice("--lang", language, languages())
    make_application()
    with tempfile.TemporaryDirectory(prefix="kentino-desk-") as state_folder:
        # Pictures show what everybody has: the models of this user stay out of them.
        folder_of_nobody = Path(state_folder)
        services = make_services(folder_of_nobody, open_catalog(folder_of_nobody))
        window = make_window(services, SAMPLE)
        window.resize(round(size[0] / scale), round(size[1] / scale))
        window.bridge.dispatch(SetTheme(Theme(theme)))
        window.bridge.dispatch(SetLanguage(language))
        window.show()
        paths = [
            _taken(window, folder / f"{name}.png", size, scale, stage) for name, stage in _STAGES
        ]
        window.close()
    return paths


def _check_choice(option: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InputError(
            option,
            value,
            "is none of the choices",
            ", ".join(choices),
            near=nearest(value, choices),
        )


def _taken(
    window: MainWindow,
    path: Path,
    size: tuple[int, int],
    scale: float,
    stage: Callable[[MainWindow], None],
) -> Path:
    stage(window)
    # A row that grows tells the form, and the form its scroll area, each a turn later.
    for _ in range(_TURNS_TO_SETTLE):
        QApplication.processEvents()
    pixmap = QPixmap(*size)
    pixmap.setDevicePixelRatio(scale)
    window.render(pixmap)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{path.parent} cannot be made: {error.strerror}.") from error
    if not pixmap.save(str(path)):
        raise StorageError(f"{path} cannot be written.")
    return path


def _dispatched(*actions: Action) -> Callable[[MainWindow], None]:
    def stage(window: MainWindow) -> None:
        for action in actions:
            window.bridge.dispatch(action)

    return stage


def _decision_map(window: MainWindow) -> None:
    """The map with its fine picture; the picture of the screen waits for it."""
    window.bridge.dispatch(ShowTab(Tab.MAP))
    panel = window.workload.centre.map
    _wait(window, lambda: not panel.is_busy)


def _wait(window: MainWindow, is_done: Callable[[], bool]) -> None:
    """Turn the event loop at each job that ends, until it is done or takes too long."""
    loop = QEventLoop()
    limit = QTimer()
    limit.setSingleShot(True)
    limit.timeout.connect(loop.quit)
    window.runner.finished.connect(loop.quit)
    limit.start(_PREVIEW_LIMIT_MS)
    while not is_done() and limit.isActive():
        loop.exec()
    window.runner.finished.disconnect(loop.quit)


def _compare(window: MainWindow) -> None:
    window.compare.pin_best.click()
    window.compare.table.setFocus()


def _explain(window: MainWindow) -> None:
    window.bridge.dispatch(ShowScreen(Screen.WORKLOAD))
    window.bridge.dispatch(ShowTab(Tab.MEMORY))
    window.actions_by_name["why"].trigger()


def _customer(window: MainWindow) -> None:
    window.why.close()
    window.bridge.dispatch(SetCustomerView(on=True))


def _proposal(window: MainWindow) -> None:
    """The proposal with its first page; the picture waits for it."""
    loop = QEventLoop()
    window.runner.finished.connect(loop.quit)
    limit = QTimer()
    limit.setSingleShot(True)
    limit.timeout.connect(loop.quit)
    limit.start(_PREVIEW_LIMIT_MS)
    window.bridge.dispatch(SetCustomerView(on=False))
    window.bridge.dispatch(ShowScreen(Screen.PROPOSAL))
    if window.bridge.shown.moment.evaluated.assessment is not None:
        loop.exec()


def _catalog(window: MainWindow) -> None:
    window.actions_by_name["show_catalog"].trigger()
    window.catalog.list.table.setFocus()


def _catalog_import(window: MainWindow) -> None:
    """A made-up configuration on its way in, with what it leaves out."""
    window.actions_by_name["import_model"].trigger()
    window.catalog.tables.choose("models")
    window.catalog.importer.take_file(SAMPLE_CONFIG)


_STAGES: tuple[tuple[str, Callable[[MainWindow], None]], ...] = (
    ("workload", _dispatched(ShowTab(Tab.MEMORY))),
    ("candidates", _dispatched(ShowTab(Tab.CANDIDATES))),
    ("decision-map", _decision_map),
    ("compare-empty", _dispatched(ShowScreen(Screen.COMPARE))),
    ("compare", _compare),
    ("why", _explain),
    ("customer-view", _customer),
    ("proposal", _proposal),
    ("catalog", _catalog),
    ("catalog-import", _catalog_import),
)
