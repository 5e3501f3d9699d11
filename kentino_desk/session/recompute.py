"""Evaluates the inputs and stamps the result with a revision; keeps the last good one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.decision.results import Assessment
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import WorkloadInputs

    Assess = Callable[[WorkloadInputs, CatalogSnapshot], Assessment]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """The last good assessment, and why the inputs of now have none if they have none."""

    revision: int = 0
    inputs: WorkloadInputs | None = None
    """The inputs that were asked about; the assessment may belong to older ones."""
    assessment: Assessment | None = None
    refusal: InputError | None = None

    @property
    def is_stale(self) -> bool:
        """Whether the assessment belongs to older inputs."""
        return self.refusal is not None and self.assessment is not None


class Recomputer:
    """Asks for an assessment when the inputs changed, and only then."""

    def __init__(self, assess: Assess, snapshot: CatalogSnapshot) -> None:
        self._assess = assess
        self._snapshot = snapshot
        self.result = Evaluated()

    def use(self, snapshot: CatalogSnapshot) -> None:
        """Another catalog from now on; the next inputs are asked about anew, even the same."""
        self._snapshot = snapshot
        self.result = replace(self.result, inputs=None)

    def evaluate(self, inputs: WorkloadInputs) -> Evaluated:
        """The result for ``inputs``; refused inputs keep the last good assessment."""
        if inputs == self.result.inputs:
            return self.result
        revision = self.result.revision + 1
        if not inputs.get("workload.model"):
            self.result = Evaluated(revision=revision, inputs=inputs)
            return self.result
        self.result = self._asked(inputs, revision)
        return self.result

    def _asked(self, inputs: WorkloadInputs, revision: int) -> Evaluated:
        try:
            assessment = self._assess(inputs, self._snapshot)
        except InputError as error:
            return Evaluated(
                revision=revision,
                inputs=inputs,
                assessment=self.result.assessment,
                refusal=error,
            )
        return Evaluated(revision=revision, inputs=inputs, assessment=assessment)
