"""All candidates of a workload with the inputs that do not depend on its numbers, cached.

A key press changes a number, not the space: the arrays stay and the engine runs over them again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.admission import no_candidate
from kentino_desk.decision.candidate_columns import (
    SERVING_DRAW,
    TRAINING_DRAW,
    cards_left,
    columns_by_host,
    node_columns,
    number_column,
    serving_axes,
    training_axes,
)
from kentino_desk.decision.formats import format_steps
from kentino_desk.decision.layouts import (
    customer_machine,
    node_pairs,
    pipeline_builds,
    serving_degrees,
    training_builds,
    training_degrees,
    usable_gpus,
)
from kentino_desk.domain.candidate import Build, Candidate
from kentino_desk.domain.choices import Fabric, Format, OffloadKind
from kentino_desk.domain.errors import InputError
from kentino_desk.engine import policy
from kentino_desk.engine.card_inputs import card_bytes
from kentino_desk.engine.model_inputs import whole_weight_bytes
from kentino_desk.engine.policy_tables import STACKS
from kentino_desk.engine.serving_inputs import ServingSetup, serving_columns
from kentino_desk.engine.training_inputs import (
    BEST,
    HIGH,
    LOW,
    Recipe,
    training_columns,
)
from kentino_desk.engine.training_run import NO_OFFLOAD, Offload

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kentino_desk.domain.choices import Host
    from kentino_desk.domain.hardware import Gpu, NodeType
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Constraints, Workload

OFFLOADS: Mapping[OffloadKind, Offload] = MappingProxyType(
    {
        OffloadKind.NONE: NO_OFFLOAD,
        OffloadKind.OPTIMIZER: Offload(optimizer=True),
        OffloadKind.WEIGHTS_OPTIMIZER: Offload(optimizer=True, weights=True),
        OffloadKind.ACTIVATIONS: Offload(activations=True),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Traits:
    """What selection sorts and masks by, one array position per candidate of the space."""

    build: Any
    """Number of the build: rows of one build share it."""
    nodes: Any
    gpus_per_node: Any
    gpus_per_copy: Any
    watts: Any
    partner: Any
    customer: Any
    """The machine that the customer has already."""
    fabric: Any


def _traits(candidates: Sequence[Candidate]) -> Traits:
    numbers: dict[str, int] = {}
    return Traits(
        build=np.array([numbers.setdefault(item.id, len(numbers)) for item in candidates]),
        nodes=np.array([item.build.nodes for item in candidates]),
        gpus_per_node=np.array([item.build.node.gpu_count for item in candidates]),
        gpus_per_copy=np.array([item.gpus_per_copy for item in candidates]),
        watts=np.array([item.build.gpu.tdp_w or 0.0 for item in candidates]),
        partner=np.array([item.build.is_partner for item in candidates], dtype=bool),
        customer=np.array([item.build.is_customer for item in candidates], dtype=bool),
        fabric=np.array([item.build.fabric is not Fabric.NONE for item in candidates], dtype=bool),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Space:
    """Candidates and their inputs: one array position each, scalars where all agree."""

    candidates: tuple[Candidate, ...]
    inputs: Mapping[str, Any]
    sides: tuple[Mapping[str, Any], Mapping[str, Any]]
    """Inputs at the low and the high end of the constants (training), else empty."""
    four_bit: Any
    order: Any
    """Place of the format step in the order of trial."""
    traits: Traits

    @property
    def rows(self) -> int:
        """Number of candidates."""
        return len(self.candidates)


@dataclass(frozen=True, slots=True)
class _Key:
    """Everything but the numbers of a workload that the space depends on."""

    model: str
    weights: Format
    kv_cache: Format
    constraints: Constraints
    setup: ServingSetup | None
    recipe: Recipe | None
    dp_attention: int
    cp: int


def serving_setup(workload: Workload) -> ServingSetup:
    """What all serving candidates of a workload share."""
    serving = workload.serving
    return ServingSetup(
        engine=serving.engine,
        release=serving.engine_release,
        max_num_seqs=serving.max_num_seqs,
        utilisation=serving.utilisation,
        host=workload.constraints.host,
        draft_tokens=serving.draft_tokens,
        draft_acceptance=serving.draft_acceptance,
        context_parallel=serving.context_parallel,
    )


def training_recipe(workload: Workload) -> Recipe:
    """What all training candidates of a workload share."""
    training = workload.training
    return Recipe(
        kind=workload.kind,
        weights=workload.weights,
        optimizer=training.optimizer,
        checkpointing=training.checkpointing,
        loss=training.loss,
        packing_fill=training.packing_fill,
        stack=training.stack,
        lora_rank=training.lora_rank,
        host=workload.constraints.host,
        offload=OFFLOADS[training.offload],
        experts_quantised=training.experts_quantised,
    )


def space_for(workload: Workload, snapshot: CatalogSnapshot) -> Space:
    """The space of a workload, from the cache where only numbers changed.

    Raises:
        InputError: the formats or degrees asked for leave no candidate.
    """
    serving, training = workload.serving, workload.training
    setup = serving_setup(workload) if workload.kind.is_serving else None
    recipe = None if workload.kind.is_serving else training_recipe(workload)
    key = _Key(
        workload.model, workload.weights, workload.kv_cache, workload.constraints, setup, recipe,
        serving.dp_attention, serving.context_parallel if setup else training.context_parallel,
    )  # fmt: skip
    space = _space(key, snapshot)
    if not space.rows:
        raise no_candidate(workload)
    return space


@lru_cache(maxsize=32)
def _space(key: _Key, snapshot: CatalogSnapshot) -> Space:
    return _serving_space(key, snapshot) if key.setup else _training_space(key, snapshot)


def _finished(
    candidates: list[Candidate],
    columns: Sequence[Mapping[str, Any]],
    steps: list[tuple[int, bool]],
) -> Space:
    constants = policy.values()
    best, *sides = ({**constants, **side} for side in columns)
    low, high = sides or ({}, {})
    return Space(
        candidates=tuple(candidates),
        inputs=best,
        sides=(low, high),
        four_bit=np.array([four for _, four in steps], dtype=bool),
        order=np.array([order for order, _ in steps], dtype=float),
        traits=_traits(candidates),
    )


def _pairs(key: _Key, snapshot: CatalogSnapshot) -> tuple[tuple[NodeType, Gpu], ...]:
    """Nodes that are offered, and last the one that the customer has; all with GPUs left.

    Raises:
        InputError: as the functions of layouts; no GPU is left for the model in any node.
    """
    constraints = key.constraints
    pairs = node_pairs(snapshot, constraints)
    own = customer_machine(snapshot, constraints)
    if own is not None:
        pairs = (*pairs, (own, snapshot.gpus[own.gpu_ids[0]]))
    left = tuple(pair for pair in pairs if usable_gpus(pair[0], constraints) > 0)
    if not left:
        most = max(node.gpu_count for node, _ in pairs)
        raise InputError(
            "constraints.reserved_gpus",
            constraints.reserved_gpus,
            "leaves no GPU for the model in any node",
            f"up to {most - 1} GPUs",
        )
    return left


def _serving_space(key: _Key, snapshot: CatalogSnapshot) -> Space:
    model = snapshot.models[key.model]
    candidates: list[Candidate] = []
    steps: list[tuple[int, bool]] = []
    for node, gpu in _pairs(key, snapshot):
        usable = usable_gpus(node, key.constraints)
        for step in format_steps(model, gpu, key.weights, key.kv_cache):
            for build, tp, pp in _serving_layouts(key, node, gpu, step.weights, snapshot):
                copies = 1 if pp > 1 else usable // tp
                candidates.append(
                    Candidate(
                        build,
                        tp,
                        pp,
                        1,
                        1,
                        copies,
                        step.weights,
                        step.kv_cache,
                        cp=key.cp,
                        dp_attention=key.dp_attention,
                    )
                )
                steps.append((step.order, step.four_bit))
    if not candidates:
        return _finished([], [{}], [])
    setup = key.setup
    assert setup is not None

    def of_host(items: Sequence[Candidate], host: Host) -> dict[str, Any]:
        return serving_columns(
            model,
            serving_axes(items, snapshot, key.constraints.nics_per_node),
            replace(setup, host=host),
        )

    columns = columns_by_host(candidates, key.constraints, of_host)
    columns |= node_columns(candidates, key.constraints, SERVING_DRAW)
    columns |= cards_left(columns, candidates, key.constraints)
    columns["replicas"] = number_column(item.replicas for item in candidates)
    return _finished(candidates, [columns], steps)


def _serving_layouts(
    key: _Key, node: NodeType, gpu: Gpu, weights: Format, snapshot: CatalogSnapshot
) -> Iterator[tuple[Build, int, int]]:
    model = snapshot.models[key.model]
    usable = usable_gpus(node, key.constraints)
    part = usable < node.gpu_count
    degrees = serving_degrees(model, usable, key.dp_attention, key.cp, part=part)
    for tp in degrees:
        yield Build(node, gpu), tp, 1
    if usable in degrees:
        filled = whole_weight_bytes(model, weights) / (
            card_bytes(gpu) * usable * policy.value("weights_share_fits")
        )
        for build in pipeline_builds(node, gpu, key.constraints.nodes_max, filled):
            yield build, usable, build.nodes


def _training_space(key: _Key, snapshot: CatalogSnapshot) -> Space:
    model, recipe = snapshot.models[key.model], key.recipe
    assert recipe is not None
    weights = training_format(recipe)
    splits = STACKS[recipe.stack].splits_layers
    candidates = [
        Candidate(
            build, tp, pp, dp, expert_ranks(model, build, dp), 1, weights, Format.BF16, cp=key.cp
        )
        for node, gpu in _pairs(key, snapshot)
        for build in training_builds(node, gpu, key.constraints.nodes_max)
        for tp, pp, dp in training_degrees(
            model,
            build,
            key.cp,
            splits_layers=splits,
            gpus_per_node=usable_gpus(node, key.constraints),
        )
    ]
    if not candidates:
        return _finished([], [{}], [])
    power = node_columns(candidates, key.constraints, TRAINING_DRAW)
    power["replicas"] = 1.0

    def of_side(side: int) -> dict[str, Any]:
        def of_host(items: Sequence[Candidate], host: Host) -> dict[str, Any]:
            axes = training_axes(items, snapshot, key.constraints.nics_per_node)
            return training_columns(model, replace(recipe, host=host), axes, side)

        found = columns_by_host(candidates, key.constraints, of_host) | power
        return found | cards_left(found, candidates, key.constraints)

    columns = [of_side(side) for side in (BEST, LOW, HIGH)]
    return _finished(candidates, columns, [(0, False)] * len(candidates))


def training_format(recipe: Recipe) -> Format:
    """Format of the weights that a recipe computes with, or of its frozen base."""
    if recipe.weights is not Format.AUTO:
        return recipe.weights
    return Format.INT4 if recipe.kind == "qlora" else Format.BF16


def expert_ranks(model: ModelCard, build: Build, dp: int) -> int:
    """Experts spread over the cards of one data-parallel group."""
    return min(dp, build.node.gpu_count) if model.is_moe else 1
