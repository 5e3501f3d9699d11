"""Every training layout of the catalog at once: platforms, nodes, fabrics and degrees as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.candidate_columns import fabric_type
from kentino_desk.decision.layouts import training_builds, training_degrees
from kentino_desk.decision.numbers import numbers_of
from kentino_desk.decision.search_rows import platforms
from kentino_desk.decision.space import expert_ranks, training_recipe
from kentino_desk.decision.trained import training_numbers
from kentino_desk.domain.candidate import Build
from kentino_desk.domain.choices import Fabric
from kentino_desk.engine import policy
from kentino_desk.engine.columns import Axis, taken
from kentino_desk.engine.policy_tables import STACKS
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.training_inputs import training_columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Workload

BLOCK = 4096
FOUND = ("peak_share", "train_tokens_per_s", "train_tokens_per_s_per_gpu", "training_efficiency")


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRows:
    """Training layouts as axes, one code per row, and the build of each row."""

    axes: Mapping[str, Axis]
    builds: Axis

    def __len__(self) -> int:
        return len(self.builds.codes)

    def taken(self, rows: Any) -> TrainingRows:
        """Some of the rows."""
        axes = {name: axis.taken(rows) for name, axis in self.axes.items()}
        return TrainingRows(axes, self.builds.taken(rows))


def training_rows(model: ModelCard, workload: Workload, snapshot: CatalogSnapshot) -> TrainingRows:
    """Every platform of the catalog, alone and joined by every fabric, in every layout."""
    splits = STACKS[workload.training.stack].splits_layers
    builds = _builds(workload.constraints.nodes_max, snapshot)
    cp = workload.training.context_parallel
    degrees = [
        training_degrees(model, build, cp, splits_layers=splits, gpus_per_node=build.node.gpu_count)
        for build in builds
    ]
    code = np.repeat(np.arange(len(builds)), [len(item) for item in degrees])
    rows = [row for item in degrees for row in item]
    ep = [expert_ranks(model, builds[b], dp) for b, (_, _, dp) in zip(code, rows, strict=True)]
    by_build: dict[str, list[Any]] = {
        "gpu": [build.gpu for build in builds],
        "nvlink": [build.node.nvlink for build in builds],
        "fabric": [fabric_type(build.fabric, snapshot) for build in builds],
        "gpus_per_node": [build.node.gpu_count for build in builds],
        "nodes": [build.nodes for build in builds],
        "nics_per_node": [workload.constraints.nics_per_node for _ in builds],
    }
    axes = {name: Axis.of(values).taken(code) for name, values in by_build.items()}
    axes |= {
        name: Axis.of(values)
        for name, values in zip(("tp", "pp", "dp"), zip(*rows, strict=True), strict=True)
    }
    axes |= {"ep": Axis.of(ep), "cp": Axis.of([cp] * len(ep))}
    return TrainingRows(axes, Axis(tuple(builds), code))


def _builds(nodes_max: int, snapshot: CatalogSnapshot) -> list[Build]:
    fabrics = [item for item in Fabric if item in snapshot.fabrics]
    builds = []
    for place in platforms(snapshot):
        for build in training_builds(place.node, place.gpu, nodes_max):
            if build.nodes == 1:
                builds.append(build)
            else:
                builds += [Build(build.node, build.gpu, build.nodes, item) for item in fabrics]
    return builds


def trained(rows: TrainingRows, workload: Workload, snapshot: CatalogSnapshot) -> dict[str, Any]:
    """Memory share, rate and efficiency of every row."""
    model = snapshot.models[workload.model]
    inputs = {
        **training_columns(model, training_recipe(workload), rows.axes),
        **policy.values(),
        **training_numbers(numbers_of(workload)),
    }
    blocks = [slice(start, start + BLOCK) for start in range(0, len(rows), BLOCK)]
    found = [compute(FOUND, taken(inputs, block)) for block in blocks]
    ones = [np.ones(len(rows.builds.codes[block])) for block in blocks]
    return {
        name: np.concatenate([v[name] * one for v, one in zip(found, ones, strict=True)])
        for name in FOUND
    }
