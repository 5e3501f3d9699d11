"""What the notes may look at, and the shape of a rule that makes one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Fabric, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kentino_desk.decision.facts import Choice, Facts
    from kentino_desk.decision.results import CandidateResult, PartnerChoice
    from kentino_desk.decision.selection import Field
    from kentino_desk.decision.verdict import Ruling
    from kentino_desk.domain.candidate import Build
    from kentino_desk.domain.choices import Kind

    Numbers = Mapping[str, float | int | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the notes may look at."""

    field: Field
    facts: Facts
    choice: Choice
    ruling: Ruling
    chosen: CandidateResult | None
    best: tuple[CandidateResult, ...]
    """The best layout of each build, best first."""
    everything: Sequence[CandidateResult]
    partner: PartnerChoice | None
    close_calls: tuple[str, ...]
    assumed: int

    @property
    def kind(self) -> Kind:
        """Kind of the workload."""
        return self.field.workload.kind

    @property
    def build(self) -> Build | None:
        """The proposed build, None where nothing fits."""
        return self.chosen.candidate.build if self.chosen else None

    @property
    def nodes(self) -> int:
        """Nodes of the proposed build, 0 where nothing fits."""
        return self.chosen.candidate.build.nodes if self.chosen else 0

    @property
    def is_cluster(self) -> bool:
        """Whether a fabric joins the nodes of the proposed build."""
        return self.build is not None and self.build.fabric is not Fabric.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRule:
    """One note: its key, severity and sources, and when it speaks (with its numbers)."""

    key: str
    severity: Severity
    sources: tuple[str, ...]
    speaks: Callable[[Context], Iterator[Numbers]]
