"""Everything that can change the state, one small record each, named as a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from kentino_desk.domain.choices import Kind
    from kentino_desk.domain.workload import Value, WorkloadInputs
    from kentino_desk.session.state import Screen, Tab, Theme


@dataclass(frozen=True, slots=True)
class SetField:
    """Somebody typed ``text`` into the field ``key``."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class ClearField:
    """The field goes back to its preset."""

    key: str


@dataclass(frozen=True, slots=True)
class SetKind:
    """Another kind of work."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class SetModel:
    """A model of the catalog."""

    model: str


@dataclass(frozen=True, slots=True)
class ConfirmAssumed:
    """Assumed values become given ones."""

    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class ChooseCandidate:
    """Look at one candidate; None follows the verdict again."""

    candidate: str | None


@dataclass(frozen=True, slots=True)
class PinCandidate:
    """Pin a candidate for comparison, or take its pin away."""

    candidate: str


@dataclass(frozen=True, slots=True)
class PinCandidates:
    """Pin these candidates and no others; none of them clears the comparison."""

    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetCustomer:
    """Name of the customer on the proposal."""

    name: str


@dataclass(frozen=True, slots=True)
class SetProject:
    """Name of the project on the proposal."""

    name: str


@dataclass(frozen=True, slots=True)
class Load:
    """A workload was read from a file, or from the last session when ``file`` is None."""

    inputs: WorkloadInputs
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class New:
    """Start over."""


@dataclass(frozen=True, slots=True)
class MarkSaved:
    """The inputs were written to a file."""

    file: Path


@dataclass(frozen=True, slots=True)
class SetTheme:
    """Light or dark."""

    theme: Theme


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """Language of the proposal."""

    language: str


@dataclass(frozen=True, slots=True)
class ShowScreen:
    """Another screen."""

    screen: Screen


@dataclass(frozen=True, slots=True)
class ShowTab:
    """Another tab of the workload screen."""

    tab: Tab


@dataclass(frozen=True, slots=True)
class SetMapAxes:
    """Other inputs across and up the decision map."""

    across: str
    up: str


@dataclass(frozen=True, slots=True)
class SetCustomerView:
    """Customer view on or off."""

    on: bool


Action = (
    SetField
    | ClearField
    | SetKind
    | SetModel
    | ConfirmAssumed
    | ChooseCandidate
    | PinCandidate
    | PinCandidates
    | SetCustomer
    | SetProject
    | Load
    | New
    | MarkSaved
    | SetTheme
    | SetLanguage
    | ShowScreen
    | ShowTab
    | SetMapAxes
    | SetCustomerView
)

UNDOABLE = (
    SetField,
    ClearField,
    SetKind,
    SetModel,
    ConfirmAssumed,
    ChooseCandidate,
    PinCandidate,
    PinCandidates,
    SetCustomer,
    SetProject,
    New,
)


def merge_key(action: Action) -> str:
    """What two actions share when they are one step of undo; empty when they never are."""
    match action:
        case SetField(key=key):
            return key
        case SetCustomer():
            return "customer"
        case SetProject():
            return "project"
        case ChooseCandidate():
            return "chosen"
        case _:
            return ""
