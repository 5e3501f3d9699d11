"""One session: state, history and the evaluation that belongs to the state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.session.actions import Load
from kentino_desk.session.history import History
from kentino_desk.session.recompute import Evaluated, Recomputer
from kentino_desk.session.reducer import reduce
from kentino_desk.session.state import AppState

if TYPE_CHECKING:
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.session.actions import Action


@dataclass(frozen=True, slots=True)
class Moment:
    """A state with its evaluation."""

    state: AppState
    evaluated: Evaluated


class Session:
    """Takes actions, keeps history, evaluates. ``blocked`` says why no figures may be shown."""

    def __init__(
        self,
        recomputer: Recomputer | None,
        *,
        history: History | None = None,
        state: AppState | None = None,
        blocked: str = "",
    ) -> None:
        self._recomputer = recomputer
        self.history = history or History()
        self.blocked = blocked
        self.moment = self._evaluated(state or AppState())

    @property
    def state(self) -> AppState:
        """The state of now."""
        return self.moment.state

    def dispatch(self, action: Action) -> Moment:
        """The moment after ``action``."""
        before = self.state
        after = reduce(before, action)
        if isinstance(action, Load):
            self.history.clear()
        elif after is not before:
            self.history.record(before, action)
        if after is not before:
            self.moment = self._evaluated(after)
        return self.moment

    def undo(self) -> Moment:
        """The moment after taking back the last step."""
        self.moment = self._evaluated(self.history.undo(self.state))
        return self.moment

    def redo(self) -> Moment:
        """The moment after doing again what was taken back."""
        self.moment = self._evaluated(self.history.redo(self.state))
        return self.moment

    def use_catalog(self, snapshot: CatalogSnapshot) -> Moment:
        """The moment over another catalog."""
        if self._recomputer is not None:
            self._recomputer.use(snapshot)
            self.moment = self._evaluated(self.state)
        return self.moment

    def _evaluated(self, state: AppState) -> Moment:
        if self._recomputer is None:
            return Moment(state, Evaluated())
        return Moment(state, self._recomputer.evaluate(state.inputs))
