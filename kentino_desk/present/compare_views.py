"""Shapes of a comparison: heads, grouped rows, cells with their best and their difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.present.views import Tone

if TYPE_CHECKING:
    from kentino_desk.domain.choices import Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareHead:
    """One build at the head of its column."""

    id: str
    row: int
    name: str
    kind: str
    """One node, several nodes, partner platform, there already."""
    mark: str
    """Recommended, half-node trap, or empty."""
    mark_tone: Tone
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareCell:
    """One cell; ``difference`` is against the first column, empty where it says nothing."""

    text: str
    best: bool = False
    tone: Tone = Tone.PLAIN
    difference: str = ""
    grade: Grade | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRow:
    """One row over all builds."""

    key: str
    """Figure that explains it, empty for words."""
    name: str
    cells: tuple[CompareCell, ...]
    spread: str
    """Smallest to largest difference of the row against the first column."""
    prices: bool = False
    """Whether it names money, which customer view hides."""

    @property
    def is_equal(self) -> bool:
        """Whether all builds say the same."""
        return len({cell.text for cell in self.cells}) <= 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareGroup:
    """Rows under one heading."""

    title: str
    rows: tuple[CompareRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareView:
    """A comparison of two to five builds."""

    title: str
    subtitle: str
    heads: tuple[CompareHead, ...]
    groups: tuple[CompareGroup, ...]
    reason: str
    """Why the recommended build stands first, in one sentence."""
    best_word: str
    difference_word: str
