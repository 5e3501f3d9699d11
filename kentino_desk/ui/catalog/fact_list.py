"""A list of facts: title and value, below them where the value comes from and its grade."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate

from kentino_desk.ui.fonts import BODY_PX, NOTE_PX
from kentino_desk.ui.labels import plain_tip
from kentino_desk.ui.marks import paint_evidence
from kentino_desk.ui.painting import RIGHT, Ink, paint_text, text_width

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    from kentino_desk.present.catalog_detail import FactLine
    from kentino_desk.ui.look import Look

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_LINE = int(Qt.ItemDataRole.UserRole)
_SECTION, _ONE_LINE, _TWO_LINES = 26, 28, 44
_GAP = 12
_SHAPE = 16


class FactModel(QAbstractListModel):
    """Lines of ``present`` as rows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[FactLine, ...] = ()

    def show_lines(self, lines: tuple[FactLine, ...]) -> None:
        """Show other lines, if they are others."""
        if lines != self._lines:
            self.beginResetModel()
            self._lines = lines
            self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """One row for each line."""
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The line for the delegate; its words for everybody else."""
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        if role == _LINE:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{line.title}: {line.value}" if line.value else line.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(line.spoken)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return line.spoken
        return None


class FactDelegate(QStyledItemDelegate):
    """Paints one line."""

    def __init__(self, look: Look, parent: QObject, padding: int) -> None:
        super().__init__(parent)
        self._look = look
        self._padding = padding

    def sizeHint(self, _option: QStyleOptionViewItem, index: _Index) -> QSize:
        """A second line only where there is something to say in it."""
        line: FactLine = index.data(_LINE)
        if line.is_section:
            return QSize(100, _SECTION)
        return QSize(100, _TWO_LINES if line.note or line.grade else _ONE_LINE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Ground, hairline, words."""
        line: FactLine = index.data(_LINE)
        look, box = self._look, QRectF(option.rect)
        painter.save()
        ground = "sunk" if line.is_section else self._ground(option)
        painter.fillRect(box, look.color(ground))
        painter.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), look.color("line"))
        inner = box.adjusted(self._padding, 0, -self._padding, -1)
        if line.is_section:
            paint_text(painter, inner, line.title, Ink(look.color("text2"), NOTE_PX, strong=True))
        else:
            self._paint_fact(painter, inner, line)
        painter.restore()

    def _ground(self, option: QStyleOptionViewItem) -> str:
        if option.state & QStyle.StateFlag.State_Selected:
            return "accentbg"
        return "sunk" if option.state & QStyle.StateFlag.State_MouseOver else "panel"

    def _paint_fact(self, painter: QPainter, box: QRectF, line: FactLine) -> None:
        look = self._look
        two = bool(line.note or line.grade)
        first = QRectF(box.left(), box.top() + 3, box.width(), 20) if two else box
        value = Ink(look.coded(look.tokens.tone(line.tone)), BODY_PX, strong=True)
        title_width = min(text_width(line.title), 0.55 * box.width())
        right = first.adjusted(title_width + _GAP, 0, 0, 0)
        paint_text(painter, right, line.value, value, RIGHT)
        taken = min(text_width(line.value, strong=True), right.width())
        left = first.adjusted(0, 0, -taken - _GAP, 0)
        paint_text(painter, left, line.title, Ink(look.color("text2"), BODY_PX))
        if two:
            self._paint_basis(painter, QRectF(box.left(), box.top() + 23, box.width(), 16), line)

    def _paint_basis(self, painter: QPainter, box: QRectF, line: FactLine) -> None:
        """Where the value comes from, and at the right its grade by shape and word."""
        ink = Ink(self._look.color("text2"), NOTE_PX)
        end = box.right()
        if line.grade:
            left = box.right() - text_width(line.grade, NOTE_PX)
            paint_text(painter, QRectF(left, box.top(), box.right() - left, 16), line.grade, ink)
            if line.evidence:
                left -= _SHAPE
                center = QPointF(left + 6, box.center().y())
                paint_evidence(painter, self._look, center, line.evidence)
            end = left - _GAP
        paint_text(painter, QRectF(box.left(), box.top(), end - box.left(), 16), line.note, ink)


class FactList(QListView):
    """Read only; the arrows move, the whole line is said."""

    def __init__(self, look: Look, name: str, padding: int = 16) -> None:
        super().__init__()
        self.setProperty("role", "facts")
        self.setAccessibleName(name)
        self._model = FactModel(self)
        self.setModel(self._model)
        self.setItemDelegate(FactDelegate(look, self, padding))
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        look.changed.connect(self.viewport().update)

    def show_lines(self, lines: tuple[FactLine, ...]) -> None:
        """Show other lines from their top."""
        self._model.show_lines(lines)
        self.scrollToTop()
