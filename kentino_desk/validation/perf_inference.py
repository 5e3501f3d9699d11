"""Token rates of published runs: at full load, with users or a rate given, prompts alone."""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.catalog.measured_models import measured_model
from kentino_desk.domain.choices import Engine, Format, Host
from kentino_desk.engine import policy
from kentino_desk.engine.card_inputs import card_and_fabric
from kentino_desk.engine.full_load import Reached, at_full_load, at_rate, at_users, engine_habits
from kentino_desk.engine.policy_memory import MTP_TOKENS_UNKNOWN
from kentino_desk.engine.policy_speed_bands import DRAFTED_BAND, INFERENCE_BANDS, LATENCY_BANDS
from kentino_desk.engine.serving_inputs import ServingLayout, ServingSetup, serving_inputs
from kentino_desk.validation.score import Detail, RowScore

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.validation.rows import Row

KIND = "perf-inference"
COLUMNS = (
    "id", "model", "model_key", "params_total_b", "params_active_b", "weight_format", "kv_dtype",
    "gpu", "gpu_key", "gpu_id", "gpu_id_basis", "n_gpus", "nodes", "tp", "pp", "ep", "dp",
    "interconnect", "engine", "mode", "phase", "input_len", "output_len", "context_len",
    "concurrency", "batch", "request_rate", "spec_decode", "published_value", "published_unit",
    "output_tok_s_total", "output_tok_s_per_gpu", "total_tok_s", "per_user_tok_s", "prefill_tok_s",
    "ttft_ms_mean", "ttft_ms_p99", "tpot_ms_mean", "itl_ms_mean", "date", "source", "source_url",
    "notes", "split_unit",
)  # fmt: skip
FIGURES = (
    "output_tok_s", "output_tok_s_drafted", "output_tok_s_half_right", "prefill_tok_s", "ttft_ms",
    "tpot_ms",
)  # fmt: skip

ENGINES = (
    ("TensorRT", Engine.TRTLLM), ("NIM", Engine.TRTLLM), ("vLLM", Engine.VLLM),
    ("SGLang", Engine.SGLANG),
)  # fmt: skip
_FORMATS = (
    ("NVFP4", Format.NVFP4), ("MXFP4", Format.MXFP4), ("INT4", Format.INT4), ("FP8", Format.FP8),
    ("INT8", Format.INT8), ("FP16", Format.BF16), ("BF16", Format.BF16),
)  # fmt: skip
_CACHES: Mapping[str, Format] = MappingProxyType(
    {"fp8": Format.FP8, "fp8_e4m3": Format.FP8, "auto": Format.BF16, "fp16": Format.BF16,
     "bf16": Format.BF16}
)  # fmt: skip
ANSWER_UNKNOWN = 512.0
"""Length of an answer where a decode row states none [A]."""
REQUESTS_OF_A_RUN = 200.0
"""Prompts of an open-loop run [the sources' own]."""
FEW_USERS = 16.0
HALF_RIGHT = 0.5
"""Share of right guesses at which the law of drafting is scored; no row states its own [A]."""
_GUESSES = re.compile(r"\d+")

NO_SHAPE = "no shape of the model"
NO_CARD = "card not in the catalog"
NO_FORMAT = "no kernel row for the weight format"
NO_CACHE = "no rule for the format of the cache"
NO_ENGINE = "no overheads for the engine"
NO_LOAD = "neither users, a rate nor full load stated"
NO_LENGTH = "lengths not stated"
NO_FIGURE = "no speed stated"


class SkipError(Exception):
    """A row has no prediction; the text says why."""


def score_row(row: Row, snapshot: CatalogSnapshot) -> RowScore:
    """Predict the rates of one run."""
    try:
        return _scored(row, snapshot)
    except SkipError as reason:
        value = row.number("output_tok_s_total") or row.number("prefill_tok_s")
        detail = Detail(id=row.id, figure=FIGURES[0], measured=value, skipped=str(reason))
        return RowScore(id=row.id, details=(detail,), skipped=str(reason))


def _scored(row: Row, snapshot: CatalogSnapshot) -> RowScore:
    model = measured_model(row["model"], KIND, snapshot)
    gpu = snapshot.gpus.get(row["gpu_id"])
    if model is None:
        raise SkipError(NO_SHAPE)
    if gpu is None:
        raise SkipError(NO_CARD)
    engine, name = _engine(row), _class(row, gpu)
    layout = _layout(row, model, gpu, engine)
    inputs = _inputs(model, layout, engine, _release(row), _host(row)) | _lengths(row)
    copies = max((row.count("n_gpus") or 1) // (layout.tp * layout.pp), 1)
    reached = _reached(row, inputs, engine, copies)
    details = _details(row, name, reached, copies)
    if name == "drafted":
        drafting = inputs | {"drafted_tokens": _guesses(row), "draft_acceptance": HALF_RIGHT}
        details += _half_right(row, _reached(row, drafting, engine, copies), copies)
    return RowScore(
        id=row.id,
        details=tuple(details),
        skipped="" if details else NO_FIGURE,
        unit=row["split_unit"],
        peers=f"{row['source_url']}|{row['model_key']}" if name != "drafted" else "",
        groups={"class": name, "card and fabric": card_and_fabric(gpu), "card": row["gpu_id"],
                "engine": engine.value, "format": layout.weights.value},
        inputs=inputs,
    )  # fmt: skip


def _engine(row: Row) -> Engine:
    found = next((engine for word, engine in ENGINES if word in row["engine"]), None)
    if found is None:
        raise SkipError(NO_ENGINE)
    return found


def _is_drafted(row: Row) -> bool:
    return row["spec_decode"] not in {"", "none"}


def _class(row: Row, gpu: Gpu) -> str:
    if row["phase"] == "prefill":
        return "prompt alone"
    if _is_drafted(row):
        return "drafted"
    users = row.number("concurrency")
    if row.number("request_rate"):
        return "open loop"
    if users is None:
        return "batch from the pool"
    if gpu.has_nvlink or (row.count("n_gpus") or 1) == 1:
        return "users given"
    return "PCIe, up to 16 users" if users <= FEW_USERS else "PCIe, above 16 users"


def _layout(row: Row, model: ModelCard, gpu: Gpu, engine: Engine) -> ServingLayout:
    weights = _weights(row, model)
    groups = row.count("dp") or 1
    return ServingLayout(
        gpu=gpu,
        weights=weights,
        kv_cache=_cache(row, weights, engine),
        tp=(row.count("tp") or 1) * groups,
        pp=row.count("pp") or 1,
        dp_attention=groups,
        nvlink=gpu.has_nvlink,
    )


def _weights(row: Row, model: ModelCard) -> Format:
    """The format of a row; models released in MXFP4 are served in it, whatever the label says."""
    found = next((kind for word, kind in _FORMATS if word in row["weight_format"].upper()), None)
    if found is None:
        raise SkipError(NO_FORMAT)
    return Format.MXFP4 if model.native_expert_format is Format.MXFP4 else found


def _cache(row: Row, weights: Format, engine: Engine) -> Format:
    """TensorRT-LLM's quantised checkpoints bring an 8-bit cache; all others keep 16 bit."""
    if not row["kv_dtype"]:
        eight = engine is Engine.TRTLLM and weights is not Format.BF16
        return Format.FP8 if eight else Format.BF16
    if row["kv_dtype"] not in _CACHES:
        raise SkipError(NO_CACHE)
    return _CACHES[row["kv_dtype"]]


def _release(row: Row) -> str:
    words = row["engine"].split()
    version = words[1] if words[0] == "vLLM" and len(words) > 1 else ""
    return version.split("rc")[0]


def _host(row: Row) -> Host:
    return Host.SWITCH if "switch" in row["interconnect"].lower() else Host.DEFAULT


@lru_cache(maxsize=512)
def _inputs(
    model: ModelCard, layout: ServingLayout, engine: Engine, release: str, host: Host
) -> dict[str, float]:
    setup = ServingSetup(
        engine=engine, release=release, max_num_seqs=None, utilisation=None, host=host
    )
    known = serving_inputs(model, layout, setup) | policy.values() | {"replicas": 1.0}
    return engine_habits(model, engine, known)


def _lengths(row: Row) -> dict[str, float]:
    """Prompt, answer and reuse; a decode row has its context behind it."""
    answer = row.number("output_len") or ANSWER_UNKNOWN
    if row["phase"] == "decode":
        prompt = row.number("context_len") or 0.0
        if "warm prefix" in row["mode"]:
            # A prompt that all requests share is read from the card's memory once per step.
            prompt /= max(row.number("concurrency") or 1.0, 1.0)
    else:
        prompt = row.number("input_len") or 0.0
        if not prompt:
            raise SkipError(NO_LENGTH)
    return {
        "input_tokens": prompt,
        "output_tokens": answer,
        "context_tokens": prompt + answer,
        "prompt_reuse": 1.0 if row["phase"] == "decode" else 0.0,
    }


def _reached(row: Row, inputs: dict[str, float], engine: Engine, copies: int) -> Reached:
    rate, users = row.number("request_rate"), row.number("concurrency")
    if rate:
        return at_rate(inputs, rate / copies, REQUESTS_OF_A_RUN / copies)
    if users:
        return at_users(inputs, users / copies)
    if "offline" in row["mode"]:
        return at_full_load(inputs, engine)
    raise SkipError(NO_LOAD)


def _details(row: Row, name: str, reached: Reached, copies: int) -> list[Detail]:
    if name == "prompt alone":
        speed = (row.number("input_len") or 0.0) / reached.ttft_s
        return _rated(row, name, "prefill_tok_s", "prefill_tok_s", speed)
    speed = _speed(row, reached, copies)
    if name == "drafted":
        # No gain is promised: the three units here gained 1.1, 1.2 and 2.7 times.
        return _rated(row, name, "output_tok_s_drafted", "output_tok_s_total", speed)
    rates = _rated(row, name, "output_tok_s", "output_tok_s_total", speed)
    return [*rates, *(_latencies(row, name, reached))]


def _speed(row: Row, reached: Reached, copies: int) -> float:
    """Output of all copies; where only decoding was measured, without the first tokens."""
    if row["phase"] == "decode":
        return copies * reached.users / reached.tpot_s
    return copies * reached.tokens_per_s


def _half_right(row: Row, reached: Reached, copies: int) -> list[Detail]:
    """The same run where half of the guesses are right: what the law of drafting gives."""
    measured, best = row.number("output_tok_s_total"), _speed(row, reached, copies)
    return _detail(row, "output_tok_s_half_right", measured, best, DRAFTED_BAND)


def _guesses(row: Row) -> float:
    stated = _GUESSES.search(row["spec_decode"])
    return float(stated[0] if stated else MTP_TOKENS_UNKNOWN)


def _rated(row: Row, name: str, figure: str, column: str, best: float) -> list[Detail]:
    return _detail(row, figure, row.number(column), best, INFERENCE_BANDS[name])


def _latencies(row: Row, name: str, reached: Reached) -> list[Detail]:
    """First token and interval, where the prompt was not in the cache before."""
    bands = LATENCY_BANDS.get(name) if row["phase"] == "mixed" else None
    if bands is None:
        return []
    values = {"ttft_ms": reached.ttft_s * 1e3, "tpot_ms": reached.tpot_s * 1e3}
    return [
        item
        for figure, best in values.items()
        for item in _detail(row, figure, row.number(f"{figure}_mean"), best, bands[figure])
    ]


def _detail(
    row: Row, figure: str, measured: float | None, best: float, band: tuple[float, float]
) -> list[Detail]:
    if not measured:
        return []
    low, high = band
    return [
        Detail(
            id=row.id, figure=figure, measured=measured, predicted=best, low=best * low,
            high=best * high,
        )
    ]  # fmt: skip
