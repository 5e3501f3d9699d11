"""Classes of requirements by kind of work and size of the build: what a node of each has.

Source: seed-ru, claims C173 to C206 (decision_rules, section 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Fabric, Kind

if TYPE_CHECKING:
    from kentino_desk.domain.candidate import Build


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementClass:
    """One class: GPUs and RAM of a node, network and the claims it rests on.

    ``ram_gb`` is empty where the class leaves it to the work.
    """

    key: str
    gpus: tuple[int, int]
    ram_gb: tuple[int, int] | None
    network_gbit_per_s: tuple[int, int]
    claims: tuple[str, ...]


SERVICES = RequirementClass(
    key="services",
    gpus=(1, 2),
    ram_gb=(128, 256),
    network_gbit_per_s=(25, 100),
    claims=("C173", "C174", "C177", "C206"),
)
TEAM = RequirementClass(
    key="team",
    gpus=(4, 8),
    ram_gb=(512, 2048),
    network_gbit_per_s=(200, 200),
    claims=("C175", "C176", "C178"),
)
DISTRIBUTED = RequirementClass(
    key="distributed",
    gpus=(4, 8),
    ram_gb=None,
    network_gbit_per_s=(400, 400),
    claims=("C179",),
)
SERVICE_GPUS = SERVICES.gpus[1]


def requirement_class(kind: Kind, build: Build) -> RequirementClass:
    """The class of a build: by its fabric, then by what it does and its size."""
    if build.nodes > 1 and build.fabric is not Fabric.NONE:
        return DISTRIBUTED
    if kind.is_serving and build.node.gpu_count <= SERVICE_GPUS:
        return SERVICES
    return TEAM
