"""The document of ``evaluate --json``. Its keys are a contract; its sentences are English."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from kentino_desk.decision.outlook import outlook_of
from kentino_desk.decision.points import typed
from kentino_desk.decision.power_limits import power_limits
from kentino_desk.decision.running_cost import energy_cost
from kentino_desk.domain.choices import Evidence
from kentino_desk.present.field_words import assumed_names
from kentino_desk.present.first_place_words import first_place_sentence
from kentino_desk.present.language import DEFAULT_LANGUAGE
from kentino_desk.present.note_words import note_sentence
from kentino_desk.present.question_words import question_views
from kentino_desk.present.scaling_document import scaling_document
from kentino_desk.present.verdict_rows import shown_result
from kentino_desk.present.verdict_words import verdict_sentence, verdict_title

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.confidence import Confidence
    from kentino_desk.decision.decision_map import DecisionMap
    from kentino_desk.decision.flips import Flip
    from kentino_desk.decision.outlook import Outlook
    from kentino_desk.decision.results import (
        Assessment,
        CandidateResult,
        FigureValue,
        Note,
        QuestionAnswer,
        RuleFigure,
    )
    from kentino_desk.domain.snapshot import CatalogSnapshot

SCHEMA = 1
ENGINE_NOTE = (
    "Figures are best estimates with their 5-95\u00a0% range; evidence says how well each is known."
)


def evaluate_document(assessment: Assessment, snapshot: CatalogSnapshot) -> dict[str, Any]:
    """One assessment as plain values for JSON."""
    state = assessment.figures.get("state_tb")
    outlook = outlook_of(assessment)
    assert outlook is not None, "nobody stops it"
    return {
        "schema": SCHEMA,
        "verdict": _verdict(assessment, outlook.confidence),
        **_outlook(outlook),
        "partner": _partner(assessment),
        "questions": [
            _question(answer, view.detail)
            for answer, view in zip(
                assessment.questions, question_views(assessment, DEFAULT_LANGUAGE), strict=True
            )
        ],
        "candidates": [_candidate(result, assessment) for result in assessment.candidates],
        "first_place": _first_place(assessment),
        "ranking_weights": asdict(assessment.workload.ranking),
        "notes": [_note(assessment, note) for note in assessment.notes],
        "assumed": list(assessment.workload.assumed),
        "assumed_values": list(assumed_names(assessment.workload, DEFAULT_LANGUAGE)),
        "figures": _figures(assessment.figures),
        "power_limits": _power_limits(assessment),
        "scaling": scaling_document(assessment),
        "state_tb": _number(state.value) if state else None,
        "catalog": {
            "version": snapshot.version,
            "hash": snapshot.content_hash,
            "read_on": snapshot.read_on,
            "price_list": snapshot.price_list.name,
            "sample_prices": snapshot.price_list.is_sample,
        },
        "engine_note": ENGINE_NOTE,
    }


def map_document(drawn: DecisionMap) -> dict[str, Any]:
    """A decision map as plain values: cells by row from the first value of the y axis."""
    regions = [
        {"outcome": item.outcome.value if item.outcome else None,
         "build": item.build.id if item.build else None,
         "nodes": item.nodes, "replicas": item.replicas}
        for item in drawn.regions
    ]  # fmt: skip
    cells = [[regions[place] for place in row] for row in drawn.cells.tolist()]
    return {
        "x": {"input": drawn.x_key, "values": [_exact(drawn.x_key, value) for value in drawn.x]},
        "y": {"input": drawn.y_key, "values": [_exact(drawn.y_key, value) for value in drawn.y]},
        "regions": regions,
        "region": drawn.cells.tolist(),
        "outcome": [[cell["outcome"] for cell in row] for row in cells],
        "build": [[cell["build"] for cell in row] for row in cells],
        "boundaries": [
            {"across": side.across, "row": side.row, "column": side.column, "at": side.at}
            for side in drawn.boundaries
        ],
        "here": list(drawn.here),
    }


def _flip(flip: Flip) -> dict[str, Any]:
    return {
        "input": flip.key,
        "value": _exact(flip.key, flip.value),
        "now": _exact(flip.key, flip.now),
        "outcome": flip.outcome.value,
        "build": flip.build,
        "nodes": flip.nodes,
        "replicas": flip.replicas,
    }


def _exact(key: str, value: float | str) -> float | int | str:
    return value if isinstance(value, str) else typed(key, value)


def _confidence(confidence: Confidence) -> dict[str, Any]:
    return {
        "outcomes": {outcome.value: share for outcome, share in confidence.outcomes.items()},
        "close_call": confidence.close_call,
        "build_share": confidence.build_share,
        "measure_first": list(confidence.measure_first),
    }


def _verdict(assessment: Assessment, confidence: Confidence) -> dict[str, Any]:
    verdict = assessment.verdict
    return {
        "outcome": verdict.outcome.value,
        "title": verdict_title(assessment, DEFAULT_LANGUAGE),
        "build": _build(verdict.chosen) if verdict.chosen else None,
        "replicas": verdict.replicas,
        "nodes": verdict.nodes,
        "sentence": verdict_sentence(assessment, DEFAULT_LANGUAGE),
        "binding_constraint": verdict.binding.value if verdict.binding else None,
        "close_call": confidence.close_call,
        "close_call_reasons": list(verdict.close_call_reasons),
    }


def _build(result: CandidateResult) -> dict[str, Any]:
    candidate = result.candidate
    return {
        "id": candidate.id,
        "gpu": candidate.build.gpu.id,
        "gpus_per_node": candidate.build.node.gpu_count,
        "fabric": candidate.build.fabric.value,
        "weights": candidate.weights.value,
        "kv_cache": candidate.kv_cache.value,
        "tp": candidate.tp,
        "pp": candidate.pp,
        "dp": candidate.dp,
        "ep": candidate.ep,
        "cp": candidate.cp,
        "dp_attention": candidate.dp_attention,
    }


def _outlook(outlook: Outlook) -> dict[str, Any]:
    return {
        "flips": [_flip(flip) for flip in outlook.flips],
        "confidence": _confidence(outlook.confidence),
        "relaxations": [
            {
                "input": item.key,
                "value": _exact(item.key, item.value),
                "outcome": item.outcome.value,
                "build": item.build,
            }
            for item in outlook.relaxations
        ],
    }


def _partner(assessment: Assessment) -> dict[str, Any] | None:
    partner = assessment.partner
    if partner is None:
        return None
    price = partner.result.price
    return {
        **_build(partner.result),
        "nodes": partner.nodes,
        "price_eur": float(price.amount) if price else None,
    }


def _question(answer: QuestionAnswer, sentence: str) -> dict[str, Any]:
    return {
        "number": answer.number,
        "answer": answer.answer.value,
        "would_be": answer.would_be.value if answer.would_be else None,
        "figures": {figure.key: _rule_figure(figure) for figure in answer.figures},
        "reason": answer.reason_key,
        "sentence": sentence,
        "margin": _number(answer.margin),
    }


def _rule_figure(figure: RuleFigure) -> dict[str, Any]:
    return {
        "value": _number(figure.value),
        "unit": figure.unit,
        "limit": _number(figure.limit),
        "limit_name": figure.limit_key or None,
    }


def _first_place(assessment: Assessment) -> dict[str, Any] | None:
    found = assessment.first_place
    if found is None:
        return None
    return {
        "second": found.second.candidate.id,
        "criterion": found.criterion,
        "ours": _number(found.ours),
        "theirs": _number(found.theirs),
        "sentence": first_place_sentence(assessment, DEFAULT_LANGUAGE),
    }


def _candidate(result: CandidateResult, assessment: Assessment) -> dict[str, Any]:
    stand = assessment.standings[result.candidate.id]
    cost = energy_cost(result, assessment.workload)
    return {
        **_build(result),
        "nodes": result.candidate.build.nodes,
        "replicas": result.candidate.replicas,
        "partner": result.candidate.build.is_partner,
        "customer": result.candidate.build.is_customer,
        "score": _number(stand.score),
        "dominated_by": stand.dominated_by or None,
        "fit": result.grade.word,
        "may_be_tight": result.may_be_tight,
        "passes": result.passes,
        "misses": [miss.value for miss in result.misses],
        "energy_cost_eur_per_year": float(cost.amount) if cost else None,
        "figures": _figures(result.figures),
    }


def _figures(figures: Mapping[str, FigureValue]) -> dict[str, Any]:
    return {
        key: {
            "value": _number(figure.value),
            "unit": figure.unit,
            "low": _number(figure.low),
            "high": _number(figure.high),
            "evidence": figure.evidence.value,
        }
        for key, figure in figures.items()
    }


def _power_limits(assessment: Assessment) -> list[dict[str, Any]]:
    """What lower limits of the proposed or closest card save and cost."""
    result = shown_result(assessment)
    if result is None:
        return []
    return [
        {
            "limit_w": item.limit_w,
            "speed": dict(zip(("low", "best", "high"), item.speed, strict=True)),
            "gpu_w": item.gpu_w,
            "node_max_w": item.node_max_w,
            "power_max_w": item.power_max_w,
            "power_typical_w": item.power_typical_w,
            "evidence": (Evidence.MEASURED if item.swept else Evidence.ESTIMATE).value,
        }
        for item in power_limits(assessment.evaluation, result)
    ]


def _note(assessment: Assessment, note: Note) -> dict[str, Any]:
    return {
        "key": note.key,
        "severity": note.severity.value,
        "sentence": note_sentence(assessment, note, DEFAULT_LANGUAGE),
        "numbers": {key: _plain(value) for key, value in note.numbers.items()},
        "sources": list(note.sources),
    }


def _plain(value: float | str) -> float | str | None:
    return value if isinstance(value, str) else _number(value)


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
