"""Which nodes may be offered, and how a model may be spread over them."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING

from kentino_desk.domain.candidate import Build
from kentino_desk.domain.choices import Fabric
from kentino_desk.domain.errors import InputError, nearest

if TYPE_CHECKING:
    from kentino_desk.domain.hardware import Gpu, NodeType
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Constraints

_DEGREES = (1, 2, 4, 8, 16)
ANY_GPU = "*"
PIPELINE_CARDS = 8
"""Smaller nodes are not joined into one served copy: a larger node is the better answer."""
CLUSTER_FABRIC = Fabric.IB200
"""Fabric of the clusters that are enumerated; other fabrics are compared in the scaling chart."""


def node_pairs(
    snapshot: CatalogSnapshot, constraints: Constraints
) -> tuple[tuple[NodeType, Gpu], ...]:
    """Nodes with their cards that the constraints allow, own builds first.

    Raises:
        InputError: an unknown GPU; a card that no own build holds while only own builds count;
            a number of GPUs per node that no node has.
    """
    named = tuple(snapshot.gpu(gpu_id) for gpu_id in constraints.gpus)
    pairs = _offered(snapshot, constraints, {gpu.id for gpu in named})
    known = {gpu.id for _, gpu in pairs}
    missing = [gpu for gpu in named if gpu.id not in known]
    if missing and constraints.own_builds_only:
        own = sorted({gpu.id for _, gpu in pairs if _.own_build} | _own_gpu_ids(snapshot))
        raise InputError(
            "constraints.gpus",
            missing[0].id,
            "is in no own build",
            ", ".join(own),
            "set own_builds_only = false to compare partner platforms",
        )
    pairs += [pair for gpu in missing for pair in _generic(snapshot, gpu)]
    return _of_size(tuple(pairs), constraints.gpus_per_node)


def customer_machine(snapshot: CatalogSnapshot, constraints: Constraints) -> NodeType | None:
    """The machine that the customer has, in the housing of the generic host that holds its cards.

    Raises:
        InputError: an unknown card.
    """
    if not constraints.customer_gpu:
        return None
    gpu = snapshot.gpus.get(constraints.customer_gpu)
    if gpu is None:
        raise InputError(
            "constraints.customer_gpu",
            constraints.customer_gpu,
            "unknown GPU",
            "an id of the catalog",
            near=nearest(constraints.customer_gpu, snapshot.gpus),
        )
    count = constraints.customer_gpus
    hosts = _hosts(snapshot)
    housing = next((node for node in hosts if node.gpu_count >= count), hosts[-1])
    return replace(
        housing,
        id=f"customer-{count}-{gpu.id}",
        name="Customer's own machine",
        gpu_ids=(gpu.id,),
        gpu_count=count,
        nvlink=gpu.has_nvlink,
        customer=True,
    )


def _hosts(snapshot: CatalogSnapshot) -> list[NodeType]:
    """Hosts of any card, the smallest first."""
    hosts = (node for node in snapshot.nodes.values() if ANY_GPU in node.gpu_ids)
    return sorted(hosts, key=lambda node: node.gpu_count)


def usable_gpus(node: NodeType, constraints: Constraints) -> int:
    """GPUs of a node that are left for the model."""
    return max(node.gpu_count - constraints.reserved_gpus, 0)


def _own_gpu_ids(snapshot: CatalogSnapshot) -> set[str]:
    return {item for node in snapshot.nodes.values() if node.own_build for item in node.gpu_ids}


def _offered(
    snapshot: CatalogSnapshot, constraints: Constraints, named: set[str]
) -> list[tuple[NodeType, Gpu]]:
    nodes = [
        node
        for node in snapshot.nodes.values()
        if node.offered and (node.own_build or not constraints.own_builds_only)
    ]
    nodes.sort(key=lambda node: (not node.own_build, node.id))
    return [
        (node, snapshot.gpus[gpu_id])
        for node in nodes
        for gpu_id in node.gpu_ids
        if not named or gpu_id in named
    ]


def _generic(snapshot: CatalogSnapshot, gpu: Gpu) -> list[tuple[NodeType, Gpu]]:
    return [(node, gpu) for node in _hosts(snapshot)]


def _of_size(
    pairs: tuple[tuple[NodeType, Gpu], ...], gpus_per_node: int | None
) -> tuple[tuple[NodeType, Gpu], ...]:
    if gpus_per_node is None:
        return pairs
    sized = tuple(pair for pair in pairs if pair[0].gpu_count == gpus_per_node)
    if sized:
        return sized
    sizes = sorted({node.gpu_count for node, _ in pairs})
    raise InputError(
        "constraints.gpus_per_node",
        gpus_per_node,
        "no such node is offered",
        ", ".join(str(size) for size in sizes),
        near=nearest(str(gpus_per_node), [str(size) for size in sizes]),
    )


def serving_degrees(
    model: ModelCard,
    gpus: int,
    dp_attention: int = 1,
    context_parallel: int = 1,
    *,
    part: bool = False,
) -> tuple[int, ...]:
    """Tensor degrees that divide the heads and the node.

    Attention groups split the degree; the cache of a request is shared by cards that would hold the
    same heads of it (one head in all for latent attention). Where only a part of the node is left,
    the degrees may leave some of its GPUs without work.
    """
    kv_heads = 1 if model.is_mla else max(model.kv_heads, 1)
    return tuple(
        tp
        for tp in _DEGREES
        if tp <= gpus
        and (part or gpus % tp == 0)
        and model.heads % tp == 0
        and tp % (dp_attention * context_parallel) == 0
        and (context_parallel == 1 or tp // dp_attention >= kv_heads * context_parallel)
    )


def pipeline_builds(
    node: NodeType, gpu: Gpu, nodes_max: int, weights_nodes: float
) -> tuple[Build, ...]:
    """Clusters that serve one copy over several nodes, one pipeline stage a node.

    ``weights_nodes`` is how many nodes the weights fill up to the share that counts as fitting: the
    clusters are those that hold them, and one node more.
    """
    if node.gpu_count < PIPELINE_CARDS or node.customer:
        return ()
    fewest = max(2, ceil(weights_nodes))
    last = min(nodes_max, max(fewest, 2) + (1 if weights_nodes > 1 else 0))
    return tuple(Build(node, gpu, nodes, CLUSTER_FABRIC) for nodes in range(fewest, last + 1))


def training_builds(node: NodeType, gpu: Gpu, nodes_max: int) -> tuple[Build, ...]:
    """One node, and clusters of it up to what is asked for; large clusters in steps."""
    if node.customer:
        return (Build(node, gpu),)
    largest = nodes_max if node.gpu_count >= 8 else min(nodes_max, 4)
    counts = [n for n in (*range(2, 17), 24, 32, 48, 64, 96, 128) if n <= largest]
    return (
        Build(node, gpu),
        *(Build(node, gpu, n, CLUSTER_FABRIC) for n in counts if node.gpu_count >= 4),
    )


def training_degrees(
    model: ModelCard,
    build: Build,
    context_parallel: int = 1,
    *,
    splits_layers: bool,
    gpus_per_node: int,
) -> tuple[tuple[int, int, int], ...]:
    """Tensor, pipeline and data-parallel degrees that use every GPU that is left in a build.

    The tensor group stays inside a node; a stack that only shards has one layout. Cards that split
    a sequence belong to one replica.
    """
    gpus = gpus_per_node * build.nodes
    if not splits_layers:
        return ((1, 1, gpus),)
    return tuple(
        (tp, pp, gpus // (tp * pp * context_parallel))
        for tp in _DEGREES
        for pp in (1, 2, 4, 8, 16)
        if tp <= gpus_per_node
        and model.heads % tp == 0
        and pp <= model.layers
        and gpus % (tp * pp * context_parallel) == 0
    )
