"""Inputs of the scaling lines as columns, kept by card, setup and points.

They do not depend on the load, so a change of the users finds them made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.scaling_points import DP
from kentino_desk.engine import policy
from kentino_desk.engine.columns import Axis
from kentino_desk.engine.serving_inputs import ServingSetup, link_columns, serving_columns
from kentino_desk.engine.training_inputs import Recipe, training_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kentino_desk.decision.scaling_points import Point
    from kentino_desk.domain.choices import Format
    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot

_DDP_BYTES = 4.0
"""Bytes per parameter that unsharded copies exchange once a step."""


@dataclass(frozen=True, slots=True)
class Card:
    """What the inputs of a line depend on beside its points; not on the layout of a candidate."""

    gpu: Gpu
    nvlink: bool
    weights: Format
    kv_cache: Format
    model: ModelCard
    snapshot: CatalogSnapshot
    nics_per_node: int


def _axes(card: Card, points: Iterable[Point]) -> dict[str, Axis]:
    points = tuple(points)
    networks_of = card.snapshot.fabrics
    fixed = {"gpu": card.gpu, "nvlink": card.nvlink, "nics_per_node": card.nics_per_node}
    axes = {name: Axis.of([value] * len(points)) for name, value in fixed.items()}
    return axes | {
        "fabric": Axis.of(networks_of.get(point.fabric) for point in points),
        "tp": Axis.of(point.tp for point in points),
        "pp": Axis.of(point.pp for point in points),
    }


@lru_cache(maxsize=64)
def serving_side_columns(
    card: Card, setup: ServingSetup, points: tuple[Point, ...], sides: tuple[int, ...]
) -> dict[str, Any]:
    """Inputs of served points that do not depend on the load, a side after the other."""
    fixed = {"weights": card.weights, "kv_cache": card.kv_cache, "dp_attention": 1}
    axes = _axes(card, points)
    axes |= {name: Axis.of([value] * len(points)) for name, value in fixed.items()}
    columns = serving_columns(card.model, axes, setup)
    links = [link_columns(axes, setup, side) for side in sides]
    return _after_each_other([columns | link for link in links], len(points)) | policy.values()


@lru_cache(maxsize=64)
def training_side_columns(
    card: Card, recipe: Recipe, points: tuple[Point, ...], sides: tuple[int, ...]
) -> dict[str, Any]:
    """Inputs of trained points that the layout brings in, a side after the other."""
    columns = [_training_columns_of(card, recipe, points, side) for side in sides]
    return _after_each_other(columns, len(points)) | policy.values()


def _training_columns_of(
    card: Card, recipe: Recipe, points: tuple[Point, ...], side: int
) -> dict[str, Any]:
    axes = _axes(card, points) | {
        "dp": Axis.of(point.dp for point in points),
        "ep": Axis.of([1] * len(points)),
        "cp": Axis.of([1] * len(points)),
        "gpus_per_node": Axis.of(point.cards_per_node for point in points),
        "nodes": Axis.of(point.nodes for point in points),
    }
    columns = training_columns(card.model, recipe, axes, side)
    plain = np.array([point.layout == DP for point in points])
    # Unsharded copies exchange the gradients of what is trained, once a step.
    trained = "exchanged_params" if recipe.kind.trains_all_weights else "adapter_params"
    changed = {
        "exchange_bytes_per_param": _DDP_BYTES,
        "exchange_once_per_step": 1.0,
        "exchanged_params": columns[trained],
    }
    return columns | {
        name: np.where(plain, value, columns[name]) for name, value in changed.items()
    }


def _after_each_other(sides: Sequence[Mapping[str, Any]], count: int) -> dict[str, Any]:
    """Columns of several sides as one, for one run of the graph; what all share stays a number."""
    first, *others = sides
    joined: dict[str, Any] = {}
    for name, value in first.items():
        values = [value, *(side[name] for side in others)]
        is_number = not any(isinstance(item, np.ndarray) for item in values)
        if is_number and all(item == value for item in values):
            joined[name] = value
        else:
            joined[name] = np.concatenate([np.broadcast_to(item, count) for item in values])
    return joined
