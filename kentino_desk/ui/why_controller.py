"""Opens, refreshes and closes the "why?"; keeps the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from kentino_desk.present.load_words import merit_key
from kentino_desk.ui.why_panel import WIDTH, WhyPanel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.present.views import WhyView
    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.bridge import Bridge
    from kentino_desk.ui.compare.page import ComparePage
    from kentino_desk.ui.look import Look
    from kentino_desk.ui.services import Services
    from kentino_desk.ui.workload.page import WorkloadPage

MERIT = "merit"


class WhyController(QObject):
    """One panel over the workload screen, or over the comparison where that asks."""

    def __init__(
        self,
        look: Look,
        bridge: Bridge,
        services: Services,
        page: WorkloadPage,
        compare: ComparePage,
    ) -> None:
        super().__init__(page)
        self._bridge = bridge
        self._services = services
        self._page = page
        self._host: WorkloadPage | ComparePage = page
        self._build_id = ""
        self._trail: list[str] = []
        self._return_to: QWidget | None = None
        self.panel = WhyPanel(look, page)
        self.panel.closed.connect(self.close)
        self.panel.went_back.connect(self.go_back)
        self.panel.input_opened.connect(self.open_input)
        page.why_asked.connect(self.open)
        compare.why_asked.connect(lambda row, key: self.open(row, key, compare))

    def open(self, row: int, key: str, over: ComparePage | None = None) -> bool:
        """Explain a figure of a candidate, or of the workload; False where there is nothing.

        ``over`` is the screen that asks, the workload screen where it is left out.
        """
        assessment = self._bridge.shown.moment.evaluated.assessment
        if assessment is None:
            return False
        result = next((item for item in assessment.candidates if item.row == row), None)
        key = merit_key(assessment.workload) if key == MERIT else key
        view = self._explained(assessment, result, key)
        if view is None:
            return False
        if not self.panel.isVisible():
            self._return_to = self._page.window().focusWidget()
        self._build_id = result.candidate.id if result else ""
        self._trail = [key]
        self._host = over or self._page
        if self.panel.parentWidget() is not self._host:
            self.panel.setParent(self._host)
        self._show(view)
        return True

    def open_input(self, key: str) -> None:
        """Explain an input of the figure that is explained."""
        assessment, result = self._subject(self._bridge.shown)
        view = self._explained(assessment, result, key) if assessment else None
        if view is not None:
            self._trail.append(key)
            self._show(view)

    def go_back(self) -> None:
        """Explain the figure before."""
        if len(self._trail) > 1:
            self._trail.pop()
            self.refresh(self._bridge.shown)
            self.panel.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self, new: Shown) -> None:
        """The figure may have another value; without figures the panel closes."""
        if not self._trail:
            return
        assessment, result = self._subject(new)
        view = self._explained(assessment, result, self._trail[-1]) if assessment else None
        if view is None:
            self.close()
        else:
            self.panel.show_why(view, can_go_back=len(self._trail) > 1)

    def close(self) -> None:
        """Put the panel away, and the focus back."""
        self._trail = []
        self._mark("")
        had_focus = self.panel.isAncestorOf(self._page.window().focusWidget() or self._page)
        had_focus = had_focus or self.panel.hasFocus()
        self.panel.hide()
        if had_focus and self._return_to is not None:
            self._return_to.setFocus(Qt.FocusReason.OtherFocusReason)

    def place(self) -> None:
        """Over the middle of its screen, at its right end, at most as high."""
        centre = self._host.why_area()
        width = min(WIDTH, centre.width())
        height = min(max(self.panel.wanted_height(), 280), centre.height())
        self.panel.setGeometry(centre.right() + 1 - width, centre.top(), width, height)

    def _show(self, view: WhyView) -> None:
        self.panel.show_why(view, can_go_back=len(self._trail) > 1)
        self.place()
        self.panel.show()
        self.panel.raise_()
        self.panel.setFocus(Qt.FocusReason.OtherFocusReason)
        self._mark(self._trail[0])

    def _mark(self, key: str) -> None:
        for line in self._page.verdict.lines:
            line.set_explained(explained=bool(key) and line.key == key)

    def _subject(self, shown: Shown) -> tuple[Assessment | None, CandidateResult | None]:
        assessment = shown.moment.evaluated.assessment
        if assessment is None:
            return None, None
        best = assessment.best_per_build
        found = next((item for item in best if item.candidate.id == self._build_id), None)
        return assessment, found

    def _explained(
        self, assessment: Assessment, result: CandidateResult | None, key: str
    ) -> WhyView | None:
        try:
            return self._services.why(assessment, result, key)
        except KeyError:
            return None
