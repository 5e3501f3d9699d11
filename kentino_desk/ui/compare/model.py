"""The comparison as a model: groups and rows down the side, builds across, the difference last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from kentino_desk.ui.fonts import BODY_PX, NOTE_PX, font
from kentino_desk.ui.labels import plain_tip

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject

    from kentino_desk.present.compare_views import CompareCell, CompareHead, CompareRow, CompareView
    from kentino_desk.ui.look import Look

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_TOP = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: the title of a group, or a row of it."""

    title: str
    row: CompareRow | None
    is_note: bool = False

    @property
    def is_group(self) -> bool:
        """Whether it is a title."""
        return self.row is None


def lines_of_view(view: CompareView, *, differences_only: bool) -> tuple[Line, ...]:
    """Titles and rows in order; groups that say nothing different leave with their rows."""
    lines: list[Line] = []
    last = view.groups[-1]
    for group in view.groups:
        rows = [row for row in group.rows if not (differences_only and row.is_equal)]
        if rows:
            lines.append(Line(group.title, None))
            lines += [Line(row.name, row, is_note=group is last) for row in rows]
    return tuple(lines)


class CompareModel(QAbstractTableModel):
    """Resets when its rows or builds are others; else tells which cells differ."""

    def __init__(self, look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.view: CompareView | None = None
        self.lines: tuple[Line, ...] = ()

    def show_view(self, view: CompareView | None, *, differences_only: bool) -> bool:
        """Show another comparison; whether the shape of the table is another."""
        lines = lines_of_view(view, differences_only=differences_only) if view else ()
        same = _shape(self.view, self.lines) == _shape(view, lines)
        if not same:
            self.beginResetModel()
        changed = [
            place
            for place, (old, new) in enumerate(zip(self.lines, lines, strict=False))
            if old != new
        ]
        self.view, self.lines = view, lines
        if not same:
            self.endResetModel()
            return True
        for place in changed:
            self.dataChanged.emit(self.index(place, 0), self.index(place, self.columnCount() - 1))
        return False

    def head_at(self, column: int) -> CompareHead | None:
        """The build of a column."""
        heads = self.view.heads if self.view else ()
        return heads[column] if 0 <= column < len(heads) else None

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Titles and rows."""
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Builds, and the difference."""
        return 0 if parent.isValid() or self.view is None else len(self.view.heads) + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Builds across, names of the rows down."""
        if self.view is None or section < 0:
            return None
        if orientation is Qt.Orientation.Vertical:
            return self._side(section, role)
        head = self.head_at(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return self.view.difference_word if head is None else _named(head)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT
        if role == Qt.ItemDataRole.ToolTipRole and head is not None:
            return plain_tip(f"{_named(head)}. P takes the pin away.")
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour and weight of a cell."""
        if not index.isValid() or self.view is None:
            return None
        line = self.lines[index.row()]
        if line.row is None:
            return self._look.color("sunk") if role == Qt.ItemDataRole.BackgroundRole else None
        if index.column() == len(self.view.heads):
            return self._difference(line, role)
        return self._cell(line, line.row.cells[index.column()], index.column(), role)

    def _side(self, section: int, role: int) -> Any:
        line = self.lines[section] if section < len(self.lines) else None
        if line is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return line.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT
        if role == Qt.ItemDataRole.FontRole:
            return font(NOTE_PX if line.is_group else BODY_PX, strong=line.is_group)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(line.title)
        return None

    def _difference(self, line: Line, role: int) -> Any:
        text = line.row.spread if line.row else ""
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._look.color("text2")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{line.title}, difference: {text}"
        return font(NOTE_PX) if role == Qt.ItemDataRole.FontRole else None

    def _cell(self, line: Line, cell: CompareCell, column: int, role: int) -> Any:
        head = self.head_at(column)
        said = self._said(cell)
        tokens = self._look.tokens
        answers: dict[Qt.ItemDataRole, Callable[[], Any]] = {
            Qt.ItemDataRole.DisplayRole: lambda: said,
            Qt.ItemDataRole.TextAlignmentRole: lambda: _TOP if line.is_note else _LEFT,
            Qt.ItemDataRole.BackgroundRole: lambda: (
                self._look.color("accentbg") if head and head.chosen else None
            ),
            Qt.ItemDataRole.ForegroundRole: lambda: self._look.coded(tokens.tone(cell.tone)),
            Qt.ItemDataRole.FontRole: lambda: font(
                NOTE_PX if line.is_note else BODY_PX, strong=cell.best
            ),
            Qt.ItemDataRole.ToolTipRole: lambda: plain_tip(said),
            Qt.ItemDataRole.AccessibleTextRole: lambda: (
                f"{head.name if head else ''}, {line.title}: {said}"
            ),
        }
        answer = answers.get(Qt.ItemDataRole(role))
        return answer() if answer else None

    def _said(self, cell: CompareCell) -> str:
        word = self.view.best_word if cell.best and self.view else ""
        return ", ".join(part for part in (cell.text, word, cell.difference) if part)


def _named(head: CompareHead) -> str:
    return "\n".join(part for part in (head.name, head.kind, head.mark) if part)


def _shape(view: CompareView | None, lines: tuple[Line, ...]) -> object:
    heads = view.heads if view else ()
    return heads, tuple((line.title, line.is_group) for line in lines)
