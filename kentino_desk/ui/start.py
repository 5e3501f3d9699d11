"""Starts the window: fonts, catalog, last state, event loop."""

from __future__ import annotations

import gc
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_state_path
from PySide6.QtWidgets import QApplication

from kentino_desk.decision.assess import assess
from kentino_desk.domain.errors import CatalogError, UserError
from kentino_desk.present.assessment import present
from kentino_desk.present.candidate_rows import candidate_view
from kentino_desk.present.efficiency_chart import efficiency_chart
from kentino_desk.present.map_chart import draw_map
from kentino_desk.present.memory_chart import memory_chart
from kentino_desk.present.why import why
from kentino_desk.session.actions import Load
from kentino_desk.session.catalog_in_use import CatalogInUse
from kentino_desk.session.own_models import load_with_own_models, own_folder
from kentino_desk.session.recompute import Recomputer
from kentino_desk.session.session import Session
from kentino_desk.session.shown import SCREEN_LANGUAGE, Builders, Presenter
from kentino_desk.store.last_state import load_last
from kentino_desk.store.workload_file import load_workload
from kentino_desk.ui.bridge import Bridge
from kentino_desk.ui.fonts import font, load_fonts
from kentino_desk.ui.main_window import MainWindow
from kentino_desk.ui.services import Services, Told

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.domain.workload import WorkloadInputs
    from kentino_desk.present.views import WhyView
    from kentino_desk.ui.documents import Dialogs

SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample" / "sample-chat.toml"
_log = logging.getLogger(__name__)
# The states and figures of a session are frozen and hold few cycles; walking all of them
# again in the middle of a key press cost 10 to 15 % of it. New cycles are still found.
_COLLECT_AFTER = (100_000, 50, 50)


def start_window(file: Path | None) -> int:
    """Open the window and stay until it is closed; the exit code of the program."""
    application = make_application()
    window = make_window(make_services(), file)
    window.show()
    return application.exec()


def make_application() -> QApplication:
    """The one application object, with the fonts and no look of the system."""
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication([])
    application.setApplicationName("Kentino Desk")
    application.setStyle("Fusion")
    load_fonts()
    application.setFont(font())
    _calm_the_collector()
    return application


def _calm_the_collector() -> None:
    """Leave what the start has built out of every later collection."""
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)


def open_catalog(own: Path | None = None) -> CatalogInUse:
    """The catalog with the models of a folder; one that is refused says why and what mends it."""
    own = own or own_folder()
    try:
        snapshot, problems = load_with_own_models(own)
    except CatalogError as error:
        _log.warning("the catalog was refused: %s", error)
        return CatalogInUse(None, own, f"{error} Mend it with: kentino-desk catalog build")
    for problem in problems:
        _log.warning("%s", problem)
    return CatalogInUse(snapshot, own)


def make_services(
    state_folder: Path | None = None, catalog: CatalogInUse | None = None
) -> Services:
    """The engine room; a catalog that is refused blocks the figures and not the window."""
    catalog = catalog or open_catalog()
    builders = Builders(
        present=present,
        candidate_view=candidate_view,
        memory_chart=memory_chart,
        efficiency_chart=efficiency_chart,
    )
    return Services(
        catalog=catalog,
        assess=assess,
        presenter=Presenter(builders),
        why=_why,
        write_proposal=_ProposalWriter(catalog),
        draw_map=draw_map,
        state_folder=state_folder or user_state_path("kentino-desk"),
    )


def make_window(
    services: Services, file: Path | None = None, dialogs: Dialogs | None = None
) -> MainWindow:
    """A window over the file, else over the last state, else over the sample."""
    recomputer = Recomputer(services.assess, services.snapshot) if services.snapshot else None
    session = Session(recomputer, blocked=services.blocked)
    inputs, path, message = first_inputs(services.state_folder, file)
    if inputs is not None:
        session.dispatch(Load(inputs, path))
    window = MainWindow(services, Bridge(session, services.presenter), dialogs)
    if message:
        window.top_bar.show_message(message)
    return window


def first_inputs(
    state_folder: Path, file: Path | None
) -> tuple[WorkloadInputs | None, Path | None, str]:
    """What to show at the start, the file it belongs to, and what went wrong."""
    try:
        if file is not None:
            return load_workload(file), file, ""
        last = load_last(state_folder)
        return (last, None, "") if last is not None else (load_workload(SAMPLE), None, "")
    except UserError as error:
        return None, None, str(error)


def _why(assessment: Assessment, result: CandidateResult | None, key: str) -> WhyView:
    return why(assessment, result, key, SCREEN_LANGUAGE)


class _ProposalWriter:
    """Writes proposals from the catalog in force; imports the paper when first used."""

    def __init__(self, catalog: CatalogInUse) -> None:
        self._catalog = catalog

    def __call__(self, assessment: Assessment, path: Path, language: str, told: Told) -> None:
        from kentino_desk.report.context import ProposalDetails  # noqa: PLC0415 - slow to import
        from kentino_desk.report.proposal import write_proposal  # noqa: PLC0415 - the same

        snapshot = self._catalog.snapshot
        if snapshot is None:
            raise CatalogError("The proposal needs the catalog, which was refused.")
        details = ProposalDetails(customer=told.customer, project=told.project, pins=told.pins)
        write_proposal(assessment, snapshot, path, language, details)
