"""Flips and confidence, computed beside the window for the newest assessment.

A result that belongs to an older assessment is thrown away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from kentino_desk.ui.runner import JobEnd, Runner

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from kentino_desk.decision.outlook import Outlook
    from kentino_desk.decision.results import Assessment
    from kentino_desk.session.shown import Shown

_AFTER_MS = 200
"""Quiet time after the last key before anything is started."""


class OutlookJobs(QObject):
    """Starts a job when the assessment changed and stops the one that nobody waits for."""

    outlook_ready = Signal(object, object)
    """Assessment and its outlook."""

    def __init__(self) -> None:
        super().__init__()
        self._runner = Runner()
        self._runner.finished.connect(self._on_runner_finished)
        self._jobs: dict[int, Assessment] = {}
        self._assessment: Assessment | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_AFTER_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    def show_moment(self, new: Shown) -> None:
        """Follow the assessment; a stale one has no outlook of its own."""
        evaluated = new.moment.evaluated
        assessment = None if evaluated.is_stale else evaluated.assessment
        if assessment is self._assessment:
            return
        self._assessment = assessment
        for ticket in self._jobs:
            self._runner.stop(ticket)
        self._timer.start()

    def close(self) -> None:
        """Stop for good."""
        self._assessment = None
        self._timer.stop()
        self._runner.close()

    def _on_timer_timeout(self) -> None:
        if self._assessment is not None:
            ticket = self._runner.submit(_outlook_job(self._assessment))
            self._jobs[ticket] = self._assessment

    def _on_runner_finished(self, end: JobEnd) -> None:
        assessment = self._jobs.pop(end.ticket, None)
        if assessment is not None and assessment is self._assessment and end.value is not None:
            self.outlook_ready.emit(assessment, end.value)


def _outlook_job(assessment: Assessment) -> Callable[[Event], Outlook | None]:
    from kentino_desk.decision.outlook import outlook_of  # noqa: PLC0415 - not needed at the start

    return lambda stop: None if stop.is_set() else outlook_of(assessment, stop.is_set)
