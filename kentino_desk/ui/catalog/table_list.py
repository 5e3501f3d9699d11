"""The tables of the catalog with their counts; the way to the importer below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QVBoxLayout,
)

from kentino_desk.ui.fonts import BODY_PX, NOTE_PX
from kentino_desk.ui.labels import PlainLabel, button, rule
from kentino_desk.ui.painting import RIGHT, Ink, paint_text, text_width

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    from kentino_desk.present.catalog_rows import CatalogList
    from kentino_desk.ui.look import Look

_ROW = 36
_TABLE = int(Qt.ItemDataRole.UserRole)
_COUNT = _TABLE + 1


class _TableDelegate(QStyledItemDelegate):
    """Name at the left, count at the right, accent bar when chosen."""

    def __init__(self, look: Look, parent: QObject) -> None:
        super().__init__(parent)
        self._look = look

    def sizeHint(
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """One height for all."""
        return QSize(100, _ROW)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Ground, bar, words."""
        look, box = self._look, QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.fillRect(box, look.color("accentbg" if chosen else "sunk" if hovered else "panel"))
        if chosen:
            painter.fillRect(QRectF(box.left(), box.top(), 3, _ROW), look.color("accent"))
        count = str(index.data(_COUNT))
        inner = box.adjusted(16, 0, -12, 0)
        paint_text(painter, inner, count, Ink(look.color("text2"), NOTE_PX), RIGHT)
        name = inner.adjusted(0, 0, -text_width(count, NOTE_PX) - 8, 0)
        ink = Ink(look.color("text"), BODY_PX, strong=chosen)
        paint_text(painter, name, str(index.data(_TABLE + 2)), ink)
        painter.restore()


class TablePanel(QFrame):
    """Chooses a table."""

    table_chosen = Signal(str)
    import_asked = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName("Tables of the catalog")
        self.tables = QListWidget()
        self.tables.setProperty("role", "tables")
        self.tables.setAccessibleName("Tables")
        self.tables.setMouseTracking(True)
        self.tables.setItemDelegate(_TableDelegate(look, self.tables))
        self._about = PlainLabel("", "note", wraps=True)
        self.import_model = button("Import a model")
        self._build()
        self.tables.currentItemChanged.connect(self._on_tables_current_item_changed)
        self.import_model.clicked.connect(self.import_asked)
        look.changed.connect(self.tables.viewport().update)

    def show_tables(self, lists: tuple[CatalogList, ...], language: str, about: str) -> None:
        """Names and counts."""
        self._about.show_text(about)
        self.tables.blockSignals(True)
        for place, shown in enumerate(lists):
            item = self.tables.item(place) or QListWidgetItem(self.tables)
            count = shown.count_words(language)
            item.setText(f"{shown.title}, {count}")
            item.setData(_TABLE, shown.table)
            item.setData(_COUNT, count)
            item.setData(_TABLE + 2, shown.title)
        self.tables.blockSignals(False)

    def choose(self, table: str) -> None:
        """Put a table in front."""
        for place in range(self.tables.count()):
            item = self.tables.item(place)
            if item.data(_TABLE) == table:
                self.tables.setCurrentItem(item)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 8, 1, 12)
        column.setSpacing(8)
        column.addWidget(self.tables, 1)
        column.addWidget(rule())
        foot = QVBoxLayout()
        foot.setContentsMargins(12, 4, 12, 0)
        foot.setSpacing(8)
        foot.addWidget(self._about)
        foot.addWidget(self.import_model)
        column.addLayout(foot)

    def _on_tables_current_item_changed(
        self, item: QListWidgetItem | None, _before: QListWidgetItem | None
    ) -> None:
        if item is not None:
            self.table_chosen.emit(str(item.data(_TABLE)))
