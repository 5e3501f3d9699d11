"""Throughput, time per token and time to first token of measured closed-loop servers."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.catalog.measured_models import measured_model
from kentino_desk.domain.choices import Engine, Format, Host
from kentino_desk.engine import policy
from kentino_desk.engine.card_inputs import card_and_fabric
from kentino_desk.engine.policy_speed_bands import SERVING_BANDS, serving_class
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.serving_inputs import ServingLayout, ServingSetup, serving_inputs
from kentino_desk.validation.score import Detail, RowScore

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.validation.rows import Row

KIND = "serving"
COLUMNS = (
    "source_row", "split_unit", "model", "moe", "weight_format", "weight_format_basis", "kv_dtype",
    "spec_decode", "gpu", "gpu_id", "gpu_id_basis", "n_gpus", "framework", "version", "mode", "tp",
    "pp", "ep", "dp_attention", "prefill_workers", "prefill_tp", "prefill_ep", "prefill_dp",
    "decode_workers", "decode_tp", "decode_ep", "decode_dp", "isl", "osl", "concurrency",
    "ttft_ms", "tpot_ms", "e2e_ms", "output_tok_s", "output_tok_s_per_gpu", "repeats",
    "same_config_rows", "same_config_tpot_spread", "measured_on", "harness",
    "implied_compute_share", "wip", "queue_limited", "score", "layout_note",
)  # fmt: skip
FIGURES = ("output_tok_s", "tpot_ms", "ttft_ms")
_QUANTITIES: Mapping[str, tuple[str, float]] = MappingProxyType(
    {
        "output_tok_s": ("copy_tokens_per_s", 1.0),
        "tpot_ms": ("tpot_s", 1e3),
        "ttft_ms": ("ttft_s", 1e3),
    }
)
_FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "bf16": Format.BF16,
        "fp8": Format.FP8,
        "fp8_block": Format.FP8,
        "mxfp4": Format.MXFP4,
        "nvfp4": Format.NVFP4,
        "int4": Format.INT4,
        "int8": Format.INT8,
    }
)
_CACHES: Mapping[str, Format] = MappingProxyType(
    {"": Format.BF16, "bf16": Format.BF16, "fp16": Format.BF16, "auto": Format.BF16,
     "fp8": Format.FP8, "fp8_e4m3": Format.FP8}
)  # fmt: skip
"""A source that does not state its cache most likely kept the engine's default, 16 bit."""

NOT_SCORED = "the source check leaves the row out"
NO_SHAPE = "no shape of the model"
NO_CARD = "card not in the catalog"
NO_FORMAT = "no kernel row for the weight format"
NO_CACHE = "no rule for the format of the cache"
NO_ENGINE = "no overheads for the engine"
DRAFTED = "speculative decoding is not modelled"
NO_LOAD = "lengths, users or layout not stated"


def score_row(row: Row, snapshot: CatalogSnapshot) -> RowScore:
    """Predict what one closed loop of requests reached."""
    measured = {name: row.number(name) for name in FIGURES}
    model = measured_model(row["model"], KIND, snapshot)
    gpu = snapshot.gpus.get(row["gpu_id"])
    reason = _skip_reason(row, model, gpu)
    if reason or model is None or gpu is None:
        details = tuple(
            Detail(id=row.id, figure=name, measured=value, skipped=reason)
            for name, value in measured.items()
            if value
        )
        return RowScore(id=row.id, details=details, skipped=reason)
    inputs = _row_inputs(row, model, gpu)
    predicted = _predicted(inputs)
    return RowScore(
        id=row.id,
        details=tuple(
            _detail(row, gpu, name, value, predicted[name])
            for name, value in measured.items()
            if value
        ),
        unit=row["split_unit"],
        peers=row["split_unit"],
        groups=_groups(row, model, gpu),
        inputs=inputs,
    )


def _skip_reason(row: Row, model: ModelCard | None, gpu: Gpu | None) -> str:
    if row["score"] != "yes":
        return row["score"].removeprefix("no: ") or NOT_SCORED
    if row["spec_decode"] not in {"", "none", "no"}:
        return DRAFTED
    reasons = {
        NO_SHAPE: model is None,
        NO_CARD: gpu is None,
        NO_FORMAT: row["weight_format"] not in _FORMATS,
        NO_CACHE: row["kv_dtype"] not in _CACHES,
        NO_ENGINE: row["framework"] not in set(Engine),
        NO_LOAD: not all(row.number(name) for name in ("isl", "osl", "concurrency", "n_gpus")),
    }
    return next((reason for reason, found in reasons.items() if found), "")


def _groups(row: Row, model: ModelCard, gpu: Gpu) -> dict[str, str]:
    return {
        "model": row["model"],
        "card and fabric": card_and_fabric(gpu),
        "engine": row["framework"],
        "attention groups": row["dp_attention"] or "1",
        "class": serving_class(gpu, row.count("dp_attention") or 1),
        "kind of model": "experts" if model.is_moe else "dense",
    }


def _detail(row: Row, gpu: Gpu, name: str, measured: float, best: float) -> Detail:
    low, high = SERVING_BANDS[serving_class(gpu, row.count("dp_attention") or 1)][name]
    return Detail(
        id=row.id, figure=name, measured=measured, predicted=best, low=best * low, high=best * high
    )


def _predicted(inputs: Mapping[str, float]) -> dict[str, float]:
    names = tuple(name for name, _ in _QUANTITIES.values())
    values = compute(names, inputs)
    return {figure: float(values[name]) * scale for figure, (name, scale) in _QUANTITIES.items()}


def _row_inputs(row: Row, model: ModelCard, gpu: Gpu) -> dict[str, float]:
    pp = row.count("pp") or 1
    layout = ServingLayout(
        gpu=gpu,
        weights=_FORMATS[row["weight_format"]],
        kv_cache=_CACHES[row["kv_dtype"]],
        tp=max((row.count("n_gpus") or 1) // pp, 1),
        pp=pp,
        dp_attention=row.count("dp_attention") or 1,
        nvlink=gpu.has_nvlink,
    )
    given = dict(_inputs(model, layout, Engine(row["framework"])))
    prompt, answer = row.number("isl") or 0.0, row.number("osl") or 0.0
    return given | {
        "users_per_copy": row.number("concurrency") or 1.0,
        "input_tokens": prompt,
        "output_tokens": answer,
        "context_tokens": prompt + answer,
    }


@lru_cache(maxsize=512)
def _inputs(model: ModelCard, layout: ServingLayout, engine: Engine) -> Mapping[str, float]:
    """Everything but the load; a server of this file is one copy with no cached prefix."""
    setup = ServingSetup(
        engine=engine, release="", max_num_seqs=None, utilisation=None, host=Host.DEFAULT
    )
    fixed = {"prompt_reuse": 0.0, "replicas": 1.0}
    return MappingProxyType(serving_inputs(model, layout, setup) | policy.values() | fixed)
