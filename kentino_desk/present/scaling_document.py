"""Scaling as plain values for JSON: every layout and network, and the seller's figures beside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kentino_desk.decision.scaling import networks, scaling_table
from kentino_desk.decision.scaling_points import NODE_CARDS
from kentino_desk.decision.seller_scaling import seller_figures
from kentino_desk.domain.choices import Fabric
from kentino_desk.engine import policy
from kentino_desk.present.verdict_rows import shown_result

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.decision.scaling import ScaledPoint, ScalingLine
    from kentino_desk.decision.seller_scaling import BesideOurs, Condition, SellerFigure

PCIE, NVLINK, ANY = "pcie", "nvlink", "any"
NO_NVLINK = "the cards of this build are joined by PCIe alone"
NO_PCIE = "the cards of this build are joined by NVLink"
NO_TENSOR_ACROSS = "a tensor group of a served copy stays inside one node"


def scaling_document(assessment: Assessment) -> dict[str, Any] | None:
    """Lines of the proposed card, or of the closest one; None where there is none."""
    result = shown_result(assessment)
    if result is None:
        return None
    return {
        "build": result.candidate.id,
        "gpu": result.candidate.build.gpu.id,
        "unit": "throughput per GPU against one GPU",
        "limit": policy.value("efficiency_gate"),
        "gpus_per_node": NODE_CARDS,
        "nics_per_node": assessment.workload.constraints.nics_per_node,
        "lines": [_line(line, result) for line in scaling_table(assessment, result)],
        "left_out": _left_out(assessment, result),
        "seller": [_seller(figure, result) for figure in seller_figures(assessment, result)],
    }


def inside_link(result: CandidateResult) -> str:
    """What joins the cards of one node."""
    return NVLINK if result.candidate.build.node.nvlink else PCIE


def _link(fabric: Fabric, result: CandidateResult) -> str:
    return inside_link(result) if fabric is Fabric.NONE else fabric.value


def _line(line: ScalingLine, result: CandidateResult) -> dict[str, Any]:
    across = line.points[-1].point.nodes > 1
    link = ANY if across and line.fabric is Fabric.NONE else _link(line.fabric, result)
    return {
        "layout": line.key,
        "name": line.layout,
        "link": link,
        "points": [_point(item) for item in line.points],
    }


def _point(item: ScaledPoint) -> dict[str, Any]:
    return {
        "gpus": item.point.gpus,
        "nodes": item.point.nodes,
        **_range(item),
        "against_limit": item.verdict.value,
    }


def _range(item: ScaledPoint) -> dict[str, float]:
    return {"low": item.low, "best": item.best, "high": item.high}


def _left_out(assessment: Assessment, result: CandidateResult) -> list[dict[str, str]]:
    """Links and layouts without a line, and why."""
    nvlink = inside_link(result) == NVLINK
    found = [{"link": PCIE if nvlink else NVLINK, "why": NO_PCIE if nvlink else NO_NVLINK}]
    if assessment.workload.kind.is_serving:
        found += [
            {"link": item.value, "layout": "tp", "why": NO_TENSOR_ACROSS}
            for item in networks(assessment)
        ]
    return found


def _seller(figure: SellerFigure, result: CandidateResult) -> dict[str, Any]:
    return {
        "claim": figure.claim,
        "value": figure.value,
        "gpus": figure.gpus,
        "nodes": figure.nodes,
        "ours": [_beside(item, result) for item in figure.ours],
    }


def _beside(item: BesideOurs, result: CandidateResult) -> dict[str, Any]:
    point = item.scaled.point
    return {
        "layout": point.layout,
        "link": _link(point.fabric, result),
        **_range(item.scaled),
        "holds": item.holds.value,
        "condition": _condition(item.condition) if item.condition else None,
    }


def _condition(condition: Condition) -> dict[str, Any]:
    return {
        "needs": condition.lever.key,
        "unit": condition.lever.unit,
        "has": condition.has,
        "least": condition.least,
    }
