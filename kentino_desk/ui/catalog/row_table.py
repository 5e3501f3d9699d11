"""The list of one table of the catalog: a model over rows of ``present``, and its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyledItemDelegate

from kentino_desk.ui.fonts import BODY_PX, NOTE_PX, font
from kentino_desk.ui.labels import plain_tip
from kentino_desk.ui.marks import paint_evidence
from kentino_desk.ui.painting import Ink, paint_text
from kentino_desk.ui.workload.tables import QuietTable

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QPainter, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from kentino_desk.present.catalog_rows import CatalogList, CatalogRow, ListColumn
    from kentino_desk.ui.look import Look

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_NAME_WIDTH = 136
"""What the name keeps before a column leaves."""
_EVIDENCE = int(Qt.ItemDataRole.UserRole)


class CatalogModel(QAbstractTableModel):
    """Rows of one table that the filter leaves."""

    def __init__(self, look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._columns: tuple[ListColumn, ...] = ()
        self._rows: tuple[CatalogRow, ...] = ()

    def show_rows(self, columns: tuple[ListColumn, ...], rows: tuple[CatalogRow, ...]) -> None:
        """Show other rows, if they are others."""
        if (columns, rows) != (self._columns, self._rows):
            self.beginResetModel()
            self._columns, self._rows = columns, rows
            self.endResetModel()

    @property
    def columns(self) -> tuple[ListColumn, ...]:
        """Heads of the columns."""
        return self._columns

    def row_at(self, row: int) -> CatalogRow | None:
        """The row of the catalog in a row of the list."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def row_of(self, row_id: str) -> int:
        """Where a row of the catalog stands, or -1."""
        return next((place for place, row in enumerate(self._rows) if row.id == row_id), -1)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Rows that the filter leaves."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Columns of the table."""
        return 0 if parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles, aligned as their columns."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if self._columns[section].numeric else _LEFT
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, alignment, colour and weight of a cell."""
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], self._columns[index.column()]
        text = row.cells[index.column()]
        answers = {
            int(Qt.ItemDataRole.DisplayRole): text,
            int(Qt.ItemDataRole.TextAlignmentRole): _RIGHT if column.numeric else _LEFT,
            int(Qt.ItemDataRole.ToolTipRole): plain_tip(text),
            int(Qt.ItemDataRole.AccessibleTextRole): f"{column.title}: {text}",
            _EVIDENCE: row.evidence if column.is_grade else "",
        }
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._look.coded(self._look.tokens.tone(row.tones[index.column()]))
        if role == Qt.ItemDataRole.FontRole:
            return font(BODY_PX, strong=row.is_own and index.column() == 0)
        return answers.get(role)


def _left_out(columns: tuple[ListColumn, ...], room: int) -> frozenset[int]:
    """Places of the columns that have no room; the detail holds what they say."""
    wanted = sum(column.width for column in columns)
    leaving = sorted(
        (place for place, column in enumerate(columns) if column.leaves),
        key=lambda place: -columns[place].leaves,
    )
    left_out = set()
    for place in leaving:
        if wanted <= room:
            break
        left_out.add(place)
        wanted -= columns[place].width
    return frozenset(left_out)


class GradeDelegate(QStyledItemDelegate):
    """The grade by shape and word."""

    def __init__(self, look: Look, parent: QObject) -> None:
        super().__init__(parent)
        self._look = look

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        """The word of a grade is painted beside its shape, not by the style."""
        super().initStyleOption(option, index)
        if index.data(_EVIDENCE):
            option.text = ""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """The ground by the style, then shape and word."""
        super().paint(painter, option, index)
        evidence = index.data(_EVIDENCE)
        if not evidence:
            return
        painter.save()
        box = QRectF(option.rect)
        paint_evidence(painter, self._look, QPointF(box.left() + 14, box.center().y()), evidence)
        word = str(index.data(Qt.ItemDataRole.DisplayRole))
        text = box.adjusted(24, 0, -4, 0)
        paint_text(painter, text, word, Ink(self._look.color("text2"), NOTE_PX))
        painter.restore()


class CatalogTable(QuietTable):
    """One row is current; the first column takes what room there is."""

    row_chosen = Signal(object)
    """Id of the current row, or None."""

    def __init__(self, look: Look) -> None:
        self._rows = CatalogModel(look)
        super().__init__(self._rows, "Rows of the table")
        self._rows.setParent(self)
        self.setProperty("role", "rows")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setItemDelegate(GradeDelegate(look, self))
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        look.changed.connect(self.viewport().update)

    @property
    def current_id(self) -> str | None:
        """Id of the current row."""
        row = self._rows.row_at(self.currentIndex().row())
        return row.id if row else None

    def show_rows(self, shown: CatalogList, rows: tuple[CatalogRow, ...], keep: str | None) -> None:
        """Show rows; the one with the id ``keep`` stays current, else the first is."""
        self._rows.show_rows(shown.columns, rows)
        self.setAccessibleName(shown.title)
        self._set_widths(shown.columns)
        place = max(self._rows.row_of(keep) if keep else 0, 0)
        if rows:
            self.setCurrentIndex(self._rows.index(place, 0))
        self.row_chosen.emit(self.current_id)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns leave and come back with the room there is."""
        super().resizeEvent(event)
        self._set_widths(self._rows.columns)

    def _set_widths(self, columns: tuple[ListColumn, ...]) -> None:
        left_out = _left_out(columns, self.viewport().width() - _NAME_WIDTH)
        head = self.horizontalHeader()
        for place, column in enumerate(columns):
            stretches = column.width == 0
            mode = QHeaderView.ResizeMode.Stretch if stretches else QHeaderView.ResizeMode.Fixed
            head.setSectionResizeMode(place, mode)
            if not stretches:
                self.setColumnWidth(place, column.width)
            self.setColumnHidden(place, place in left_out)

    def _on_current_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        row = self._rows.row_at(current.row())
        if row is not None:
            self.row_chosen.emit(row.id)
