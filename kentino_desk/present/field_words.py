"""Inputs in words: the name of each field, and its value as it is printed."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

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
from kentino_desk.domain.workload_fields import FIELD_BY_KEY, FIELDS
from kentino_desk.present.counted import counted
from kentino_desk.present.language import later, text
from kentino_desk.present.numbers import numbers
from kentino_desk.present.terms import FORMAT_WORDS, KIND_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment
    from kentino_desk.domain.workload import Value, Workload
    from kentino_desk.domain.workload_fields import FieldSpec

FIELD_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "workload.kind": later("Kind of work"),
        "workload.model": later("Model"),
        "workload.weights": later("Format of the weights"),
        "workload.kv_cache": later("Format of the KV cache"),
        "serving.concurrent_users": later("Users at once"),
        "serving.growth": later("Growth"),
        "serving.input_tokens": later("Prompt"),
        "serving.output_tokens": later("Answer"),
        "serving.context_tokens": later("Context per user"),
        "serving.prompt_reuse": later("Prompt reuse"),
        "serving.ttft_s": later("First word within"),
        "serving.tokens_per_s_per_user": later("Speed per user"),
        "serving.think_s": later("Pause between answers"),
        "serving.demand_value": later("Demand"),
        "serving.demand_unit": later("Unit of the demand"),
        "serving.engine": later("Serving engine"),
        "serving.engine_release": later("Engine release"),
        "serving.max_num_seqs": later("Most sequences at once"),
        "serving.draft_tokens": later("Draft tokens per step"),
        "serving.draft_acceptance": later("Drafted tokens that are right"),
        "serving.dp_attention": later("Attention groups of a copy"),
        "serving.context_parallel": later("GPUs that share a context"),
        "serving.utilisation": later("Share of memory the engine may use"),
        "batch.input_tokens_total": later("Corpus to read"),
        "batch.output_tokens_total": later("Text to write"),
        "batch.input_tokens": later("Prompt of one request"),
        "batch.output_tokens": later("Answer of one request"),
        "batch.deadline_days": later("Deadline of the corpus"),
        "training.tokens": later("Training tokens"),
        "training.sequence_length": later("Sequence length"),
        "training.micro_batch": later("Micro-batch"),
        "training.global_batch_tokens": later("Global batch"),
        "training.deadline_days": later("Deadline"),
        "training.availability": later("Availability"),
        "training.optimizer": later("Optimizer"),
        "training.lora_rank": later("LoRA rank"),
        "training.checkpointing": later("Checkpointing of activations"),
        "training.loss": later("Loss kernel"),
        "training.packing": later("Packed sequences"),
        "training.packing_fill": later("Part of a sequence filled"),
        "training.context_parallel": later("GPUs that share a sequence"),
        "training.offload": later("Kept in host memory"),
        "training.experts_quantised": later("Experts in 4 bit"),
        "training.stack": later("Training framework"),
        "training.throughput_value": later("Throughput as stated"),
        "training.throughput_unit": later("Throughput counts"),
        "constraints.gpus": later("GPUs allowed"),
        "constraints.gpus_per_node": later("GPUs per node"),
        "constraints.nodes_max": later("Most nodes"),
        "constraints.host": later("Host"),
        "constraints.power_limit_w": later("Power limit per GPU"),
        "constraints.nics_per_node": later("Network cards per node"),
        "constraints.air_rise_k": later("Rise of the cooling air"),
        "constraints.altitude_m": later("Height of the site"),
        "constraints.site_kw_max": later("Site power"),
        "constraints.rack_u_max": later("Rack space"),
        "constraints.budget_eur": later("Budget"),
        "constraints.energy_eur_per_kwh": later("Price of energy"),
        "constraints.own_builds_only": later("Own builds alone"),
        "constraints.reserved_gib": later("Memory kept for other models, per node"),
        "constraints.reserved_gpus": later("GPUs kept for other models, per node"),
        "constraints.customer_gpu": later("Card of the customer's machine"),
        "constraints.customer_gpus": later("GPUs of the customer's machine"),
        "constraints.customer_host": later("Host of the customer's machine"),
        "ranking.delivered": later("Weight of delivered work"),
        "ranking.price": later("Weight of the price"),
        "ranking.power": later("Weight of power"),
        "ranking.operation": later("Weight of operation"),
    }
)

CHOICE_WORDS: Mapping[type[StrEnum], Mapping[str, str]] = MappingProxyType(
    {
        Kind: {str(kind): word for kind, word in KIND_WORDS.items()},
        Format: {str(form): word for form, word in FORMAT_WORDS.items()},
        DemandUnit: {
            DemandUnit.TOKENS_PER_S: "tok/s",
            DemandUnit.REQUESTS_PER_S: later("requests/s"),
        },
        Engine: {Engine.VLLM: "vLLM", Engine.SGLANG: "SGLang", Engine.TRTLLM: "TensorRT-LLM"},
        Optimizer: {
            Optimizer.ADAMW_FP32: "AdamW FP32",
            Optimizer.ADAMW_BF16: "AdamW BF16",
            Optimizer.ADAMW_8BIT: "AdamW 8-bit",
            Optimizer.ADAFACTOR: "Adafactor",
            Optimizer.MUON: "Muon",
        },
        Checkpointing: {
            Checkpointing.NONE: later("without"),
            Checkpointing.SELECTIVE: later("selective"),
            Checkpointing.FULL: later("all layers"),
        },
        OffloadKind: {
            OffloadKind.NONE: later("nothing"),
            OffloadKind.OPTIMIZER: later("optimizer"),
            OffloadKind.WEIGHTS_OPTIMIZER: later("weights and optimizer"),
            OffloadKind.ACTIVATIONS: later("activations offloaded"),
        },
        Loss: {
            Loss.PLAIN: later("plain"),
            Loss.CHUNKED: later("chunked"),
            Loss.FUSED: later("fused"),
        },
        Stack: {
            Stack.TORCHTITAN: "torchtitan",
            Stack.TORCHTUNE: "torchtune",
            Stack.MEGATRON: "Megatron",
            Stack.DEEPSPEED: "DeepSpeed",
            Stack.PEFT: "PEFT",
            Stack.AXOLOTL: "Axolotl",
        },
        ThroughputUnit: {
            ThroughputUnit.PER_GPU: later("per GPU"),
            ThroughputUnit.PER_NODE: later("per node"),
            ThroughputUnit.TOTAL: later("in total"),
        },
        Host: {
            Host.DEFAULT: later("as delivered"),
            Host.TUNED: later("tuned"),
            Host.SWITCH: later("with PCIe switches"),
            Host.POOR: later("untuned, two sockets"),
        },
    }
)
"""Words of each choice. By class first: members of two classes may be equal as texts."""


def value_in_words(spec: FieldSpec, value: Value, language: str) -> str:
    """The value of one field with its unit."""
    if isinstance(value, bool):
        return text(language).gettext("yes") if value else text(language).gettext("no")
    if isinstance(value, str):
        return _word(value, language)
    if isinstance(value, tuple):
        return ", ".join(value)
    if spec.unit == "share":
        return numbers(language).percent(value)
    return counted(value, spec.unit, language)


def _word(value: str, language: str) -> str:
    if not isinstance(value, StrEnum):
        return value
    return text(language).gettext(CHOICE_WORDS[type(value)][value])


def field_rows(assessment: Assessment, language: str) -> tuple[tuple[str, str, bool], ...]:
    """Name, value and whether it is assumed, of what was given or assumed.

    What nobody gave and nothing rests on (one attention group, no thinking pause) is no statement
    of the customer; the weights of the ranking are the seller's own.
    """
    words = text(language)
    given = assessment.inputs.values
    named = {"workload.model": assessment.model.name, "constraints.gpus": _cards(assessment)}
    return tuple(
        (
            words.gettext(FIELD_NAMES[spec.key]),
            named.get(spec.key) or value_in_words(spec, value, language),
            assumed,
        )
        for spec, value, assumed in _used(assessment.workload)
        if (assumed or spec.key in given) and not spec.key.startswith("ranking.")
    )


def _cards(assessment: Assessment) -> str:
    known = {
        item.candidate.build.gpu.id: item.candidate.build.gpu.name for item in assessment.candidates
    }
    return ", ".join(known.get(card, card) for card in assessment.workload.constraints.gpus)


def assumed_names(workload: Workload, language: str) -> tuple[str, ...]:
    """Each assumed input with its value."""
    return tuple(
        _assumed_name(spec.key, value, language)
        for spec, value, assumed in _used(workload)
        if assumed
    )


@lru_cache(maxsize=1024, typed=True)
def _assumed_name(key: str, value: Value, language: str) -> str:
    words = text(language)
    return words.gettext(
        "{name}: {value}",
        name=words.gettext(FIELD_NAMES[key]),
        value=value_in_words(FIELD_BY_KEY[key], value, language),
    )


UNIT_OF: Mapping[str, str] = MappingProxyType(
    {
        "serving.demand_unit": "serving.demand_value",
        "training.throughput_unit": "training.throughput_value",
    }
)
"""Units of values that may not have been given."""


def _used(workload: Workload) -> list[tuple[FieldSpec, Value, bool]]:
    assumed = frozenset(workload.assumed)
    found = []
    for spec in FIELDS:
        value = _value_of(workload, spec.key)
        if spec.key in UNIT_OF and _value_of(workload, UNIT_OF[spec.key]) is None:
            continue
        if workload.kind in spec.used_by and value not in {None, ""} and value != ():
            found.append((spec, cast("Value", value), spec.key in assumed))
    return found


def _value_of(workload: Workload, key: str) -> object:
    section, _, name = key.partition(".")
    part = workload if section == "workload" else getattr(workload, section)
    if section == "batch" and not hasattr(part, name):
        return getattr(workload.serving, name, None)
    return getattr(part, name, None)


def field_name(key: str, language: str) -> str:
    """The name of one field.

    Raises:
        KeyError: there is no such field.
    """
    return text(language).gettext(FIELD_NAMES[FIELD_BY_KEY[key].key])
