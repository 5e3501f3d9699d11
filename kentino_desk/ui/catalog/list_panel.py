"""Filter and list of one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from kentino_desk.present.catalog_rows import filtered, nothing_found
from kentino_desk.session.shown import SCREEN_LANGUAGE
from kentino_desk.ui.catalog.find_field import FindField
from kentino_desk.ui.catalog.row_table import CatalogTable
from kentino_desk.ui.labels import PlainLabel, rule

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from kentino_desk.present.catalog_rows import CatalogList
    from kentino_desk.ui.look import Look

_TOOLBAR = 48
_MOVES = frozenset({Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp})


class ListPanel(QFrame):
    """Text over id and name leaves the rows that hold it."""

    row_chosen = Signal(object)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName("Rows")
        self.filter = FindField("Filter by name or id")
        self.filter.setMaxLength(80)
        self.filter.setClearButtonEnabled(False)
        self.table = CatalogTable(look)
        self.empty = PlainLabel("", "muted", wraps=True)
        self._count = PlainLabel("", "note")
        self._pages = QStackedWidget()
        self._shown: CatalogList | None = None
        self._typed: dict[str, str] = {}
        self._build()
        self.filter.textChanged.connect(self._on_filter_text_changed)
        self.filter.installEventFilter(self)
        self.table.row_chosen.connect(self.row_chosen)

    @property
    def shown_table(self) -> str:
        """Name of the table in front, empty before there is one."""
        return self._shown.table if self._shown else ""

    def show_list(self, shown: CatalogList, keep: str | None = None) -> None:
        """Show a table; each keeps its own filter while the window is open."""
        is_other = self._shown is None or self._shown.table != shown.table
        self._shown = shown
        self.filter.setPlaceholderText(f"Filter {_in_a_sentence(shown.title)}")
        if is_other:
            self.filter.blockSignals(True)
            self.filter.setText(self._typed.get(shown.table, ""))
            self.filter.blockSignals(False)
        self._apply(keep)

    def hasHeightForWidth(self) -> bool:
        """Texts that wrap must not push the importer out of a low window."""
        return False

    def show_row(self, row_id: str) -> None:
        """Make a row current, whatever the filter says."""
        self.filter.clear()
        self._apply(row_id)

    def show_blocked(self, sentence: str) -> None:
        """Nothing to show, and why."""
        self.empty.show_text(sentence)
        self._pages.setCurrentIndex(1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the filter, Esc clears it and the arrows move in the list."""
        if watched is self.filter and isinstance(event, QKeyEvent):
            if event.type() is QEvent.Type.KeyPress and Qt.Key(event.key()) in _MOVES:
                self.table.keyPressEvent(event)
                return True
            if event.type() is QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
                had_text = bool(self.filter.text())
                self.filter.clear()
                return had_text
        return super().eventFilter(watched, event)

    def _apply(self, keep: str | None) -> None:
        shown = self._shown
        if shown is None:
            return
        typed = self.filter.text()
        self._typed[shown.table] = typed
        rows = filtered(shown.rows, typed)
        self.table.show_rows(shown, rows, keep)
        count = f"{len(rows)} of {len(shown.rows)}"
        self._count.show_text(f"{shown.note} · {count}" if shown.note else count)
        self.empty.show_text("" if rows else nothing_found(shown, typed, SCREEN_LANGUAGE))
        self._pages.setCurrentIndex(0 if rows else 1)

    def _on_filter_text_changed(self, _text: str) -> None:
        self._apply(self.table.current_id)

    def _build(self) -> None:
        bar = QWidget()
        bar.setFixedHeight(_TOOLBAR)
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 0, 16, 0)
        row.setSpacing(12)
        self.filter.setMaximumWidth(260)
        row.addWidget(self.filter, 1)
        row.addStretch(1)
        row.addWidget(self._count)
        place = QWidget()
        around = QVBoxLayout(place)
        around.setContentsMargins(24, 32, 24, 24)
        around.addWidget(self.empty)
        around.addStretch(1)
        self._pages.addWidget(self.table)
        self._pages.addWidget(place)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(rule())
        column.addWidget(self._pages, 1)


def _in_a_sentence(title: str) -> str:
    """A title inside a sentence: small, but for an abbreviation."""
    return title if title[1:2].isupper() else title.lower()
