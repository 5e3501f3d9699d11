"""Candidates as axes and columns: what the engine needs of them, one array position each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kentino_desk.domain.choices import Fabric
from kentino_desk.domain.units import GIB
from kentino_desk.engine import policy
from kentino_desk.engine.columns import Axis, Part, columns_of
from kentino_desk.engine.policy_power import LIMITED_SHARES
from kentino_desk.engine.quantity import compute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from kentino_desk.domain.candidate import Candidate
    from kentino_desk.domain.choices import Host
    from kentino_desk.domain.hardware import FabricType, Gpu, NodeType
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Constraints

UNLIMITED_W = 1e9


class Draw(NamedTuple):
    """Share of the TDP that a card draws on average, and the one that a power limit cuts into."""

    average: float
    limited: float


SERVING_DRAW = Draw(policy.value("share_serving"), LIMITED_SHARES["mixed"])
TRAINING_DRAW = Draw(policy.value("share_training"), LIMITED_SHARES["training"])


def number_column(values: Iterable[float]) -> Any:
    """A column of numbers; one number where all agree."""
    column = np.array(list(values), dtype=float)
    return float(column[0]) if bool((column == column[0]).all()) else column


def _constant(value: Any, rows: int) -> Axis:
    return Axis((value,), np.zeros(rows, dtype=np.intp))


def _build_axes(
    candidates: Sequence[Candidate], snapshot: CatalogSnapshot, nics_per_node: int
) -> dict[str, Axis]:
    return {
        "gpu": Axis.of(item.build.gpu for item in candidates),
        "nvlink": Axis.of(item.build.node.nvlink for item in candidates),
        "fabric": _fabric_axis(candidates, snapshot),
        "nics_per_node": _constant(nics_per_node, len(candidates)),
        "tp": Axis.of(item.tp for item in candidates),
        "pp": Axis.of(item.pp for item in candidates),
    }


def _fabric_axis(candidates: Sequence[Candidate], snapshot: CatalogSnapshot) -> Axis:
    names = Axis.of(item.build.fabric for item in candidates)
    fabrics = tuple(fabric_type(name, snapshot) for name in names.values)
    return Axis(fabrics, names.codes)


def fabric_type(fabric: Fabric, snapshot: CatalogSnapshot) -> FabricType | None:
    """The network of that name; None inside one node."""
    return None if fabric is Fabric.NONE else snapshot.fabrics[fabric]


def serving_axes(
    candidates: Sequence[Candidate], snapshot: CatalogSnapshot, nics_per_node: int
) -> dict[str, Axis]:
    """Every field of the serving layouts of the candidates."""
    return _build_axes(candidates, snapshot, nics_per_node) | {
        "weights": Axis.of(item.weights for item in candidates),
        "kv_cache": Axis.of(item.kv_cache for item in candidates),
        "dp_attention": Axis.of(item.dp_attention for item in candidates),
    }


def training_axes(
    candidates: Sequence[Candidate], snapshot: CatalogSnapshot, nics_per_node: int
) -> dict[str, Axis]:
    """Every field of the training layouts of the candidates."""
    return _build_axes(candidates, snapshot, nics_per_node) | {
        "cp": Axis.of(item.cp for item in candidates),
        "dp": Axis.of(item.dp for item in candidates),
        "ep": Axis.of(item.ep for item in candidates),
        "gpus_per_node": Axis.of(item.build.node.gpu_count for item in candidates),
        "nodes": Axis.of(item.build.nodes for item in candidates),
    }


def node_columns(
    candidates: Sequence[Candidate], constraints: Constraints, draw: Draw
) -> dict[str, Any]:
    """Power and size of one node of each candidate, and the number of nodes."""
    axes = {
        "node": Axis.of(item.build.node for item in candidates),
        "gpu": Axis.of(item.build.gpu for item in candidates),
    }
    columns = platform_columns(axes, constraints, draw)
    columns["nodes"] = number_column(item.build.nodes for item in candidates)
    return columns


def platform_columns(
    axes: Mapping[str, Axis], constraints: Constraints, draw: Draw
) -> dict[str, Any]:
    """Power and size of one node by node type and card."""

    def inputs_of(_part: Part, values: Mapping[str, Any]) -> Mapping[str, float]:
        return node_inputs(values["node"], values["gpu"], constraints, draw)

    columns = columns_of((Part(("node", "gpu"), node_inputs),), axes, inputs_of)
    if constraints.power_limit_w is not None:
        speed = compute(("work_speed",), policy.values() | columns)["work_speed"]
        columns["speed_at_limit"] = np.where(np.isfinite(speed), speed, 1.0)
    return columns


def columns_by_host(
    candidates: Sequence[Candidate],
    constraints: Constraints,
    columns: Callable[[Sequence[Candidate], Host], dict[str, Any]],
) -> dict[str, Any]:
    """Columns of offered builds on their host, then those of the customer's machine on its own.

    The candidates of the customer's machine stand last.
    """
    theirs = sum(item.build.is_customer for item in candidates)
    host = constraints.customer_host or constraints.host
    if not theirs or host is constraints.host:
        return columns(candidates, constraints.host)
    ours = len(candidates) - theirs
    first = columns(candidates[:ours], constraints.host)
    second = columns(candidates[ours:], host)
    return {
        name: np.concatenate([np.ones(ours) * first[name], np.ones(theirs) * value])
        for name, value in second.items()
    }


def cards_left(
    columns: Mapping[str, Any], candidates: Sequence[Candidate], constraints: Constraints
) -> dict[str, Any]:
    """Memory of a card without what other models keep, spread over the cards of the node."""
    if not constraints.reserved_gib:
        return {}
    kept = np.array([constraints.reserved_gib / item.build.node.gpu_count for item in candidates])
    return {"card_bytes": np.maximum(columns["card_bytes"] - kept * GIB, 1.0)}


def node_inputs(node: NodeType, gpu: Gpu, constraints: Constraints, draw: Draw) -> dict[str, float]:
    """Inputs of power and size of one node."""
    dense = node.nvlink
    return {
        "gpus_per_node": float(node.gpu_count),
        "tdp_w": gpu.tdp_w if gpu.tdp_w is not None else float("nan"),
        "power_limit_w": _settable_limit_w(gpu, constraints),
        "draw_share": draw.average,
        "limited_share": draw.limited,
        "cpu_sockets": float(node.cpu_sockets),
        "cpu_tdp_w": node.cpu_tdp_w if node.cpu_tdp_w is not None else float("nan"),
        "dimms": float(node.dimm_slots),
        "nics": float(constraints.nics_per_node),
        "psu_rated_w": float((node.psu_count or 0) * (node.psu_w or 0.0)),
        "air_rise_k": constraints.air_rise_k,
        "altitude_m": constraints.altitude_m,
        "board_w": policy.value("board_w_hgx" if dense else "board_w_pcie"),
        "fan_share": policy.value("fan_share_hgx" if dense else "fan_share_pcie"),
    }


def _settable_limit_w(gpu: Gpu, constraints: Constraints) -> float:
    """The limit asked for, as far down as the card can be set."""
    if constraints.power_limit_w is None:
        return UNLIMITED_W
    return max(constraints.power_limit_w, gpu.min_power_limit_w or 0.0)
