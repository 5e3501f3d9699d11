"""Values that nobody gave: the seller's presets by kind of workload, listed as assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kentino_desk.decision.lengths import batch_lengths, chat_lengths
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
from kentino_desk.domain.workload import Batch, Constraints, Ranking, Serving, Training, Workload
from kentino_desk.domain.workload_fields import FIELDS
from kentino_desk.engine import policy
from kentino_desk.engine.policy_memory import NEWEST_RELEASE, release_row

if TYPE_CHECKING:
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.workload import WorkloadInputs

_OPTIONAL = frozenset(
    {
        "serving.think_s",
        "serving.demand_value",
        "serving.demand_unit",
        "serving.max_num_seqs",
        "serving.draft_tokens",
        "serving.draft_acceptance",
        "serving.dp_attention",
        "serving.context_parallel",
        "batch.deadline_days",
        "training.deadline_days",
        "training.offload",
        "training.context_parallel",
        "training.experts_quantised",
        "training.throughput_value",
        "training.throughput_unit",
        "constraints.gpus",
        "constraints.gpus_per_node",
        "constraints.power_limit_w",
        "constraints.nics_per_node",
        "constraints.air_rise_k",
        "constraints.altitude_m",
        "constraints.site_kw_max",
        "constraints.rack_u_max",
        "constraints.budget_eur",
        "constraints.energy_eur_per_kwh",
        "constraints.reserved_gib",
        "constraints.reserved_gpus",
        "constraints.customer_gpu",
        "constraints.customer_gpus",
        "constraints.customer_host",
        "ranking.delivered",
        "ranking.price",
        "ranking.power",
        "ranking.operation",
    }
)
"""Fields whose absence means "no such limit", "not used" or "the usual setting": no assumption."""


def _sections() -> dict[str, dict[str, str]]:
    """Fields of each section: dotted key by short name."""
    sections: dict[str, dict[str, str]] = {}
    for spec in FIELDS:
        section, _, short = spec.key.partition(".")
        sections.setdefault(section, {})[short] = spec.key
    return sections


_SECTIONS = _sections()


class _Filled:
    """Values as given, else as preset; remembers which ones were not given."""

    def __init__(self, inputs: WorkloadInputs, presets: dict[str, Any]) -> None:
        self._given = inputs.values
        self._presets = presets

    def get(self, key: str) -> Any:
        return self._given.get(key, self._presets.get(key))

    def section(self, name: str) -> dict[str, Any]:
        """All fields of one section by their short names."""
        return {short: self.get(key) for short, key in _SECTIONS[name].items()}


def resolve(inputs: WorkloadInputs, model: ModelCard) -> Workload:
    """The workload with every value filled in, and the keys that were assumed.

    Source of the presets: decision_rules, section 1.
    """
    kind = Kind(str(inputs.values["workload.kind"]))
    presets = preset_values(inputs, kind, model)
    filled = _Filled(inputs, presets)
    return Workload(
        kind=kind,
        model=model.id,
        weights=Format(filled.get("workload.weights")),
        kv_cache=Format(filled.get("workload.kv_cache")),
        serving=_serving(filled, kind),
        batch=_batch(filled),
        training=_training(filled),
        constraints=_constraints(filled),
        ranking=Ranking(**filled.section("ranking")),
        assumed=_assumed(inputs, kind),
    )


def _assumed(inputs: WorkloadInputs, kind: Kind) -> tuple[str, ...]:
    given = inputs.values
    demand = "serving.demand_value" in given
    skipped = _OPTIONAL | ({"serving.concurrent_users"} if demand else set())
    return tuple(
        spec.key
        for spec in FIELDS
        if kind in spec.used_by and spec.key not in given and spec.key not in skipped
    )


def preset_values(inputs: WorkloadInputs, kind: Kind, model: ModelCard) -> dict[str, Any]:
    """Preset of every field that has one, given what was entered."""
    values: dict[str, Any] = {
        "workload.weights": Format.AUTO,
        "workload.kv_cache": Format.AUTO,
        **_serving_presets(inputs, model),
        **_batch_presets(inputs, model),
        **_training_presets(kind, model),
        "constraints.nodes_max": 4,
        "constraints.nics_per_node": 1,
        "constraints.air_rise_k": policy.value("air_rise_k"),
        "constraints.altitude_m": policy.value("altitude_m"),
        "constraints.host": Host.DEFAULT,
        "constraints.own_builds_only": False,
        "constraints.reserved_gib": 0.0,
        "constraints.reserved_gpus": 0,
        "constraints.customer_gpus": 1,
        "ranking.delivered": 10.0,
        "ranking.price": 3.0,
        "ranking.power": 1.0,
        "ranking.operation": 1.0,
    }
    return values


def _serving_presets(inputs: WorkloadInputs, model: ModelCard) -> dict[str, Any]:
    given = inputs.values
    release = str(given.get("serving.engine_release", NEWEST_RELEASE))
    return {
        "serving.concurrent_users": 16,
        "serving.growth": 0.25,
        **{key: int(length) for key, length in chat_lengths(given, model).items()},
        "serving.prompt_reuse": 0.5,
        "serving.ttft_s": 3.0,
        "serving.tokens_per_s_per_user": 12.0,
        "serving.think_s": 0.0,
        "serving.demand_unit": DemandUnit.TOKENS_PER_S,
        "serving.engine": Engine.VLLM,
        "serving.engine_release": NEWEST_RELEASE,
        "serving.draft_tokens": 0,
        "serving.dp_attention": 1,
        "serving.context_parallel": 1,
        "serving.utilisation": release_row(release).utilisation,
    }


def _batch_presets(inputs: WorkloadInputs, model: ModelCard) -> dict[str, Any]:
    return {
        **{key: int(length) for key, length in batch_lengths(inputs.values, model).items()},
        "batch.input_tokens_total": 204_800_000,
        "batch.output_tokens_total": 51_200_000,
    }


def _training_presets(kind: Kind, model: ModelCard) -> dict[str, Any]:
    pretrain = kind is Kind.PRETRAIN
    tokens = {
        Kind.FULL: 1_000_000_000,
        Kind.PRETRAIN: round(20 * model.params_total),
    }.get(kind, 50_000_000)
    return {
        "training.tokens": tokens,
        "training.sequence_length": 8192 if pretrain else 4096,
        "training.micro_batch": 1,
        "training.global_batch_tokens": 4_000_000 if pretrain else 500_000,
        "training.availability": 0.9,
        "training.optimizer": Optimizer.ADAMW_FP32,
        "training.lora_rank": 16,
        "training.checkpointing": Checkpointing.FULL,
        "training.loss": Loss.PLAIN,
        "training.packing": False,
        "training.packing_fill": policy.value("packing_fill_unstated"),
        "training.context_parallel": 1,
        "training.offload": OffloadKind.NONE,
        "training.experts_quantised": False,
        "training.stack": Stack.TORCHTITAN if kind.trains_all_weights else Stack.PEFT,
        "training.throughput_unit": ThroughputUnit.PER_GPU,
    }


def _serving(filled: _Filled, kind: Kind) -> Serving:
    values = filled.section("serving")
    batch = kind is Kind.BATCH
    if batch:
        values["input_tokens"] = filled.get("batch.input_tokens")
        values["output_tokens"] = filled.get("batch.output_tokens")
        values["context_tokens"] = values["input_tokens"] + values["output_tokens"]
        values["prompt_reuse"] = values["growth"] = values["think_s"] = 0.0
        values["ttft_s"] = values["tokens_per_s_per_user"] = values["demand_value"] = None
    values["demand_unit"] = DemandUnit(values["demand_unit"])
    values["engine"] = Engine(values["engine"])
    return Serving(**values)


def _batch(filled: _Filled) -> Batch:
    values = filled.section("batch")
    return Batch(
        input_tokens_total=values["input_tokens_total"],
        output_tokens_total=values["output_tokens_total"],
        deadline_days=values["deadline_days"],
    )


def _training(filled: _Filled) -> Training:
    values = filled.section("training")
    values["optimizer"] = Optimizer(values["optimizer"])
    values["checkpointing"] = Checkpointing(values["checkpointing"])
    values["loss"] = Loss(values["loss"])
    values["offload"] = OffloadKind(values["offload"])
    values["stack"] = Stack(values["stack"])
    values["throughput_unit"] = ThroughputUnit(values["throughput_unit"])
    return Training(**values)


def _constraints(filled: _Filled) -> Constraints:
    values = filled.section("constraints")
    values["gpus"] = tuple(values["gpus"] or ())
    values["host"] = Host(values["host"])
    if values["customer_host"] is not None:
        values["customer_host"] = Host(values["customer_host"])
    return Constraints(**values)
