"""The strip: five candidates, best first; in a small window the chosen one with arrows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from kentino_desk.session.shown import CARDS
from kentino_desk.ui.workload.candidate_card import CandidateCard

if TYPE_CHECKING:
    from kentino_desk.present.views import CandidateView
    from kentino_desk.session.shown import Shown
    from kentino_desk.ui.layout import Density
    from kentino_desk.ui.look import Look


class Strip(QWidget):
    """Cards of equal width."""

    chosen = Signal(str)
    why_asked = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setAccessibleName("Candidates, best first")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._shown: Shown | None = None
        self._items: tuple[CandidateView, ...] = ()
        self._visible = CARDS
        self.cards = [CandidateCard(look) for _ in range(CARDS)]
        for card in self.cards:
            policy = card.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            card.setSizePolicy(policy)
            card.chosen.connect(self.chosen)
            card.why_asked.connect(self.why_asked)
            card.stepped.connect(self._on_card_stepped)
            self._row.addWidget(card, 1)

    def show_candidates(self, new: Shown) -> None:
        """Draw the cards that differ."""
        self._shown = new
        self._items = new.view.candidates
        selected = new.result.candidate.id if new.result else ""
        state = new.moment.state
        shown = self._window(selected)
        for index, card in enumerate(self.cards):
            has_item = index < len(shown)
            if has_item:
                card.show_candidate(
                    shown[index],
                    selected=shown[index].id == selected,
                    pinned=shown[index].id in state.pins,
                    hides_price=state.view.customer,
                )
            else:
                card.candidate = None
            if card.isHidden() == has_item:
                card.setVisible(has_item)

    def set_density(self, density: Density) -> None:
        """Five cards, or the chosen one alone."""
        self._row.setSpacing(density.gap - 4 if not density.compact else density.gap)
        fewer = CARDS if density.right else CARDS - 1
        self._visible = 1 if density.form_is_drawer else fewer
        for index, card in enumerate(self.cards):
            card.set_compact(compact=density.compact)
            policy = card.sizePolicy()
            policy.setRetainSizeWhenHidden(index < self._visible)
            card.setSizePolicy(policy)
        if self._shown is not None:
            self.show_candidates(self._shown)

    @property
    def selected_card(self) -> CandidateCard:
        """The card of the candidate looked at, else the first one."""
        return next((card for card in self.cards if card.selected), self.cards[0])

    def _window(self, selected: str) -> tuple[CandidateView, ...]:
        """The best ones; the one looked at takes the last place when it is not among them."""
        best = self._items[: self._visible]
        if any(item.id == selected for item in best):
            return best
        looked_at = tuple(item for item in self._items if item.id == selected)
        return (*best[: self._visible - len(looked_at)], *looked_at)

    def _on_card_stepped(self, step: int) -> None:
        ids = self._shown.build_ids if self._shown else ()
        current = self.selected_card.candidate
        if current is None or current.id not in ids:
            return
        index = ids.index(current.id) + step
        if 0 <= index < len(ids):
            self.chosen.emit(ids[index])
            self.selected_card.setFocus(Qt.FocusReason.OtherFocusReason)
