"""Where a fact comes from."""

from __future__ import annotations

from dataclasses import dataclass, field

from kentino_desk.domain.choices import Evidence


@dataclass(frozen=True, slots=True)
class Source:
    """Source of a catalog row: address, day of reading, grade, unconfirmed fields."""

    address: str
    read_on: str
    evidence: Evidence
    unverified: frozenset[str] = field(default_factory=frozenset)

    def evidence_of(self, name: str) -> Evidence:
        """Grade of one field: a field named as recalled is an estimate, whatever the row is."""
        if self.everything_unverified or name in self.unverified:
            return Evidence.ESTIMATE
        return self.evidence

    @property
    def everything_unverified(self) -> bool:
        """Whether the whole row was recalled."""
        return "all" in self.unverified
