"""Scaling lines: efficiency of one job over 1 to 64 cards of the proposed kind, by layout."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.layouts import CLUSTER_FABRIC
from kentino_desk.domain.choices import Fabric
from kentino_desk.engine import policy
from kentino_desk.engine.columns import stacked
from kentino_desk.engine.policy_tables import STACKS
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.serving_inputs import ServingLayout, ServingSetup, serving_inputs
from kentino_desk.engine.training_inputs import Recipe, TrainingLayout, training_inputs

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.domain.candidate import Candidate
    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot

COUNTS = (1, 2, 4, 8, 16, 32, 64)
NODE_CARDS = 8
"""Cards of a node in the chart; a job of fewer stays in one node."""
_DDP_BYTES = 4.0
"""Bytes per parameter that unsharded copies exchange once a step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalingLine:
    """One line: numbers of cards, efficiency at each, layout in words, fabric across nodes."""

    key: str
    gpus: tuple[int, ...]
    efficiency: tuple[float, ...]
    layout: str
    fabric: Fabric


@dataclass(frozen=True, slots=True)
class _Point:
    key: str
    gpus: int
    tp: int
    pp: int
    dp: int


_LABELS = {
    "dp": "DP",
    "tp_node": "TP",
    "fsdp_across": "FSDP",
    "pp_across": "TP2 x PP",
}
_SERVING_LABELS = _LABELS | {"pp_across": "TP8 x PP"}


def scaling_lines(assessment: Assessment, result: CandidateResult) -> tuple[ScalingLine, ...]:
    """Lines for the card of a candidate; efficiency is 1 where nothing is exchanged."""
    if assessment.workload.kind.is_serving:
        return _serving_lines(assessment, result)
    return _training_lines(assessment, result)


def _lines(
    points: tuple[_Point, ...], values: Any, labels: dict[str, str]
) -> tuple[ScalingLine, ...]:
    lines = []
    for key in dict.fromkeys(point.key for point in points):
        rows = [row for row, point in enumerate(points) if point.key == key]
        across = any(points[row].gpus > NODE_CARDS for row in rows) and key != "dp"
        lines.append(
            ScalingLine(
                key=key,
                gpus=tuple(points[row].gpus for row in rows),
                efficiency=tuple(float(values[row]) for row in rows),
                layout=labels[key],
                fabric=CLUSTER_FABRIC if across else Fabric.NONE,
            )
        )
    return tuple(lines)


def _serving_points(heads: int) -> tuple[_Point, ...]:
    tensor = [n for n in COUNTS if n <= NODE_CARDS and heads % n == 0]
    points = [_Point("dp", n, 1, 1, n) for n in COUNTS]
    points += [_Point("tp_node", n, n, 1, 1) for n in tensor]
    if NODE_CARDS in tensor:
        points += [
            _Point("pp_across", n, NODE_CARDS, n // NODE_CARDS, 1) for n in COUNTS if n > NODE_CARDS
        ]
    return tuple(points)


def _serving_lines(assessment: Assessment, result: CandidateResult) -> tuple[ScalingLine, ...]:
    workload, candidate = assessment.workload, result.candidate
    serving = workload.serving
    setup = ServingSetup(
        engine=serving.engine, release=serving.engine_release, max_num_seqs=serving.max_num_seqs,
        utilisation=serving.utilisation, host=workload.constraints.host,
    )  # fmt: skip
    points = _serving_points(assessment.model.heads)
    inputs = _serving_inputs(assessment.model, candidate, setup, points, assessment.snapshot)
    users = np.full(len(points), max(result.load_per_copy, 1.0))
    numbers = {
        "users_per_copy": users,
        "requests_held_mean": users,
        "input_tokens": float(serving.input_tokens),
        "output_tokens": float(serving.output_tokens),
        "prompt_reuse": serving.prompt_reuse,
    }
    values = compute(("serving_efficiency",), {**inputs, **numbers})["serving_efficiency"]
    return _lines(points, values, _SERVING_LABELS)


@lru_cache(maxsize=64)
def _serving_inputs(
    model: ModelCard,
    candidate: Candidate,
    setup: ServingSetup,
    points: tuple[_Point, ...],
    snapshot: CatalogSnapshot,
) -> dict[str, Any]:
    rows = []
    for point in points:
        layout = ServingLayout(
            gpu=candidate.build.gpu,
            weights=candidate.weights,
            kv_cache=candidate.kv_cache,
            tp=point.tp,
            pp=point.pp,
            nvlink=candidate.build.node.nvlink,
            fabric=snapshot.fabrics[CLUSTER_FABRIC] if point.pp > 1 else None,
        )
        rows.append(serving_inputs(model, layout, setup))
    return stacked(rows) | policy.values()


def _training_points(heads: int, *, splits_layers: bool) -> tuple[_Point, ...]:
    points = [_Point("dp", n, 1, 1, n) for n in COUNTS]
    points += [_Point("fsdp_across", n, 1, 1, n) for n in COUNTS]
    if splits_layers:
        tensor = [n for n in COUNTS if n <= NODE_CARDS and heads % n == 0]
        points += [_Point("tp_node", n, n, 1, 1) for n in tensor]
        points += [_Point("pp_across", n, 2, n // 2, 1) for n in COUNTS if n >= 2]
    return tuple(points)


def _training_lines(assessment: Assessment, result: CandidateResult) -> tuple[ScalingLine, ...]:
    workload, training = assessment.workload, assessment.workload.training
    recipe = Recipe(
        kind=workload.kind, weights=workload.weights, optimizer=training.optimizer,
        checkpointing=training.checkpointing, loss=training.loss,
        packing_fill=training.packing_fill,
        stack=training.stack, lora_rank=training.lora_rank, host=workload.constraints.host,
    )  # fmt: skip
    splits = STACKS[training.stack].splits_layers
    points = _training_points(assessment.model.heads, splits_layers=splits)
    build = result.candidate.build
    card = _Card(build.gpu, build.node.nvlink)
    inputs = _training_inputs(assessment.model, card, recipe, points, assessment.snapshot)
    numbers = {
        "sequence_length": float(training.sequence_length),
        "micro_batch": float(training.micro_batch),
        "global_batch_tokens": float(training.global_batch_tokens),
    }
    values = compute(("training_efficiency",), {**inputs, **numbers})["training_efficiency"]
    return _lines(points, values, _LABELS)


@dataclass(frozen=True, slots=True)
class _Card:
    gpu: Gpu
    nvlink: bool


@lru_cache(maxsize=64)
def _training_inputs(
    model: ModelCard,
    card: _Card,
    recipe: Recipe,
    points: tuple[_Point, ...],
    snapshot: CatalogSnapshot,
) -> dict[str, Any]:
    rows = []
    for point in points:
        nodes = max(point.gpus // NODE_CARDS, 1)
        layout = TrainingLayout(
            gpu=card.gpu,
            tp=point.tp,
            pp=point.pp,
            dp=point.dp,
            gpus_per_node=min(point.gpus, NODE_CARDS),
            nodes=nodes,
            nvlink=card.nvlink,
            fabric=snapshot.fabrics[CLUSTER_FABRIC] if nodes > 1 else None,
            nics_per_node=1,
        )
        row = training_inputs(model, recipe, layout)
        if point.key == "dp":
            row |= {"exchange_bytes_per_param": _DDP_BYTES, "exchange_once_per_step": 1.0}
            row["exchanged_params"] = _exchanged(row, recipe)
        rows.append(row)
    return stacked(rows) | policy.values()


def _exchanged(row: dict[str, float], recipe: Recipe) -> float:
    """Unsharded copies exchange the gradients of what is trained: all weights, or the adapters."""
    trained = recipe.kind.trains_all_weights
    return row["exchanged_params"] if trained else row["adapter_params"]
