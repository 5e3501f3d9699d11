"""What the room must give: power, amperes per feed, heat, air, space, from the figures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.units import CFM_PER_M3_PER_H
from kentino_desk.present.load_words import value_of

if TYPE_CHECKING:
    from kentino_desk.decision.results import CandidateResult

PHASE_VOLTAGE_V = 230.0
LINE_VOLTAGE_V = 400.0
SINGLE_PHASE_MAX_W = 3_600.0
BREAKERS_A = (16, 32, 63, 125)
AIR_RISE_K = 15
PLANNING_SHARE = 0.80
"""A breaker is planned to 80\u00a0% of its rating."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """Current in one feed: with both feeds, and with one of them lost."""

    phases: int
    voltage_v: float
    both_a: float
    one_a: float
    breaker_a: int | None
    """Smallest breaker that carries everything at its planning share; None above all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What one node and all nodes ask of the room; None where it is not known."""

    nodes: int
    node_max_w: float | None
    max_w: float | None
    typical_w: float | None
    heat_btu_h: float | None
    airflow_m3_h: float | None
    airflow_cfm: float | None
    rack_u: int | None
    weight_kg: float | None
    feed: Feed | None
    """Of one node: each node has its own pair of feeds."""
    psu_after_loss_w: float | None


def feed_of(power_w: float) -> Feed:
    """Current of a load on two feeds; three phases from 3.6 kW on."""
    if power_w < SINGLE_PHASE_MAX_W:
        phases, voltage, current = 1, PHASE_VOLTAGE_V, power_w / PHASE_VOLTAGE_V
    else:
        phases, voltage = 3, LINE_VOLTAGE_V
        current = power_w / (math.sqrt(3.0) * LINE_VOLTAGE_V)
    enough = (size for size in BREAKERS_A if current <= PLANNING_SHARE * size)
    return Feed(
        phases=phases,
        voltage_v=voltage,
        both_a=current / 2,
        one_a=current,
        breaker_a=next(enough, None),
    )


def site_of(result: CandidateResult) -> Site:
    """What a candidate asks of the room."""
    build = result.candidate.build
    node, nodes = build.node, build.nodes
    max_w, airflow = value_of(result, "power_max_w"), value_of(result, "airflow_m3_h")
    halves = node.psu_count // 2 if node.psu_count else 0
    return Site(
        nodes=nodes,
        node_max_w=max_w / nodes if max_w is not None else None,
        max_w=max_w,
        typical_w=value_of(result, "power_typical_w"),
        heat_btu_h=value_of(result, "heat_btu_h"),
        airflow_m3_h=airflow,
        airflow_cfm=airflow * CFM_PER_M3_PER_H if airflow is not None else None,
        rack_u=node.rack_u * nodes if node.rack_u else None,
        weight_kg=node.weight_kg * nodes if node.weight_kg else None,
        feed=feed_of(max_w / nodes) if max_w is not None else None,
        psu_after_loss_w=halves * node.psu_w if halves and node.psu_w else None,
    )
