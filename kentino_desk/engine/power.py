"""Power, heat and air of a node and of a build."""

from __future__ import annotations

from typing import Any

import numpy as np

from kentino_desk.domain.units import AIR_M3_K_PER_H_W, BTU_PER_H_PER_W
from kentino_desk.engine.quantity import quantity

_SOURCE = "training_fit_notes, section 7"
_ERROR = "node: median 7 % on 11 metered rows; parts of the host are planning values"


@quantity(
    title="Power limit of one GPU",
    unit="W",
    symbol="P_lim",
    source="catalog, or the limit asked for",
)
def gpu_limit_w(tdp_w: Any, power_limit_w: Any) -> Any:
    """Draw of one card at its limit; a lower limit may be set.

    P_lim = min( TDP, limit )
    """
    return np.minimum(tdp_w, power_limit_w)


@quantity(title="Draw of one GPU", unit="W", symbol="P_g", source=_SOURCE, error="±25 %")
def gpu_draw_w(tdp_w: Any, draw_share: Any, gpu_limit_w: Any) -> Any:
    """What one card draws in this kind of work, up to its limit.

    P_g = min( P_lim, share·TDP )
    """
    return np.minimum(gpu_limit_w, draw_share * tdp_w)


@quantity(title="Host parts", unit="W", symbol="P_host", source=_SOURCE, error="planning values")
def host_w(
    cpu_sockets: Any,
    cpu_tdp_w: Any,
    dimms: Any,
    dimm_w: Any,
    nics: Any,
    nic_w: Any,
    drive_count: Any,
    drive_w: Any,
) -> Any:
    """Processors, memory, network and drives of one node at full load.

    P_host = sockets·TDP + DIMMs·8 + NICs·25 + drives·12
    """
    return cpu_sockets * cpu_tdp_w + dimms * dimm_w + nics * nic_w + drive_count * drive_w


@quantity(
    title="Largest power of one node", unit="W", symbol="P_max1", source=_SOURCE, error=_ERROR
)
def node_max_w(
    gpus_per_node: Any,
    gpu_limit_w: Any,
    gpu_peak_share: Any,
    host_w: Any,
    board_w: Any,
    fan_share: Any,
    psu_efficiency: Any,
) -> Any:
    """What a circuit must carry: every card at its peak, the host at full load.

    P_max = ( n·P_lim·1.07 + P_host + board )·(1 + fans) / PSU
    """
    parts = gpus_per_node * gpu_limit_w * gpu_peak_share + host_w + board_w
    return parts * (1.0 + fan_share) / psu_efficiency


@quantity(
    title="Typical power of one node", unit="W", symbol="P_typ1", source=_SOURCE, error="±25 %"
)
def node_typical_w(
    gpus_per_node: Any,
    gpu_draw_w: Any,
    host_w: Any,
    host_typical_share: Any,
    board_w: Any,
    fan_share: Any,
    psu_efficiency: Any,
) -> Any:
    """Draw at the wall while the node does this work.

    P_typ = ( n·P_g + 0.6·P_host + board )·(1 + fans) / PSU
    """
    parts = gpus_per_node * gpu_draw_w + host_typical_share * host_w + board_w
    return parts * (1.0 + fan_share) / psu_efficiency


@quantity(title="Largest power", unit="W", symbol="P_max", source=_SOURCE, error=_ERROR)
def power_max_w(node_max_w: Any, nodes: Any) -> Any:
    """Largest power of all nodes.

    P_max = nodes·P_max1
    """
    return node_max_w * nodes


@quantity(title="Typical power", unit="W", symbol="P_typ", source=_SOURCE, error="±25 %")
def power_typical_w(node_typical_w: Any, nodes: Any) -> Any:
    """Typical power of all nodes.

    P_typ = nodes·P_typ1
    """
    return node_typical_w * nodes


@quantity(title="Heat", unit="BTU/h", symbol="Q", source="planning rules, section 1", error=_ERROR)
def heat_btu_h(power_max_w: Any) -> Any:
    """All power becomes heat in the room.

    Q = P_max·3.412
    """
    return power_max_w * BTU_PER_H_PER_W


@quantity(
    title="Air", unit="m3/h", symbol="V", source="planning rules, section 2", error="sea level"
)
def airflow_m3_h(power_max_w: Any, air_rise_k: Any) -> Any:
    """Air that carries the heat at the chosen rise of temperature.

    V = 2.985·P_max / ΔT
    """
    return AIR_M3_K_PER_H_W * power_max_w / air_rise_k


@quantity(
    title="Speed at the power limit",
    unit="share",
    symbol="σ_P",
    source=_SOURCE,
    error="1 % on two cards at 300-500 W; other cards take the low side",
)
def limit_speed(gpu_limit_w: Any, draw_share: Any, tdp_w: Any, limit_exponent: Any) -> Any:
    """Part of the speed that is left at a limit below the natural draw.

    σ_P = min( 1, P_lim / (share·TDP) )^x
    """
    return np.minimum(1.0, gpu_limit_w / (draw_share * tdp_w)) ** limit_exponent
