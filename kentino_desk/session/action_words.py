"""What an action is called in "Undone: …"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.present.field_words import field_name
from kentino_desk.session.actions import (
    ChooseCandidate,
    ClearField,
    ConfirmAssumed,
    New,
    PinCandidate,
    PinCandidates,
    SetCustomer,
    SetField,
    SetKind,
    SetModel,
    SetProject,
)
from kentino_desk.session.shown import SCREEN_LANGUAGE

if TYPE_CHECKING:
    from kentino_desk.session.actions import Action

_WORDS: dict[type, str] = {
    SetKind: "Kind of work",
    SetModel: "Model",
    ConfirmAssumed: "Confirmed values",
    ChooseCandidate: "Chosen build",
    PinCandidate: "Pin",
    PinCandidates: "Pinned builds",
    SetCustomer: "Customer",
    SetProject: "Project",
    New: "New workload",
}


def action_words(action: Action) -> str:
    """The field or thing that the action changed."""
    if isinstance(action, SetField | ClearField):
        return field_name(action.key, SCREEN_LANGUAGE)
    return _WORDS[type(action)]
