"""Peak memory of measured training runs, and whether they ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.catalog.measured_models import measured_model
from kentino_desk.domain.units import GIB
from kentino_desk.engine import policy
from kentino_desk.engine.policy_training_memory import (
    KNOWN_PEAK_BAND,
    OPEN_PEAK_BAND,
    STACK_MEMORY,
    TIGHT_PEAK_SHARE,
    UNPACKED_FILL,
)
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.training_memory_inputs import training_memory_inputs
from kentino_desk.validation.run_words import (
    SHARDS,
    method_of,
    micro_batch,
    packing_fill,
    run_of,
    sequence_tokens,
    stack_of,
)
from kentino_desk.validation.score import FITS, NO, TIGHT, Detail, RowScore, Verdict

if TYPE_CHECKING:
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.validation.rows import Row

KIND = "memory-training"
COLUMNS = (
    "id", "source_url", "date", "framework", "model", "method", "lora_rank", "precision",
    "optimizer", "seq_len", "micro_batch", "grad_checkpointing", "sharding", "shard", "tp", "pp",
    "cp", "ep", "offload", "loss", "packing", "compile", "gpu", "gpu_id", "gpu_id_basis",
    "gpu_mem_gib", "n_gpus", "peak_gib_per_gpu", "outcome", "note", "family",
    "hand_weights_gib_per_gpu",
)  # fmt: skip
FIGURES = ("peak_gib",)

ODD = "marked as odd by the source check"
UPPER_BOUND = "an upper bound, not a peak"
NO_LAYOUT = "parallel layout not stated"
NO_SHAPE = "no shape of the model"
NO_METHOD = "no rule for the method"
NO_FIGURE = "the row states an outcome only"


def score_row(row: Row, snapshot: CatalogSnapshot) -> RowScore:
    """Predict the peak of a row and say whether it fits the card."""
    measured = row.number("peak_gib_per_gpu")
    model = measured_model(row["model"], KIND, snapshot)
    reason = _skip_reason(row, model)
    groups = {"family": row["family"], "stack": row["framework"], "method": row["method"]}
    if reason or model is None:
        details = _skipped(row, measured, reason)
        return RowScore(id=row.id, details=details, skipped=reason, groups=groups)
    peak, low, high = _peak(row, model)
    detail = Detail(
        id=row.id, figure="peak_gib", measured=measured, predicted=peak, low=low, high=high
    )
    verdict = _verdict(row, peak, high)
    return RowScore(
        id=row.id,
        details=(detail,) if measured else (),
        skipped="" if measured or verdict else NO_FIGURE,
        verdict=verdict,
        groups=groups,
    )


def _skipped(row: Row, measured: float | None, reason: str) -> tuple[Detail, ...]:
    if not measured:
        return ()
    return (Detail(id=row.id, figure="peak_gib", measured=measured, skipped=reason),)


def _skip_reason(row: Row, model: ModelCard | None) -> str:
    if "ODD" in row["note"]:
        return ODD
    if "upper bound" in row["note"]:
        return UPPER_BOUND
    if row["shard"] not in SHARDS:
        return NO_LAYOUT
    if method_of(row) is None:
        return NO_METHOD
    return NO_SHAPE if model is None else ""


def _peak(row: Row, model: ModelCard) -> tuple[float, float, float]:
    """Peak in GiB with its range; samples that are not packed may fill the whole sequence."""
    stack = stack_of(row)
    fill = packing_fill(row)
    best = _peak_gib(row, model, fill)
    whole = _peak_gib(row, model, 1.0) if fill == UNPACKED_FILL else best
    known = STACK_MEMORY[stack].settings_known
    low, high = KNOWN_PEAK_BAND if known else OPEN_PEAK_BAND
    return best, best * low, max(best * high, whole)


def _peak_gib(row: Row, model: ModelCard, fill: float) -> float:
    inputs = training_memory_inputs(model, run_of(row, model)) | policy.values()
    numbers = {
        "sequence_length": sequence_tokens(row),
        "micro_batch": micro_batch(row, stack_of(row)),
        "packing_fill": fill,
    }
    return float(compute(("peak_bytes",), {**inputs, **numbers})["peak_bytes"]) / GIB


def _verdict(row: Row, peak: float, high: float) -> Verdict | None:
    """Fits up to 92 % of the card, tight up to 105 %; with settings unknown by the high end."""
    card = row.number("gpu_mem_gib")
    if card is None or not row["outcome"]:
        return None
    known = STACK_MEMORY[stack_of(row)].settings_known
    safe = peak <= policy.value("peak_share_fits") * card and (known or high <= card)
    word = FITS if safe else TIGHT if peak <= TIGHT_PEAK_SHARE * card else NO
    return Verdict(id=row.id, predicted=word, measured=row["outcome"])
