"""The centre: tabs over the two charts, the table of candidates and, where narrow, questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from kentino_desk.session.state import Tab
from kentino_desk.ui.charts.efficiency_plot import EfficiencyPlot
from kentino_desk.ui.charts.frame import ChartFrame
from kentino_desk.ui.charts.memory_plot import MemoryPlot
from kentino_desk.ui.labels import CutLabel, button, rule
from kentino_desk.ui.painting import text_width
from kentino_desk.ui.workload.tables import CandidatePanel, CandidateTable

if TYPE_CHECKING:
    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.layout import Density
    from kentino_desk.ui.look import Look
    from kentino_desk.ui.workload.map_panel import MapPanel

_TAB_BAR = 40
_TABS = (
    (Tab.QUESTIONS, "Five questions"),
    (Tab.MEMORY, "Memory and scaling"),
    (Tab.MAP, "Decision map"),
    (Tab.CANDIDATES, "Candidates"),
)
_EMPTY = "No figures yet"


class Centre(QFrame):
    """Shows one tab at a time; both charts stay alive."""

    tab_chosen = Signal(object)

    def __init__(self, look: Look, map_panel: MapPanel) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName("Charts and candidates")
        self.map = map_panel
        self.memory_plot = MemoryPlot(look)
        self.efficiency_plot = EfficiencyPlot(look)
        self.memory = ChartFrame(look, self.memory_plot, "band")
        self.efficiency = ChartFrame(look, self.efficiency_plot, "diamond")
        self.table = CandidateTable(look)
        self.candidates = CandidatePanel(self.table)
        self.tabs: dict[Tab, QPushButton] = {}
        self._about = CutLabel("note")
        self._pages = QStackedLayout()
        self._charts = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._between = rule()
        self._questions_place = QWidget()
        self._one_chart = False
        self._second_chart = False
        self.other_chart = button("Scaling", "quiet", "Show the other chart")
        self._build()

    def show_moment(self, new: Shown) -> None:
        """Draw what differs on the tab in front, and both charts."""
        self.memory_plot.show_chart(new.memory)
        self.efficiency_plot.show_chart(new.efficiency)
        memory_key = new.memory.band_text if new.memory else ""
        self.memory.show_words(new.memory, memory_key, _EMPTY)
        mark_key = new.efficiency.mark_word if new.efficiency and new.efficiency.marks else ""
        self.efficiency.show_words(new.efficiency, mark_key, _EMPTY)
        self._show_about(new)
        self.map.show_moment(new)
        self.show_tab(new.moment.state.view.tab)
        if self._pages.currentWidget() is self.candidates:
            self.table.show_candidates(new)

    def show_tab(self, tab: Tab) -> None:
        """Bring one tab to the front."""
        if self.tabs[tab].isHidden():
            tab = Tab.MEMORY
        self.tabs[tab].setChecked(True)
        page = {Tab.QUESTIONS: 0, Tab.MEMORY: 1, Tab.CANDIDATES: 2, Tab.MAP: 3}[tab]
        if self._pages.currentIndex() != page:
            self._pages.setCurrentIndex(page)
            self._show_charts()

    def set_density(self, density: Density) -> None:
        """Charts above each other, side by side, or one at a time."""
        direction = (
            QBoxLayout.Direction.LeftToRight
            if density.side_by_side
            else QBoxLayout.Direction.TopToBottom
        )
        self._charts.setDirection(direction)
        self._between.setVisible(not density.side_by_side and not density.one_chart)
        self.tabs[Tab.QUESTIONS].setVisible(not density.right)
        for frame in (self.memory, self.efficiency):
            frame.head.set_two_lines(two_lines=density.side_by_side)
        self._one_chart = density.one_chart
        self._show_charts()

    def hold_questions(self, questions: QWidget) -> None:
        """Take the five questions as a tab."""
        layout = self._questions_place.layout()
        if layout is not None and questions.parentWidget() is not self._questions_place:
            layout.addWidget(questions)
            questions.show()

    def flip_chart(self) -> None:
        """Chart to table and back: the one in front, the one with the focus, else both."""
        if self._pages.currentWidget() is self.map:
            self.map.flip()
            return
        frames = (self.memory, self.efficiency)
        focused = [frame for frame in frames if frame.isAncestorOf(self.focusWidget() or self)]
        has_focus = self.window().focusWidget()
        focused = [frame for frame in frames if has_focus and frame.isAncestorOf(has_focus)]
        for frame in focused or frames:
            frame.flip()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self._tab_bar())
        column.addWidget(rule())
        column.addLayout(self._pages, 1)
        place = QVBoxLayout(self._questions_place)
        place.setContentsMargins(0, 0, 0, 0)
        self._pages.addWidget(self._questions_place)
        charts = QWidget()
        charts.setLayout(self._charts)
        self._charts.setContentsMargins(0, 0, 0, 0)
        self._charts.setSpacing(0)
        self._charts.addWidget(self.memory, 1)
        self._charts.addWidget(self._between)
        self._charts.addWidget(self.efficiency, 1)
        self._pages.addWidget(charts)
        self._pages.addWidget(self.candidates)
        self._pages.addWidget(self.map)

    def _tab_bar(self) -> QWidget:
        bar = QWidget()
        bar.setFixedHeight(_TAB_BAR)
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 0, 16, 0)
        row.setSpacing(0)
        group = QButtonGroup(self)
        for tab, title in _TABS:
            made = button(title, "tab")
            made.setCheckable(True)
            # The chosen tab is semibold: room for it keeps the others in place.
            made.setMinimumWidth(int(text_width(title, strong=True)) + 26)
            made.clicked.connect(lambda _checked, tab=tab: self.tab_chosen.emit(tab))
            group.addButton(made)
            row.addWidget(made)
            self.tabs[tab] = made
        self.other_chart.clicked.connect(self._on_other_chart_clicked)
        row.addWidget(self.other_chart)
        row.addStretch(1)
        row.addWidget(self._about)
        return bar

    def _show_about(self, new: Shown) -> None:
        item = next(
            (c for c in new.view.candidates if new.result and c.id == new.result.candidate.id), None
        )
        self._about.show_text(f"{item.name}, {item.layout}" if item else "")

    def _show_charts(self) -> None:
        both = not self._one_chart
        in_front = self.tabs[Tab.MEMORY].isChecked()
        self.other_chart.setVisible(self._one_chart and in_front)
        self.memory.setVisible(both or not self._second_chart)
        self.efficiency.setVisible(both or self._second_chart)
        self.other_chart.setText("Memory" if self._second_chart else "Scaling")

    def _on_other_chart_clicked(self) -> None:
        self._second_chart = not self._second_chart
        self._show_charts()
        front = self.efficiency_plot if self._second_chart else self.memory_plot
        front.setFocus(Qt.FocusReason.OtherFocusReason)
