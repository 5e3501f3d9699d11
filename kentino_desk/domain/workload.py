"""What the customer wants done: the values as given, and the workload filled in."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kentino_desk.domain.choices import (
        Checkpointing,
        DemandUnit,
        Engine,
        Format,
        Host,
        Kind,
        Loss,
        OffloadKind,
        Optimizer,
        Stack,
        ThroughputUnit,
    )

Value = int | float | str | bool | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorkloadInputs:
    """The values somebody gave, by dotted key, in the order of the keys."""

    items: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> WorkloadInputs:
        """Inputs from a mapping of dotted keys."""
        return cls(tuple(sorted(values.items())))

    @property
    def values(self) -> Mapping[str, Value]:
        """The values by key."""
        return MappingProxyType(dict(self.items))

    def get(self, key: str) -> Value | None:
        """The value given for ``key``, or None."""
        return self.values.get(key)

    def with_value(self, key: str, value: Value | None) -> WorkloadInputs:
        """A copy with one value set, or taken back when ``value`` is None."""
        values = dict(self.items)
        if value is None:
            values.pop(key, None)
        else:
            values[key] = value
        return WorkloadInputs.of(values)

    def without(self, keys: Iterable[str]) -> WorkloadInputs:
        """A copy that gives none of ``keys``."""
        dropped = set(keys)
        return WorkloadInputs(tuple(item for item in self.items if item[0] not in dropped))


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """Load, lengths, targets and engine of a served model."""

    concurrent_users: int
    growth: float
    input_tokens: int
    output_tokens: int
    context_tokens: int
    prompt_reuse: float
    ttft_s: float | None
    tokens_per_s_per_user: float | None
    think_s: float
    """Pause of a user between an answer and the next request."""
    demand_value: float | None
    demand_unit: DemandUnit
    engine: Engine
    engine_release: str
    max_num_seqs: int | None
    draft_tokens: int
    draft_acceptance: float | None
    """Share of the drafted tokens that is right, as measured; None promises no gain."""
    dp_attention: int
    """Attention groups of one copy, each with requests of its own."""
    context_parallel: int
    """Cards that share the cached tokens of every request."""
    utilisation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A corpus to run through a model; deadline in days, None where no date is set."""

    input_tokens_total: int
    output_tokens_total: int
    deadline_days: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """A training or tuning run."""

    tokens: int
    sequence_length: int
    micro_batch: int
    global_batch_tokens: int
    deadline_days: float | None
    availability: float
    optimizer: Optimizer
    lora_rank: int
    checkpointing: Checkpointing
    loss: Loss
    packing: bool
    packing_fill: float
    """Part of a sequence that samples fill."""
    context_parallel: int
    """Cards that each work on a part of every sequence."""
    offload: OffloadKind
    experts_quantised: bool
    stack: Stack
    throughput_value: float | None
    throughput_unit: ThroughputUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """What may be offered, and what the site and the purse allow."""

    gpus: tuple[str, ...]
    gpus_per_node: int | None
    nodes_max: int
    host: Host
    power_limit_w: float | None
    nics_per_node: int
    """Cards of the fabric in one node that the figures count."""
    air_rise_k: float
    altitude_m: float
    site_kw_max: float | None
    rack_u_max: int | None
    budget_eur: float | None
    energy_eur_per_kwh: float | None
    """What the customer pays for energy, for the running cost alone."""
    own_builds_only: bool
    reserved_gib: float
    """Memory of each node that other models keep: an embedding model, a second tenant."""
    reserved_gpus: int
    """GPUs of each node that other models keep."""
    customer_gpu: str | None
    """Card of the machine that the customer has already, None where there is none."""
    customer_gpus: int
    customer_host: Host | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Weights of what builds are ranked by; all at least 0."""

    delivered: float
    price: float
    power: float
    operation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """A workload with every value filled in; ``assumed`` names the keys nobody gave."""

    kind: Kind
    model: str
    weights: Format
    kv_cache: Format
    serving: Serving
    batch: Batch
    training: Training
    constraints: Constraints
    ranking: Ranking
    assumed: tuple[str, ...]
