"""F6 goes from panel to panel; the order of Tab follows the same list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from kentino_desk.session.state import Screen

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from kentino_desk.ui.main_window import MainWindow


def panel_stops(window: MainWindow) -> list[tuple[QWidget, QWidget]]:
    """Each panel of the screen in front, with the widget that takes the focus in it."""
    stops_of = {
        Screen.WORKLOAD: _workload_stops,
        Screen.COMPARE: _compare_stops,
        Screen.PROPOSAL: _proposal_stops,
        Screen.CATALOG: _catalog_stops,
    }
    stops = stops_of[window.bridge.session.state.view.screen](window)
    stops.append((window.top_bar, window.top_bar.export))
    return [stop for stop in stops if stop[1].isVisible() and stop[1].isEnabled()]


def _compare_stops(window: MainWindow) -> list[tuple[QWidget, QWidget]]:
    page = window.compare
    side = page.side
    chart = side.cost.twin if side.cost.shows_twin else side.plot
    return [
        (page.tools, page.pin_best if page.is_empty else page.all_rows),
        (page.table, page.table),
        (side.propose, side.propose),
        (side.cost, chart),
    ]


def _proposal_stops(window: MainWindow) -> list[tuple[QWidget, QWidget]]:
    page = window.proposal
    return [
        (page.sections, page.sections),
        (page.preview, page.preview.page),
        (page.document, page.document.language),
        (page.export, page.export.export),
    ]


def _catalog_stops(window: MainWindow) -> list[tuple[QWidget, QWidget]]:
    page = window.catalog
    importing = page.importing
    first = importing.name if importing.name.isEnabled() else importing.open
    return [
        (page.tables, page.tables.tables),
        (page.list.filter, page.list.filter),
        (page.list.table, page.list.table),
        (page.detail, page.detail.facts),
        (importing, first),
    ]


def _workload_stops(window: MainWindow) -> list[tuple[QWidget, QWidget]]:
    page = window.workload
    centre = page.centre
    tab = next(made for made in centre.tabs.values() if made.isChecked())
    memory = centre.memory
    chart = memory.twin if memory.shows_twin else memory.plot
    lines = page.verdict.lines
    return [
        (page.form, page.form.kind),
        (tab, tab),
        (memory, chart),
        (centre.table, centre.table),
        *([(page.verdict, lines[0])] if lines else []),
        (page.questions, page.questions.lines[0]),
        (page.strip, page.strip.selected_card),
    ]


def next_panel(window: MainWindow, step: int) -> None:
    """Move the focus one panel on, or back."""
    stops = panel_stops(window)
    focused = window.focusWidget()
    inside = [
        index
        for index, (panel, stop) in enumerate(stops)
        if focused is not None
        and (panel is focused or stop is focused or panel.isAncestorOf(focused))
    ]
    target = (inside[0] + step) % len(stops) if inside else 0 if step > 0 else len(stops) - 1
    stops[target][1].setFocus(Qt.FocusReason.ShortcutFocusReason)
