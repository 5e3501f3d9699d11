"""The decision map with the choice of its axes; made beside the window while it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from kentino_desk.present.field_words import FIELD_NAMES
from kentino_desk.present.map_chart import STEPS
from kentino_desk.session.actions import SetMapAxes
from kentino_desk.session.map_axes import axes_of, chosen_axes, with_axis
from kentino_desk.ui.charts.frame import ChartFrame
from kentino_desk.ui.charts.map_plot import MapPlot
from kentino_desk.ui.labels import PlainLabel, rule
from kentino_desk.ui.workload.flip_table import FlipTable
from kentino_desk.ui.workload.map_jobs import Drawn, MapOrder, map_job

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.bridge import Bridge
    from kentino_desk.ui.look import Look
    from kentino_desk.ui.runner import JobEnd, Runner
    from kentino_desk.ui.services import Services

_WAIT_MS = 120
"""Somebody who types or drags is waited for."""
_EMPTY = "No figures yet: choose a model"
_BUSY = "drawing…"
LAST_STEP = len(STEPS) - 1


class MapPanel(QWidget):
    """The last picture stays until a newer one is there; a map of older inputs is dropped."""

    def __init__(self, look: Look, bridge: Bridge, services: Services, runner: Runner) -> None:
        super().__init__()
        self._bridge = bridge
        self._services = services
        self._runner = runner
        self._shown: Shown | None = None
        self._order: MapOrder | None = None
        self._ticket = 0
        self.plot = MapPlot(look)
        self.frame = ChartFrame(look, self.plot, "band")
        self.flips = FlipTable()
        self.across = _choice("Across")
        self.up = _choice("Up")
        self.state = PlainLabel("", "note")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._build()
        self._connect()
        self._draw(None)

    @property
    def is_busy(self) -> bool:
        """Whether a newer picture is on its way."""
        return bool(self.state.text())

    def show_moment(self, new: Shown) -> None:
        """Ask for a map of the inputs of now, if somebody looks."""
        self._shown = new
        if self.isVisible():
            self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the map up to date when the tab comes to the front."""
        super().showEvent(event)
        self._refresh()

    def flip(self) -> None:
        """Chart to table and back."""
        self.frame.flip()

    def _refresh(self) -> None:
        if self._shown is None:
            return
        self._show_axes(self._shown)
        order = self._order_of(self._shown)
        if order is None:
            self._drop()
            if self._shown.moment.evaluated.assessment is None:
                self._draw(None)
            return
        if order.is_same(self._order):
            return
        self._drop()
        self._order = order
        self.state.show_text(_BUSY)
        self._timer.start()

    def _order_of(self, shown: Shown) -> MapOrder | None:
        """None while the inputs are refused: the last map stays, as the figures do."""
        evaluated = shown.moment.evaluated
        if evaluated.assessment is None or evaluated.is_stale:
            return None
        axes = chosen_axes(evaluated.assessment.workload, shown.moment.state.view)
        return MapOrder(assessment=evaluated.assessment, axes=axes)

    def _drop(self) -> None:
        self._timer.stop()
        self._runner.stop(self._ticket)
        self._ticket = 0
        self._order = None
        self.state.show_text("")

    def _show_axes(self, shown: Shown) -> None:
        assessment = shown.moment.evaluated.assessment
        for choice in (self.across, self.up):
            choice.setEnabled(assessment is not None)
        if assessment is None:
            return
        keys = axes_of(assessment.workload)
        chosen = chosen_axes(assessment.workload, shown.moment.state.view)
        for choice, key in zip((self.across, self.up), chosen, strict=True):
            choice.blockSignals(True)
            if [choice.itemData(place) for place in range(choice.count())] != list(keys):
                choice.clear()
                for item in keys:
                    choice.addItem(FIELD_NAMES[item], item)
            choice.setCurrentIndex(keys.index(key))
            choice.blockSignals(False)

    def _draw(self, drawn: Drawn | None) -> None:
        chart = drawn.chart if drawn else None
        self.plot.show_chart(chart)
        self.frame.show_words(chart, "", _EMPTY)

    def _on_timer_timeout(self) -> None:
        self._submit(0)

    def _submit(self, step: int) -> None:
        if self._order is not None:
            job = map_job(self._services.draw_map, self._order, step)
            self._ticket = self._runner.submit(job)

    def _on_runner_finished(self, end: JobEnd) -> None:
        if not self._ticket or end.ticket != self._ticket:
            return
        drawn = end.value
        if isinstance(drawn, Drawn):
            self._draw(drawn)
        if isinstance(drawn, Drawn) and drawn.step < LAST_STEP:
            self._submit(drawn.step + 1)
        else:
            self._ticket = 0
            self.state.show_text(end.problem)

    def _on_axis_chosen(self, choice: QComboBox) -> None:
        assessment = self._shown.moment.evaluated.assessment if self._shown else None
        if self._shown is None or assessment is None:
            return
        before = chosen_axes(assessment.workload, self._shown.moment.state.view)
        axes = with_axis(before, str(choice.currentData()), across=choice is self.across)
        self._bridge.dispatch(SetMapAxes(*axes))

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(16, 4, 16, 4)
        row.setSpacing(8)
        for name, choice in (("Across", self.across), ("Up", self.up)):
            row.addWidget(PlainLabel(name, "note"))
            row.addWidget(choice)
        row.addStretch(1)
        row.addWidget(self.state)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.frame, 1)
        column.addLayout(row)
        column.addWidget(rule())
        column.addWidget(self.flips)

    def _connect(self) -> None:
        self._timer.timeout.connect(self._on_timer_timeout)
        self._runner.finished.connect(self._on_runner_finished)
        for choice in (self.across, self.up):
            choice.activated.connect(lambda _place, choice=choice: self._on_axis_chosen(choice))


def _choice(name: str) -> QComboBox:
    choice = QComboBox()
    choice.setAccessibleName(f"{name} the map")
    choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    choice.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return choice
