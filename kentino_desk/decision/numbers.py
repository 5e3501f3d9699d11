"""The numbers of a workload by dotted key: one each, or an array with one value per point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.domain.choices import DemandUnit, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.workload import Workload

    Numbers = Mapping[str, Any]

_NUMERIC = {
    "serving": (
        "concurrent_users", "growth", "input_tokens", "output_tokens", "context_tokens",
        "prompt_reuse", "ttft_s", "tokens_per_s_per_user", "think_s", "demand_value",
        "max_num_seqs", "utilisation",
    ),
    "batch": ("input_tokens_total", "output_tokens_total", "deadline_days"),
    "training": (
        "tokens", "sequence_length", "micro_batch", "global_batch_tokens", "deadline_days",
        "availability", "throughput_value",
    ),
    "constraints": ("nodes_max", "site_kw_max", "rack_u_max", "budget_eur"),
}  # fmt: skip


def numbers_of(workload: Workload) -> dict[str, Any]:
    """Every number of a workload as it was filled in; None where there is no such limit."""
    return {
        f"{section}.{name}": getattr(getattr(workload, section), name)
        for section, names in _NUMERIC.items()
        for name in names
    }


def by_users(workload: Workload) -> bool:
    """Whether the load is users in flight."""
    return workload.kind is Kind.CHAT and workload.serving.demand_value is None


def load_of(workload: Workload, numbers: Numbers) -> Any:
    """What has to be carried: users in flight, tokens/s of a demand, or tokens of a corpus."""
    if workload.kind is Kind.BATCH:
        return numbers["batch.output_tokens_total"] * 1.0
    wished = numbers["serving.concurrent_users"] * busy_share(numbers)
    if not by_users(workload):
        wished = numbers["serving.demand_value"]
        if workload.serving.demand_unit is DemandUnit.REQUESTS_PER_S:
            wished = wished * numbers["serving.output_tokens"]
    return wished * (1.0 + numbers["serving.growth"])


def busy_share(numbers: Numbers) -> Any:
    """Part of the people whose request is in flight at the slowest answer the targets allow.

    E2E/(E2E + think) with E2E = first word + (O − 1)/speed (engine_method, section 6): a build that
    answers faster has fewer in flight.
    """
    pause = numbers["serving.think_s"]
    if not np.any(pause):
        return 1.0
    words = (numbers["serving.output_tokens"] - 1.0) / numbers["serving.tokens_per_s_per_user"]
    answer = numbers["serving.ttft_s"] + words
    return answer / (answer + pause)
