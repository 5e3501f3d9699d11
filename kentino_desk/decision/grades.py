"""Grades of memory alone, for all candidates at once (decision_rules, section 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kentino_desk.domain.choices import Grade
from kentino_desk.engine import policy

_EPSILON = 1e-9


def at_least(value: Any, limit: Any) -> Any:
    """Whether a value reaches a limit; equality up to rounding counts as reached."""
    return value >= limit - _EPSILON * np.maximum(np.abs(limit), 1.0)


def at_most(value: Any, limit: Any) -> Any:
    """Whether a value stays within a limit; equality up to rounding counts as within."""
    return value <= limit + _EPSILON * np.maximum(np.abs(limit), 1.0)


def serving_grades(
    pool_bytes: Any, need_bytes: Any, request_bytes: Any, weight_share: Any, card_bytes: Any
) -> Any:
    """Grade of each serving candidate from its pool, its need and the share of its weights."""
    value = policy.value
    spare = pool_bytes - need_bytes
    roomy = at_least(spare, value("pool_spare_comfortable") * card_bytes)
    light = at_most(weight_share, value("weights_share_comfortable"))
    fits = at_least(pool_bytes, need_bytes) & at_most(weight_share, value("weights_share_fits"))
    starts = at_least(pool_bytes, request_bytes)
    tight = starts & at_least(pool_bytes, value("pool_share_tight") * need_bytes)
    return np.select(
        [pool_bytes < 0, ~tight, ~fits, roomy & light],
        [Grade.NO, Grade.WEIGHTS_ONLY, Grade.TIGHT, Grade.COMFORTABLE],
        Grade.FITS,
    )


def training_grades(state_bytes: Any, peak_bytes: Any, card_bytes: Any) -> Any:
    """Grade of each training candidate from its state and its peak."""
    value = policy.value
    return np.select(
        [
            ~at_most(state_bytes, card_bytes),
            ~at_most(peak_bytes, value("peak_share_tight") * card_bytes),
            ~at_most(peak_bytes, value("peak_share_fits") * card_bytes),
            ~at_most(peak_bytes, value("peak_share_comfortable") * card_bytes),
        ],
        [Grade.NO, Grade.WEIGHTS_ONLY, Grade.TIGHT, Grade.FITS],
        Grade.COMFORTABLE,
    )
