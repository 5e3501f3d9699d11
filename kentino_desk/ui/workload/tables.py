"""Tables as they look everywhere: 28 px rows, hairlines, the keyboard first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableView, QVBoxLayout, QWidget

from kentino_desk.ui.labels import button
from kentino_desk.ui.workload.table_model import COLUMNS, CandidateModel

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QKeyEvent

    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.look import Look

_ROW_HEIGHT = 28
_HEAD_HEIGHT = 32


class QuietTable(QTableView):
    """A table without a grid of its own, read only."""

    def __init__(self, model: QAbstractItemModel, name: str) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        head = self.horizontalHeader()
        head.setFixedHeight(_HEAD_HEIGHT)
        head.setHighlightSections(False)
        head.setMinimumSectionSize(48)


class CandidateTable(QuietTable):
    """All builds; Enter or F1 on a figure explains it, P pins."""

    chosen = Signal(str)
    why_asked = Signal(int, str)
    folded = Signal(int, bool)
    """How many builds another one dominates, and whether they are shown."""

    def __init__(self, look: Look) -> None:
        self._model = CandidateModel(look)
        self._shown: Shown | None = None
        self._unfolded = False
        super().__init__(self._model, "All candidates")
        self._model.setParent(self)
        for index, column in enumerate(COLUMNS):
            self.setColumnWidth(index, column.width)
        self.horizontalHeader().setStretchLastSection(True)
        self.clicked.connect(self._on_clicked)
        look.changed.connect(self.viewport().update)

    def show_candidates(self, new: Shown) -> None:
        """Draw the rows that differ; builds that another one dominates are folded away."""
        self._shown = new
        selected = new.result.candidate.id if new.result else ""
        state = new.moment.state
        for index, column in enumerate(COLUMNS):
            if column.for_us and self.isColumnHidden(index) != state.view.customer:
                self.setColumnHidden(index, state.view.customer)
        items = new.all_rows().candidates
        kept = {selected, *state.pins}
        left = tuple(item for item in items if not item.dominated_by or item.id in kept)
        self._model.show_candidates(items if self._unfolded else left, state.pins, selected)
        self.folded.emit(len(items) - len(left), self._unfolded)

    def toggle_fold(self) -> None:
        """Show the dominated builds, or fold them away again."""
        self._unfolded = not self._unfolded
        if self._shown is not None:
            self.show_candidates(self._shown)

    @property
    def current_id(self) -> str:
        """Id of the candidate in the current row."""
        item = self._model.candidate_at(self.currentIndex().row())
        return item.id if item else ""

    def ask_why(self) -> bool:
        """Explain the figure of the current cell."""
        index = self.currentIndex()
        item = self._model.candidate_at(index.row())
        key = COLUMNS[index.column()].why if index.isValid() else ""
        if item is None or not key:
            return False
        self.why_asked.emit(item.row, key)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter explains a figure, or chooses the build."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if not self.ask_why() and self.current_id:
                self.chosen.emit(self.current_id)
            return
        super().keyPressEvent(event)

    def _on_clicked(self, index: QModelIndex) -> None:
        item = self._model.candidate_at(index.row())
        if item is not None and not COLUMNS[index.column()].why:
            self.chosen.emit(item.id)
        else:
            self.ask_why()


class CandidatePanel(QWidget):
    """The table of builds over the line that folds the dominated ones away."""

    def __init__(self, table: CandidateTable) -> None:
        super().__init__()
        self.fold = button("", "fold")
        self.fold.clicked.connect(table.toggle_fold)
        table.folded.connect(self._on_table_folded)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(table, 1)
        column.addWidget(self.fold)

    def _on_table_folded(self, count: int, unfolded: bool) -> None:
        self.fold.setVisible(count > 0)
        verb = "Fold away" if unfolded else "Show"
        self.fold.setText(f"{verb} builds that another one beats in everything: {count}")
