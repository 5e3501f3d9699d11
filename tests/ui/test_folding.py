from __future__ import annotations

from kentino_desk.session.actions import PinCandidate, ShowTab
from kentino_desk.session.state import Tab


def test_dominated_builds_are_folded_away_and_listed_on_demand(window, qtbot):
    window.bridge.dispatch(ShowTab(Tab.CANDIDATES))
    panel, model = window.workload.centre.candidates, window.workload.centre.table.model()
    every = window.bridge.shown.all_rows().candidates
    folded = [item for item in every if item.dominated_by]
    assert folded
    assert model.rowCount() == len(every) - len(folded)
    assert panel.fold.isVisible()
    assert panel.fold.text().endswith(f": {len(folded)}")
    panel.fold.click()
    assert model.rowCount() == len(every)
    panel.fold.click()
    window.bridge.dispatch(PinCandidate(folded[0].id))
    assert model.rowCount() == len(every) - len(folded) + 1
