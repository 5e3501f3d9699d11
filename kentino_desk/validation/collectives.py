"""Bus bandwidth and time of measured collectives: operator tables and published tests."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Host
from kentino_desk.domain.units import GB
from kentino_desk.engine.card_inputs import bus_class, card_class
from kentino_desk.engine.collective_inputs import Group, collective_inputs
from kentino_desk.engine.policy_collectives import (
    COLLECTIVE_BANDS,
    Algorithm,
    Operation,
)
from kentino_desk.engine.quantity import compute
from kentino_desk.validation.score import Detail, RowScore

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.validation.rows import Row

KIND = "collectives"
COLUMNS = (
    "id", "gpu", "gpu_key", "gpu_id", "gpu_id_basis", "n_gpus", "nodes", "intra_fabric",
    "inter_fabric", "host", "nic_gbps_per_node", "op", "message_bytes", "time_us", "algbw_gbs",
    "busbw_gbs", "algorithm", "nccl", "source", "source_url", "notes", "split_unit",
)  # fmt: skip
OPERATOR_COLUMNS = (
    "gpu", "n_gpus", "op", "impl", "bytes", "time_us", "busbw_gbs", "framework", "version",
    "source_dir", "note", "host",
)  # fmt: skip
FIGURES = ("busbw_large", "time_us")
LARGE_BYTES = 64 * 2**20
ENDLESS_BYTES = 8 * 2**30
"""A row without a size states the peak of its sweep."""

_OPERATOR_CARDS: Mapping[str, str] = MappingProxyType(
    {"a100_sxm": "a100", "h100_sxm": "h100", "h200_sxm": "h200", "b200_sxm": "b200",
     "b300_sxm": "b300", "gb200": "gb200", "gb300": "gb200", "l40s": "l40s",
     "rtx_pro_6000_server": "rtx6000"}
)  # fmt: skip
_ALGORITHMS: Mapping[str, Algorithm] = MappingProxyType(
    {"custom_graph": Algorithm.FAST, "custom_kernel": Algorithm.KERNEL,
     "custom_eager": Algorithm.EAGER, "nccl": Algorithm.LIBRARY, "oneccl": Algorithm.LIBRARY}
)  # fmt: skip
_NETWORK_WORDS = (("EFA", "efa"), ("TCP", "tcp"), ("RoCE", "roce"), ("IB ", "infiniband"))

NO_LAW = "no law for the operation"
NO_CARD = "card not in the catalog, or without a row of its own"
BROKEN = "a broken host: a warning, not a measurement"
NO_NICS = "NICs of a node not stated"
NO_RANKS = "number of cards not stated"
NO_FIGURE = "neither time nor bandwidth of a large message stated"
BRIDGES = "bridges between pairs have no row"
CUT = "an interconnect cut down by its vendor"


class SkipError(Exception):
    """A row has no prediction; the text says why."""


def score_row(row: Row, snapshot: CatalogSnapshot) -> RowScore:
    """Predict time and bus bandwidth of one operation."""
    measured = _measured(row)
    try:
        group = _group(row, snapshot)
        inputs = _inputs(row, group)
        predicted = _predicted(inputs)
    except SkipError as reason:
        details = tuple(
            Detail(id=row.id, figure=name, measured=value, skipped=str(reason))
            for name, value in measured.items()
        )
        return RowScore(id=row.id, details=details, skipped=str(reason))
    return RowScore(
        id=row.id,
        details=tuple(
            _detail(row, group, name, value, predicted[name]) for name, value in measured.items()
        ),
        skipped="" if measured else NO_FIGURE,
        unit=_unit(row),
        groups=_groups(row, group),
        inputs=inputs,
    )


def _is_operator(row: Row) -> bool:
    return "impl" in row


def _size(row: Row) -> float:
    size = row.number("bytes" if _is_operator(row) else "message_bytes")
    return ENDLESS_BYTES if size is None else size


def _measured(row: Row) -> dict[str, float]:
    """Times of every size; the bus bandwidth of large ones."""
    found = {}
    bus = row.number("busbw_gbs")
    if bus and _size(row) >= LARGE_BYTES:
        found["busbw_large"] = bus
    time = row.number("time_us")
    if time is None and _digits(row["busbw_gbs"]) >= 3 and _size(row) != ENDLESS_BYTES:
        time = _moved(row) / ((bus or 0.0) * GB) * 1e6
    if time:
        found["time_us"] = time
    return found


def _digits(text: str) -> int:
    """Digits that a figure is stated with; fewer than three make no time."""
    return len(text.replace(".", "").lstrip("0"))


def _moved(row: Row) -> float:
    ranks = row.number("n_gpus") or 2.0
    passes = 2.0 if row["op"] == Operation.ALL_REDUCE else 1.0
    return passes * (ranks - 1.0) / ranks * _size(row)


def _group(row: Row, snapshot: CatalogSnapshot) -> Group:
    if row["op"] not in set(Operation):
        raise SkipError(NO_LAW)
    if row["host"] == "broken":
        raise SkipError(BROKEN)
    ranks = row.count("n_gpus")
    if not ranks or ranks < 2:
        raise SkipError(NO_RANKS)
    return _operator_group(row, ranks) if _is_operator(row) else _published(row, snapshot, ranks)


def _operator_group(row: Row, ranks: int) -> Group:
    card = _OPERATOR_CARDS.get(row["gpu"])
    if card is None:
        raise SkipError(NO_CARD)
    return Group(card=card, ranks=ranks, nvlink=row["host"] == "nvlink", host=_host(row))


def _host(row: Row) -> Host:
    return Host(row["host"]) if row["host"] in set(Host) else Host.DEFAULT


def _published(row: Row, snapshot: CatalogSnapshot, ranks: int) -> Group:
    gpu = snapshot.gpus.get(row["gpu_id"])
    card = "" if gpu is None else card_class(gpu)
    alone = "1 GPU per node" in row["intra_fabric"]
    nvlink = "NVLink" in row["intra_fabric"] or alone
    known = nvlink or "PCIe" in row["intra_fabric"]
    if gpu is None or not known or (card == "other" and nvlink):
        raise SkipError(NO_CARD)
    if "bridge" in row["intra_fabric"]:
        raise SkipError(BRIDGES)
    if "cut to" in row["intra_fabric"]:
        raise SkipError(CUT)
    across = row["host"] == "network"
    nics = row.number("nic_gbps_per_node")
    if across and not nics:
        raise SkipError(NO_NICS)
    return Group(
        card=card if nvlink else bus_class(gpu),
        ranks=ranks,
        nodes=row.count("nodes") or 1,
        nvlink=nvlink,
        rack="rack" in row["intra_fabric"],
        host=_host(row),
        network=_network(row) if across else "",
        nic_bytes_per_s=(nics or 0.0) * GB / 8.0,
    )


def _network(row: Row) -> str:
    return next((name for word, name in _NETWORK_WORDS if word in row["inter_fabric"]), "roce")


def _inputs(row: Row, group: Group) -> dict[str, float]:
    algorithm = _algorithm(row, group)
    if algorithm is None:
        raise SkipError(NO_LAW)
    inputs = collective_inputs(group, Operation(row["op"]), algorithm)
    return {**inputs, "message_bytes": _size(row)}


def _predicted(inputs: dict[str, float]) -> dict[str, float]:
    values = compute(("collective_s", "reached_bus_bytes_per_s"), inputs)
    return {
        "time_us": float(values["collective_s"]) * 1e6,
        "busbw_large": float(values["reached_bus_bytes_per_s"]) / GB,
    }


def _algorithm(row: Row, group: Group) -> Algorithm | None:
    if _is_operator(row):
        return _ALGORITHMS.get(row["impl"])
    text, fabric = row["algorithm"], row["intra_fabric"]
    if "NVLS off" in text or text.startswith("Ring, ") or text == "Ring":
        return Algorithm.RING if group.domains == 1 else Algorithm.TEST
    in_switch = "NVLS on" in fabric or ("NVLS" in text and "Tree" not in text)
    return Algorithm.SWITCH if in_switch else Algorithm.TEST


def _detail(row: Row, group: Group, name: str, measured: float, best: float) -> Detail:
    kind = "across" if group.domains > 1 else "low" if group.host is Host.POOR else "node"
    low, high = COLLECTIVE_BANDS[kind][FIGURES.index(name)]
    return Detail(
        id=row.id, figure=name, measured=measured, predicted=best, low=best * low, high=best * high
    )


def _unit(row: Row) -> str:
    if _is_operator(row):
        return f"operator|{row['gpu']}|{row['host']}"
    return row["split_unit"]


def _groups(row: Row, group: Group) -> dict[str, str]:
    return {
        "class": _class(row, group),
        "card": group.card,
        "operation": row["op"],
        "algorithm": row["impl"] if _is_operator(row) else "published test",
        "ranks": str(group.ranks),
    }


def _class(row: Row, group: Group) -> str:
    """Fabric of the group; hosts that hold a good card back are named as low."""
    if group.network:
        return f"across nodes, {group.network}"
    if group.nvlink:
        return "NVLink rack" if group.rack else "NVLink in a node"
    return f"low: PCIe, {row['host']} host" if group.host is Host.POOR else f"PCIe, {row['host']}"
