"""Finding the candidate that ``--build`` names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import InputError, nearest

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment, CandidateResult


def find_build(assessment: Assessment, build_id: str) -> CandidateResult:
    """The best layout of the build of that id.

    Raises:
        InputError: no such build among the candidates; the nearest are named.
    """
    for result in assessment.best_per_build:
        if result.candidate.id == build_id:
            return result
    known = [result.candidate.id for result in assessment.best_per_build]
    raise InputError(
        "--build", build_id, "no such build", "an id of a candidate", near=nearest(build_id, known)
    )


def with_chosen(assessment: Assessment, result: CandidateResult) -> Assessment:
    """The assessment with another build proposed; answers and outcome stay what they are."""
    build = result.candidate.build
    verdict = replace(
        assessment.verdict, chosen=result, nodes=build.nodes, replicas=result.candidate.replicas
    )
    return replace(assessment, verdict=verdict)
