"""How sure the outcome is: shares of the outcomes over draws of the engine's error."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.errors import draws
from kentino_desk.decision.points import points_of
from kentino_desk.decision.sweep import verdicts_of
from kentino_desk.decision.tally import OUTCOMES, Asked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.errors import Draws
    from kentino_desk.decision.results import Assessment
    from kentino_desk.domain.candidate import Candidate
    from kentino_desk.domain.choices import Outcome

SHARES = "outcome_shares"
"""Reason of a close call where no single range crosses a limit."""
SURE_SHARE = 0.80
"""A verdict with a smaller share is a close call."""
GATE = "efficiency_range"
"""Reason that makes a close call by itself: the range of the efficiency straddles the gate."""
_NODES_STRIDE = 10_000
"""More than the nodes of any build, to tell rows and nodes apart in one number."""
SHIFT = 0.35
"""Mean shift, in standard deviations, from which a source of error takes part in a loss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """Shares of the outcomes, most likely first, and whether the verdict is a close call.

    ``build_share`` is the share of draws that also keep the build; ``measure_first`` names the
    sources of error that take the verdict away, the one that does so most often first.
    """

    outcomes: Mapping[Outcome, float]
    share: float
    build_share: float
    close_call: bool
    measure_first: tuple[str, ...]


SOURCES = ("rate", "first", "memory", "exchange")
"""Sources of error in the order of ``Draws``."""


def confidence_of(assessment: Assessment) -> Confidence:
    """The confidence of an assessment: the same inputs give the same shares."""
    found = draws()
    points = points_of(assessment.inputs, assessment.snapshot, {}, found)
    verdicts = verdicts_of(points, assessment.snapshot, Asked(layouts=False))
    counts = np.bincount(verdicts.outcomes, minlength=len(OUTCOMES))
    order = np.argsort(-counts, kind="stable")
    shares = {OUTCOMES[place]: float(counts[place] / found.count) for place in order
              if counts[place]}  # fmt: skip
    now = assessment.verdict
    kept = verdicts.outcomes == OUTCOMES.index(now.outcome)
    build = now.chosen.candidate.id if now.chosen else None
    _, first, place = np.unique(
        verdicts.rows * _NODES_STRIDE + verdicts.nodes, return_index=True, return_inverse=True
    )
    same = np.array([_id(verdicts.candidate(int(point))) == build for point in first])
    share = shares.get(now.outcome, 0.0)
    return Confidence(
        outcomes=shares,
        share=share,
        build_share=float((kept & same[place.ravel()]).mean()),
        close_call=share < SURE_SHARE or GATE in now.close_call_reasons,
        measure_first=_blamed(found, kept),
    )


def with_confidence(assessment: Assessment) -> Assessment:
    """The assessment with the close call that its confidence gives, as paper and JSON say it."""
    close = confidence_of(assessment).close_call
    reasons = assessment.verdict.close_call_reasons or ((SHARES,) if close else ())
    verdict = replace(assessment.verdict, close_call=close, close_call_reasons=reasons)
    return replace(assessment, verdict=verdict)


def _id(candidate: Candidate | None) -> str | None:
    return None if candidate is None else candidate.id


def _blamed(found: Draws, kept: Any) -> tuple[str, ...]:
    """Sources whose draws are shifted where the outcome is lost, the strongest first."""
    lost = ~kept
    if not lost.any() or lost.all():
        return ()
    shifts = {name: abs(float(getattr(found, name)[lost].mean())) for name in SOURCES}
    strong = [name for name in SOURCES if shifts[name] > SHIFT]
    return tuple(sorted(strong, key=lambda name: -shifts[name]))
