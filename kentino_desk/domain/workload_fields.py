"""Every field of a workload, once: key, type, unit, legal range, who uses it.

The file reader, the form, the messages and the list of assumed values are made from this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum

SCHEMA = 1

type_words = MappingProxyType(
    {
        "int": "a whole number",
        "float": "a number",
        "str": "a text",
        "bool": "true or false",
        "choice": "one word",
        "strs": "a list of texts",
    }
)

ALL_KINDS = frozenset(Kind)
SERVING = frozenset({Kind.CHAT, Kind.BATCH})
CHAT = frozenset({Kind.CHAT})
BATCH = frozenset({Kind.BATCH})
TRAINING = frozenset({Kind.LORA, Kind.QLORA, Kind.FULL, Kind.PRETRAIN})
ADAPTER = frozenset({Kind.LORA, Kind.QLORA})


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """One field: ``kind`` is int, float, str, bool, choice or strs; ranges are inclusive."""

    key: str
    kind: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    used_by: frozenset[Kind] = ALL_KINDS

    @property
    def allowed(self) -> str:
        """What is legal, in words."""
        if self.choices:
            return ", ".join(self.choices)
        word = type_words[self.kind]
        unit = f" {self.unit}" if self.unit else ""
        if self.low is None or self.high is None:
            return word
        return f"{word} from {self.low:,.10g} to {self.high:,.10g}{unit}"


def _number(key: str, unit: str, low: float, high: float, used_by: frozenset[Kind]) -> FieldSpec:
    return FieldSpec(key=key, kind="float", unit=unit, low=low, high=high, used_by=used_by)


def _whole(key: str, unit: str, low: int, high: int, used_by: frozenset[Kind]) -> FieldSpec:
    return FieldSpec(key=key, kind="int", unit=unit, low=low, high=high, used_by=used_by)


def _choice(key: str, words: type[StrEnum], used_by: frozenset[Kind] = ALL_KINDS) -> FieldSpec:
    return FieldSpec(key=key, kind="choice", choices=tuple(words), used_by=used_by)


FIELDS: tuple[FieldSpec, ...] = (
    _choice("workload.kind", Kind),
    FieldSpec(key="workload.model", kind="str"),
    _choice("workload.weights", Format),
    _choice("workload.kv_cache", Format, SERVING),
    _whole("serving.concurrent_users", "users", 1, 1_000_000, CHAT),
    _number("serving.growth", "share", 0.0, 10.0, CHAT),
    _whole("serving.input_tokens", "tokens", 1, 2_000_000, CHAT),
    _whole("serving.output_tokens", "tokens", 1, 500_000, CHAT),
    _whole("serving.context_tokens", "tokens", 2, 2_000_000, CHAT),
    _number("serving.prompt_reuse", "share", 0.0, 0.99, CHAT),
    _number("serving.ttft_s", "s", 0.01, 3_600.0, CHAT),
    _number("serving.tokens_per_s_per_user", "tok/s", 0.1, 1_000.0, CHAT),
    _number("serving.think_s", "s", 0.0, 3_600.0, CHAT),
    _number("serving.demand_value", "", 0.001, 1e9, CHAT),
    _choice("serving.demand_unit", DemandUnit, CHAT),
    _choice("serving.engine", Engine, SERVING),
    FieldSpec(key="serving.engine_release", kind="str", used_by=SERVING),
    _whole("serving.max_num_seqs", "sequences", 1, 65_536, SERVING),
    _whole("serving.draft_tokens", "tokens", 0, 16, SERVING),
    _number("serving.draft_acceptance", "share", 0.0, 0.95, SERVING),
    _whole("serving.dp_attention", "groups", 1, 16, SERVING),
    _whole("serving.context_parallel", "GPUs", 1, 16, SERVING),
    _number("serving.utilisation", "share", 0.3, 0.98, SERVING),
    _whole("batch.input_tokens_total", "tokens", 1, 10**16, BATCH),
    _whole("batch.output_tokens_total", "tokens", 1, 10**16, BATCH),
    _whole("batch.input_tokens", "tokens", 1, 2_000_000, BATCH),
    _whole("batch.output_tokens", "tokens", 1, 500_000, BATCH),
    _number("batch.deadline_days", "days", 0.01, 3_650.0, BATCH),
    _whole("training.tokens", "tokens", 1_000, 10**15, TRAINING),
    _whole("training.sequence_length", "tokens", 16, 1_000_000, TRAINING),
    _whole("training.micro_batch", "sequences", 1, 1_024, TRAINING),
    _whole("training.global_batch_tokens", "tokens", 16, 10**9, TRAINING),
    _number("training.deadline_days", "days", 0.01, 3_650.0, TRAINING),
    _number("training.availability", "share", 0.05, 1.0, TRAINING),
    _choice("training.optimizer", Optimizer, TRAINING),
    _whole("training.lora_rank", "", 1, 1_024, ADAPTER),
    _choice("training.checkpointing", Checkpointing, TRAINING),
    _choice("training.loss", Loss, TRAINING),
    FieldSpec(key="training.packing", kind="bool", used_by=TRAINING),
    _number("training.packing_fill", "share", 0.05, 1.0, TRAINING),
    _whole("training.context_parallel", "GPUs", 1, 64, TRAINING),
    _choice("training.offload", OffloadKind, TRAINING),
    FieldSpec(key="training.experts_quantised", kind="bool", used_by=frozenset({Kind.QLORA})),
    _choice("training.stack", Stack, TRAINING),
    _number("training.throughput_value", "tok/s", 0.001, 1e12, TRAINING),
    _choice("training.throughput_unit", ThroughputUnit, TRAINING),
    FieldSpec(key="constraints.gpus", kind="strs"),
    _whole("constraints.gpus_per_node", "GPUs", 1, 16, ALL_KINDS),
    _whole("constraints.nodes_max", "nodes", 1, 128, ALL_KINDS),
    _choice("constraints.host", Host),
    _number("constraints.power_limit_w", "W", 50.0, 2_000.0, ALL_KINDS),
    _whole("constraints.nics_per_node", "NICs", 1, 16, ALL_KINDS),
    _number("constraints.air_rise_k", "K", 5.0, 30.0, ALL_KINDS),
    _number("constraints.altitude_m", "m", 0.0, 3_050.0, ALL_KINDS),
    _number("constraints.site_kw_max", "kW", 0.1, 100_000.0, ALL_KINDS),
    _whole("constraints.rack_u_max", "U", 1, 10_000, ALL_KINDS),
    _number("constraints.budget_eur", "EUR", 1.0, 1e10, ALL_KINDS),
    _number("constraints.energy_eur_per_kwh", "EUR/kWh", 0.001, 5.0, ALL_KINDS),
    FieldSpec(key="constraints.own_builds_only", kind="bool"),
    _number("constraints.reserved_gib", "GiB", 0.0, 10_000.0, ALL_KINDS),
    _whole("constraints.reserved_gpus", "GPUs", 0, 15, ALL_KINDS),
    FieldSpec(key="constraints.customer_gpu", kind="str"),
    _whole("constraints.customer_gpus", "GPUs", 1, 16, ALL_KINDS),
    _choice("constraints.customer_host", Host),
    _number("ranking.delivered", "", 0.0, 100.0, ALL_KINDS),
    _number("ranking.price", "", 0.0, 100.0, ALL_KINDS),
    _number("ranking.power", "", 0.0, 100.0, ALL_KINDS),
    _number("ranking.operation", "", 0.0, 100.0, ALL_KINDS),
)

FIELD_BY_KEY: Mapping[str, FieldSpec] = MappingProxyType({spec.key: spec for spec in FIELDS})
SECTIONS: tuple[str, ...] = tuple(dict.fromkeys(spec.key.partition(".")[0] for spec in FIELDS))
