"""The form: what, how many, how fast, constraints; assumed values are marked and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from kentino_desk.domain.choices import Kind
from kentino_desk.domain.workload_fields import FIELD_BY_KEY
from kentino_desk.session.actions import ConfirmAssumed, SetField, SetKind, SetModel
from kentino_desk.session.field_views import (
    assumed_values,
    choice_words,
    field_view,
    sized_for,
)
from kentino_desk.session.model_search import ModelSearch
from kentino_desk.ui.labels import PlainLabel, button, rule
from kentino_desk.ui.workload.edits import Choice, Segments, set_tip
from kentino_desk.ui.workload.field_row import FieldRow
from kentino_desk.ui.workload.form_rows import GROUPS, WEIGHT_SEGMENTS
from kentino_desk.ui.workload.model_field import ModelField

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.bridge import Bridge
    from kentino_desk.ui.layout import Density
    from kentino_desk.ui.look import Look
    from kentino_desk.ui.workload.form_rows import FormGroup

_GROWTH = "serving.growth"
_SCROLL_BAR = 10


class Form(QFrame):
    """Builds the rows once; shows those that the kind of work uses."""

    def __init__(self, look: Look, bridge: Bridge, models: Mapping[str, ModelCard]) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName("Workload form")
        self._bridge = bridge
        self.kind = Choice(choice_words(FIELD_BY_KEY["workload.kind"], "en"))
        self.kind.setAccessibleName("Kind of work")
        self.model = ModelField(look, ModelSearch(models))
        self._model_message = PlainLabel("", "message", wraps=True)
        self.weights = Segments(WEIGHT_SEGMENTS, "Format of the weights")
        self.rows = {row.key: FieldRow(look, row) for group in GROUPS for row in group.rows}
        self._folds_open = False
        self._padding = 16
        self._fold = button("More constraints and settings", "fold")
        self._assumed = PlainLabel("")
        self.confirm = button("Confirm all", "link", "Confirm all assumed values")
        self._build()
        self._connect()

    def use_models(self, models: Mapping[str, ModelCard]) -> None:
        """Offer other models from now on."""
        self.model.use_search(ModelSearch(models))

    def show_moment(self, old: Shown | None, new: Shown, initiator: object) -> None:
        """Draw the fields that differ."""
        moment = new.moment
        if old is None or old.moment.state.kind is not moment.state.kind:
            self._show_kind(moment.state.kind)
        self.model.show_model(moment.state.model)
        self._show_model_message(new)
        self.weights.show_value(str(field_view(moment, "workload.weights").value or "auto"))
        note = sized_for(moment)
        for key, row in self.rows.items():
            if not row.isHidden():
                keep = initiator is row
                row.show_view(
                    field_view(moment, key), keep_text=keep, note=note if key == _GROWTH else ""
                )
        self._show_foot(new)

    def show_flips(self, ticks: Mapping[str, tuple[float, ...]], words: Mapping[str, str]) -> None:
        """Mark on the sliders what flips the verdict."""
        for key, row in self.rows.items():
            row.show_ticks(ticks.get(key, ()), words.get(key, ""))

    def set_density(self, density: Density) -> None:
        """Paddings and row heights of one class of window."""
        pad = density.padding
        self._padding = pad
        self._on_scroll_range_changed(0, self._area.verticalScrollBar().maximum())
        self._foot.setContentsMargins(pad, 4, pad, pad - 8)
        self._column.setSpacing(2 if density.compact else 4)
        for row in self.rows.values():
            row.set_density(density)

    def show_focus(self) -> None:
        """The focus moved: compact rows show the slider of the field that has it."""
        for row in self.rows.values():
            row.show_focus()

    def focus_field(self, key: str) -> None:
        """Put the cursor into a field, wherever it is folded away."""
        if key == "workload.model":
            self.model.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        row = self.rows.get(key)
        if row is None:
            return
        if row.row.folded and not self._folds_open:
            self._fold.click()
        row.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _build(self) -> None:
        content = QWidget()
        self._column = QVBoxLayout(content)
        self._add_what()
        for group in GROUPS:
            self._add_group(group)
        self._add_folded()
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        self._area = area
        area.verticalScrollBar().rangeChanged.connect(self._on_scroll_range_changed)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.setSpacing(0)
        outer.addWidget(area, 1)
        outer.addWidget(rule())
        self._foot = QHBoxLayout()
        self._foot.addWidget(self._assumed, 1)
        self._foot.addWidget(self.confirm)
        outer.addLayout(self._foot)

    def _add_what(self) -> None:
        self._column.addWidget(PlainLabel("What", "strong"))
        for widget in (self.kind, self.model, self._model_message, self.weights):
            self._column.addWidget(widget)
        self._model_message.hide()

    def _add_group(self, group: FormGroup) -> None:
        self._column.addSpacing(6)
        self._column.addWidget(rule())
        self._column.addSpacing(4)
        self._column.addWidget(PlainLabel(group.title, "strong"))
        for row in group.rows:
            if not row.folded:
                self._column.addWidget(self.rows[row.key])

    def _add_folded(self) -> None:
        self._column.addWidget(self._fold)
        for group in GROUPS:
            for row in group.rows:
                if row.folded:
                    self._column.addWidget(self.rows[row.key])
                    self.rows[row.key].hide()

    def _connect(self) -> None:
        self.kind.chosen.connect(lambda kind: self._bridge.dispatch(SetKind(Kind(kind))))
        self.model.model_picked.connect(self._on_model_picked)
        self.model.refused.connect(lambda typed: self._send("workload.model", typed))
        self.weights.chosen.connect(lambda word: self._send("workload.weights", word))
        self._fold.clicked.connect(self._on_fold_clicked)
        self.confirm.clicked.connect(self._on_confirm_clicked)
        for row in self.rows.values():
            row.text_edited.connect(self._on_row_text_edited)

    def _send(self, key: str, text: str) -> None:
        self._bridge.dispatch(SetField(key, text))

    def _show_kind(self, kind: Kind) -> None:
        self.kind.show_value(kind.value)
        for group in GROUPS:
            used = {row.key for row in group.rows_for(kind)}
            for row in group.rows:
                shown = row.key in used and (self._folds_open or not row.folded)
                self.rows[row.key].setVisible(shown)

    def _show_model_message(self, new: Shown) -> None:
        view = field_view(new.moment, "workload.model")
        self._model_message.show_text(view.message)
        self._model_message.setVisible(bool(view.message))
        self.model.set_state("invalid" if view.message else "given")
        self.model.setAccessibleName(f"Model, {self.model.text() or 'none'}")
        set_tip(self.weights, field_view(new.moment, "workload.weights").message)

    def _show_foot(self, new: Shown) -> None:
        count = len(assumed_values(new.moment))
        words = "1 assumed value" if count == 1 else f"{count} assumed values"
        self._assumed.show_text(words)
        self.confirm.setEnabled(count > 0)
        set_tip(self._assumed, "; ".join(new.view.assumed))

    def _on_model_picked(self, model: str) -> None:
        self._bridge.dispatch(SetModel(model), self.model)

    def _on_row_text_edited(self, key: str, text: str) -> None:
        self._bridge.dispatch(SetField(key, text), self.rows[key])

    def _on_fold_clicked(self) -> None:
        self._folds_open = not self._folds_open
        self._fold.setText(
            "Fewer constraints and settings"
            if self._folds_open
            else "More constraints and settings"
        )
        shown = self._bridge.shown
        self._show_kind(shown.moment.state.kind)
        self.show_moment(shown, shown, None)

    def _on_scroll_range_changed(self, _low: int, high: int) -> None:
        """The scroll bar stands in the padding, so that fields keep their right edge."""
        pad = self._padding
        right = pad - (_SCROLL_BAR if high > 0 else 0)
        self._column.setContentsMargins(pad, pad - 4, right, 4)

    def _on_confirm_clicked(self) -> None:
        self._bridge.dispatch(ConfirmAssumed(assumed_values(self._bridge.shown.moment)))
