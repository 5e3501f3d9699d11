"""The proposal screen: sections, preview, document, checklist, export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from kentino_desk.session.checklist import findings
from kentino_desk.session.proposal_name import proposal_name
from kentino_desk.ui.labels import PlainLabel
from kentino_desk.ui.proposal.checklist import Checklist
from kentino_desk.ui.proposal.document_panel import DocumentPanel, ExportPanel
from kentino_desk.ui.proposal.jobs import Order, Preview, preview_job
from kentino_desk.ui.proposal.preview import PreviewPanel
from kentino_desk.ui.services import Told

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.bridge import Bridge
    from kentino_desk.ui.layout import Density
    from kentino_desk.ui.look import Look
    from kentino_desk.ui.runner import JobEnd, Runner
    from kentino_desk.ui.services import Services

_WAIT_MS = 400


class SectionList(QListWidget):
    """Headings of the document with their pages; Enter or a click turns to one."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Sections")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)

    def show_preview(self, preview: Preview | None) -> None:
        """Other headings."""
        self.clear()
        for title, level, page in preview.headings if preview else ():
            if level == 0:
                item = QListWidgetItem(f"{title}  ·  {page + 1}")
                item.setData(Qt.ItemDataRole.UserRole, page)
                self.addItem(item)


class ProposalPage(QWidget):
    """Makes the preview again, beside the window, when what it shows has changed."""

    export_asked = Signal()
    field_asked = Signal(str)

    def __init__(self, look: Look, bridge: Bridge, services: Services, runner: Runner) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self._services = services
        self._runner = runner
        self._shown: Shown | None = None
        self._order: Order | None = None
        self._ticket = 0
        self.sections = SectionList()
        self.preview = PreviewPanel(look)
        self.document = DocumentPanel(bridge)
        self.checklist = Checklist(look)
        self.export = ExportPanel()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._build()
        self._connect()

    def show_moment(self, new: Shown, initiator: object) -> None:
        """Draw the fields; the checklist and the preview only while they are looked at."""
        self._shown = new
        self.document.show_moment(new, initiator)
        order = order_of(new)
        self.export.show_name(proposal_name(new.moment.state), can_export=order is not None)
        if self.isVisible():
            self._refresh()

    def set_density(self, density: Density) -> None:
        """Widths of the columns."""
        narrow = not density.right
        self._row.setContentsMargins(density.gap, density.gap, density.gap, density.gap)
        self._row.setSpacing(density.gap)
        self._left.setFixedWidth(density.form)
        self._left.setVisible(not narrow)
        self._right.setFixedWidth(density.right or 296)

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the preview up to date when the screen comes to the front."""
        super().showEvent(event)
        self._refresh()

    def _refresh(self) -> None:
        if self._shown is None:
            return
        self.checklist.show_findings(findings(self._shown, self._services.snapshot))
        order = order_of(self._shown)
        if order is not None and order.is_same(self._order):
            return
        self._order = order
        self._runner.stop(self._ticket)
        self._ticket = 0
        if order is None:
            self._show(None, "No figures yet: choose a model on the Workload screen (Ctrl+2)")
        else:
            self.preview.show_busy(busy=True)
            self._timer.start()

    def _on_timer_timeout(self) -> None:
        if self._order is not None:
            self._ticket = self._runner.submit(
                preview_job(self._services.write_proposal, self._order)
            )

    def _on_runner_finished(self, end: JobEnd) -> None:
        if end.ticket != self._ticket:
            return
        if end.problem:
            self._order = None
        self._show(end.value if isinstance(end.value, Preview) else None, end.problem)

    def _show(self, preview: Preview | None, message: str = "") -> None:
        self.preview.show_busy(busy=False)
        self.sections.show_preview(preview)
        self.preview.show_preview(preview, message)

    def _build(self) -> None:
        self._left = QFrame()
        self._left.setProperty("role", "panel")
        left = QVBoxLayout(self._left)
        left.setContentsMargins(16, 12, 1, 8)
        left.addWidget(PlainLabel("Sections", "strong"))
        left.addWidget(self.sections, 1)
        self._right = QWidget()
        right = QVBoxLayout(self._right)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(12)
        right.addWidget(self.document)
        right.addWidget(self.checklist, 1)
        right.addWidget(self.export)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._left)
        self._row.addWidget(self.preview, 1)
        self._row.addWidget(self._right)

    def _connect(self) -> None:
        self._timer.timeout.connect(self._on_timer_timeout)
        self._runner.finished.connect(self._on_runner_finished)
        self.export.asked.connect(self.export_asked)
        self.checklist.opened.connect(self.field_asked)
        for signal in (self.sections.itemClicked, self.sections.itemActivated):
            signal.connect(self._on_section_opened)

    def _on_section_opened(self, item: QListWidgetItem) -> None:
        self.preview.show_page(int(item.data(Qt.ItemDataRole.UserRole)))


def order_of(shown: Shown) -> Order | None:
    """What the proposal is made from; None while there are no figures."""
    assessment = shown.moment.evaluated.assessment
    if assessment is None:
        return None
    state = shown.moment.state
    return Order(
        assessment=assessment,
        language=state.view.language,
        told=Told(customer=state.customer, project=state.project, pins=state.pins),
    )
