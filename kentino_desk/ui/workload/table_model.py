"""The table of candidates: a model over rows of ``present``, pinned ones first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from kentino_desk.ui.fonts import BODY_PX, font
from kentino_desk.ui.labels import plain_tip

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QFont

    from kentino_desk.present.views import CandidateView
    from kentino_desk.ui.look import Look

_Index = QModelIndex | QPersistentModelIndex
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: title, attribute of the row, key of its figure for the "why?"."""

    title: str
    name: str
    why: str = ""
    width: int = 80
    numeric: bool = True
    for_us: bool = False
    """Hidden in customer view: prices, and reasons that may name them."""


COLUMNS = (
    Column(title="Build", name="name", width=264, numeric=False),
    Column(title="Memory", name="grade_word", why="used_gib", width=124, numeric=False),
    Column(title="Figure", name="figure", why="merit", width=104),
    Column(title="Users held", name="users", why="users_held", width=84),
    Column(title="First word", name="ttft", why="ttft_s", width=84),
    Column(title="Price", name="price", why="price_eur", width=116, for_us=True),
    Column(title="Layout", name="layout", width=130, numeric=False),
    Column(title="Formats", name="formats", width=150, numeric=False),
    Column(title="All users", name="total", why="tokens_per_s_total", width=100),
    Column(title="Scaling", name="efficiency", why="efficiency", width=76),
    Column(title="Power", name="power", why="power_max_w", width=80),
    Column(title="Reason", name="reason", width=360, numeric=False, for_us=True),
)


class CandidateModel(QAbstractTableModel):
    """Resets when the rows are others; else tells which cells differ."""

    def __init__(self, look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._rows: tuple[CandidateView, ...] = ()
        self._pins: tuple[str, ...] = ()
        self._selected = ""

    def show_candidates(
        self, items: tuple[CandidateView, ...], pins: tuple[str, ...], selected: str
    ) -> None:
        """Show other rows, pinned ones first."""
        rows = (
            *(item for item in items if item.id in pins),
            *(item for item in items if item.id not in pins),
        )
        same_set = [row.id for row in rows] == [row.id for row in self._rows]
        if not same_set:
            self.beginResetModel()
            self._rows, self._pins, self._selected = rows, pins, selected
            self.endResetModel()
            return
        changed = self._changed_rows(rows, pins, selected)
        self._rows, self._pins, self._selected = rows, pins, selected
        for row in changed:
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))

    def candidate_at(self, row: int) -> CandidateView | None:
        """The candidate of a row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def row_of(self, candidate: str) -> int:
        """The row of a candidate, or -1."""
        return next((row for row, item in enumerate(self._rows) if item.id == candidate), -1)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """One row for each build."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Columns of the table."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles, aligned as their columns."""
        if orientation is not Qt.Orientation.Horizontal or section >= len(COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._title(COLUMNS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if COLUMNS[section].numeric else _LEFT
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, alignment, colour and weight of a cell."""
        if not index.isValid():
            return None
        item, column = self._rows[index.row()], COLUMNS[index.column()]
        answers: dict[Qt.ItemDataRole, Callable[[], Any]] = {
            Qt.ItemDataRole.DisplayRole: lambda: self._text(item, column),
            Qt.ItemDataRole.TextAlignmentRole: lambda: _RIGHT if column.numeric else _LEFT,
            Qt.ItemDataRole.ForegroundRole: lambda: self._look.coded(self._color(item, column)),
            Qt.ItemDataRole.FontRole: lambda: self._font(item, column),
            Qt.ItemDataRole.ToolTipRole: lambda: plain_tip(self._text(item, column)),
            Qt.ItemDataRole.AccessibleTextRole: lambda: (
                f"{self._title(column)}: {self._text(item, column)}"
            ),
        }
        answer = answers.get(Qt.ItemDataRole(role))
        return answer() if answer else None

    def _title(self, column: Column) -> str:
        """The figure of merit has its unit for a title, because it differs by kind of work."""
        if column.name == "figure" and self._rows:
            return self._rows[0].figure_unit
        return column.title

    def _text(self, item: CandidateView, column: Column) -> str:
        text = str(getattr(item, column.name))
        if column.name == "name" and item.id in self._pins:
            return f"{text} · pinned"
        return text

    def _color(self, item: CandidateView, column: Column) -> str:
        tokens = self._look.tokens
        if column.name == "reason":
            return tokens.tone(item.reason_tone)
        if column.name in {"layout", "formats"}:
            return tokens.text2
        return tokens.text

    def _font(self, item: CandidateView, column: Column) -> QFont:
        strong = item.chosen or (column.name == "name" and item.id == self._selected)
        return font(BODY_PX, strong=strong)

    def _changed_rows(
        self, rows: tuple[CandidateView, ...], pins: tuple[str, ...], selected: str
    ) -> list[int]:
        moved = {self._selected, selected} if selected != self._selected else set()
        moved |= set(pins) ^ set(self._pins)
        return [
            row
            for row, (old, new) in enumerate(zip(self._rows, rows, strict=True))
            if old != new or new.id in moved
        ]
