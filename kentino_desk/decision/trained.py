"""Days of a training run and which rows hold it; arrays of rows, of one workload or many points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.grades import at_most
from kentino_desk.decision.run import relative_margin
from kentino_desk.decision.site_limits import SLACK
from kentino_desk.domain.choices import ThroughputUnit
from kentino_desk.domain.units import SECONDS_PER_DAY
from kentino_desk.engine.quantity import compute

if TYPE_CHECKING:
    from kentino_desk.decision.numbers import Numbers
    from kentino_desk.domain.workload import Workload


def training_numbers(numbers: Numbers) -> dict[str, Any]:
    """Engine inputs that come from the numbers of a workload."""
    return {
        "sequence_length": numbers["training.sequence_length"] * 1.0,
        "micro_batch": numbers["training.micro_batch"] * 1.0,
        "global_batch_tokens": numbers["training.global_batch_tokens"] * 1.0,
        "train_tokens": numbers["training.tokens"] * 1.0,
        "availability": numbers["training.availability"],
    }


def days_of(workload: Workload, numbers: Numbers, rate: Any, nodes: Any, gpus_per_node: Any) -> Any:
    """Days by the typed rate where one was typed, else by the engine's own in tokens/s."""
    typed = numbers["training.throughput_value"]
    tokens, available = numbers["training.tokens"] * 1.0, numbers["training.availability"]
    if typed is None:
        given = {"train_tokens": tokens, "train_tokens_per_s": rate, "availability": available}
        return compute(("train_days",), given)["train_days"]
    units = {
        ThroughputUnit.PER_GPU: nodes * gpus_per_node * 1.0,
        ThroughputUnit.PER_NODE: nodes * 1.0,
        ThroughputUnit.TOTAL: np.ones_like(nodes, dtype=float),
    }[workload.training.throughput_unit]
    return tokens / (typed * units * SECONDS_PER_DAY * available)


def job_holds(numbers: Numbers, *, fits: Any, dp: Any, days: Any) -> Any:
    """Whether rows hold the job: memory grade, deadline, and a batch that feeds every replica."""
    fed = numbers["training.sequence_length"] * numbers["training.micro_batch"] * dp
    holds = fits & at_most(fed, numbers["training.global_batch_tokens"])
    deadline = numbers["training.deadline_days"]
    if deadline is not None:
        holds = holds & (relative_margin(days, deadline) >= -SLACK)
    return holds
