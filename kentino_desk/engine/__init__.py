"""The numbers: one plain function per quantity, for scalars and NumPy arrays alike.

Importing the package registers every quantity.
"""

from __future__ import annotations

from kentino_desk.engine import (
    collectives,
    kv_cache,
    power,
    server_memory,
    site,
    steady_state,
    step_time,
    training_memory,
    training_time,
    weights,
)

__all__ = [
    "collectives",
    "kv_cache",
    "power",
    "server_memory",
    "site",
    "steady_state",
    "step_time",
    "training_memory",
    "training_time",
    "weights",
]
