"""Power, heat and air of a node and of a build."""

from __future__ import annotations

from typing import Any

import numpy as np

from kentino_desk.domain.units import BTU_PER_H_PER_W
from kentino_desk.engine.quantity import quantity

_SOURCE = "training_fit_notes, section 7"
_SUPPLIES = "80 PLUS Platinum at 230 V (planning rules, section 4)"
BEST_SUPPLY_LOAD = 0.5
SUPPLY_LOADS, SUPPLY_LOSSES = (0.1, 0.2, 0.5, 1.0), (-0.06, -0.04, 0.0, -0.03)
"""Load of the supplies, and efficiency against that at half load: 90, 94, 91 % at 20, 50, 100 %;
the point at a tenth is that of Titanium."""
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
    title="Largest load of the supplies of one node",
    unit="W",
    symbol="D_max",
    source=_SOURCE,
    error=_ERROR,
)
def node_dc_max_w(
    gpus_per_node: Any,
    gpu_limit_w: Any,
    gpu_peak_share: Any,
    host_w: Any,
    board_w: Any,
    fan_share: Any,
) -> Any:
    """Every card at its peak, the host at full load.

    D_max = ( n·P_lim·1.07 + P_host + board )·(1 + fans)
    """
    parts = gpus_per_node * gpu_limit_w * gpu_peak_share + host_w + board_w
    return parts * (1.0 + fan_share)


@quantity(
    title="Typical load of the supplies of one node",
    unit="W",
    symbol="D_typ",
    source=_SOURCE,
    error="±25 %",
)
def node_dc_typical_w(
    gpus_per_node: Any,
    gpu_draw_w: Any,
    host_w: Any,
    host_typical_share: Any,
    board_w: Any,
    fan_share: Any,
) -> Any:
    """What the parts of one node take while it does this work.

    D_typ = ( n·P_g + 0.6·P_host + board )·(1 + fans)
    """
    parts = gpus_per_node * gpu_draw_w + host_typical_share * host_w + board_w
    return parts * (1.0 + fan_share)


def _supply_efficiency(load_w: Any, psu_rated_w: Any, psu_efficiency: Any) -> Any:
    share = np.where(psu_rated_w > 0, load_w / np.maximum(psu_rated_w, 1.0), BEST_SUPPLY_LOAD)
    return psu_efficiency + np.interp(share, SUPPLY_LOADS, SUPPLY_LOSSES)


@quantity(
    title="Efficiency of the supplies at full load",
    unit="share",
    symbol="PSU_max",
    source=_SUPPLIES,
    error="class of the supplies assumed",
)
def psu_efficiency_max(node_dc_max_w: Any, psu_rated_w: Any, psu_efficiency: Any) -> Any:
    """All supplies share the load; best at half of their rating; unknown counts as that.

    PSU_max = 0.94 + loss( D_max/rating )
    """
    return _supply_efficiency(node_dc_max_w, psu_rated_w, psu_efficiency)


@quantity(
    title="Efficiency of the supplies in typical work",
    unit="share",
    symbol="PSU_typ",
    source=_SUPPLIES,
    error="class of the supplies assumed",
)
def psu_efficiency_typical(node_dc_typical_w: Any, psu_rated_w: Any, psu_efficiency: Any) -> Any:
    """The same while the node does this work.

    PSU_typ = 0.94 + loss( D_typ/rating )
    """
    return _supply_efficiency(node_dc_typical_w, psu_rated_w, psu_efficiency)


@quantity(
    title="Largest power of one node", unit="W", symbol="P_max1", source=_SOURCE, error=_ERROR
)
def node_max_w(node_dc_max_w: Any, psu_efficiency_max: Any) -> Any:
    """What a circuit must carry: every card at its peak, the host at full load.

    P_max1 = D_max / PSU_max
    """
    return node_dc_max_w / psu_efficiency_max


@quantity(
    title="Typical power of one node", unit="W", symbol="P_typ1", source=_SOURCE, error="±25 %"
)
def node_typical_w(node_dc_typical_w: Any, psu_efficiency_typical: Any) -> Any:
    """Draw at the wall while the node does this work.

    P_typ1 = D_typ / PSU_typ
    """
    return node_dc_typical_w / psu_efficiency_typical


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


@quantity(
    title="Speed left at the power limit",
    unit="share",
    symbol="σ_W",
    source=_SOURCE,
    error="1 % on two cards at 300-500 W; other cards take the low side",
)
def work_speed(gpu_limit_w: Any, limited_share: Any, tdp_w: Any, limit_exponent: Any) -> Any:
    """The same for the work asked for; matrix products draw all there is, whatever the average.

    σ_W = min( 1, P_lim / (share_lim·TDP) )^x
    """
    return limit_speed(gpu_limit_w, limited_share, tdp_w, limit_exponent)


@quantity(title="Draw of one idle GPU", unit="W", symbol="P_idle", source=_SOURCE, error="±25 %")
def gpu_idle_w(tdp_w: Any, share_idle: Any, gpu_limit_w: Any) -> Any:
    """A card with the model loaded and nothing to do.

    P_idle = min( P_lim, 0.07·TDP )
    """
    return gpu_draw_w(tdp_w, share_idle, gpu_limit_w)


@quantity(title="Draw of one GPU, decode", unit="W", symbol="P_dec", source=_SOURCE, error="±25 %")
def gpu_decode_w(tdp_w: Any, share_decode: Any, gpu_limit_w: Any) -> Any:
    """A card that writes answers for many users; for a single one it is a quarter less.

    P_dec = min( P_lim, 0.50·TDP )
    """
    return gpu_draw_w(tdp_w, share_decode, gpu_limit_w)


@quantity(title="Draw of one GPU, prompts", unit="W", symbol="P_pre", source=_SOURCE, error="±25 %")
def gpu_prefill_w(tdp_w: Any, share_prefill: Any, gpu_limit_w: Any) -> Any:
    """A card that reads prompts.

    P_pre = min( P_lim, 0.83·TDP )
    """
    return gpu_draw_w(tdp_w, share_prefill, gpu_limit_w)
