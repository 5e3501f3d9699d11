"""Undo and redo: old states are kept, not inverse commands."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kentino_desk.session.actions import UNDOABLE, Action, New, merge_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.session.state import AppState

STEPS_MAX = 100
MERGE_WITHIN_S = 0.8


@dataclass(frozen=True, slots=True)
class Step:
    """The state before a change, what was changed, and when it was changed last."""

    before: AppState
    action: Action
    at_s: float


class History:
    """Old states, at most a hundred; what is looked at (screen, theme, file) is not undone."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._past: deque[Step] = deque(maxlen=STEPS_MAX)
        self._future: list[Step] = []
        self._sealed = False

    @property
    def undo_action(self) -> Action | None:
        """What undo would take back, or None."""
        return self._past[-1].action if self._past else None

    @property
    def redo_action(self) -> Action | None:
        """What redo would do again, or None."""
        return self._future[-1].action if self._future else None

    def record(self, before: AppState, action: Action) -> None:
        """Keep the state before ``action``, if it is one that can be undone."""
        if not isinstance(action, UNDOABLE):
            return
        self._future.clear()
        now_s = self._clock()
        if self._merges(action, now_s):
            before = self._past.pop().before
        self._past.append(Step(before, action, now_s))
        self._sealed = False

    def clear(self) -> None:
        """Forget all steps, because another file was read."""
        self._past.clear()
        self._future.clear()

    def undo(self, current: AppState) -> AppState:
        """The state before the last step, or the current one when there is none."""
        return self._move(self._past, self._future, current)

    def redo(self, current: AppState) -> AppState:
        """The state that the last undo took back, or the current one."""
        return self._move(self._future, self._past, current)

    def _merges(self, action: Action, now_s: float) -> bool:
        key = merge_key(action)
        if self._sealed or not key or not self._past:
            return False
        last = self._past[-1]
        return merge_key(last.action) == key and now_s - last.at_s <= MERGE_WITHIN_S

    def _move(
        self, source: deque[Step] | list[Step], target: deque[Step] | list[Step], current: AppState
    ) -> AppState:
        if not source:
            return current
        step = source.pop()
        target.append(Step(current, step.action, step.at_s))
        # Typing after an undo is a step of its own, whatever was typed before.
        self._sealed = True
        if isinstance(step.action, New):
            return replace(step.before, view=current.view)
        return replace(step.before, view=current.view, file=current.file, saved=current.saved)
