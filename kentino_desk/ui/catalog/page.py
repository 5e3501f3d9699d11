"""The catalog screen: tables, list, detail, importer."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kentino_desk.catalog.records import read_records, record_of_card
from kentino_desk.domain.errors import CatalogError
from kentino_desk.present.catalog_detail import row_detail
from kentino_desk.present.catalog_rows import catalog_list
from kentino_desk.present.catalog_values import Values
from kentino_desk.present.catalog_words import TABLE_TITLES
from kentino_desk.session.shown import SCREEN_LANGUAGE
from kentino_desk.ui.catalog.detail_panel import DetailPanel
from kentino_desk.ui.catalog.import_panel import ImportPanel
from kentino_desk.ui.catalog.importer import Importer
from kentino_desk.ui.catalog.list_panel import ListPanel
from kentino_desk.ui.catalog.own_models import OwnModels
from kentino_desk.ui.catalog.table_list import TablePanel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent

    from kentino_desk.catalog.records import CatalogRecord
    from kentino_desk.present.catalog_rows import CatalogList
    from kentino_desk.ui.bridge import Bridge
    from kentino_desk.ui.documents import Dialogs
    from kentino_desk.ui.layout import Density
    from kentino_desk.ui.look import Look
    from kentino_desk.ui.services import Services

_FIRST = "gpus"
_LEAST_HEIGHT = 120
"""A small window with the importer open keeps two rows of the list."""
_MODELS = "models"


class CatalogPage(QWidget):
    """Shows the shipped catalog, which is never altered, and the user's models on top."""

    told = Signal(str)

    def __init__(self, look: Look, bridge: Bridge, services: Services, dialogs: Dialogs) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self.setAcceptDrops(True)
        self._services = services
        self._dialogs = dialogs
        self._values = Values(SCREEN_LANGUAGE)
        self._shipped: Mapping[str, tuple[CatalogRecord, ...]] = MappingProxyType({})
        self._records: dict[tuple[str, str], CatalogRecord] = {}
        self._lists: dict[str, CatalogList] = {}
        self.tables = TablePanel(look)
        self.list = ListPanel(look)
        self.detail = DetailPanel(look)
        self.importing = ImportPanel(look)
        self.importer = Importer(self.importing, bridge, services.catalog)
        self.own_models = OwnModels(bridge, services.catalog, self)
        self._build()
        self._connect(bridge)

    def set_density(self, density: Density) -> None:
        """Widths of the columns."""
        gap = density.gap
        self._row.setContentsMargins(gap, gap, gap, gap)
        self._row.setSpacing(gap)
        self._upper.setSpacing(gap)
        self._right.setSpacing(gap)
        narrow = density.form_is_drawer
        self.tables.setFixedWidth(152 if narrow else 160)
        self.detail.setFixedWidth(300 if narrow else 360 if density.compact else 440)
        self.importing.set_density(density)

    def focus_filter(self) -> None:
        """Put the cursor where a row is found."""
        self.list.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def open_importer(self) -> None:
        """Show the importer with what it held before."""
        self.importing.show()
        target = self.importing.name if self.importing.name.isEnabled() else self.importing.open
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def paste(self) -> None:
        """Take the text, or the file, that is on the clipboard."""
        content = QGuiApplication.clipboard().mimeData()
        if not self._take(content):
            self.told.emit("The clipboard holds no text. Copy the text of a config.json first.")

    def choose_file(self) -> None:
        """Ask for a config.json and read it."""
        path = self._dialogs.config_path(self)
        if path is not None:
            self._import(path)

    def showEvent(self, event: QShowEvent) -> None:
        """Read the catalog when the screen is looked at first."""
        super().showEvent(event)
        if not self._lists:
            self._fill()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes the importer, Delete removes a model of the user; nothing is lost."""
        if event.key() == Qt.Key.Key_Delete and self._current_is_own():
            self.own_models.remove(self._record_id())
        elif event.key() == Qt.Key.Key_Escape and self.importing.isVisible():
            self._on_importing_closed()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and text may be dropped."""
        if event.mimeData().hasUrls() or event.mimeData().hasText():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Read what was dropped."""
        if self._take(event.mimeData()):
            event.acceptProposedAction()

    def _take(self, content: QMimeData) -> bool:
        files = [Path(url.toLocalFile()) for url in content.urls() if url.isLocalFile()]
        if files:
            self._import(files[0])
            return True
        if not content.text().strip():
            return False
        self.importing.show()
        self.importer.take_text(content.text())
        return True

    def _import(self, path: Path) -> None:
        self.importing.show()
        self.importer.take_file(path)

    def _fill(self) -> None:
        try:
            self._shipped = read_records()
        except CatalogError as error:
            self.list.show_blocked(str(error))
            return
        for table in TABLE_TITLES:
            self._make_list(table)
        self._show_tables()
        self.tables.choose(_FIRST)

    def _make_list(self, table: str) -> None:
        records = self._shipped[table]
        if table == _MODELS:
            records = (*records, *self._own_models())
        self._records |= {(table, record.id): record for record in records}
        self._lists[table] = catalog_list(table, records, self._values)

    def _own_models(self) -> list[CatalogRecord]:
        snapshot = self._services.snapshot
        known = {record.id for record in self._shipped[_MODELS]}
        cards = snapshot.models.values() if snapshot else ()
        return [record_of_card(card) for card in cards if card.id not in known]

    def _show_tables(self) -> None:
        version, read_on = self._shipped["catalog"][0].id, self._shipped["catalog"][0].read_on
        about = f"Shipped catalog {version}, read on {read_on}; never altered."
        self.tables.show_tables(tuple(self._lists.values()), SCREEN_LANGUAGE, about)

    def _build(self) -> None:
        self.importing.hide()
        for part in (self.list, self.detail):
            part.setMinimumHeight(_LEAST_HEIGHT)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.tables)
        self._right = QVBoxLayout()
        self._upper = QHBoxLayout()
        self._upper.addWidget(self.list, 1)
        self._upper.addWidget(self.detail)
        self._right.addLayout(self._upper, 1)
        self._right.addWidget(self.importing)
        self._row.addLayout(self._right, 1)

    def _connect(self, bridge: Bridge) -> None:
        self.tables.table_chosen.connect(self._on_tables_table_chosen)
        self.tables.import_asked.connect(self.open_importer)
        self.list.row_chosen.connect(self._on_list_row_chosen)
        self.importing.open_asked.connect(self.choose_file)
        self.importing.paste_asked.connect(self.paste)
        self.importing.closed.connect(self._on_importing_closed)
        self.importer.added.connect(self._on_importer_added)
        self.detail.deed_asked.connect(self._on_detail_deed_asked)
        self.own_models.changed.connect(self._on_own_models_changed)
        self.own_models.told.connect(self.told)
        bridge.catalog_changed.connect(self._on_bridge_catalog_changed)

    @property
    def table(self) -> str:
        """Name of the table in front."""
        return self.list.shown_table

    def _on_tables_table_chosen(self, table: str) -> None:
        self.list.show_list(self._lists[table])

    def _on_list_row_chosen(self, row_id: str | None) -> None:
        record = self._records.get((self.table, row_id)) if row_id else None
        self.detail.show_detail(row_detail(record, self._values) if record else None)
        self.detail.offer(self.own_models.deed(bool(record and record.is_own)))

    def _record_id(self) -> str:
        return self.list.table.current_id or ""

    def _current_is_own(self) -> bool:
        record = self._records.get((self.table, self._record_id()))
        return record is not None and record.is_own

    def _on_detail_deed_asked(self) -> None:
        if self._current_is_own():
            self.own_models.remove(self._record_id())
        else:
            self.own_models.put_back()

    def _on_own_models_changed(self, model_id: str) -> None:
        """The removed row is gone, the one put back is in front; the list keeps the keys."""
        if model_id:
            self.list.show_row(model_id)
        self.detail.offer(self.own_models.deed(self._current_is_own()))
        self.list.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_importing_closed(self) -> None:
        self.importing.hide()
        self.focus_filter()

    def _on_bridge_catalog_changed(self) -> None:
        if not self._lists:
            return
        self._make_list(_MODELS)
        self._show_tables()
        if self.table == _MODELS:
            self.list.show_list(self._lists[_MODELS], self.list.table.current_id)

    def _on_importer_added(self, model_id: str, name: str) -> None:
        if not self._lists:
            self._fill()
        self.tables.choose(_MODELS)
        self.list.show_row(model_id)
        self.list.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.told.emit(f"Added {name} to your models. Ctrl+K finds it in the workload.")
