"""Notes beside the verdict: one tuple of rules, each with severity, numbers and source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kentino_desk.decision.articles import (
    ARTICLES,
    CLUSTER_CLAIM,
    SELLER_EFFICIENCY,
    ArticleVerdict,
)
from kentino_desk.decision.note_context import NoteRule
from kentino_desk.decision.operations_notes import OPERATIONS_NOTES
from kentino_desk.decision.relaxation import formats_that_fit
from kentino_desk.decision.results import Note
from kentino_desk.domain.choices import (
    Attention,
    Format,
    OffloadKind,
    Optimizer,
    Outcome,
    Severity,
)
from kentino_desk.domain.units import TB
from kentino_desk.engine.policy_speed_bands import DRAFTED_BAND
from kentino_desk.engine.policy_training_memory import STATE_BYTES_ANY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kentino_desk.decision.note_context import Context, Numbers
    from kentino_desk.decision.results import CandidateResult


def _half_node_trap(context: Context) -> Iterator[Numbers]:
    chosen = context.chosen
    if chosen is None:
        return
    build = chosen.candidate.build
    for result in context.best:
        twin = result.candidate.build
        same = twin.gpus == build.gpus and twin.gpu.id == build.gpu.id
        if same and twin.nodes > build.nodes and twin.node.own_build:
            ours, theirs = (_rate(item) for item in (chosen, result))
            yield {
                "gpus": build.gpus,
                "nodes": twin.nodes,
                "twin": twin.id,
                "ours_rate": ours,
                "theirs_rate": theirs,
                "faster": int(theirs > ours * (1.0 + EQUAL_RATES)),
                "host": str(context.field.workload.constraints.host),
            }
            return


EQUAL_RATES = 1e-3
"""Rates closer than this count as equal."""


def _rate(result: CandidateResult) -> float:
    rate = result.figures["tokens_per_s_total"].value
    return 0.0 if rate is None else rate


def _smaller_is_enough(context: Context) -> Iterator[Numbers]:
    chosen = context.chosen
    if chosen is None or context.nodes != 1:
        return
    build = chosen.candidate.build
    largest = max((r.candidate.build.node.gpu_count for r in context.best), default=0)
    if build.node.gpu_count < largest or _dearer_passes(context):
        yield {"gpus": build.node.gpu_count, "largest": largest, "build": build.id}


def _dearer_passes(context: Context) -> bool:
    chosen = context.chosen
    if chosen is None or chosen.price is None:
        return False
    return any(
        result.passes
        and result.price is not None
        and chosen.price < result.price
        and result.candidate.build.nodes == 1
        and result.candidate.build.node.own_build
        for result in context.best
    )


def _replicas(context: Context) -> Iterator[Numbers]:
    if context.ruling.outcome is Outcome.REPLICAS and context.chosen:
        yield {"nodes": context.nodes, "replicas": context.chosen.candidate.replicas}


def _no_nvlink(context: Context) -> Iterator[Numbers]:
    """The seller's figures, and how much longer the proposed layout takes for its exchanges."""
    chosen = context.chosen
    if chosen is None or chosen.candidate.build.node.nvlink or chosen.candidate.build.gpus < 2:
        return
    kept = chosen.figures["efficiency"].value
    yield {"gpu": chosen.candidate.build.gpu.name, "ours": 1.0 / kept if kept else 1.0}


def _customer_machine(context: Context) -> Iterator[Numbers]:
    """What becomes of the machine that the customer has."""
    theirs = next((r for r in context.best if r.candidate.build.is_customer), None)
    if theirs is not None:
        yield {
            "build": theirs.candidate.id,
            "gpus": theirs.candidate.build.gpus,
            "gpu": theirs.candidate.build.gpu.name,
            "passes": int(theirs.passes),
            "grade": theirs.grade.word,
            "misses": ", ".join(str(item) for item in theirs.misses),
        }


def _reserved(context: Context) -> Iterator[Numbers]:
    kept = context.field.workload.constraints
    if kept.reserved_gib or kept.reserved_gpus:
        yield {"reserved_gib": kept.reserved_gib, "gpus": kept.reserved_gpus}


def _partner_platform(context: Context) -> Iterator[Numbers]:
    if context.partner is not None:
        yield {"build": context.partner.result.candidate.id}


def _measure_first(context: Context) -> Iterator[Numbers]:
    if context.close_calls:
        yield {"reasons": ", ".join(context.close_calls)}


def _assumed(context: Context) -> Iterator[Numbers]:
    if context.assumed:
        yield {"count": context.assumed}


def _seller_efficiency(context: Context) -> Iterator[Numbers]:
    if not context.kind.is_training or context.chosen is None:
        return
    ours = context.chosen.figures["efficiency"].value
    if ours is None or context.chosen.candidate.build.gpus < 8:
        return
    for claim, efficiency, gpus, nodes in SELLER_EFFICIENCY:
        yield {"claim": claim, "theirs": efficiency, "ours": ours, "gpus": gpus, "nodes": nodes}


def _largest_format(context: Context) -> Iterator[Numbers]:
    """Formats from large to small; the first whose memory grade fits on the asked-for build."""
    if context.chosen is not None or not context.kind.is_serving:
        return
    for found in formats_that_fit(context.field):
        yield found
        return


def _article(context: Context) -> Iterator[Numbers]:
    for article in ARTICLES:
        if context.field.model.id in article.models:
            yield from _article_rows(context, article)
    claim, model = CLUSTER_CLAIM
    if context.field.model.id == model and context.ruling.outcome is Outcome.REPLICAS:
        yield {"claims": claim, "word": "cluster", "grade": "replicas", "build": "", "format": ""}


def _article_rows(context: Context, article: ArticleVerdict) -> Iterator[Numbers]:
    for weights, allowed in article.grades:
        row = next((r for r in context.everything if _is_article_row(r, article, weights)), None)
        if row is None:
            continue
        yield {
            "claims": ", ".join(article.claims),
            "word": article.word,
            "grade": row.grade.word,
            "build": row.candidate.id,
            "format": str(weights),
            "agrees": int(row.grade in allowed),
            "share": _weight_share(row),
        }


def _is_article_row(result: CandidateResult, article: ArticleVerdict, weights: Format) -> bool:
    build = result.candidate.build
    whole = result.candidate.tp == article.gpus and build.nodes == 1
    return whole and build.gpu.id == article.gpu and result.candidate.weights is weights


def _weight_share(result: CandidateResult) -> float:
    weights, card = result.figures["weights_gib"].value, result.figures["capacity_gib"].value
    return weights / card if weights is not None and card else float("nan")


def _relax(context: Context) -> Iterator[Numbers]:
    """What one node of the closest build would carry, where it carries anything."""
    if context.chosen is not None:
        return
    run, flow = context.field.run, context.field.flow
    carried = np.where(flow & np.isfinite(run.x_node), run.x_node, 0.0)
    row = int(np.argmax(carried))
    if context.kind.is_serving and carried[row] > 0:
        yield {"x_node": float(carried[row]), "load": run.load, "build": run.candidates[row].id}


def _recipes(context: Context) -> Iterator[Numbers]:
    """State totals of leaner optimizers, where the asked-for state needs more than one node."""
    workload = context.field.workload
    if not workload.kind.trains_all_weights or context.facts.one_node_8:
        return
    for optimizer in (Optimizer.ADAMW_BF16, Optimizer.ADAMW_8BIT):
        if optimizer is not workload.training.optimizer:
            total = context.field.model.params_total * sum(STATE_BYTES_ANY[optimizer])
            yield {"optimizer": str(optimizer), "state_tb": total / TB}


def _not_validated(context: Context) -> Iterator[Numbers]:
    chosen = context.chosen
    if chosen is None:
        return
    key = "tokens_per_s_total" if context.kind.is_serving else "efficiency"
    if context.kind.is_serving and chosen.figures[key].not_validated:
        yield {"gpu": chosen.candidate.build.gpu.name}


def _cache_not_validated(context: Context) -> Iterator[Numbers]:
    """Compressed caches: published figures of one checkpoint differ by more than ten times."""
    if context.kind.is_serving and context.field.model.attention is Attention.COMPRESSED:
        yield {"model": context.field.model.name}


def _drafted(context: Context) -> Iterator[Numbers]:
    """Drafting counted in the speed, with the share of right guesses that somebody stated."""
    serving, chosen = context.field.workload.serving, context.chosen
    if context.kind.is_serving and serving.draft_acceptance is not None and chosen is not None:
        low, high = DRAFTED_BAND
        yield {
            "share": serving.draft_acceptance,
            "guesses": serving.draft_tokens,
            "tokens": context.field.run.evaluation.value("tokens_per_step", chosen.row),
            "low": low,
            "high": high,
        }


def _not_modelled(context: Context) -> Iterator[Numbers]:
    """Inputs that count in the memory and not in the speed."""
    workload = context.field.workload
    if (
        context.kind.is_serving
        and workload.serving.draft_tokens
        and workload.serving.draft_acceptance is None
    ):
        yield {"what": "draft"}
    if context.kind.is_serving and workload.serving.context_parallel > 1:
        yield {"what": "context_parallel"}
    if context.kind.is_serving and workload.serving.dp_attention > 1:
        yield {"what": "dp_attention"}
    if context.kind.is_training and workload.training.offload is not OffloadKind.NONE:
        yield {"what": "offload"}


NOTES: tuple[NoteRule, ...] = (
    NoteRule(
        key="measure_first",
        severity=Severity.LOOK,
        sources=("decision_rules §3",),
        speaks=_measure_first,
    ),
    NoteRule(
        key="not_validated",
        severity=Severity.LOOK,
        sources=("engine_fit_notes §4",),
        speaks=_not_validated,
    ),
    NoteRule(
        key="cache_not_validated",
        severity=Severity.LOOK,
        sources=("memory_fit_notes §3",),
        speaks=_cache_not_validated,
    ),
    NoteRule(
        key="drafted",
        severity=Severity.LOOK,
        sources=("164 measured runs with drafting, one source",),
        speaks=_drafted,
    ),
    NoteRule(
        key="not_modelled",
        severity=Severity.LOOK,
        sources=("engine_fit_notes §5", "training_fit_notes §5"),
        speaks=_not_modelled,
    ),
    NoteRule(
        key="half_node_trap",
        severity=Severity.LOOK,
        sources=("C074", "C077", "C079"),
        speaks=_half_node_trap,
    ),
    NoteRule(
        key="smaller_is_enough",
        severity=Severity.INFO,
        sources=("C052", "C054"),
        speaks=_smaller_is_enough,
    ),
    NoteRule(
        key="replicas_not_cluster",
        severity=Severity.INFO,
        sources=("C053", "C073", "C078", "C089"),
        speaks=_replicas,
    ),
    NoteRule(
        key="no_nvlink",
        severity=Severity.INFO,
        sources=("C068", "C070", "C071", "C097"),
        speaks=_no_nvlink,
    ),
    NoteRule(
        key="customer_machine",
        severity=Severity.LOOK,
        sources=("decision_rules §1",),
        speaks=_customer_machine,
    ),
    NoteRule(
        key="reserved",
        severity=Severity.INFO,
        sources=("decision_rules §1",),
        speaks=_reserved,
    ),
    NoteRule(
        key="partner_platform", severity=Severity.INFO, sources=("C069",), speaks=_partner_platform
    ),
    *OPERATIONS_NOTES,
    NoteRule(
        key="seller_efficiency",
        severity=Severity.INFO,
        sources=("C074", "C075"),
        speaks=_seller_efficiency,
    ),
    NoteRule(
        key="alternative_recipe",
        severity=Severity.INFO,
        sources=("memory_fit_notes §6",),
        speaks=_recipes,
    ),
    NoteRule(
        key="largest_format_that_fits",
        severity=Severity.LOOK,
        sources=("decision_rules §2",),
        speaks=_largest_format,
    ),
    NoteRule(key="relax", severity=Severity.LOOK, sources=("decision_rules §3",), speaks=_relax),
    NoteRule(key="article_disagrees", severity=Severity.INFO, sources=(), speaks=_article),
    NoteRule(
        key="assumed_inputs",
        severity=Severity.LOOK,
        sources=("decision_rules §1",),
        speaks=_assumed,
    ),
)


def notes_for(context: Context, rules: tuple[NoteRule, ...] = NOTES) -> tuple[Note, ...]:
    """All notes that speak, in the order of the rules."""
    return tuple(
        Note(
            key=rule.key,
            severity=rule.severity,
            numbers=numbers,
            sources=rule.sources or _claims(numbers),
        )
        for rule in rules
        for numbers in rule.speaks(context)
    )


def _claims(numbers: Numbers) -> tuple[str, ...]:
    return tuple(str(numbers.get("claims", "")).split(", "))
