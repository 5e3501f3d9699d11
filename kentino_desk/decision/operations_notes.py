"""Notes about running the build: operating tax, network, storage, scheduler, start-up.

Source: decision_rules, section 4 and 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.decision.note_context import NoteRule
from kentino_desk.decision.pricing import SWITCHLESS_NODES, nics_per_node
from kentino_desk.decision.requirement_classes import requirement_class
from kentino_desk.domain.choices import Kind, Severity
from kentino_desk.domain.units import GB, GIB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kentino_desk.decision.note_context import Context, Numbers

NODE_HOURS_A_MONTH = 8
"""Engineering hours of one node a month [A]: the seller gives the factors below and no hours."""
ADDED_NODE_FACTOR = (4, 5)
"""Engineering time of each added node against that of one alone (C081)."""
RAMP_SHARE, RAMP_MONTHS = 0.5, 6
"""Capacity of a cluster in its first months where nobody budgeted its operation (C082)."""
DISK_GB_PER_S = 5.0
"""Reading rate of an NVMe drive, PCIe Gen4 class [A]."""
SWITCHLESS_MOST = 8
"""Nodes above which joining without a switch is no longer sensible (C140)."""
SWITCH_EUR = (40_000, 80_000)
"""A 32-port 400 GbE switch with optics and licences (C139)."""
SWITCHLESS_SAVING_EUR = (10_000, 30_000)
"""Against even a small 100 GbE switch with optics (C142)."""
SHARED_STORE_NODES = 4
"""Up to this many nodes share an NFS or all-flash store; above, a parallel file system."""


def _operating_tax(context: Context) -> Iterator[Numbers]:
    if context.nodes < 2:
        return
    added = context.nodes - 1
    low, high = (factor * added for factor in ADDED_NODE_FACTOR)
    work = "replicas" if not context.is_cluster else "serving"
    yield {
        "nodes": context.nodes,
        "work": "training" if context.kind.is_training else work,
        "low": low,
        "high": high,
        "hours": NODE_HOURS_A_MONTH,
        "hours_low": NODE_HOURS_A_MONTH * low,
        "hours_high": NODE_HOURS_A_MONTH * high,
        "failures": context.nodes,
        "ramp": RAMP_SHARE,
        "months": RAMP_MONTHS,
    }


def _nic_rule(context: Context) -> Iterator[Numbers]:
    if context.is_cluster and context.build:
        yield {
            "gpus": context.build.node.gpu_count,
            "nics": nics_per_node(context.build),
            "counted": context.field.workload.constraints.nics_per_node,
        }


def _spare_node(context: Context) -> Iterator[Numbers]:
    if context.is_cluster:
        yield {"nodes": context.nodes, "spare": 1}


def _switchless(context: Context) -> Iterator[Numbers]:
    if not context.is_cluster:
        return
    few, some = context.nodes <= SWITCHLESS_NODES, context.nodes <= SWITCHLESS_MOST
    yield {
        "nodes": context.nodes,
        "case": "enough" if few else "possible" if some else "needed",
        "limit": SWITCHLESS_NODES,
        "most": SWITCHLESS_MOST,
        "price_low": SWITCH_EUR[0],
        "price_high": SWITCH_EUR[1],
        "saving_low": SWITCHLESS_SAVING_EUR[0],
        "saving_high": SWITCHLESS_SAVING_EUR[1],
    }


def _storage_tier(context: Context) -> Iterator[Numbers]:
    if context.nodes:
        shared = context.nodes <= SHARED_STORE_NODES
        tier = "local" if context.nodes == 1 else "shared" if shared else "parallel"
        yield {"nodes": context.nodes, "tier": tier}


def _scheduler(context: Context) -> Iterator[Numbers]:
    if context.nodes == 1:
        yield {"scheduler": "none", "nodes": context.nodes}
    elif context.nodes:
        service = context.kind is Kind.CHAT
        yield {"scheduler": "kubernetes" if service else "slurm", "nodes": context.nodes}


def _requirement_class(context: Context) -> Iterator[Numbers]:
    if context.build is None:
        return
    found = requirement_class(context.kind, context.build)
    ram = found.ram_gb or (0, 0)
    yield {
        "name": found.key,
        "gpus": context.build.node.gpu_count,
        "gpus_low": found.gpus[0],
        "gpus_high": found.gpus[1],
        "ram_low_gb": ram[0],
        "ram_high_gb": ram[1],
        "network_low_gbit": found.network_gbit_per_s[0],
        "network_high_gbit": found.network_gbit_per_s[1],
        "claims": ", ".join(found.claims),
    }


def _load_time(context: Context) -> Iterator[Numbers]:
    chosen, build = context.chosen, context.build
    if chosen is None or build is None:
        return
    weights = chosen.figures["weights_gib"].value or 0.0
    used = chosen.figures["used_gib"].value or 0.0
    serving = context.kind.is_serving
    spread = chosen.candidate.gpus_per_copy if serving else build.gpus
    read = weights * min(spread, build.node.gpu_count) * GIB
    yield {
        "weights_gib": weights * spread,
        "ram_gib": used * build.node.gpu_count,
        "seconds": read / (DISK_GB_PER_S * GB),
        "disk_gb_per_s": DISK_GB_PER_S,
    }


OPERATIONS_NOTES: tuple[NoteRule, ...] = (
    NoteRule(
        key="operating_tax",
        severity=Severity.LOOK,
        sources=("C080", "C081", "C082", "C083", "C084", "C085", "C086", "C158"),
        speaks=_operating_tax,
    ),
    NoteRule(key="nic_per_4_gpus", severity=Severity.LOOK, sources=("C197",), speaks=_nic_rule),
    NoteRule(key="spare_node", severity=Severity.LOOK, sources=("C181",), speaks=_spare_node),
    NoteRule(
        key="switchless",
        severity=Severity.INFO,
        sources=("C139", "C140", "C141", "C142"),
        speaks=_switchless,
    ),
    NoteRule(
        key="storage_tier",
        severity=Severity.INFO,
        sources=("decision_rules §4", "C122"),
        speaks=_storage_tier,
    ),
    NoteRule(key="scheduler", severity=Severity.INFO, sources=("C125",), speaks=_scheduler),
    NoteRule(
        key="requirement_class", severity=Severity.INFO, sources=(), speaks=_requirement_class
    ),
    NoteRule(
        key="load_time",
        severity=Severity.INFO,
        sources=("decision_rules §4", "C108", "C109"),
        speaks=_load_time,
    ),
)
