"""Figures of one measured server, each with its range, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.catalog.measured_models import measured_model
from kentino_desk.domain.choices import Attention
from kentino_desk.domain.units import GIB
from kentino_desk.engine import policy
from kentino_desk.engine.policy_memory import (
    ACTIVATION_BAND_BEFORE,
    ACTIVATION_BAND_SINCE,
    CAUTIOUS_SAMPLER_RELEASE,
    CHECKPOINT_BITS,
    STANDING_SERVER_BAND,
    TOKENS_BAND,
    TRANSFORMERS_BAND,
    WEIGHT_BANDS,
    Band,
    release_key,
    release_row,
)
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.server_memory_inputs import pool_inputs, server_memory_inputs
from kentino_desk.validation.score import FITS, NO, TIGHT
from kentino_desk.validation.server_words import (
    CACHES,
    ENGINES,
    FORMATS,
    KIND,
    card_gib,
    checkpoint_bytes,
    parameter_count,
    release_is_known,
    release_of,
    server_of,
    stated_card_gib,
    utilisation_of,
    weights_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.validation.rows import Row

CONTEXT_UNKNOWN = 32_768.0
"""Length of a request where the row states none [A]."""
CONTEXT_OF_THE_START = 2048.0
"""The same for the least pool of a start."""

ODD = "marked as odd by the source check"
NO_SHAPE = "no shape of the model"
NO_ENGINE = "no budget rule for the engine"
OLD_RELEASE = "the release is older than the table"
NO_CARD = "card memory not stated"
NO_SHARE = "utilisation not stated"
NO_LAYOUT = "no layout rule for the checkpoint, its size is needed"
NO_CACHE = "no rule for the format of the cache"
NOT_VALIDATED = "compressed attention is not validated"
NOT_PREDICTED = "no rule for the whole memory of the engine"


class SkipError(Exception):
    """A figure of a row has no prediction; the text says why."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A row with its model and the engine's inputs."""

    row: Row
    model: ModelCard
    inputs: Mapping[str, float]

    def value(self, name: str, **given: float) -> float:
        """One quantity of the engine for this row."""
        return float(compute((name,), {**self.inputs, **given})[name])

    @property
    def context(self) -> float:
        """Length of one request."""
        return self.row.number("max_model_len") or CONTEXT_UNKNOWN


def predicted(row: Row, snapshot: CatalogSnapshot, figure: str) -> tuple[float, float, float]:
    """Best, low and high of one figure; two of them can do without the shape of the model."""
    known = measured_model(row["model"], KIND, snapshot) is not None
    if figure == "peak_gib" and row["engine"] != "transformers":
        return _standing(row)
    if figure == "weights_gib" and not known:
        return _weights_by_count(row, snapshot)
    return _PREDICTIONS[figure](_case(row, snapshot))


def _case(row: Row, snapshot: CatalogSnapshot) -> _Case:
    _refuse_odd(row)
    model = measured_model(row["model"], KIND, snapshot)
    if model is None:
        raise SkipError(NO_SHAPE)
    if row["engine"] not in ENGINES:
        raise SkipError(NO_ENGINE)
    server = server_of(row, model, card_gib(row, snapshot) or 0.0)
    return _Case(row, model, server_memory_inputs(model, server) | policy.values())


def _refuse_odd(row: Row) -> None:
    if "ODD" in row["note"] or "upper bound" in row["note"]:
        raise SkipError(ODD)


def _needs_layout(case: _Case) -> None:
    if weights_of(case.row, case.model) is None and checkpoint_bytes(case.row) is None:
        raise SkipError(NO_LAYOUT)


def _banded(value: float, band: Band) -> tuple[float, float, float]:
    return value, value * band.low, value * band.high


def _weights(case: _Case) -> tuple[float, float, float]:
    _needs_layout(case)
    found = weights_of(case.row, case.model)
    bits = found[0].bits_class if found else 4
    return _banded(case.value("weight_bytes") / GIB, WEIGHT_BANDS[bits])


def _needs_cache(case: _Case) -> None:
    if case.row["kv_dtype"] not in CACHES:
        raise SkipError(NO_CACHE)


def _tokens_given_pool(case: _Case) -> tuple[float, float, float]:
    _needs_cache(case)
    if case.model.attention is Attention.COMPRESSED:
        raise SkipError(NOT_VALIDATED)
    pool = case.row.number("kv_cache_gib_per_gpu") or 0.0
    given = {"kv_pool_bytes": pool * GIB, "context_tokens": case.context}
    return _banded(case.value("kv_pool_tokens", **given), TOKENS_BAND)


def _tokens(case: _Case) -> tuple[float, float, float]:
    _needs_cache(case)
    if case.model.attention is Attention.COMPRESSED:
        raise SkipError(NOT_VALIDATED)
    if not release_is_known(case.row):
        raise SkipError(OLD_RELEASE)
    if stated_card_gib(case.row) is None:
        raise SkipError(NO_CARD)
    if utilisation_of(case.row) is None:
        raise SkipError(NO_SHARE)
    _needs_layout(case)
    low, best, high = (
        case.value("kv_pool_tokens", kv_pool_bytes=case.value(name), context_tokens=case.context)
        for name in ("kv_pool_low_bytes", "kv_pool_bytes", "kv_pool_high_bytes")
    )
    return best, low * TOKENS_BAND.low, high * TOKENS_BAND.high


def _activation(case: _Case) -> tuple[float, float, float]:
    if not release_is_known(case.row):
        raise SkipError(OLD_RELEASE)
    before = release_key(release_of(case.row)) < CAUTIOUS_SAMPLER_RELEASE
    band = ACTIVATION_BAND_BEFORE if before else ACTIVATION_BAND_SINCE
    return _banded(case.value("activation_bytes") / GIB, band)


def _weights_by_count(row: Row, snapshot: CatalogSnapshot) -> tuple[float, float, float]:
    """Weights of a model of which only the parameter count is known: every weight in one format."""
    _refuse_odd(row)
    count = parameter_count(row, KIND, snapshot)
    found = FORMATS.get(row["weight_format"])
    if count is None:
        raise SkipError(NO_SHAPE)
    if found is None:
        raise SkipError(NO_LAYOUT)
    bits = CHECKPOINT_BITS[found[1] or found[0]].routed
    ranks = (row.count("tp") or 1) * (row.count("pp") or 1)
    return _banded(count * bits / 8.0 / ranks / GIB, WEIGHT_BANDS[found[0].bits_class])


def _standing(row: Row) -> tuple[float, float, float]:
    """Whole memory of a server that fills its budget, whatever it serves."""
    _refuse_odd(row)
    if ENGINES.get(row["engine"]) != "vllm":
        raise SkipError(NOT_PREDICTED)
    memory = stated_card_gib(row)
    if memory is None:
        raise SkipError(NO_CARD)
    if utilisation_of(row) is None:
        raise SkipError(NO_SHARE)
    server = server_of(row, None, memory)
    inputs = pool_inputs(server, release_row(server.release)) | policy.values()
    used = compute(("standing_bytes",), {**inputs, "card_bytes": server.card_bytes})
    return _banded(float(used["standing_bytes"]) / GIB, STANDING_SERVER_BAND)


def _peak(case: _Case) -> tuple[float, float, float]:
    _needs_layout(case)
    used = case.value("used_bytes", context_tokens=case.context, users_per_copy=1.0)
    return _banded(used / GIB, TRANSFORMERS_BAND)


_PREDICTIONS: Mapping[str, Callable[[_Case], tuple[float, float, float]]] = {
    "weights_gib": _weights,
    "kv_tokens": _tokens,
    "kv_tokens_given_pool": _tokens_given_pool,
    "activation_gib": _activation,
    "peak_gib": _peak,
}


def verdict_word(row: Row, snapshot: CatalogSnapshot) -> str:
    """The word by the ends of the pool: the low one must hold a request, the high one must not.

    Raises:
        SkipError: the row does not say enough for a word.
    """
    case = _case(row, snapshot)
    _needs_layout(case)
    _needs_cache(case)
    if not release_is_known(row):
        raise SkipError(OLD_RELEASE)
    if not case.inputs["card_bytes"]:
        raise SkipError(NO_CARD)
    context = row.number("max_model_len") or CONTEXT_OF_THE_START
    need = case.value("start_need_bytes", context_tokens=context)
    low, high = case.value("kv_pool_low_bytes"), case.value("kv_pool_high_bytes")
    return FITS if low >= need else NO if high < need else TIGHT
