"""What a lower power limit of the cards saves and costs, for the limits that a card allows.

Source: training_fit_notes, section 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.engine import policy
from kentino_desk.engine.card_inputs import card_class
from kentino_desk.engine.policy_power import HIGH_EXPONENT, LEAST_LIMIT_SHARE, LOW_EXPONENT
from kentino_desk.engine.quantity import compute

if TYPE_CHECKING:
    from kentino_desk.decision.results import CandidateResult
    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.engine.evaluation import Evaluation

LIMITS_W = (300.0, 450.0, 600.0)
"""Limits that are compared, beside the power of the card itself."""
SWEPT_CLASSES = frozenset({"rtx6000"})
"""Cards whose speed was measured at several limits."""
_WANTED = ("gpu_draw_w", "node_max_w", "power_max_w", "power_typical_w", "work_speed")
_INPUTS = (
    "tdp_w", "draw_share", "limited_share", "gpus_per_node", "cpu_sockets", "cpu_tdp_w", "dimms",
    "nics", "board_w", "fan_share", "psu_rated_w", "nodes",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerLimit:
    """One limit per card: power of card, node and build in W, and the speed that is left.

    ``speed`` is against the card at its full power, as low, best and high.
    """

    limit_w: float
    gpu_w: float
    node_max_w: float
    power_max_w: float
    power_typical_w: float
    speed: tuple[float, float, float]
    swept: bool
    """Whether the speed of this card was measured at several limits."""


def settable_limits(gpu: Gpu) -> tuple[float, ...]:
    """Limits from what the card allows, and half its power, up to its power.

    Below half the power speed collapses, and no figure is given.
    """
    if gpu.tdp_w is None:
        return ()
    least = max(gpu.min_power_limit_w or 0.0, LEAST_LIMIT_SHARE * gpu.tdp_w)
    return tuple(sorted({gpu.tdp_w, *(w for w in LIMITS_W if least <= w <= gpu.tdp_w)}))


def power_limits(evaluation: Evaluation, result: CandidateResult) -> tuple[PowerLimit, ...]:
    """One row per limit, lowest first; none where the power of card or host is not known."""
    gpu = result.candidate.build.gpu
    limits = settable_limits(gpu)
    if not limits:
        return ()
    inputs: dict[str, Any] = {"power_limit_w": np.array(limits)}
    inputs |= {name: evaluation.value(name, result.row) for name in _INPUTS}
    values = compute(_WANTED, policy.values() | inputs)
    slow, fast = (_speed(inputs, exponent) for exponent in (LOW_EXPONENT, HIGH_EXPONENT))
    columns = {name: values[name] * np.ones(len(limits)) for name in _WANTED}
    if not np.isfinite(columns["power_max_w"]).all():
        return ()
    return tuple(
        PowerLimit(
            limit_w=limit,
            speed=(float(slow[i]), float(columns["work_speed"][i]), float(fast[i])),
            swept=card_class(gpu) in SWEPT_CLASSES,
            **{name: float(columns[key][i]) for name, key in _FIELDS.items()},
        )
        for i, limit in enumerate(limits)
    )


_FIELDS = {
    "gpu_w": "gpu_draw_w",
    "node_max_w": "node_max_w",
    "power_max_w": "power_max_w",
    "power_typical_w": "power_typical_w",
}


def _speed(inputs: dict[str, Any], exponent: float) -> Any:
    given = policy.values() | inputs | {"limit_exponent": exponent}
    return compute(("work_speed",), given)["work_speed"]
