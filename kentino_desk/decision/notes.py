"""Notes beside the verdict: one tuple of rules, each with severity, numbers and source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kentino_desk.decision.articles import (
    ARTICLES,
    CLUSTER_CLAIM,
    SELLER_EFFICIENCY,
    ArticleVerdict,
)
from kentino_desk.decision.pricing import SWITCHLESS_NODES, nics_per_node
from kentino_desk.decision.relaxation import formats_that_fit
from kentino_desk.decision.results import Note
from kentino_desk.domain.choices import (
    Attention,
    Fabric,
    Format,
    Kind,
    OffloadKind,
    Optimizer,
    Outcome,
    Severity,
)
from kentino_desk.domain.units import TB
from kentino_desk.engine.policy_training_memory import STATE_BYTES_ANY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kentino_desk.decision.facts import Choice, Facts
    from kentino_desk.decision.results import CandidateResult, PartnerChoice
    from kentino_desk.decision.selection import Field
    from kentino_desk.decision.verdict import Ruling

    Numbers = Mapping[str, float | int | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the notes may look at."""

    field: Field
    facts: Facts
    choice: Choice
    ruling: Ruling
    chosen: CandidateResult | None
    best: tuple[CandidateResult, ...]
    """The best layout of each build, best first."""
    everything: Sequence[CandidateResult]
    partner: PartnerChoice | None
    close_calls: tuple[str, ...]
    assumed: int

    @property
    def kind(self) -> Kind:
        """Kind of the workload."""
        return self.field.workload.kind

    @property
    def nodes(self) -> int:
        """Nodes of the proposed build, 0 where nothing fits."""
        return self.chosen.candidate.build.nodes if self.chosen else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRule:
    """One note: its key, severity and sources, and when it speaks (with its numbers)."""

    key: str
    severity: Severity
    sources: tuple[str, ...]
    speaks: Callable[[Context], Iterator[Numbers]]


def _half_node_trap(context: Context) -> Iterator[Numbers]:
    chosen = context.chosen
    if chosen is None:
        return
    build = chosen.candidate.build
    for result in context.best:
        twin = result.candidate.build
        same = twin.gpus == build.gpus and twin.gpu.id == build.gpu.id
        if same and twin.nodes > build.nodes and twin.node.own_build:
            yield {"gpus": build.gpus, "nodes": twin.nodes, "twin": twin.id}
            return


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
        and not result.candidate.build.is_partner
        for result in context.best
    )


def _replicas(context: Context) -> Iterator[Numbers]:
    if context.ruling.outcome is Outcome.REPLICAS and context.chosen:
        yield {"nodes": context.nodes, "replicas": context.chosen.candidate.replicas}


def _operating_tax(context: Context) -> Iterator[Numbers]:
    if context.nodes >= 2:
        added = context.nodes - 1
        yield {"nodes": context.nodes, "low": 4 * added, "high": 5 * added}


def _no_nvlink(context: Context) -> Iterator[Numbers]:
    chosen = context.chosen
    if chosen and not chosen.candidate.build.node.nvlink and chosen.candidate.build.gpus > 1:
        yield {"gpu": chosen.candidate.build.gpu.name}


def _partner_platform(context: Context) -> Iterator[Numbers]:
    if context.partner is not None:
        yield {"build": context.partner.result.candidate.id}


def _is_cluster(context: Context) -> bool:
    chosen = context.chosen
    return chosen is not None and chosen.candidate.build.fabric is not Fabric.NONE


def _nic_rule(context: Context) -> Iterator[Numbers]:
    if _is_cluster(context) and context.chosen:
        build = context.chosen.candidate.build
        yield {"gpus": build.node.gpu_count, "nics": nics_per_node(build), "counted": 1}


def _spare_node(context: Context) -> Iterator[Numbers]:
    if _is_cluster(context):
        yield {"nodes": context.nodes}


def _switchless(context: Context) -> Iterator[Numbers]:
    if _is_cluster(context) and context.nodes <= SWITCHLESS_NODES:
        yield {"nodes": context.nodes, "limit": SWITCHLESS_NODES}


def _storage_tier(context: Context) -> Iterator[Numbers]:
    if context.nodes:
        tier = "local" if context.nodes == 1 else "shared" if context.nodes <= 4 else "parallel"
        yield {"nodes": context.nodes, "tier": tier}


def _scheduler(context: Context) -> Iterator[Numbers]:
    if context.nodes >= 2:
        yield {"scheduler": "kubernetes" if context.kind.is_serving else "slurm"}


def _requirement_class(context: Context) -> Iterator[Numbers]:
    chosen = context.chosen
    if chosen is None:
        return
    build = chosen.candidate.build
    if build.nodes > 1 and build.fabric is not Fabric.NONE:
        name = "distributed"
    elif context.kind.is_serving and build.node.gpu_count <= 2:
        name = "services"
    else:
        name = "team"
    yield {"name": name, "gpus": build.node.gpu_count}


def _load_time(context: Context) -> Iterator[Numbers]:
    chosen = context.chosen
    if chosen is None:
        return
    weights = chosen.figures["weights_gib"].value or 0.0
    used = chosen.figures["used_gib"].value or 0.0
    per_copy = (
        chosen.candidate.gpus_per_copy if context.kind.is_serving else chosen.candidate.build.gpus
    )
    yield {
        "weights_gib": weights * per_copy,
        "ram_gib": used * chosen.candidate.build.node.gpu_count,
    }


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


def _not_modelled(context: Context) -> Iterator[Numbers]:
    """Inputs that count in the memory and not in the speed."""
    workload = context.field.workload
    if context.kind.is_serving and workload.serving.draft_tokens:
        yield {"what": "draft"}
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
        sources=("C053", "C089"),
        speaks=_replicas,
    ),
    NoteRule(
        key="operating_tax",
        severity=Severity.LOOK,
        sources=("C080", "C081", "C086"),
        speaks=_operating_tax,
    ),
    NoteRule(
        key="no_nvlink", severity=Severity.INFO, sources=("C068", "C070", "C071"), speaks=_no_nvlink
    ),
    NoteRule(
        key="partner_platform", severity=Severity.INFO, sources=("C069",), speaks=_partner_platform
    ),
    NoteRule(key="nic_per_4_gpus", severity=Severity.LOOK, sources=("C197",), speaks=_nic_rule),
    NoteRule(key="spare_node", severity=Severity.LOOK, sources=("C181",), speaks=_spare_node),
    NoteRule(
        key="switchless", severity=Severity.INFO, sources=("C139", "C142"), speaks=_switchless
    ),
    NoteRule(
        key="storage_tier",
        severity=Severity.INFO,
        sources=("decision_rules §4",),
        speaks=_storage_tier,
    ),
    NoteRule(key="scheduler", severity=Severity.INFO, sources=("C125",), speaks=_scheduler),
    NoteRule(
        key="requirement_class",
        severity=Severity.INFO,
        sources=("C173", "C206"),
        speaks=_requirement_class,
    ),
    NoteRule(
        key="load_time", severity=Severity.INFO, sources=("decision_rules §4",), speaks=_load_time
    ),
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
