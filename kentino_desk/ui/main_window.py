"""The window: composes rail, top bar and screens; handlers of the commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from kentino_desk.present.copy_text import candidates_text, verdict_text
from kentino_desk.session.action_words import action_words
from kentino_desk.session.actions import New, SetCustomerView, SetTheme, ShowScreen
from kentino_desk.session.state import Screen
from kentino_desk.ui.actions import build_actions
from kentino_desk.ui.catalog.page import CatalogPage
from kentino_desk.ui.compare.page import ComparePage
from kentino_desk.ui.documents import Dialogs, Documents, FileDialogs
from kentino_desk.ui.layout import density_for
from kentino_desk.ui.look import Look
from kentino_desk.ui.panels import next_panel
from kentino_desk.ui.proposal.page import ProposalPage
from kentino_desk.ui.rail import Rail
from kentino_desk.ui.runner import Runner
from kentino_desk.ui.theme import style_sheet
from kentino_desk.ui.top_bar import TopBar, other_theme
from kentino_desk.ui.why_controller import WhyController
from kentino_desk.ui.workload.map_panel import MapPanel
from kentino_desk.ui.workload.page import WorkloadPage

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent

    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.bridge import Bridge
    from kentino_desk.ui.services import Services

START_SIZE = (1440, 900)
_ANNOUNCE_AFTER_MS = 500


class MainWindow(QMainWindow):
    """Everything that is shown comes from the bridge; everything done goes to it."""

    def __init__(self, services: Services, bridge: Bridge, dialogs: Dialogs | None = None) -> None:
        super().__init__()
        self.setWindowTitle("Kentino Desk")
        self.setMinimumSize(800, 480)
        self.resize(*START_SIZE)
        self.services = services
        self.bridge = bridge
        self.look = Look()
        self.runner = Runner()
        dialogs = dialogs or FileDialogs()
        self._make_screens(dialogs)
        self.documents = Documents(self, bridge, services, self.runner, dialogs)
        local_to = {
            "pin": (self.workload.strip, self.workload.centre.table, self.compare.table),
            "paste_model": (self.catalog,),
        }
        self.actions_by_name = build_actions(self, self._handlers(), local_to)
        self._make_frame()
        self.why = WhyController(self.look, bridge, services, self.workload, self.compare)
        self._announce = QTimer(self)
        self._announce.setSingleShot(True)
        self._announce.setInterval(_ANNOUNCE_AFTER_MS)
        self._announce.timeout.connect(self._on_announce_timeout)
        self._connect()
        self._set_density()
        bridge.tell_all()
        start = "serving.concurrent_users" if bridge.session.state.model else "workload.model"
        self.workload.form.focus_field(start)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another class of size moves parts."""
        super().resizeEvent(event)
        self._set_density()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc puts the explanation or the drawer away, wherever the focus is."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.why.panel.isVisible():
            self.why.close()
        elif self.workload.drawer_open:
            self.workload.toggle_drawer()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop jobs, keep the last state."""
        self._announce.stop()
        self.documents.keep_last()
        self.runner.close()
        self.workload.outlook.close()
        super().closeEvent(event)

    def _make_screens(self, dialogs: Dialogs) -> None:
        models = self.services.snapshot.models if self.services.snapshot else {}
        map_panel = MapPanel(self.look, self.bridge, self.services, self.runner)
        self.workload = WorkloadPage(self.look, self.bridge, models, map_panel)
        self.compare = ComparePage(self.look, self.bridge)
        self.proposal = ProposalPage(self.look, self.bridge, self.services, self.runner)
        self.catalog = CatalogPage(self.look, self.bridge, self.services, dialogs)
        self.screens: dict[Screen, WorkloadPage | ComparePage | ProposalPage | CatalogPage] = {
            Screen.WORKLOAD: self.workload,
            Screen.COMPARE: self.compare,
            Screen.PROPOSAL: self.proposal,
            Screen.CATALOG: self.catalog,
        }
        self.pages = QStackedWidget()
        for page in self.screens.values():
            self.pages.addWidget(page)

    def _make_frame(self) -> None:
        snapshot = self.services.snapshot
        is_sample = snapshot is not None and snapshot.price_list.is_sample
        self.top_bar = TopBar(self.look, self.actions_by_name, is_sample=is_sample)
        self.rail = Rail(self.look, self.actions_by_name)
        central = QWidget()
        column = QVBoxLayout(central)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setSpacing(0)
        column.addLayout(row, 1)
        # Tab follows the order of adding: the screen first, then the top bar, then the rail.
        row.addWidget(self.pages, 1)
        column.insertWidget(0, self.top_bar)
        row.insertWidget(0, self.rail)
        self.setCentralWidget(central)

    def _connect(self) -> None:
        self.bridge.evaluation_changed.connect(self._on_bridge_evaluation_changed)
        self.bridge.catalog_changed.connect(self._on_bridge_catalog_changed)
        self.documents.told.connect(self.top_bar.show_message)
        self.catalog.told.connect(self.top_bar.show_message)
        self.proposal.export_asked.connect(self.documents.export)
        self.proposal.field_asked.connect(self._on_proposal_field_asked)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        dispatch, documents = self.bridge.dispatch, self.documents
        return {
            "show_workload": lambda: dispatch(ShowScreen(Screen.WORKLOAD)),
            "show_compare": lambda: dispatch(ShowScreen(Screen.COMPARE)),
            "show_proposal": lambda: dispatch(ShowScreen(Screen.PROPOSAL)),
            "show_catalog": self._on_show_catalog,
            "import_model": self._on_import_model,
            "paste_model": self.catalog.paste,
            "new": self._on_new,
            "open": documents.open,
            "save": documents.save,
            "save_as": documents.save_as,
            "undo": self._on_undo,
            "redo": self._on_redo,
            "find_model": self._on_find_model,
            "form": self._on_form,
            "why": self._on_why,
            "customer_view": self._on_customer_view,
            "export": documents.export,
            "copy": self._on_copy,
            "pin": self._on_pin,
            "flip_chart": self._on_flip_chart,
            "next_panel": lambda: next_panel(self, 1),
            "previous_panel": lambda: next_panel(self, -1),
            "theme": self._on_theme,
            "quit": self.close,
        }

    def _set_density(self) -> None:
        density = density_for(self.width(), self.height())
        if density is not self.workload.density or not self.rail.minimumWidth():
            for part in (self.rail, self.top_bar, *self.screens.values()):
                part.set_density(density)
        if self.why.panel.isVisible():
            self.why.place()

    def _on_bridge_evaluation_changed(
        self, old: Shown | None, new: Shown, initiator: object
    ) -> None:
        view = new.moment.state.view
        if old is None or old.moment.state.view.theme is not view.theme:
            self.look.set_theme(view.theme)
            self.setStyleSheet(style_sheet(view.theme))
        self.workload.show_moment(old, new, initiator)
        self.compare.show_moment(new)
        self.proposal.show_moment(new, initiator)
        self._show_frame(new)
        self.why.refresh(new)
        self.documents.note_change()
        if old is None or old.view.verdict != new.view.verdict:
            self._announce.start()

    def _show_frame(self, new: Shown) -> None:
        view = new.moment.state.view
        page = self.screens[view.screen]
        if self.pages.currentWidget() is not page:
            self.pages.setCurrentWidget(page)
        self.rail.show_screen(view.screen, customer=view.customer)
        self.top_bar.show_moment(new)
        history = self.bridge.session.history
        self.top_bar.set_history(
            can_undo=history.undo_action is not None, can_redo=history.redo_action is not None
        )

    def _on_flip_chart(self) -> None:
        if self.pages.currentWidget() is self.compare:
            self.compare.side.cost.flip()
        else:
            self.workload.centre.flip_chart()

    def _on_pin(self) -> None:
        focused = self.focusWidget()
        if focused is not None and self.compare.isAncestorOf(focused):
            self.compare.unpin_current()
        else:
            self.workload.pin(focused)

    def _on_undo(self) -> None:
        action = self.bridge.session.history.undo_action
        if action is not None:
            self.bridge.undo()
            self.top_bar.show_message(f"Undone: {action_words(action)}")

    def _on_redo(self) -> None:
        action = self.bridge.session.history.redo_action
        if action is not None:
            self.bridge.redo()
            self.top_bar.show_message(f"Done again: {action_words(action)}")

    def _on_bridge_catalog_changed(self, snapshot: CatalogSnapshot) -> None:
        self.workload.form.use_models(snapshot.models)

    def _on_show_catalog(self) -> bool:
        """Put the catalog in front; prices are not for the customer's eyes."""
        if self.bridge.session.state.view.customer:
            self.top_bar.show_message("The catalog holds prices; F9 leaves customer view first.")
            return False
        self.bridge.dispatch(ShowScreen(Screen.CATALOG))
        self.catalog.focus_filter()
        return True

    def _on_import_model(self) -> None:
        if self._on_show_catalog():
            self.catalog.open_importer()

    def _on_new(self) -> None:
        self.bridge.dispatch(ShowScreen(Screen.WORKLOAD))
        self.bridge.dispatch(New())
        self.top_bar.show_message("New workload. Ctrl+Z brings the one before back.")
        self._on_find_model()

    def _on_find_model(self) -> None:
        self.bridge.dispatch(ShowScreen(Screen.WORKLOAD))
        self._open_drawer()
        self.workload.form.focus_field("workload.model")

    def _on_form(self) -> None:
        if self.workload.density.form_is_drawer:
            self.workload.toggle_drawer()
        else:
            self.workload.form.focus_field("serving.concurrent_users")

    def _on_why(self) -> None:
        page, asks = self.pages.currentWidget(), getattr(self.focusWidget(), "ask_why", None)
        if page not in {self.workload, self.compare}:
            self.top_bar.show_message(
                "Figures are explained on the screens Workload (Ctrl+2) and Compare (Ctrl+3)."
            )
            return
        if asks is not None and asks():
            return
        if page is self.compare:
            self.top_bar.show_message("Move to a figure of the table: words need no formula.")
            return
        rows = self.bridge.shown.view.verdict.rows
        explained = next((row for row in rows if row.key), None)
        if explained is None or not self.why.open(explained.row, explained.key):
            self.top_bar.show_message("No figure to explain yet: choose a model first.")

    def _on_customer_view(self) -> None:
        self.bridge.dispatch(SetCustomerView(on=not self.bridge.session.state.view.customer))

    def _on_copy(self) -> None:
        view = self.bridge.shown.all_rows()
        prices = not self.bridge.session.state.view.customer
        text = verdict_text(view) + "\n" + candidates_text(view, prices=prices)
        QGuiApplication.clipboard().setText(text)
        self.top_bar.show_message("Verdict and table are on the clipboard.")

    def _on_theme(self) -> None:
        self.bridge.dispatch(SetTheme(other_theme(self.bridge.session.state.view.theme)))

    def _on_proposal_field_asked(self, key: str) -> None:
        if key == "customer":
            self.proposal.document.focus_customer()
            return
        self.bridge.dispatch(ShowScreen(Screen.WORKLOAD))
        self._open_drawer()
        self.workload.form.focus_field(key)

    def _open_drawer(self) -> None:
        if self.workload.density.form_is_drawer and not self.workload.drawer_open:
            self.workload.toggle_drawer()

    def _on_focus_changed(self, _old: QWidget | None, _new: QWidget | None) -> None:
        if self.workload.density.compact:
            self.workload.form.show_focus()

    def _on_announce_timeout(self) -> None:
        verdict = self.bridge.shown.view.verdict
        event = QAccessibleAnnouncementEvent(self, f"{verdict.title}. {verdict.sentence}")
        QAccessible.updateAccessibility(event)
