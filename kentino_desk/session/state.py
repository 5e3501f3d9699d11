"""All that the program knows about one session, frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Kind
from kentino_desk.domain.workload import WorkloadInputs

if TYPE_CHECKING:
    from pathlib import Path

PINS_MAX = 5
EMPTY_INPUTS = WorkloadInputs.of({"workload.kind": Kind.CHAT.value})


class Screen(StrEnum):
    """Screens that exist."""

    WORKLOAD = "workload"
    COMPARE = "compare"
    PROPOSAL = "proposal"
    CATALOG = "catalog"


class Theme(StrEnum):
    """Colour themes."""

    LIGHT = "light"
    DARK = "dark"


class Tab(StrEnum):
    """Tabs of the centre of the workload screen."""

    QUESTIONS = "questions"
    MEMORY = "memory"
    MAP = "map"
    CANDIDATES = "candidates"


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that its field refuses, with the reason; the last good value stays in force."""

    text: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is looked at, and how; not part of undo."""

    screen: Screen = Screen.WORKLOAD
    tab: Tab = Tab.MEMORY
    theme: Theme = Theme.LIGHT
    language: str = "cs"
    """Language of the proposal."""
    customer: bool = False
    """Customer view: no prices, no file names."""
    map_axes: tuple[str, str] | None = None
    """Inputs across and up the decision map; None where nobody chose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppState:
    """The state of the session; a reducer makes the next one."""

    inputs: WorkloadInputs = EMPTY_INPUTS
    drafts: tuple[tuple[str, Draft], ...] = ()
    pins: tuple[str, ...] = ()
    chosen: str | None = None
    """Id of the candidate looked at; None follows the verdict."""
    customer: str = ""
    project: str = ""
    view: View = field(default_factory=View)
    file: Path | None = None
    saved: WorkloadInputs | None = None
    """Inputs as they stand in the file."""

    def draft(self, key: str) -> Draft | None:
        """The refused entry of a field, or None."""
        return dict(self.drafts).get(key)

    @property
    def model(self) -> str:
        """Id of the model, empty before one is chosen."""
        return str(self.inputs.get("workload.model") or "")

    @property
    def kind(self) -> Kind:
        """What is to be done."""
        return Kind(str(self.inputs.get("workload.kind") or Kind.CHAT))

    @property
    def has_unsaved_changes(self) -> bool:
        """Whether the inputs differ from the file."""
        return self.inputs != self.saved
