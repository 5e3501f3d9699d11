"""The compare screen: two to five pinned builds, made anew only while it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from kentino_desk.present.compare import MOST, compare_view, compared, usual_pins
from kentino_desk.present.cost_chart import cost_chart
from kentino_desk.session.actions import ChooseCandidate, PinCandidate, PinCandidates, ShowScreen
from kentino_desk.session.shown import SCREEN_LANGUAGE
from kentino_desk.session.state import Screen
from kentino_desk.ui.compare.side import CompareSide
from kentino_desk.ui.compare.table import CompareTable
from kentino_desk.ui.labels import PlainLabel, button, rule

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from kentino_desk.decision.results import Assessment
    from kentino_desk.present.compare_cells import Memo
    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.bridge import Bridge
    from kentino_desk.ui.layout import Density
    from kentino_desk.ui.look import Look

NO_FIGURES = "No figures yet: choose a model on the Workload screen (Ctrl+2)."
TOO_FEW = (
    "Pin two to five builds to see them side by side: P on a card or on a row of the candidates "
    "(Ctrl+2), or pin the best ones here."
)


class ComparePage(QWidget):
    """Tools over the table, and the side beside them."""

    why_asked = Signal(int, str)
    """Row of a candidate, and key of a figure."""

    def __init__(self, look: Look, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self._bridge = bridge
        self._shown: Shown | None = None
        self._differences_only = False
        self._said_of: Assessment | None = None
        self._memo: Memo = {}
        self.table = CompareTable(look)
        self.side = CompareSide(look)
        self.all_rows = button("All rows", "segment")
        self.differences = button("Differences only", "segment")
        self.clear = button("Take all pins away")
        self.pin_best = button("Pin the best builds", "primary")
        self.empty_words = PlainLabel("", wraps=True)
        self.title = PlainLabel("", "strong")
        self.subtitle = PlainLabel("", "note")
        self.key = PlainLabel("", "note")
        self.tools = QWidget()
        self._stack = QStackedLayout()
        self._build()
        self._connect()

    @property
    def is_empty(self) -> bool:
        """Whether the words about pinning are in front."""
        return self._stack.currentIndex() == 0

    def show_moment(self, new: Shown) -> None:
        """Draw the comparison, if somebody looks at it."""
        self._shown = new
        if self.isVisible():
            self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the comparison up to date when the screen comes to the front."""
        super().showEvent(event)
        self._refresh()

    def set_density(self, density: Density) -> None:
        """Widths and gaps of one class of window."""
        self._row.setContentsMargins(density.gap, density.gap, density.gap, density.gap)
        self._row.setSpacing(density.gap)
        self.side.set_spacing(density.gap)
        self.side.setFixedWidth(density.right or 296)
        self.side.setVisible(bool(density.right))
        self.key.setVisible(not density.compact)

    def why_area(self) -> QRect:
        """Where an explanation may lie: over the table, below the heads."""
        corner = self.table.viewport().mapTo(self, QPoint(0, 0))
        return QRect(corner, self.table.viewport().size())

    def unpin_current(self) -> None:
        """Take the pin of the current column away."""
        if self.table.current_id:
            self._bridge.dispatch(PinCandidate(self.table.current_id))

    def _refresh(self) -> None:
        if self._shown is None:
            return
        state, assessment = self._shown.moment.state, self._shown.moment.evaluated.assessment
        customer = state.view.customer
        view = chart = None
        if assessment is not None:
            if assessment is not self._said_of:
                self._said_of, self._memo = assessment, {}
            view = compare_view(
                assessment, state.pins, SCREEN_LANGUAGE, prices=not customer, memo=self._memo
            )
            chart = None if customer else cost_chart(assessment, state.pins, SCREEN_LANGUAGE)
        pinned = len(compared(assessment, state.pins)) if assessment else 0
        self._show_empty(has_figures=assessment is not None, pinned=pinned)
        self._stack.setCurrentIndex(0 if view is None else 1)
        self.title.show_text(view.title if view else "Compare")
        self.subtitle.show_text(view.subtitle if view else "")
        self.table.show_view(view, differences_only=self._differences_only)
        self.side.hide_cost(hidden=customer)
        self.side.show_view(view, chart, self._shown.view.notes)
        for made in (self.all_rows, self.differences, self.clear):
            made.setEnabled(view is not None)

    def _show_empty(self, *, has_figures: bool, pinned: int) -> None:
        one = " One is pinned." if pinned == 1 else ""
        self.empty_words.show_text(TOO_FEW + one if has_figures else NO_FIGURES)
        self.pin_best.setVisible(has_figures)

    def _build(self) -> None:
        panel = QFrame()
        panel.setProperty("role", "panel")
        column = QVBoxLayout(panel)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self.tools)
        column.addWidget(rule())
        column.addLayout(self._stack, 1)
        self._fill_tools()
        self._stack.addWidget(self._empty())
        self._stack.addWidget(self.table)
        self._row = QHBoxLayout(self)
        self._row.addWidget(panel, 1)
        self._row.addWidget(self.side)

    def _fill_tools(self) -> None:
        self.tools.setFixedHeight(48)
        row = QHBoxLayout(self.tools)
        row.setContentsMargins(12, 0, 16, 0)
        row.setSpacing(12)
        segments = QFrame()
        segments.setProperty("role", "segments")
        segments.setFixedHeight(30)
        inside = QHBoxLayout(segments)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.setSpacing(0)
        self._group = QButtonGroup(self)
        for made, width in ((self.all_rows, 88), (self.differences, 128)):
            made.setCheckable(True)
            made.setFixedWidth(width)
            self._group.addButton(made)
            inside.addWidget(made)
        self.differences.setProperty("last", "true")
        self.all_rows.setChecked(True)
        self.key.show_text("percentages against the first build")
        row.addWidget(self.title)
        row.addWidget(self.subtitle)
        row.addStretch(1)
        row.addWidget(self.key)
        row.addWidget(segments)
        row.addWidget(self.clear)

    def _empty(self) -> QWidget:
        place = QWidget()
        column = QVBoxLayout(place)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(12)
        self.empty_words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addStretch(1)
        column.addWidget(self.empty_words)
        column.addWidget(self.pin_best, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        return place

    def _connect(self) -> None:
        self._group.buttonClicked.connect(self._on_group_clicked)
        self.clear.clicked.connect(lambda: self._bridge.dispatch(PinCandidates(())))
        self.pin_best.clicked.connect(self._on_pin_best_clicked)
        self.table.chosen.connect(self._on_table_chosen)
        self.table.why_asked.connect(self.why_asked)
        self.side.propose_asked.connect(lambda: self._bridge.dispatch(ShowScreen(Screen.PROPOSAL)))

    def _on_group_clicked(self) -> None:
        self._differences_only = self.differences.isChecked()
        self._refresh()

    def _on_pin_best_clicked(self) -> None:
        """Fill the comparison up: what is pinned stays."""
        assessment = self._shown.moment.evaluated.assessment if self._shown else None
        if self._shown is None or assessment is None:
            return
        kept = tuple(
            item.candidate.id for item in compared(assessment, self._shown.moment.state.pins)
        )
        wanted = tuple(dict.fromkeys((*kept, *usual_pins(assessment))))
        self._bridge.dispatch(PinCandidates(wanted[:MOST]))
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_table_chosen(self, candidate: str) -> None:
        self._bridge.dispatch(ChooseCandidate(candidate))
        self._bridge.dispatch(ShowScreen(Screen.WORKLOAD))
