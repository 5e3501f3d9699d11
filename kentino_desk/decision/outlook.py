"""What is asked after the verdict: what flips it, how sure it is, and what to relax.

Takes longer than a key press, so a window asks for it in a job.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.decision.confidence import Confidence, confidence_of
from kentino_desk.decision.flips import Flip, flips_of
from kentino_desk.decision.relaxation import Relaxation, relaxations_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.decision.results import Assessment


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """Flips, confidence, and where nothing fits what would help: numbers first, then choices."""

    flips: tuple[Flip, ...]
    confidence: Confidence
    relaxations: tuple[Relaxation, ...]


def outlook_of(
    assessment: Assessment, stopped: Callable[[], bool] = lambda: False
) -> Outlook | None:
    """The outlook of an assessment; None when it was stopped."""
    confidence = confidence_of(assessment)
    flips = () if stopped() else flips_of(assessment, stopped)
    helps = relaxations_of(assessment, flips, stopped)
    return None if stopped() else Outlook(flips=flips, confidence=confidence, relaxations=helps)
