"""What a room must give: air, current of a feed; and what the work costs in energy."""

from __future__ import annotations

from typing import Any

import numpy as np

from kentino_desk.domain.units import AIR_M3_K_PER_H_W, CFM_PER_M3_PER_H, HOURS_PER_YEAR
from kentino_desk.engine.quantity import quantity

_AIR = "planning rules, section 2"
_FEED = "planning rules, section 5"
_POWER_ERROR = "as the power"
PHASE_VOLTAGE_V, LINE_VOLTAGE_V = 230.0, 400.0
SINGLE_PHASE_MAX_W = 3_600.0
"""A node of more takes three phases."""
J_PER_KWH = 3.6e6


@quantity(title="Density of the air", unit="share", symbol="ρ", source=_AIR, error="standard air")
def air_density_share(altitude_m: Any) -> Any:
    """Air at a height against air at sea level: thinner air carries less heat.

    ρ = ( 1 − 2.256·h/100,000 )^4.256
    """
    return (1.0 - 2.25577e-5 * altitude_m) ** 4.2559


@quantity(title="Air", unit="m3/h", symbol="V", source=_AIR, error=_POWER_ERROR)
def airflow_m3_h(power_max_w: Any, air_rise_k: Any, air_density_share: Any) -> Any:
    """Air that carries the heat at the chosen rise of temperature and height.

    V = 2.985·P_max / ( ΔT·ρ )
    """
    return AIR_M3_K_PER_H_W * power_max_w / (air_rise_k * air_density_share)


@quantity(title="Air in CFM", unit="CFM", symbol="V_cfm", source=_AIR, error=_POWER_ERROR)
def airflow_cfm(airflow_m3_h: Any) -> Any:
    """The same in cubic feet per minute.

    V_cfm = V/1.699
    """
    return airflow_m3_h * CFM_PER_M3_PER_H


@quantity(title="Current of a feed", unit="A", symbol="I_f", source=_FEED, error=_POWER_ERROR)
def feed_current_a(node_max_w: Any) -> Any:
    """Current per phase that one feed of a node carries when the other is lost; two feeds a node.

    I_f = P_max1/230 V; from 3.6 kW on P_max1/(√3·400 V)
    """
    three = node_max_w / (np.sqrt(3.0) * LINE_VOLTAGE_V)
    return np.where(node_max_w < SINGLE_PHASE_MAX_W, node_max_w / PHASE_VOLTAGE_V, three)


@quantity(
    title="Rating that a feed needs", unit="A", symbol="I_c", source=_FEED, error=_POWER_ERROR
)
def circuit_rating_a(feed_current_a: Any, continuous_load_share: Any) -> Any:
    """A load that never pauses may take a part of a breaker alone; the breaker is the next size up.

    I_c = I_f/0.8
    """
    return feed_current_a / continuous_load_share


@quantity(
    title="Energy of a million tokens",
    unit="kWh",
    symbol="E_M",
    source="arithmetic on power and rate",
    error="as power and rate together: ±25 % of the power",
)
def energy_kwh_per_million_tokens(power_typical_w: Any, tokens_per_s_total: Any) -> Any:
    """Energy at the wall for a million output tokens while the build is at this load.

    E_M = P_typ / X_all / 3.6
    """
    return power_typical_w / tokens_per_s_total * 1e6 / J_PER_KWH


@quantity(
    title="Energy of a million trained tokens",
    unit="kWh",
    symbol="E_T",
    source="arithmetic on power and rate",
    error="as power and rate together: ±25 % of the power",
)
def energy_kwh_per_million_trained(power_typical_w: Any, train_tokens_per_s: Any) -> Any:
    """Energy at the wall for a million tokens of training.

    E_T = P_typ / R_all / 3.6
    """
    return power_typical_w / train_tokens_per_s * 1e6 / J_PER_KWH


@quantity(
    title="Energy of a year",
    unit="kWh",
    symbol="E_a",
    source="planning rules, section 8",
    error="±25 %; cooling of the room not counted",
)
def energy_kwh_per_year(power_typical_w: Any) -> Any:
    """Energy at the wall of a year at typical power, day and night.

    E_a = P_typ·8.76
    """
    return power_typical_w * HOURS_PER_YEAR / 1e3
