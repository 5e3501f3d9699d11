"""The verdict in words: title and sentence of each outcome."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Kind, Outcome
from kentino_desk.present.counted import counted, measured
from kentino_desk.present.language import later, later_plural, text
from kentino_desk.present.load_words import load_in_words, load_unit, value_of
from kentino_desk.present.nothing_words import nothing_sentence
from kentino_desk.present.numbers import NOTHING, numbers
from kentino_desk.present.terms import FABRIC_WORDS, FORMAT_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment, CandidateResult

TITLES: Mapping[Outcome, tuple[str, str]] = MappingProxyType(
    {
        Outcome.ONE_NODE: later_plural(
            "One node, {gpus}, {weights}", "One node, {gpus}, {weights}"
        ),
        Outcome.ONE_NODE_INT4: later_plural(
            "One node in 4 bit, {gpus}, {weights}", "One node in 4 bit, {gpus}, {weights}"
        ),
        Outcome.REPLICAS: later_plural(
            "{nodes} node with replicas, {gpus} each, {weights}",
            "{nodes} nodes with replicas, {gpus} each, {weights}",
        ),
        Outcome.DATA_PARALLEL: later_plural(
            "{nodes} node, data parallel, {gpus} each",
            "{nodes} nodes, data parallel, {gpus} each",
        ),
        Outcome.CLUSTER_IB: later_plural(
            "Cluster of {nodes} node, {gpus} each, {fabric}",
            "Cluster of {nodes} nodes, {gpus} each, {fabric}",
        ),
        Outcome.REARCHITECT: later_plural(
            "Change the layout before {nodes} node is bought",
            "Change the layout before {nodes} nodes are bought",
        ),
        Outcome.FRONTIER: later_plural(
            "Frontier training: 32 to 128 GPUs and more",
            "Frontier training: 32 to 128 GPUs and more",
        ),
        Outcome.NOTHING_FITS: later_plural("Nothing fits as asked", "Nothing fits as asked"),
    }
)

SERVING_SENTENCES: Mapping[Outcome, tuple[str, str]] = MappingProxyType(
    {
        Outcome.ONE_NODE: later_plural(
            "One copy of the model on {copy_gpus} carries {load} on one node. "
            "No cluster is needed.",
            "{replicas} replicas of {copy_gpus} carry {load} on one node. No cluster is needed.",
        ),
        Outcome.ONE_NODE_INT4: later_plural(
            "In 4 bit one copy of the model on {copy_gpus} carries {load} on one node. "
            "No cluster is needed.",
            "In 4 bit {replicas} replicas of {copy_gpus} carry {load} on one node. "
            "No cluster is needed.",
        ),
        Outcome.REPLICAS: later_plural(
            "One node carries {one_node}; {nodes} behind a load balancer carry {load}. "
            "No fabric is needed between them.",
            "One node carries {one_node}; {nodes} behind a load balancer carry {load}. "
            "No fabric is needed between them.",
        ),
    }
)

BATCH_SENTENCES: Mapping[Outcome, str] = MappingProxyType(
    {
        Outcome.ONE_NODE: later(
            "One node works through the corpus in {days} at full rate, {rate}. "
            "No cluster is needed."
        ),
        Outcome.ONE_NODE_INT4: later(
            "In 4 bit one node works through the corpus in {days} at full rate, {rate}. "
            "No cluster is needed."
        ),
        Outcome.REPLICAS: later(
            "One node takes too long; {nodes} side by side work through the corpus in {days} at "
            "full rate, {rate}. No fabric is needed between them."
        ),
    }
)

TRAINING_SENTENCES: Mapping[Outcome, str] = MappingProxyType(
    {
        Outcome.ONE_NODE: later("One node holds the job and takes {days}. No cluster is needed."),
        Outcome.ONE_NODE_INT4: later(
            "One node holds the job in 4 bit and takes {days}. No cluster is needed."
        ),
        Outcome.REPLICAS: later("{nodes} side by side take {days}. No fabric is needed."),
        Outcome.DATA_PARALLEL: later(
            "One node holds the job but takes {one_node_days}; "
            "{nodes} in data parallel take {days}."
        ),
    }
)

CLUSTER_SENTENCES: Mapping[Outcome, str] = MappingProxyType(
    {
        Outcome.CLUSTER_IB: later(
            "No single node holds the job; {nodes} over {fabric} hold it and keep {efficiency} of "
            "the speed per GPU."
        ),
        Outcome.REARCHITECT: later(
            "No single node holds the job, and {nodes} over {fabric} keep {efficiency} of the "
            "speed per GPU, below 60\u00a0%: split it another way, or take fewer and larger nodes."
        ),
        Outcome.FRONTIER: later(
            "Pretraining of {params} parameters takes 32 to 128 GPUs and more on NDR InfiniBand or "
            "SXM boards. We build the InfiniBand side; SXM boards come from a partner."
        ),
    }
)


def verdict_title(assessment: Assessment, language: str) -> str:
    """The answer in a few words."""
    verdict, words = assessment.verdict, text(language)
    one, many = TITLES[verdict.outcome]
    chosen = verdict.chosen
    per_node = chosen.candidate.build.node.gpu_count if chosen else 0
    weights = chosen.candidate.weights if chosen else assessment.native_step_weights
    return words.ngettext(
        one,
        many,
        verdict.nodes,
        nodes=verdict.nodes,
        gpus=counted(per_node, "GPUs", language),
        weights=words.gettext(FORMAT_WORDS[weights]),
        fabric=_fabric(chosen, language),
    )


def verdict_sentence(assessment: Assessment, language: str) -> str:
    """The answer in one or two sentences with its deciding numbers."""
    outcome = assessment.verdict.outcome
    words = text(language)
    if outcome is Outcome.NOTHING_FITS:
        return nothing_sentence(assessment, language)
    values = _values(assessment, language)
    table = _sentences(assessment.workload.kind)
    if outcome in table:
        return words.gettext(table[outcome], **values)
    one, many = SERVING_SENTENCES.get(outcome, SERVING_SENTENCES[Outcome.REPLICAS])
    return words.ngettext(one, many, assessment.verdict.replicas, **values)


def _sentences(kind: Kind) -> Mapping[Outcome, str]:
    if kind is Kind.BATCH:
        return {**CLUSTER_SENTENCES, **BATCH_SENTENCES}
    return {**CLUSTER_SENTENCES, **(TRAINING_SENTENCES if kind.is_training else {})}


def _values(assessment: Assessment, language: str) -> dict[str, str]:
    verdict, chosen = assessment.verdict, assessment.verdict.chosen
    shown = numbers(language)
    values = {
        "nodes": counted(verdict.nodes, "nodes", language),
        "replicas": shown.whole(verdict.replicas),
        "load": load_in_words(assessment, language),
        "params": billions(assessment.model.params_total, language),
        "fabric": _fabric(chosen, language),
        "one_node_days": _one_node_days(assessment, language),
    }
    if chosen is None:
        return values
    serving = assessment.workload.kind.is_serving
    days = value_of(chosen, "batch_days" if serving else "train_days")
    return values | {
        "copy_gpus": counted(chosen.candidate.gpus_per_copy, "GPUs", language),
        "one_node": measured(chosen.x_node, load_unit(assessment), language),
        "days": measured(days, "days", language),
        "rate": shown.figure(value_of(chosen, "tokens_per_s_total"), "tok/s"),
        "efficiency": shown.figure(value_of(chosen, "efficiency"), "share"),
    }


def _one_node_days(assessment: Assessment, language: str) -> str:
    chosen = assessment.verdict.chosen
    if chosen is None or assessment.workload.kind.is_serving:
        return NOTHING
    node = chosen.candidate.build.node.id, chosen.candidate.build.gpu.id
    alone = [
        days
        for item in assessment.candidates
        if item.candidate.build.nodes == 1
        and (item.candidate.build.node.id, item.candidate.build.gpu.id) == node
        and (days := value_of(item, "train_days")) is not None
    ]
    return measured(min(alone), "days", language) if alone else NOTHING


def _fabric(chosen: CandidateResult | None, language: str) -> str:
    return text(language).gettext(FABRIC_WORDS[chosen.candidate.build.fabric]) if chosen else ""


def billions(count: float, language: str) -> str:
    """A parameter count in billions."""
    shown = numbers(language)
    size = count / 1e9
    number = shown.plain(size, 1 if size < 100 else 0)
    return text(language).gettext("{number}\u00a0billion", number=number)
