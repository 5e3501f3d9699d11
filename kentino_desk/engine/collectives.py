"""Time of one collective operation: a start, the wire, and what lies between small and large."""

from __future__ import annotations

from typing import Any

import numpy as np

from kentino_desk.engine.quantity import quantity

_SOURCE = "training_fit_notes, section 6"
_ERROR = "operator tables: median 6 % from 64 MiB up, 12 % over all sizes"


@quantity(title="Bytes one rank moves", unit="B", symbol="V", source=_SOURCE)
def moved_bytes(message_bytes: Any, ranks: Any, ring_passes: Any) -> Any:
    """An all-reduce passes the buffer round twice, the others once; a send carries all of it.

    V = passes·(n − 1)/n·s
    """
    return ring_passes * (ranks - 1.0) / ranks * message_bytes


@quantity(title="Bus bandwidth of the group", unit="B/s", symbol="B", source=_SOURCE, error=_ERROR)
def group_bus_bytes_per_s(
    inside_bus_bytes_per_s: Any, network_bus_bytes_per_s: Any, group_nodes: Any
) -> Any:
    """Across nodes the slower of the bus inside a node and the NICs of one node.

    B = min( B_in, share·NICs ), B_in for one node
    """
    slower = np.minimum(inside_bus_bytes_per_s, network_bus_bytes_per_s)
    return np.where(group_nodes > 1, slower, inside_bus_bytes_per_s)


@quantity(title="Start of the group", unit="s", symbol="a", source=_SOURCE, error=_ERROR)
def group_start_s(inside_start_s: Any, network_start_s: Any, group_nodes: Any) -> Any:
    """Start inside a node, and one start of the network per doubling of the nodes.

    a = a_in + a_net·ceil( log2(nodes) )
    """
    return inside_start_s + network_start_s * np.ceil(np.log2(np.maximum(group_nodes, 1.0)))


@quantity(title="Time on the wire", unit="s", symbol="x", source=_SOURCE, error=_ERROR)
def wire_s(moved_bytes: Any, group_bus_bytes_per_s: Any) -> Any:
    """Bytes of one rank at the bus bandwidth.

    x = V/B
    """
    return moved_bytes / group_bus_bytes_per_s


@quantity(title="Time of a collective", unit="s", symbol="t", source=_SOURCE, error=_ERROR)
def collective_s(group_start_s: Any, wire_s: Any) -> Any:
    """Start and wire; the root stands for sizes at which neither is negligible.

    t = a + x + 0.5·√(a·x)
    """
    return group_start_s + wire_s + 0.5 * np.sqrt(group_start_s * wire_s)


@quantity(title="Bus bandwidth reached", unit="B/s", symbol="b", source=_SOURCE, error=_ERROR)
def reached_bus_bytes_per_s(moved_bytes: Any, collective_s: Any) -> Any:
    """Bytes of one rank over the time of the operation, as the usual tests print it.

    b = V/t
    """
    return moved_bytes / collective_s
