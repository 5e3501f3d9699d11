"""Watts of cards and nodes by phase, and what a power limit costs in speed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from kentino_desk.engine import policy
from kentino_desk.engine.policy_power import (
    DRAW_SHARES,
    HIGH_EXPONENT,
    LEAST_LIMIT_SHARE,
    LIMITED_SHARES,
    LOW_EXPONENT,
    POWER_BANDS,
    REFERENCE_NODES,
    SMALL_CARD_W,
    SPEED_SLACK,
)
from kentino_desk.engine.quantity import compute
from kentino_desk.validation.score import Detail, RowScore

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.validation.rows import Row

KIND = "power"
COLUMNS = (
    "id", "system", "gpu", "gpu_key", "gpu_id", "gpu_id_basis", "edition", "n_gpus",
    "tdp_w_per_gpu", "power_limit_w", "load", "phase", "measured_w_gpu", "measured_w_system",
    "measured_w_gpus_sum", "basis", "perf_value", "perf_unit", "source", "source_url", "notes",
    "split_unit",
)  # fmt: skip
FIGURES = ("system_w", "gpu_w", "gpu_w_burn", "speed_ratio", "speed_ratio_low_limit")

NOT_METERED = "an estimate, a nameplate or a sum over an unknown number of cards"
NO_TDP = "power of the card not stated"
NO_PHASE = "no draw for the phase"
NO_CARD = "card not in the catalog, whose node decides on the watts"
REFERENCE = "the highest limit of its series: the others are compared with it"
REFERENCE_ALONE = "a speed without another limit to compare it with"


def score_rows(rows: tuple[Row, ...], snapshot: CatalogSnapshot) -> tuple[RowScore, ...]:
    """Predict watts of every row, and its speed against the highest limit of its series."""
    series: defaultdict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        if row.number("perf_value") and row.number("power_limit_w"):
            series[_series_key(row)].append(row)
    return tuple(_score(row, snapshot, series.get(_series_key(row), [])) for row in rows)


def _series_key(row: Row) -> tuple[str, ...]:
    """Runs that differ by their limit alone: one card, one load, one unit of speed."""
    specimen = row["notes"].split(";")[0] if row["notes"].startswith("card ") else ""
    same = ("system", "gpu_id", "n_gpus", "load", "perf_unit", "split_unit")
    return (specimen, *(row[name] for name in same))


def _score(row: Row, snapshot: CatalogSnapshot, series: list[Row]) -> RowScore:
    reason = _skip_reason(row)
    if reason:
        return _skipped(row, reason)
    gpu = snapshot.gpus.get(row["gpu_id"])
    details = [*_watts(row, gpu), *_ratio(row, series)]
    missing = NO_CARD if row.number("measured_w_system") and gpu is None else REFERENCE_ALONE
    return RowScore(
        id=row.id,
        details=tuple(details),
        skipped="" if details else missing,
        unit=row["split_unit"],
        groups={"class": row["phase"], "edition": row["edition"] or "one edition or not stated",
                "card": row["gpu_id"]},
    )  # fmt: skip


def _skipped(row: Row, reason: str) -> RowScore:
    columns = {"system_w": "measured_w_system", "gpu_w": "measured_w_gpu"}
    details = tuple(
        Detail(id=row.id, figure=name, measured=row.number(column), skipped=reason)
        for name, column in columns.items()
        if row.number(column)
    )
    return RowScore(id=row.id, details=details, skipped=reason)


def _skip_reason(row: Row) -> str:
    if row["basis"] not in {"", "metered"}:
        return NOT_METERED
    if not row.number("tdp_w_per_gpu"):
        return NO_TDP
    return "" if _phase(row) in DRAW_SHARES else NO_PHASE


def _phase(row: Row) -> str:
    """The phase; a single user draws less in decode than many."""
    return "decode one" if row["phase"] == "decode" and _is_single(row) else row["phase"]


def _is_single(row: Row) -> bool:
    return "batch 1" in row["load"] or "4K context" in row["load"]


def _inputs(row: Row) -> dict[str, float]:
    tdp = row.number("tdp_w_per_gpu") or 0.0
    share = DRAW_SHARES[_phase(row)]
    limit = row.number("power_limit_w") or tdp
    return {**policy.values(), "tdp_w": tdp, "power_limit_w": limit, "draw_share": share}


def _watts(row: Row, gpu: Gpu | None) -> list[Detail]:
    details = []
    card, node = row.number("measured_w_gpu"), row.number("measured_w_system")
    if card:
        name = "gpu_w_burn" if row["phase"] == "burn" else "gpu_w"
        details.append(_card_detail(row, name, card))
    if node and gpu is not None:
        details.append(_detail(row, "system_w", node, _node_w(row, gpu)))
    return details


def _card_w(row: Row) -> float:
    """Average draw of one card, or what all of them reach at once."""
    inputs = _inputs(row)
    found = compute(("gpu_draw_w", "gpu_limit_w"), inputs)
    if "peak" in row["load"]:
        return float(found["gpu_limit_w"]) * inputs["gpu_peak_share"]
    return float(found["gpu_draw_w"])


def _card_detail(row: Row, name: str, measured: float) -> Detail:
    """A small card may decode next to its limit."""
    found = _detail(row, name, measured, _card_w(row))
    small = row["phase"] == "decode" and (row.number("tdp_w_per_gpu") or 0.0) < SMALL_CARD_W
    if not small:
        return found
    return replace(found, high=float(compute(("gpu_limit_w",), _inputs(row))["gpu_limit_w"]))


def _node_w(row: Row, gpu: Gpu) -> float:
    host, dense = REFERENCE_NODES[gpu.has_nvlink], gpu.has_nvlink
    inputs = _inputs(row) | {
        "gpus_per_node": float(row.count("n_gpus") or 1),
        "cpu_sockets": host.cpu_sockets,
        "cpu_tdp_w": host.cpu_tdp_w,
        "dimms": host.dimms,
        "nics": host.nics,
        "drive_count": host.drives,
        "board_w": policy.value("board_w_hgx" if dense else "board_w_pcie"),
        "fan_share": policy.value("fan_share_hgx" if dense else "fan_share_pcie"),
    }
    return float(compute(("node_typical_w",), inputs)["node_typical_w"])


def _detail(row: Row, name: str, measured: float, best: float) -> Detail:
    low, high = POWER_BANDS[name]
    return Detail(
        id=row.id, figure=name, measured=measured, predicted=best, low=best * low, high=best * high
    )


def _ratio(row: Row, series: list[Row]) -> list[Detail]:
    """Speed against the highest limit of the series; the reference itself predicts nothing."""
    if row not in series or len(series) < 2:
        return []
    reference = max(series, key=lambda item: item.number("power_limit_w") or 0.0)
    if reference is row:
        return [Detail(id=row.id, figure="speed_ratio", measured=1.0, skipped=REFERENCE)]
    measured = (row.number("perf_value") or 0.0) / (reference.number("perf_value") or 1.0)
    share = LIMITED_SHARES[_phase(row)]
    best = _relative_speed(row, reference, share, policy.value("limit_exponent"))
    name = _ratio_name(row)
    collapses = name != "speed_ratio"
    low = 0.0 if collapses else _relative_speed(row, reference, 1.0, LOW_EXPONENT) - SPEED_SLACK
    high = _relative_speed(row, reference, share, HIGH_EXPONENT)
    return [
        Detail(
            id=row.id, figure=name, measured=measured, predicted=best, low=low,
            high=high + SPEED_SLACK,
        )
    ]  # fmt: skip


def _ratio_name(row: Row) -> str:
    half = LEAST_LIMIT_SHARE * (row.number("tdp_w_per_gpu") or 0.0)
    enough = (row.number("power_limit_w") or 0.0) >= half
    return "speed_ratio" if enough else "speed_ratio_low_limit"


def _relative_speed(row: Row, reference: Row, share: float, exponent: float) -> float:
    speeds: list[float] = []
    for item in (row, reference):
        given: Mapping[str, float] = {"draw_share": share, "limit_exponent": exponent}
        speeds.append(float(compute(("limit_speed",), {**_inputs(item), **given})["limit_speed"]))
    return speeds[0] / speeds[1]
