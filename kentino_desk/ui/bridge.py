"""The one place where the result of a reducer becomes a Qt signal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.session.actions import Action
    from kentino_desk.session.session import Session
    from kentino_desk.session.shown import Presenter, Shown


class Bridge(QObject):
    """Takes actions from widgets and tells everybody what changed.

    The initiator is the widget that caused the change; it does not rewrite itself.
    """

    evaluation_changed = Signal(object, object, object)
    catalog_changed = Signal(object)
    """The snapshot in force, before anything is shown from it."""

    def __init__(self, session: Session, presenter: Presenter) -> None:
        super().__init__()
        self.session = session
        self._presenter = presenter
        self.shown = presenter.show(session.moment, session.blocked)

    def dispatch(self, action: Action, initiator: QObject | None = None) -> None:
        """Apply one action."""
        before = self.session.moment
        if self.session.dispatch(action) is not before:
            self._tell(initiator)

    def undo(self) -> None:
        """Take back the last step."""
        self.session.undo()
        self._tell(None)

    def redo(self) -> None:
        """Do again what was taken back."""
        self.session.redo()
        self._tell(None)

    def use_catalog(self, snapshot: CatalogSnapshot) -> None:
        """Size over another catalog from now on."""
        self.session.use_catalog(snapshot)
        self.catalog_changed.emit(snapshot)
        self._tell(None)

    def tell_all(self) -> None:
        """Draw everything from nothing, as at the start."""
        self.evaluation_changed.emit(None, self.shown, None)

    def _tell(self, initiator: QObject | None) -> None:
        old: Shown = self.shown
        self.shown = self._presenter.show(self.session.moment, self.session.blocked)
        self.evaluation_changed.emit(old, self.shown, initiator)
