"""Draws of the engine's error: the class ranges of the figures as distributions.

Each source of error is one random number per draw, common to all candidates, since an engine that
is too fast on one layout of a class is too fast on the next. A range from 5 to 95 % stands for a
split normal distribution around the best value: of the logarithm for factors, of the value itself
for pools and shares. The width is that of the row's own class.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.figures import (
    FIRST,
    RATE,
    TRAINING_MEMORY_BAND,
    serving_band,
    training_band,
)

if TYPE_CHECKING:
    from kentino_desk.decision.space import Space
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.workload import Workload

Z_95 = NormalDist().inv_cdf(0.95)
"""Standard deviations at which a range from 5 to 95 % ends."""
SEED = 20_251
DRAWS = 512


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draws:
    """Standard normal numbers per draw, one array for each source of error."""

    rate: Any
    """Speed of a class: tokens per second, positive is faster than computed."""
    first: Any
    """Time to first token beyond what the speed explains, positive is later."""
    memory: Any
    """Memory, positive is more room: a larger pool, a smaller peak."""
    exchange: Any
    """Traffic between cards, positive is a better efficiency."""

    @property
    def count(self) -> int:
        """Number of draws."""
        return len(self.rate)


@lru_cache(maxsize=4)
def draws(count: int = DRAWS, seed: int = SEED) -> Draws:
    """The same draws at every call: stratified, so that few of them give even shares."""
    random = np.random.default_rng(seed)
    normal = NormalDist()
    quantiles = np.array([normal.inv_cdf((place + 0.5) / count) for place in range(count)])
    columns = [random.permutation(quantiles) for _ in range(4)]
    return Draws(rate=columns[0], first=columns[1], memory=columns[2], exchange=columns[3])


def factor(z: Any, low: Any, high: Any) -> Any:
    """Factor of a split log-normal distribution whose 5 and 95 % ends are ``low`` and ``high``."""
    width = np.where(z < 0, -np.log(low), np.log(high)) / Z_95
    return np.exp(z * width)


def shift(z: Any, below: Any, above: Any) -> Any:
    """Shift of a split normal distribution that ends ``below`` under and ``above`` over zero."""
    return z / Z_95 * np.where(z < 0, below, above)


@lru_cache(maxsize=16)
def row_bands(space: Space) -> tuple[Any, Any]:
    """Ends of the speed and of the first token of each serving row, as factors: (2, rows) each."""
    drafted = bool(np.any(space.inputs["drafted_tokens"]))
    speeds = [serving_band(item, RATE, drafted=drafted) for item in space.candidates]
    firsts = [serving_band(item, FIRST) for item in space.candidates]
    return np.array(speeds).T, np.array(firsts).T


def training_rate_factor(found: Draws, workload: Workload, model: ModelCard) -> Any:
    """Factor on the rate of a training run, one per draw."""
    return factor(found.rate, *training_band(workload, moe=model.is_moe))


def peak_factor(found: Draws) -> Any:
    """Factor on the peak of a training run; more room is a smaller peak."""
    return factor(-found.memory, *TRAINING_MEMORY_BAND)
