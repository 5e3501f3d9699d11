"""Unit factors. GB is 10^9 bytes, GiB is 2^30 bytes; conversions stand here and nowhere else."""

from __future__ import annotations

KIB = 2**10
MIB = 2**20
GIB = 2**30
GB = 10**9
TB = 10**12
TERA = 10**12

SECONDS_PER_DAY = 86_400.0
HOURS_PER_YEAR = 8_760.0
BTU_PER_H_PER_W = 3.412
CFM_PER_M3_PER_H = 1.0 / 1.699
AIR_M3_K_PER_H_W = 2.985
"""Air volume per watt and kelvin: 3600 / (1.2 kg/m3 x 1005 J/kg/K)."""


def gib(size_bytes: float) -> float:
    """Bytes as GiB."""
    return size_bytes / GIB


def gib_from_mib(size_mib: float) -> float:
    """MiB, as drivers print them, as GiB."""
    return size_mib / 1024.0
