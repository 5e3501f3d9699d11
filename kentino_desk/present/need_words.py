"""What the customer wants, in one sentence."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import DemandUnit, Kind
from kentino_desk.present.counted import counted
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import load_in_words
from kentino_desk.present.numbers import numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment
    from kentino_desk.domain.workload import Workload

STEADY = later("{users} at once")
GROWING = later("{users} at once ({load} with growth of {growth})")
CHAT = later("Run {model} in your own room: {crowd}, context {context}.")
CHAT_AT_SPEED = later(
    "Run {model} in your own room: {crowd}, context {context}, at least {speed} per user."
)
DEMAND = later(
    "Run {model} in your own room for a demand of {demand}, with growth of {growth} for {load}."
)
BATCH = later("Run {model} over a corpus: {reads} to read, {writes} to write, no date set.")
BATCH_BY = later("Run {model} over a corpus: {reads} to read, {writes} to write, in {deadline}.")
TRAINING: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.LORA: later("Fine-tune {model} with LoRA on {tokens}, no date set."),
        Kind.QLORA: later("Fine-tune {model} with QLoRA on {tokens}, no date set."),
        Kind.FULL: later("Fine-tune all weights of {model} on {tokens}, no date set."),
        Kind.PRETRAIN: later("Pretrain {model} from scratch on {tokens}, no date set."),
    }
)
TRAINING_BY: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.LORA: later("Fine-tune {model} with LoRA on {tokens} in {deadline}."),
        Kind.QLORA: later("Fine-tune {model} with QLoRA on {tokens} in {deadline}."),
        Kind.FULL: later("Fine-tune all weights of {model} on {tokens} in {deadline}."),
        Kind.PRETRAIN: later("Pretrain {model} from scratch on {tokens} in {deadline}."),
    }
)


def need_sentence(assessment: Assessment, language: str) -> str:
    """The need with its numbers."""
    workload = assessment.workload
    values = {"model": assessment.model.name, "load": load_in_words(assessment, language)}
    values |= _values(workload, language)
    values["crowd"] = text(language).gettext(
        GROWING if workload.serving.growth else STEADY, **values
    )
    return text(language).gettext(_template(workload), **values)


def _template(workload: Workload) -> str:
    kind = workload.kind
    if kind is Kind.CHAT:
        if workload.serving.demand_value is not None:
            return DEMAND
        return CHAT_AT_SPEED if workload.serving.tokens_per_s_per_user else CHAT
    if kind is Kind.BATCH:
        return BATCH_BY if workload.batch.deadline_days else BATCH
    return (TRAINING_BY if workload.training.deadline_days else TRAINING)[kind]


def _values(workload: Workload, language: str) -> dict[str, str]:
    shown = numbers(language)
    if workload.kind is Kind.CHAT:
        serving = workload.serving
        return {
            "users": counted(serving.concurrent_users, "users", language),
            "growth": shown.percent(serving.growth),
            "context": counted(serving.context_tokens, "tokens", language),
            "speed": counted(serving.tokens_per_s_per_user or 0, "tok/s", language),
            "demand": _demand(workload, language),
        }
    if workload.kind is Kind.BATCH:
        batch = workload.batch
        return {
            "reads": counted(batch.input_tokens_total, "tokens", language),
            "writes": counted(batch.output_tokens_total, "tokens", language),
            "deadline": counted(batch.deadline_days or 0, "days", language),
        }
    training = workload.training
    return {
        "tokens": counted(training.tokens, "tokens", language),
        "deadline": counted(training.deadline_days or 0, "days", language),
    }


def _demand(workload: Workload, language: str) -> str:
    serving = workload.serving
    per_second = serving.demand_unit is DemandUnit.REQUESTS_PER_S
    unit = text(language).gettext("requests/s") if per_second else "tok/s"
    return f"{numbers(language).exact(serving.demand_value or 0)}\u00a0{unit}"
