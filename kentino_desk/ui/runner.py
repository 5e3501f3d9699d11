"""Slow work beside the window, one job at a time; the only file with a thread pool."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal

from kentino_desk.domain.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger(__name__)
_WAIT_AT_CLOSE_MS = 5_000


@dataclass(frozen=True, slots=True)
class JobEnd:
    """How a job ended: its value, or the sentence of what went wrong."""

    ticket: int
    value: object = None
    problem: str = ""


class _Task(QRunnable):
    def __init__(self, ticket: int, job: Callable[[Event], object], runner: Runner) -> None:
        super().__init__()
        self.setAutoDelete(False)
        self.stop = Event()
        self._ticket = ticket
        self._job = job
        self._runner = runner

    def run(self) -> None:
        """Run the job; an error that nobody foresaw ends the job and not the program."""
        try:
            end = JobEnd(self._ticket, self._job(self.stop))
        except UserError as error:
            end = JobEnd(self._ticket, problem=str(error))
        except Exception:  # noqa: BLE001 - the border of jobs
            _log.exception("a job failed")
            end = JobEnd(self._ticket, problem="The program failed at this; the log says where.")
        self._runner.job_ended.emit(end)


class Runner(QObject):
    """Owns the tasks and the signal; lives in the main thread."""

    job_ended = Signal(object)
    finished = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._tasks: dict[int, _Task] = {}
        self._last = 0
        self.job_ended.connect(self._on_job_ended, Qt.ConnectionType.QueuedConnection)

    @property
    def is_busy(self) -> bool:
        """Whether a job runs or waits."""
        return bool(self._tasks)

    def submit(self, job: Callable[[Event], object]) -> int:
        """Start a job, or queue it; the ticket tells its end from others."""
        self._last += 1
        task = _Task(self._last, job, self)
        self._tasks[self._last] = task
        self._pool.start(task)
        return self._last

    def stop(self, ticket: int) -> None:
        """Ask a job to stop."""
        if ticket in self._tasks:
            self._tasks[ticket].stop.set()

    def close(self) -> None:
        """Ask all jobs to stop, and wait for them for a while."""
        for task in self._tasks.values():
            task.stop.set()
        self._pool.waitForDone(_WAIT_AT_CLOSE_MS)

    def _on_job_ended(self, end: JobEnd) -> None:
        self._tasks.pop(end.ticket, None)
        self.finished.emit(end)
