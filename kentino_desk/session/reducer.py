"""State and action to the next state; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from kentino_desk.domain.errors import InputError
from kentino_desk.domain.workload_fields import FIELD_BY_KEY
from kentino_desk.session.actions import (
    ChooseCandidate,
    ClearField,
    ConfirmAssumed,
    Load,
    MarkSaved,
    New,
    PinCandidate,
    PinCandidates,
    SetCustomer,
    SetCustomerView,
    SetField,
    SetKind,
    SetLanguage,
    SetMapAxes,
    SetModel,
    SetProject,
    SetTheme,
    ShowScreen,
    ShowTab,
)
from kentino_desk.session.field_text import message_of, read_field
from kentino_desk.session.state import PINS_MAX, AppState, Draft, Screen, View

if TYPE_CHECKING:
    from kentino_desk.session.actions import Action

_NAME_MAX_LETTERS = 120
_ViewAction = SetTheme | SetLanguage | ShowScreen | ShowTab | SetMapAxes | SetCustomerView
_InputAction = SetField | ClearField | SetKind | SetModel | ConfirmAssumed
_DocumentAction = ChooseCandidate | PinCandidate | PinCandidates | SetCustomer | SetProject
_FileAction = Load | New | MarkSaved
_REQUIRED = frozenset({"workload.kind", "workload.model"})


def reduce(state: AppState, action: Action) -> AppState:
    """The state after ``action``; the same object when nothing changes."""
    if isinstance(action, _ViewAction):
        return _unless_equal(state, replace(state, view=_view_after(state.view, action)))
    if isinstance(action, _InputAction):
        return _unless_equal(state, _inputs_after(state, action))
    if isinstance(action, _FileAction):
        return _unless_equal(state, _file_after(state, action))
    return _unless_equal(state, _document_after(state, action))


def _unless_equal(old: AppState, new: AppState) -> AppState:
    return old if new == old else new


def _view_after(view: View, action: _ViewAction) -> View:
    match action:
        case SetTheme(theme=theme):
            return replace(view, theme=theme)
        case SetLanguage(language=language):
            return replace(view, language=language)
        case ShowScreen(screen=screen):
            return _on_screen(view, screen)
        case ShowTab(tab=tab):
            return replace(view, tab=tab)
        case SetMapAxes(across=across, up=up):
            return replace(view, map_axes=(across, up))
        case SetCustomerView(on=on):
            return _on_screen(replace(view, customer=on), view.screen)
        case _:
            assert_never(action)


def _on_screen(view: View, screen: Screen) -> View:
    """The catalog holds prices: in customer view the workload stands in its place."""
    hidden = view.customer and screen is Screen.CATALOG
    return replace(view, screen=Screen.WORKLOAD if hidden else screen)


def _inputs_after(state: AppState, action: _InputAction) -> AppState:
    match action:
        case SetField(key=key, text=text):
            return _with_text(state, key, text)
        case ClearField(key=key):
            return _without_draft(replace(state, inputs=state.inputs.with_value(key, None)), key)
        case SetKind(kind=kind):
            inputs = state.inputs.with_value("workload.kind", kind.value)
            return replace(state, inputs=inputs, drafts=(), chosen=None)
        case SetModel(model=model):
            inputs = state.inputs.with_value("workload.model", model)
            return _without_draft(replace(state, inputs=inputs, chosen=None), "workload.model")
        case ConfirmAssumed():
            return _with_values(state, action)
        case _:
            assert_never(action)


def _document_after(state: AppState, action: _DocumentAction) -> AppState:
    match action:
        case ChooseCandidate(candidate=candidate):
            return replace(state, chosen=candidate)
        case PinCandidate(candidate=candidate):
            return replace(state, pins=_toggled(state.pins, candidate))
        case PinCandidates(candidates=candidates):
            return replace(state, pins=tuple(dict.fromkeys(candidates))[:PINS_MAX])
        case SetCustomer(name=name):
            return replace(state, customer=_name(name))
        case SetProject(name=name):
            return replace(state, project=_name(name))
        case _:
            assert_never(action)


def _file_after(state: AppState, action: _FileAction) -> AppState:
    match action:
        case Load(inputs=inputs, file=file):
            saved = inputs if file is not None else None
            return AppState(inputs=inputs, view=state.view, file=file, saved=saved)
        case New():
            return AppState(view=state.view)
        case MarkSaved(file=file):
            return replace(state, file=file, saved=state.inputs)
        case _:
            assert_never(action)


def _with_text(state: AppState, key: str, text: str) -> AppState:
    if not text.strip() and key not in _REQUIRED:
        return _inputs_after(state, ClearField(key))
    spec = FIELD_BY_KEY[key]
    try:
        value = read_field(spec, text)
    except InputError as error:
        return _with_draft(state, key, Draft(text, message_of(spec, error)))
    return _without_draft(replace(state, inputs=state.inputs.with_value(key, value)), key)


def _with_draft(state: AppState, key: str, draft: Draft) -> AppState:
    others = tuple(item for item in state.drafts if item[0] != key)
    return replace(state, drafts=(*others, (key, draft)))


def _without_draft(state: AppState, key: str) -> AppState:
    return replace(state, drafts=tuple(item for item in state.drafts if item[0] != key))


def _with_values(state: AppState, action: ConfirmAssumed) -> AppState:
    inputs = state.inputs
    for key, value in action.values:
        inputs = inputs.with_value(key, value)
    return replace(state, inputs=inputs)


def _toggled(pins: tuple[str, ...], candidate: str) -> tuple[str, ...]:
    if candidate in pins:
        return tuple(pin for pin in pins if pin != candidate)
    return (*pins, candidate) if len(pins) < PINS_MAX else pins


def _name(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())[:_NAME_MAX_LETTERS]
