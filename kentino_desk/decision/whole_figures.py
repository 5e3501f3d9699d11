"""Figures of the workload as a whole: load, what a node carries, needed rates, state."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from kentino_desk.decision.numbers import by_users
from kentino_desk.decision.results import FigureValue
from kentino_desk.domain.choices import Evidence, Kind, ThroughputUnit
from kentino_desk.domain.units import SECONDS_PER_DAY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.facts import Choice
    from kentino_desk.decision.selection import Field
    from kentino_desk.decision.verdict import Ruling


def whole_figures(field: Field, choice: Choice, ruling: Ruling) -> Mapping[str, FigureValue]:
    """Figures that belong to the workload, not to one candidate."""
    found: dict[str, tuple[float | None, str, str]] = {}
    serving = field.workload.kind.is_serving
    found |= _serving(field, choice) if serving else _training(field, choice, ruling)
    return {
        key: FigureValue(
            key=key, value=value, unit=unit, low=value, high=value,
            evidence=Evidence.ESTIMATE, quantity=quantity,
        )
        for key, (value, unit, quantity) in found.items()
    }  # fmt: skip


def _serving(field: Field, choice: Choice) -> dict[str, tuple[float | None, str, str]]:
    run, workload = field.run, field.workload
    users = by_users(workload)
    unit = "users" if users else "tokens" if workload.kind is Kind.BATCH else "tok/s"
    figures: dict[str, tuple[float | None, str, str]] = {"load": (run.load, unit, "")}
    if choice.single is not None:
        carried = float(run.x_node[choice.single])
        key = "x_node_users" if users else "x_node_tokens_per_s"
        figures[key] = (carried, "users" if users else "tok/s", "")
    if run.needed_rate is not None:
        figures["tokens_per_s_needed"] = (run.needed_rate, "tok/s", "")
    if workload.kind is Kind.BATCH and choice.single is not None:
        days = run.evaluation.value("batch_days", choice.single)
        figures["batch_days"] = (days, "days", "batch_days")
    return figures


def _training(
    field: Field, choice: Choice, ruling: Ruling
) -> dict[str, tuple[float | None, str, str]]:
    run, training = field.run, field.workload.training
    row = next((r for r in (ruling.row, choice.single, choice.failing, 0) if r is not None), 0)
    total = run.evaluation.value("state_total_bytes", row) * 1e-12
    figures: dict[str, tuple[float | None, str, str]] = {
        "load": (run.load, "tokens", ""),
        "state_tb": (total, "TB", "state_total_bytes"),
    }
    if run.needed_rate is not None:
        figures["tokens_per_s_needed"] = (run.needed_rate, "tok/s", "")
    if training.throughput_value is not None:
        figures |= _typed(field, row)
    return figures


def _typed(field: Field, row: int) -> dict[str, tuple[float | None, str, str]]:
    """Nodes and days by the rate that was typed, and the engine's own rate of a node beside it."""
    training, run = field.workload.training, field.run
    build = run.candidates[row].build
    per_node = float(training.throughput_value or 0.0)
    if training.throughput_unit is ThroughputUnit.PER_GPU:
        per_node *= build.node.gpu_count
    if training.throughput_unit is ThroughputUnit.TOTAL:
        per_node /= build.nodes
    figures: dict[str, tuple[float | None, str, str]] = {
        "engine_tokens_per_s_node": (float(run.x_node[row]), "tok/s", "train_tokens_per_s"),
    }
    if run.needed_rate is not None:
        nodes = ceil(run.needed_rate / per_node - 1e-9)
        figures["nodes_by_typed_rate"] = (float(nodes), "nodes", "")
        days = training.tokens / (per_node * nodes * SECONDS_PER_DAY * training.availability)
        figures["days_at_typed_rate"] = (days, "days", "")
    return figures
