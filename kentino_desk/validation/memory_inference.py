"""Memory of measured servers: weights, tokens, activations, whole runs, and whether they start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.validation.score import FAILED, Detail, RowScore, Verdict
from kentino_desk.validation.server_figures import SkipError, predicted, verdict_word
from kentino_desk.validation.server_words import KIND

if TYPE_CHECKING:
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.validation.rows import Row

__all__ = ["COLUMNS", "FIGURES", "KIND", "score_row"]

COLUMNS = (
    "id", "source_url", "date", "engine", "engine_version", "engine_release",
    "engine_release_basis", "model", "weight_format", "kv_dtype", "gpu", "gpu_id", "gpu_id_basis",
    "gpu_mem_gib", "n_gpus", "tp", "pp", "dp", "ep", "mtp", "dcp", "max_model_len",
    "gpu_memory_utilization", "max_num_seqs", "max_num_batched_tokens", "enforce_eager",
    "weights_gib_per_gpu", "kv_cache_gib_per_gpu", "kv_cache_tokens", "activation_peak_gib",
    "cuda_graph_gib", "non_torch_gib", "outcome", "note", "total_used_gib_per_gpu", "family",
    "attention_class", "hand_weights_gib_per_gpu", "kv_bytes_per_token_per_gpu_implied",
)  # fmt: skip
FIGURES = ("weights_gib", "kv_tokens", "kv_tokens_given_pool", "activation_gib", "peak_gib")
NO_FIGURE = "the row states an outcome only"
NOT_A_BUDGET = "stopped for another reason than its budget"
STARTED = "started, and failed later in service"
_LATER = ("started, then", "warm-up passed", "warm-up accepted")


def score_row(row: Row, snapshot: CatalogSnapshot) -> RowScore:
    """Predict every figure that a row states."""
    measured = {
        "weights_gib": row.number("weights_gib_per_gpu"),
        "kv_tokens": row.number("kv_cache_tokens"),
        "kv_tokens_given_pool": _if_pool(row),
        "activation_gib": row.number("activation_peak_gib"),
        "peak_gib": row.number("total_used_gib_per_gpu"),
    }
    details = tuple(
        _detail(row, snapshot, name, value) for name, value in measured.items() if value
    )
    verdict = _verdict(row, snapshot)
    scored = verdict is not None or any(not item.skipped for item in details)
    return RowScore(
        id=row.id,
        details=details,
        skipped="" if scored else _first_reason(details),
        verdict=verdict,
        groups=_groups(row),
    )


def _if_pool(row: Row) -> float | None:
    return row.number("kv_cache_tokens") if row.number("kv_cache_gib_per_gpu") else None


def _groups(row: Row) -> dict[str, str]:
    return {"family": row["family"], "engine": row["engine"], "card": row["gpu"]}


def _first_reason(details: tuple[Detail, ...]) -> str:
    return details[0].skipped if details else NO_FIGURE


def _detail(row: Row, snapshot: CatalogSnapshot, figure: str, measured: float) -> Detail:
    try:
        best, low, high = predicted(row, snapshot, figure)
    except SkipError as reason:
        return Detail(id=row.id, figure=figure, measured=measured, skipped=str(reason))
    return Detail(id=row.id, figure=figure, measured=measured, predicted=best, low=low, high=high)


def _verdict(row: Row, snapshot: CatalogSnapshot) -> Verdict | None:
    if not row["outcome"]:
        return None
    try:
        word = verdict_word(row, snapshot)
    except SkipError:
        return None
    return Verdict(id=row.id, predicted=word, measured=row["outcome"], explained=_explained(row))


def _explained(row: Row) -> str:
    """A row that failed for a reason that its own note keeps apart from the budget."""
    if row["outcome"] != FAILED:
        return ""
    if "not a plain OOM" in row["note"]:
        return NOT_A_BUDGET
    return STARTED if any(words in row["note"] for words in _LATER) else ""
