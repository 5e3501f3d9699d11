"""Every layout of every card of the catalog, as arrays: the rows of the whole search.

A platform is a card, the number of cards in a node and whether NVLink joins them; of the machines
that are such a platform one stands for all, an own build first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.candidate_columns import fabric_type
from kentino_desk.decision.formats import eight_bit_format, four_bit_formats
from kentino_desk.decision.layouts import ANY_GPU, serving_degrees
from kentino_desk.domain.candidate import Build, Candidate
from kentino_desk.domain.choices import Fabric, Format
from kentino_desk.engine.card_inputs import supports
from kentino_desk.engine.columns import Axis

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kentino_desk.domain.hardware import Gpu, NodeType
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Workload

_STAGES = _GROUP_COUNTS = (1, 2, 4, 8)
JOINED_CARDS = 4
"""Nodes of fewer cards are not joined into one copy."""
_TP, _PP, _NODES, _FABRIC, _GROUPS = range(5)


@dataclass(frozen=True, slots=True)
class Platform:
    """Cards of one kind in a node, and the machine that stands for the platform."""

    node: NodeType
    gpu: Gpu


@lru_cache(maxsize=8)
def platforms(snapshot: CatalogSnapshot) -> tuple[Platform, ...]:
    """All platforms of the catalog whose cards compute in 16 bit, own builds first."""
    nodes = sorted(snapshot.nodes.values(), key=lambda node: (not node.own_build, not node.offered))
    found: dict[tuple[str, int, bool], Platform] = {}
    for node in nodes:
        for gpu in _cards_of(node, snapshot):
            found.setdefault((gpu.id, node.gpu_count, node.nvlink), Platform(node, gpu))
    return tuple(found.values())


def _cards_of(node: NodeType, snapshot: CatalogSnapshot) -> list[Gpu]:
    if ANY_GPU in node.gpu_ids:
        cards = [gpu for gpu in snapshot.gpus.values() if gpu.is_pcie]
    else:
        cards = [snapshot.gpus[gpu_id] for gpu_id in node.gpu_ids]
    return [gpu for gpu in cards if supports(gpu, Format.BF16)]


def formats_of(
    model: ModelCard, gpu: Gpu, weights: Format, kv_cache: Format
) -> tuple[tuple[Format, Format], ...]:
    """Formats of weights and cache worth trying on a card, or the ones that were asked for."""
    caches = (Format.BF16, Format.FP8) if kv_cache is Format.AUTO else (kv_cache,)
    kinds: list[Format | None]
    if weights is not Format.AUTO:
        kinds = [weights] if supports(gpu, weights) else []
    else:
        native = model.native_expert_format if model.is_moe else model.native_format
        wide = Format.BF16 if native is Format.BF16 else None
        kinds = [wide, eight_bit_format(model, gpu), *four_bit_formats(gpu)]
    return tuple((kind, cache) for kind in dict.fromkeys(kinds) if kind for cache in caches)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a workload fixes of the search; auto formats and one attention group leave it open."""

    formats: tuple[Format, Format]
    nodes_max: int
    dp_attention: int = 1
    context_parallel: int = 1
    nics_per_node: int = 1


def asked_of(workload: Workload) -> Asked:
    """What a served workload fixes."""
    serving = workload.serving
    return Asked(
        (workload.weights, workload.kv_cache), workload.constraints.nodes_max,
        serving.dp_attention, serving.context_parallel, workload.constraints.nics_per_node,
    )  # fmt: skip


def layout_table(model: ModelCard, gpus: int, asked: Asked, fabrics: int) -> Any:
    """Layouts of one copy on nodes of ``gpus`` cards: columns TP, PP, nodes, fabric, groups.

    A copy lies in one node, or takes whole nodes and runs its pipeline over them. Fabric 0 is none.
    """
    rows: list[tuple[int, ...]] = []
    for groups in _attention_groups(model, gpus, asked):
        for tp in serving_degrees(model, gpus, groups, asked.context_parallel):
            inside = [n for n in _STAGES if gpus % (tp * n) == 0 and n <= model.layers]
            rows += [(tp, pp, 1, 0, groups) for pp in inside]
            rows += _across(model, gpus, asked.nodes_max, fabrics, (tp, groups))
    return np.array(rows, dtype=np.intp).reshape(-1, 5)


def _across(
    model: ModelCard, gpus: int, nodes_max: int, fabrics: int, tensor: tuple[int, int]
) -> list[tuple[int, ...]]:
    tp, groups = tensor
    if gpus < JOINED_CARDS:
        return []
    return [
        (tp, gpus // tp * nodes, nodes, fabric, groups)
        for nodes in range(2, nodes_max + 1)
        if gpus // tp * nodes <= model.layers
        for fabric in range(1, fabrics + 1)
    ]


def _attention_groups(model: ModelCard, gpus: int, asked: Asked) -> list[int]:
    """The groups asked for; else any number of them where a latent cache would be copied."""
    if asked.dp_attention > 1 or asked.context_parallel > 1:
        return [asked.dp_attention]
    grouped = model.is_mla and model.is_moe
    return [n for n in _GROUP_COUNTS if n <= gpus and gpus % n == 0] if grouped else [1]


@dataclass(frozen=True, slots=True, eq=False)
class SearchRows:
    """Layouts as axes: one code per row and axis. ``copies`` are those of one row's nodes."""

    axes: Mapping[str, Axis]
    platform: Axis
    nodes: Any
    copies: Any

    def __len__(self) -> int:
        return len(self.nodes)

    def taken(self, rows: Any) -> SearchRows:
        """Some of the rows."""
        return SearchRows(
            {name: axis.taken(rows) for name, axis in self.axes.items()},
            self.platform.taken(rows),
            self.nodes[rows],
            self.copies[rows],
        )

    def candidate(self, row: int) -> Candidate:
        """One row as a candidate."""
        place: Platform = self.platform.values[self.platform.codes[row]]
        value = {name: axis.values[axis.codes[row]] for name, axis in self.axes.items()}
        fabric = value["fabric"].id if value["fabric"] else Fabric.NONE
        build = Build(place.node, place.gpu, int(self.nodes[row]), fabric)
        return Candidate(
            build, value["tp"], value["pp"], 1, 1, int(self.copies[row]), value["weights"],
            value["kv_cache"], dp_attention=value["dp_attention"],
        )  # fmt: skip


def search_rows(model: ModelCard, snapshot: CatalogSnapshot, asked: Asked) -> SearchRows:
    """Rows for every platform, format and layout that a workload leaves open."""
    fabrics = (Fabric.NONE, *(item for item in Fabric if item in snapshot.fabrics))
    places = platforms(snapshot)
    tables: dict[int, Any] = {}
    kinds: dict[tuple[Format, Format], int] = {}
    blocks = []
    for code, place in enumerate(places):
        count = place.node.gpu_count
        if count not in tables:
            tables[count] = layout_table(model, count, asked, len(fabrics) - 1)
        pairs = formats_of(model, place.gpu, *asked.formats)
        codes = [kinds.setdefault(pair, len(kinds)) for pair in pairs]
        blocks.append(_block(code, codes, tables[count]))
    table = np.concatenate(blocks)
    networks = [fabric_type(name, snapshot) for name in fabrics]
    rows = _as_rows(table, places, list(kinds), networks)
    nics = Axis((asked.nics_per_node,), np.zeros(len(table), dtype=np.intp))
    return replace(rows, axes={**rows.axes, "nics_per_node": nics})


def _block(platform: int, kinds: Sequence[int], layouts: Any) -> Any:
    """Every layout in every format on one platform: columns platform, formats, layout."""
    pairs = np.repeat(np.array(kinds, dtype=np.intp), len(layouts))
    block = np.empty((len(pairs), 7), dtype=np.intp)
    block[:, 0], block[:, 1] = platform, pairs
    block[:, 2:] = np.tile(layouts, (len(kinds), 1))
    return block


def _as_rows(
    table: Any,
    places: Sequence[Platform],
    kinds: Sequence[tuple[Format, Format]],
    fabrics: Sequence[Any],
) -> SearchRows:
    platform, kind, layout = table[:, 0], table[:, 1], table[:, 2:]
    gpus = Axis.of(place.gpu for place in places)
    nvlink = Axis.of(place.node.nvlink for place in places)
    weights, caches = (Axis.of(pair[side] for pair in kinds) for side in (0, 1))
    per_node = np.array([place.node.gpu_count for place in places])[platform]
    cards = layout[:, _TP] * layout[:, _PP]
    return SearchRows(
        axes={
            "gpu": Axis(gpus.values, gpus.codes[platform]),
            "nvlink": Axis(nvlink.values, nvlink.codes[platform]),
            "weights": Axis(weights.values, weights.codes[kind]),
            "kv_cache": Axis(caches.values, caches.codes[kind]),
            "fabric": Axis(tuple(fabrics), layout[:, _FABRIC]),
            "tp": _degrees(layout[:, _TP]),
            "pp": _degrees(layout[:, _PP]),
            "dp_attention": _degrees(layout[:, _GROUPS]),
        },
        platform=Axis(tuple(places), platform),
        nodes=layout[:, _NODES],
        copies=per_node * layout[:, _NODES] // cards,
    )


def _degrees(column: Any) -> Axis:
    """An axis of small whole numbers."""
    present = np.zeros(int(column.max(initial=0)) + 1, dtype=bool)
    present[column] = True
    values = np.flatnonzero(present)
    places = np.zeros(len(present), dtype=np.intp)
    places[values] = np.arange(len(values))
    return Axis(tuple(int(value) for value in values), places[column])
