"""How cells and heads of the comparison are drawn: pips, best in a word, difference beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QHeaderView

from kentino_desk.ui.fonts import BODY_PX, NOTE_PX
from kentino_desk.ui.marks import PIPS_WIDTH, paint_pips
from kentino_desk.ui.painting import Ink, lines_of, paint_text, text_width

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QWidget

    from kentino_desk.present.compare_views import CompareCell
    from kentino_desk.ui.compare.model import CompareModel, Line
    from kentino_desk.ui.look import Look

_PAD = 8
_GAP = 6
HEAD_HEIGHT = 78
_NAME_LINES = 2


class CellInk:
    """Draws whole cells: their parts have their own size and colour.

    The table calls it for each cell in sight: a delegate would ask the style sheet for every one.
    """

    def __init__(self, look: Look, model: CompareModel) -> None:
        self._look = look
        self._model = model

    def paint_column(self, painter: QPainter, box: QRectF) -> None:
        """The ground of the recommended build, with a line on both sides."""
        painter.fillRect(box, self._look.color("accentbg"))
        accent = self._look.color("accent")
        painter.fillRect(QRectF(box.left(), box.top(), 2, box.height()), accent)
        painter.fillRect(QRectF(box.right() - 2, box.top(), 2, box.height()), accent)

    def paint_row(self, painter: QPainter, box: QRectF, row: int) -> None:
        """The ground of a title, and the hairline under every row."""
        if self._model.lines[row].is_group:
            painter.fillRect(box, self._look.color("sunk"))
        hairline = QRectF(box.left(), box.bottom() - 1, box.width(), 1)
        painter.fillRect(hairline, self._look.color("line"))

    def paint(self, painter: QPainter, box: QRectF, row: int, column: int) -> None:
        """The words of a cell."""
        line = self._model.lines[row]
        if line.row is None:
            return
        inner = box.adjusted(_PAD, 0, -_PAD, -1)
        if column < len(line.row.cells):
            self._paint_cell(painter, inner, line, line.row.cells[column])
        elif line.row.spread:
            self._paint_spread(painter, inner, line.row.spread)

    def paint_current(self, painter: QPainter, box: QRectF) -> None:
        """The edge of the current cell."""
        painter.setPen(QPen(self._look.color("accent"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(1, 1, -1, -2))

    def _paint_spread(self, painter: QPainter, box: QRectF, text: str) -> None:
        paint_text(painter, box, text, Ink(self._look.color("text2"), NOTE_PX))

    def _paint_cell(self, painter: QPainter, box: QRectF, line: Line, cell: CompareCell) -> None:
        color = self._look.coded(self._look.tokens.tone(cell.tone))
        if line.is_note:
            ink = Ink(color, NOTE_PX)
            most = max(int(box.height() - 8) // 16, 1)
            for place, words in enumerate(lines_of(cell.text, box.width(), NOTE_PX, most)):
                row = QRectF(box.left(), box.top() + 4 + 16 * place, box.width(), 16)
                paint_text(painter, row, words, ink)
            return
        left = box.left()
        if cell.grade is not None:
            paint_pips(painter, self._look, left, box.center().y(), cell.grade)
            left += PIPS_WIDTH + _GAP
        ink = Ink(color, BODY_PX, strong=cell.best)
        paint_text(
            painter, QRectF(left, box.top(), box.right() - left, box.height()), cell.text, ink
        )
        if not cell.best and not cell.difference:
            return
        left += text_width(cell.text, strong=cell.best) + _GAP
        self._paint_beside(painter, QRectF(left, box.top(), box.right() - left, box.height()), cell)

    def _paint_beside(self, painter: QPainter, box: QRectF, cell: CompareCell) -> None:
        """The word for the best, then the difference, as far as they fit."""
        left = box.left()
        word = self._model.view.best_word if cell.best and self._model.view else ""
        parts = ((word, "accent", True), (cell.difference, "text2", False))
        for text, token, strong in parts:
            width = text_width(text, NOTE_PX, strong=strong)
            if text and left + width <= box.right() + 1:
                at = QRectF(left, box.top() + 1, width + 1, box.height())
                paint_text(painter, at, text, Ink(self._look.color(token), NOTE_PX, strong))
                left += width + _GAP


class CompareHeader(QHeaderView):
    """Name on up to two lines, what it is, and its mark."""

    def __init__(self, look: Look, model: CompareModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._look = look
        self._model = model
        self.setFixedHeight(HEAD_HEIGHT)

    def sizeHint(self) -> QSize:
        """One height for all."""
        return QSize(super().sizeHint().width(), HEAD_HEIGHT)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw one head."""
        head, box = self._model.head_at(section), QRectF(rect)
        painter.save()
        painter.setClipRect(box)
        chosen = bool(head and head.chosen)
        painter.fillRect(box, self._look.color("accentbg" if chosen else "panel"))
        painter.fillRect(
            QRectF(box.left(), box.bottom(), box.width(), 1), self._look.color("line2")
        )
        muted = Ink(self._look.color("text2"), NOTE_PX)
        width, top = box.width() - 2 * _PAD, box.top() + 6
        if head is None:
            word = self._model.view.difference_word if self._model.view else ""
            paint_text(painter, QRectF(box.left() + _PAD, top, width, 16), word, muted)
        else:
            name = Ink(self._look.color("text"), NOTE_PX, strong=True)
            for line in lines_of(head.name, width, NOTE_PX, _NAME_LINES, strong=True):
                paint_text(painter, QRectF(box.left() + _PAD, top, width, 16), line, name)
                top += 16
            paint_text(painter, QRectF(box.left() + _PAD, top, width, 16), head.kind, muted)
            tone = "accent" if head.chosen else "warn"
            mark = Ink(self._look.color(tone), NOTE_PX, strong=True)
            paint_text(painter, QRectF(box.left() + _PAD, top + 16, width, 16), head.mark, mark)
        painter.restore()


class NameHeader(QHeaderView):
    """Names of the rows and titles of the groups, which stay while the builds scroll."""

    def __init__(self, look: Look, model: CompareModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._look = look
        self._model = model

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw one name; the style sheet is not asked for each."""
        box, line = QRectF(rect), self._model.lines[section]
        painter.fillRect(box, self._look.color("sunk" if line.is_group else "panel"))
        hairline = QRectF(box.left(), box.bottom() - 1, box.width(), 1)
        painter.fillRect(hairline, self._look.color("line"))
        token = "text" if line.is_group else "text2"
        ink = Ink(self._look.color(token), NOTE_PX, strong=line.is_group)
        paint_text(painter, box.adjusted(_PAD, 0, -4, -1), line.title, ink)
