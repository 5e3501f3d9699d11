"""Why a verdict is a close call: one sentence for each limit that a range crosses."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.decision.confidence import SHARES
from kentino_desk.present.language import later, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "speed_range": later(
            "Close call: a speed target lies inside the range of the estimate. Measure first."
        ),
        "memory_range": later(
            "Close call: the memory may be tight inside the range of the estimate. Measure first."
        ),
        "efficiency_range": later(
            "Close call: the range of the scaling efficiency crosses 60\u00a0%. Measure first."
        ),
        SHARES: later(
            "Close call: within the errors of the estimates another answer is possible. "
            "Measure first."
        ),
        "deadline_range": later(
            "Close call: the date lies inside the range of the estimate. Measure first."
        ),
    }
)


def close_call_sentence(assessment: Assessment, language: str) -> str:
    """The first reason, or nothing where the answer holds over the range."""
    verdict = assessment.verdict
    if not verdict.close_call or not verdict.close_call_reasons:
        return ""
    return text(language).gettext(REASONS[verdict.close_call_reasons[0]])
