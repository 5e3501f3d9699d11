"""Brings flips and confidence to the parts that show them, once they are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from kentino_desk.present.outlook_words import outlook_view, settled
from kentino_desk.ui.outlook_jobs import OutlookJobs

if TYPE_CHECKING:
    from kentino_desk.decision.outlook import Outlook
    from kentino_desk.decision.results import Assessment
    from kentino_desk.present.outlook_words import OutlookView
    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.workload.flip_table import FlipTable
    from kentino_desk.ui.workload.form import Form
    from kentino_desk.ui.workload.verdict_bar import VerdictBar
    from kentino_desk.ui.workload.verdict_card import VerdictCard


class OutlookPart(QObject):
    """Draws the verdict at once, and again with its outlook when the job is done."""

    def __init__(self, card: VerdictCard, bar: VerdictBar, form: Form, table: FlipTable) -> None:
        super().__init__()
        self.jobs = OutlookJobs()
        self._card, self._bar, self._form, self._table = card, bar, form, table
        self._shown: Shown | None = None
        self._of: Assessment | None = None
        self._view: OutlookView | None = None
        self.jobs.outlook_ready.connect(self._on_jobs_outlook_ready)

    def show_moment(self, new: Shown) -> None:
        """Draw the verdict of a moment and start what belongs to it."""
        before = self._shown.moment.evaluated.assessment if self._shown else None
        self._shown = new
        if new.moment.evaluated.assessment is not before:
            self._form.show_flips({}, {})
            self._table.show_flips(())
        self._draw()
        self.jobs.show_moment(new)

    def close(self) -> None:
        """Stop the jobs for good."""
        self.jobs.close()

    @property
    def is_settled(self) -> bool:
        """Whether flips and confidence of the shown verdict are known."""
        shown = self._shown
        return shown is not None and self._of is shown.moment.evaluated.assessment

    def _draw(self) -> None:
        assert self._shown is not None
        verdict = self._shown.view.verdict
        if self._view is not None and self.is_settled:
            verdict = settled(verdict, self._view)
        self._card.show_verdict(verdict)
        self._bar.show_verdict(verdict)

    def _on_jobs_outlook_ready(self, assessment: Assessment, outlook: Outlook) -> None:
        self._of, self._view = assessment, outlook_view(assessment, outlook)
        self._draw()
        words = dict(zip(self._view.ticks, self._view.sentences, strict=True))
        self._form.show_flips(self._view.ticks, words)
        self._table.show_flips(self._view.table)
