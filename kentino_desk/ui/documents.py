"""Opening, saving and exporting: files on one side, actions and messages on the other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from kentino_desk.domain.errors import UserError
from kentino_desk.session.actions import Load, MarkSaved
from kentino_desk.session.proposal_name import proposal_name
from kentino_desk.store.last_state import save_last
from kentino_desk.store.workload_file import load_workload, save_workload
from kentino_desk.ui.proposal.jobs import Exported, export_job
from kentino_desk.ui.proposal.page import order_of

if TYPE_CHECKING:
    from kentino_desk.session.state import AppState
    from kentino_desk.ui.bridge import Bridge
    from kentino_desk.ui.runner import JobEnd, Runner
    from kentino_desk.ui.services import Services

_AUTOSAVE_MS = 1_500
_KEPT_ASIDE = "before-open.toml"


class Dialogs(Protocol):
    """Asks for file names; tests answer without a dialog."""

    def open_path(self, parent: QWidget) -> Path | None:
        """A workload file to open."""

    def config_path(self, parent: QWidget) -> Path | None:
        """A config.json to import."""

    def save_path(self, parent: QWidget, suggested: Path, kind: str) -> Path | None:
        """A file to write."""


class FileDialogs:
    """The dialogs of the system."""

    def open_path(self, parent: QWidget) -> Path | None:
        """A workload file to open."""
        name, _ = QFileDialog.getOpenFileName(parent, "Open a workload", "", "Workload (*.toml)")
        return Path(name) if name else None

    def config_path(self, parent: QWidget) -> Path | None:
        """A config.json to import."""
        kinds = "Configuration (*.json);;All files (*)"
        name, _ = QFileDialog.getOpenFileName(parent, "Import a model", "", kinds)
        return Path(name) if name else None

    def save_path(self, parent: QWidget, suggested: Path, kind: str) -> Path | None:
        """A file to write."""
        name, _ = QFileDialog.getSaveFileName(parent, "Save", str(suggested), kind)
        return Path(name) if name else None


class Documents(QObject):
    """The file of the workload, the last state, the exported proposal."""

    told = Signal(str)

    def __init__(
        self, window: QWidget, bridge: Bridge, services: Services, runner: Runner, dialogs: Dialogs
    ) -> None:
        super().__init__(window)
        self._window = window
        self._bridge = bridge
        self._services = services
        self._runner = runner
        self._dialogs = dialogs
        self._export_ticket = 0
        self._autosave = QTimer(self)
        self._autosave.setSingleShot(True)
        self._autosave.setInterval(_AUTOSAVE_MS)
        self._autosave.timeout.connect(self.keep_last)
        runner.finished.connect(self._on_runner_finished)

    @property
    def _state(self) -> AppState:
        return self._bridge.session.state

    def note_change(self) -> None:
        """Something changed: keep it soon, without writing for each key."""
        if not self._autosave.isActive():
            self._autosave.start()

    def open(self) -> None:
        """Ask for a workload and open it."""
        path = self._dialogs.open_path(self._window)
        if path is not None:
            self.load(path)

    def load(self, path: Path) -> None:
        """Open a workload; an unsaved one is kept aside first."""
        try:
            inputs = load_workload(path)
            kept = self._keep_aside()
        except UserError as error:
            self.told.emit(str(error))
            return
        self._bridge.dispatch(Load(inputs, path))
        self.told.emit(f"Opened {path.name}.{kept}")

    def save(self) -> None:
        """Write the file that is open, or ask for a name."""
        file = self._state.file
        if file is None:
            self.save_as()
        elif self._was_changed_underneath(file):
            self.told.emit(f"{file.name} was changed by something else; choose another name.")
            self.save_as()
        else:
            self._write(file)

    def save_as(self) -> None:
        """Ask for a name and write there."""
        if not self._state.model:
            self.told.emit("Choose a model before you save: a workload without one has no figures.")
            return
        suggested = self._state.file or Path(f"{self._state.model}.toml")
        path = self._dialogs.save_path(self._window, suggested, "Workload (*.toml)")
        if path is not None:
            self._write(path)

    def export(self) -> None:
        """Ask for a name and write the proposal there, beside the window."""
        order = order_of(self._bridge.shown)
        if order is None:
            self.told.emit("Nothing to export yet: choose a model first.")
            return
        suggested = Path(proposal_name(self._state))
        path = self._dialogs.save_path(self._window, suggested, "PDF (*.pdf)")
        if path is None:
            return
        self.told.emit(f"Writing {path.name} …")
        job = export_job(self._services.write_proposal, order, path)
        self._export_ticket = self._runner.submit(job)

    def keep_last(self) -> None:
        """Write the last state now."""
        self._autosave.stop()
        if not self._state.model:
            return
        try:
            save_last(self._services.state_folder, self._state.inputs)
        except UserError as error:
            self.told.emit(str(error))

    def _write(self, path: Path) -> None:
        try:
            save_workload(path, self._state.inputs)
        except UserError as error:
            self.told.emit(str(error))
            return
        self._bridge.dispatch(MarkSaved(path))
        self.told.emit(f"Saved {path.name}.")

    def _was_changed_underneath(self, file: Path) -> bool:
        try:
            return load_workload(file) != self._state.saved
        except UserError:
            return file.exists()

    def _keep_aside(self) -> str:
        if not self._state.model or not self._state.has_unsaved_changes:
            return ""
        folder = self._services.state_folder
        folder.mkdir(parents=True, exist_ok=True)
        save_workload(folder / _KEPT_ASIDE, self._state.inputs)
        return f" The one before is kept as {folder / _KEPT_ASIDE}."

    def _on_runner_finished(self, end: JobEnd) -> None:
        if end.ticket != self._export_ticket:
            return
        if isinstance(end.value, Exported):
            self.told.emit(f"Wrote {end.value.path.name}.")
        elif end.problem:
            self.told.emit(end.problem)
