"""What the room must give: power, amperes per feed, heat, air, space, from the figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.engine import policy
from kentino_desk.engine.site import (
    LINE_VOLTAGE_V,
    PHASE_VOLTAGE_V,
    SINGLE_PHASE_MAX_W,
    circuit_rating_a,
    feed_current_a,
)
from kentino_desk.present.load_words import value_of

if TYPE_CHECKING:
    from kentino_desk.decision.results import CandidateResult

BREAKERS_A = (16, 32, 63, 125)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """Current in one feed: with both feeds, and with one of them lost."""

    phases: int
    voltage_v: float
    both_a: float
    one_a: float
    breaker_a: int | None
    """Smallest breaker for everything without a pause; None above all of them."""


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
    psu_efficiency: float | None
    """Of the supplies of one node at full load."""
    energy_kwh_per_year: float | None
    energy_kwh_per_million: float | None


def feed_of(power_w: float) -> Feed:
    """Current of a load on two feeds; three phases from 3.6 kW on."""
    single = power_w < SINGLE_PHASE_MAX_W
    phases, voltage = (1, PHASE_VOLTAGE_V) if single else (3, LINE_VOLTAGE_V)
    current = float(feed_current_a(power_w))
    rating = circuit_rating_a(current, policy.value("continuous_load_share"))
    enough = (size for size in BREAKERS_A if rating <= size)
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
        airflow_cfm=value_of(result, "airflow_cfm"),
        rack_u=node.rack_u * nodes if node.rack_u else None,
        weight_kg=node.weight_kg * nodes if node.weight_kg else None,
        feed=feed_of(max_w / nodes) if max_w is not None else None,
        psu_after_loss_w=halves * node.psu_w if halves and node.psu_w else None,
        psu_efficiency=value_of(result, "psu_efficiency"),
        energy_kwh_per_year=value_of(result, "energy_kwh_per_year"),
        energy_kwh_per_million=value_of(result, "energy_kwh_per_million"),
    )
