"""Beside the comparison: why the first is first, cost against throughput, the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from kentino_desk.ui.charts.cost_plot import CostPlot
from kentino_desk.ui.charts.frame import ChartFrame
from kentino_desk.ui.labels import PlainLabel, button

if TYPE_CHECKING:
    from kentino_desk.present.charts import CostChart
    from kentino_desk.present.compare_views import CompareView
    from kentino_desk.present.views import NoteView
    from kentino_desk.ui.look import Look

_NO_CHART = "Cost: needs two builds with a price"


class CompareSide(QWidget):
    """Three panels, one under the other."""

    propose_asked = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.name = PlainLabel("", "name", wraps=True)
        self.reason = PlainLabel("", wraps=True)
        self.propose = button("Show the proposal", "primary")
        self.propose.clicked.connect(self.propose_asked)
        self.plot = CostPlot(look)
        self.cost = ChartFrame(look, self.plot, "dash")
        self.cost.head.set_two_lines(two_lines=True)
        self.notes = PlainLabel("", wraps=True)
        self._cost_place = QFrame()
        self._build()

    def show_view(
        self, view: CompareView | None, chart: CostChart | None, notes: tuple[NoteView, ...]
    ) -> None:
        """Draw another comparison."""
        recommended = next((head for head in view.heads if head.chosen), None) if view else None
        self.name.show_text(recommended.name if recommended else "Nothing recommended is pinned")
        self.reason.show_text(view.reason if view and recommended else "")
        self.propose.setEnabled(recommended is not None)
        self.plot.show_chart(chart)
        self.cost.show_words(chart, chart.frontier_word if chart else "", _NO_CHART)
        self.notes.show_text("\n\n".join(note.text for note in notes))

    def hide_cost(self, *, hidden: bool) -> None:
        """Customer view shows no cost."""
        self._cost_place.setVisible(not hidden)

    def set_spacing(self, gap: int) -> None:
        """Room between the panels."""
        self._column.setSpacing(gap)

    def _build(self) -> None:
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self._first_panel())
        self._cost_place.setProperty("role", "panel")
        place = QVBoxLayout(self._cost_place)
        place.setContentsMargins(1, 1, 1, 1)
        place.addWidget(self.cost)
        self._cost_place.setMinimumHeight(240)
        self._column.addWidget(self._cost_place, 3)
        self._column.addWidget(self._notes_panel(), 2)

    def _first_panel(self) -> QFrame:
        panel = QFrame()
        panel.setProperty("role", "panel")
        column = QVBoxLayout(panel)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(6)
        column.addWidget(PlainLabel("Recommended", "note"))
        column.addWidget(self.name)
        column.addWidget(self.reason)
        row = QHBoxLayout()
        row.addWidget(self.propose)
        row.addStretch(1)
        column.addLayout(row)
        return panel

    def _notes_panel(self) -> QFrame:
        panel = QFrame()
        panel.setProperty("role", "panel")
        column = QVBoxLayout(panel)
        column.setContentsMargins(16, 12, 4, 8)
        column.addWidget(PlainLabel("Notes", "strong"))
        inner = QWidget()
        inner_column = QVBoxLayout(inner)
        inner_column.setContentsMargins(0, 0, 8, 0)
        inner_column.addWidget(self.notes)
        inner_column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        column.addWidget(area, 1)
        return panel
