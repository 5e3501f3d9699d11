"""Tokens per second and GPU of measured training runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.catalog.measured_models import measured_model
from kentino_desk.engine import policy
from kentino_desk.engine.card_inputs import card_and_fabric
from kentino_desk.engine.policy_speed_bands import TRAINING_BANDS
from kentino_desk.engine.policy_tables import OLD_MOE_RELEASE_SPEED
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.stated_run_inputs import stated_run_inputs
from kentino_desk.validation.perf_training_words import (
    batch_tokens,
    is_old_moe_release,
    method_of,
    micro_batch,
    run_of,
    sequence_of,
    stack_of,
)
from kentino_desk.validation.score import Detail, RowScore

if TYPE_CHECKING:
    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.engine.stated_run_inputs import StatedRun
    from kentino_desk.validation.rows import Row

KIND = "perf-training"
COLUMNS = (
    "id", "model", "model_key", "params_b", "method", "precision", "gpu", "gpu_key", "gpu_id",
    "gpu_id_basis", "n_gpus", "gpus_per_node", "nodes", "fabric", "tp", "pp", "vp", "cp", "ep",
    "dp_sharding", "seq_len", "global_batch", "micro_batch", "grad_accum", "tokens_per_s_per_gpu",
    "tokens_per_s_total", "tflops_per_gpu", "mfu_pct", "hfu_pct", "sol_pct", "mfu_calc_pct",
    "recompute", "offload", "engine", "date", "source", "source_url", "notes", "split_unit",
)  # fmt: skip
FIGURES = ("tokens_per_s_per_gpu",)

NO_SHAPE = "no shape of the model"
NO_CARD = "card not in the catalog"
NO_STACK = "no class for the framework"
NO_METHOD = "no rule for the method"
NO_SEQUENCE = "sequence length not stated, and no default of the source"
OFFLOADED = "states offloaded to the host: not modelled"
IMPOSSIBLE = "implies 0.9 or more of the card's peak: read otherwise than meant"
NO_FIGURE = "no speed stated"
IMPOSSIBLE_CARDS = frozenset({"rtx-a6000"})
"""Two A6000 rows of torchtune imply 0.9 and 1.3 of the peak (training_fit_notes, section 5)."""


def score_row(row: Row, snapshot: CatalogSnapshot) -> RowScore:
    """Predict the speed of one run."""
    measured = row.number("tokens_per_s_per_gpu")
    model = measured_model(row["model"], KIND, snapshot)
    gpu = snapshot.gpus.get(row["gpu_id"])
    reason = _skip_reason(row, model, gpu, measured)
    if reason or model is None or gpu is None:
        detail = Detail(id=row.id, figure=FIGURES[0], measured=measured, skipped=reason)
        return RowScore(id=row.id, details=(detail,), skipped=reason)
    kind, stack = method_of(row), stack_of(row)
    assert kind is not None
    assert stack is not None
    run = run_of(row, gpu, model, kind, stack)
    name = _class(model, run)
    inputs = _inputs(row, run, model)
    best = _speed(row, model, inputs)
    low, high = TRAINING_BANDS[name]
    detail = Detail(
        id=row.id, figure=FIGURES[0], measured=measured, predicted=best, low=best * low,
        high=best * high,
    )  # fmt: skip
    return RowScore(
        id=row.id,
        details=(detail,),
        unit=row["split_unit"],
        peers=f"{row['source_url']}|{row['model_key']}",
        groups={
            "class": name, "stack": stack,
            "card and fabric": f"{card_and_fabric(gpu)}, {name.split(',')[0]}",
            "card": row["gpu_id"], "format": run.number_format,
        },
        inputs=inputs,
    )  # fmt: skip


def _skip_reason(row: Row, model: ModelCard | None, gpu: Gpu | None, measured: float | None) -> str:
    if row["offload"] not in {"", "none"}:
        return OFFLOADED
    if gpu is not None and gpu.id in IMPOSSIBLE_CARDS and "torchtune" in row["engine"]:
        return IMPOSSIBLE
    reasons = {
        NO_FIGURE: not measured,
        NO_SHAPE: model is None,
        NO_CARD: gpu is None,
        NO_STACK: stack_of(row) is None,
        NO_METHOD: method_of(row) is None,
        NO_SEQUENCE: sequence_of(row) is None,
    }
    return next((reason for reason, found in reasons.items() if found), "")


def _class(model: ModelCard, run: StatedRun) -> str:
    if not run.trains_all:
        return "adapters"
    if model.is_moe:
        return "experts"
    return "dense, NVLink" if run.gpu.has_nvlink else "dense, PCIe"


def _inputs(row: Row, run: StatedRun, model: ModelCard) -> dict[str, float]:
    sequence = sequence_of(row) or 0.0
    batch = micro_batch(row, run)
    numbers = {
        "sequence_length": sequence,
        "micro_batch": batch,
        "micro_batch_tokens": batch * sequence,
        "global_batch_tokens": batch_tokens(row, run, model, sequence),
    }
    return {**policy.values(), **stated_run_inputs(model, run), **numbers}


def _speed(row: Row, model: ModelCard, inputs: dict[str, float]) -> float:
    found = compute(("train_tokens_per_s_per_gpu",), inputs)
    speed = float(found["train_tokens_per_s_per_gpu"])
    old = model.is_moe and is_old_moe_release(row)
    return speed * (OLD_MOE_RELEASE_SPEED if old else 1.0)
