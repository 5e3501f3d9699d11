"""The workload screen: places its parts by the size of the window, forwards what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import QWidget

from kentino_desk.session.actions import ChooseCandidate, PinCandidate, ShowTab
from kentino_desk.ui.layout import density_for, place_workload
from kentino_desk.ui.workload.candidate_card import CandidateCard
from kentino_desk.ui.workload.centre import Centre
from kentino_desk.ui.workload.form import Form
from kentino_desk.ui.workload.outlook_part import OutlookPart
from kentino_desk.ui.workload.questions import Questions
from kentino_desk.ui.workload.strip import Strip
from kentino_desk.ui.workload.tables import CandidateTable
from kentino_desk.ui.workload.verdict_bar import VerdictBar
from kentino_desk.ui.workload.verdict_card import VerdictCard

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QResizeEvent, QShowEvent

    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.bridge import Bridge
    from kentino_desk.ui.layout import Box, Density
    from kentino_desk.ui.look import Look
    from kentino_desk.ui.workload.map_panel import MapPanel


class WorkloadPage(QWidget):
    """Form, charts, verdict, questions, strip."""

    why_asked = Signal(int, str)
    """Row of a candidate, or -1 for the workload, and key of a figure."""

    def __init__(
        self, look: Look, bridge: Bridge, models: Mapping[str, ModelCard], map_panel: MapPanel
    ) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self._bridge = bridge
        self.density = density_for(1440, 900)
        self.drawer_open = False
        self._missed: tuple[Shown, Shown] | None = None
        self.centre = Centre(look, map_panel)
        self.strip = Strip(look)
        self.verdict = VerdictCard(look)
        self.questions = Questions(look)
        self.bar = VerdictBar(look)
        self.form = Form(look, bridge, models)
        self.outlook = OutlookPart(self.verdict, self.bar, self.form, map_panel.flips)
        # Tab follows the order of this tuple.
        parts = (self.form, self.bar, self.centre, self.verdict, self.questions, self.strip)
        for part in parts:
            part.setParent(self)
        self._connect()

    def show_moment(self, old: Shown | None, new: Shown, initiator: object) -> None:
        """Draw what differs, or keep it in mind while another screen is in front."""
        if self.isHidden() and old is not None:
            self._missed = (self._missed[0] if self._missed else old, new)
            return
        self._missed = None
        self._draw(old, new, initiator)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while another screen was in front."""
        super().showEvent(event)
        if self._missed is not None:
            (old, new), self._missed = self._missed, None
            self._draw(old, new, None)

    def _draw(self, old: Shown | None, new: Shown, initiator: object) -> None:
        """The verdict first, because it is looked at first."""
        self.outlook.show_moment(new)
        if old is None or old.view.questions != new.view.questions:
            self.questions.show_questions(new.view.questions)
        self.form.show_moment(old, new, initiator)
        self.strip.show_candidates(new)
        self.centre.show_moment(new)
        if old is None or len(old.view.verdict.rows) != len(new.view.verdict.rows):
            self.place()

    def set_density(self, density: Density) -> None:
        """Widths, paddings and what is shown at this size of window."""
        self.density = density
        for part in (self.form, self.verdict, self.questions, self.strip, self.centre):
            part.set_density(density)
        self._seat_questions()
        self.place()

    def why_area(self) -> QRect:
        """Where an explanation may lie: over the charts."""
        return self.centre.geometry()

    def toggle_drawer(self) -> None:
        """Show or hide the form of a small window."""
        self.drawer_open = not self.drawer_open
        self.place()
        if self.drawer_open:
            self.form.focus_field("serving.concurrent_users")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the parts anew."""
        super().resizeEvent(event)
        self.place()

    def place(self) -> None:
        """Set the rectangle of each part."""
        density = self.density
        places = place_workload(self.width(), self.height(), density)
        _put(self.form, places.form)
        _put(self.centre, places.centre)
        _put(self.strip, places.strip)
        shows_form = not density.form_is_drawer or self.drawer_open
        if not shows_form and self.form.isAncestorOf(self.window().focusWidget() or self):
            self.strip.selected_card.setFocus(Qt.FocusReason.OtherFocusReason)
        self.form.setVisible(shows_form)
        if self.form.isVisible() and density.form_is_drawer:
            self.form.raise_()
        self.verdict.setVisible(places.right is not None)
        self.bar.setVisible(places.bar is not None)
        if places.bar is not None:
            _put(self.bar, places.bar)
        if places.right is not None:
            self._place_right(places.right)

    def pin_target(self, focused: QWidget | None) -> str:
        """Id of the candidate that P pins: of the focused table row or card, else the chosen."""
        if focused is not None and isinstance(focused, CandidateTable) and focused.current_id:
            return focused.current_id
        if isinstance(focused, CandidateCard) and focused.candidate is not None:
            return focused.candidate.id
        card = self.strip.selected_card.candidate
        return card.id if card else ""

    def _place_right(self, right: Box) -> None:
        wanted = self.verdict.wanted_height()
        self.verdict.setGeometry(right.x, right.y, right.w, wanted)
        top = right.y + wanted + self.density.gap
        self.questions.setGeometry(right.x, top, right.w, right.y + right.h - top)

    def _seat_questions(self) -> None:
        if self.density.right:
            if self.questions.parentWidget() is not self:
                self.questions.setParent(self)
            self.questions.show()
        else:
            self.centre.hold_questions(self.questions)

    def _connect(self) -> None:
        self.centre.tab_chosen.connect(lambda tab: self._bridge.dispatch(ShowTab(tab)))
        for source in (self.strip, self.centre.table):
            source.chosen.connect(lambda name: self._bridge.dispatch(ChooseCandidate(name)))
        self.strip.why_asked.connect(lambda row: self.why_asked.emit(row, "merit"))
        self.centre.table.why_asked.connect(self.why_asked)
        self.verdict.why_asked.connect(self._on_figure_why_asked)
        self.bar.why_asked.connect(self._on_figure_why_asked)

    def pin(self, focused: QWidget | None) -> None:
        """Pin or unpin a candidate."""
        target = self.pin_target(focused)
        if target:
            self._bridge.dispatch(PinCandidate(target))

    def _on_figure_why_asked(self, key: str, row: int) -> None:
        self.why_asked.emit(row, key)


def _put(widget: QWidget, box: Box) -> None:
    rect = QRect(*box)
    if widget.geometry() != rect:
        widget.setGeometry(rect)
