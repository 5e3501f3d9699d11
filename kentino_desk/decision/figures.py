"""Figures of a candidate with their 5-95 % ranges by class, made only when somebody reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import floor, hypot, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.pricing import build_price
from kentino_desk.decision.results import FigureValue
from kentino_desk.domain.choices import Evidence
from kentino_desk.domain.units import GIB
from kentino_desk.engine.card_inputs import card_gib
from kentino_desk.engine.policy_power import HIGH_EXPONENT, POWER_BANDS
from kentino_desk.engine.policy_speed_bands import (
    DRAFTED_BAND,
    MEASURED_CLASSES,
    SERVING_BANDS,
    TRAINING_BANDS,
    serving_class,
)

if TYPE_CHECKING:
    from kentino_desk.decision.run import Run
    from kentino_desk.domain.candidate import Candidate
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Workload

Range = tuple[float, float]
RATE, STEP, FIRST = "output_tok_s", "tpot_ms", "ttft_ms"
"""Figures of a closed loop: their printed ranges are those that validation scores."""
DRAFTED_BANDS: Mapping[str, Range] = {
    RATE: DRAFTED_BAND,
    STEP: (1.0 / DRAFTED_BAND[1], 1.0 / DRAFTED_BAND[0]),
}
WEIGHT_BANDS: Mapping[int, Range] = {16: (0.98, 1.03), 8: (0.98, 1.12), 4: (0.95, 1.22)}
KV_BAND: Range = (0.97, 1.03)
ACTIVATION_BAND: Range = (0.4, 4.0)
OVERHEAD_BAND: Range = (0.5, 1.5)
TRAINING_MEMORY_BAND: Range = (0.85, 1.20)
POWER_BAND: Range = (0.93, 1.07)
TYPICAL_BAND: Range = POWER_BANDS["system_w"]
UNKNOWN_STACK_BAND: Range = (0.65, 1.35)
"""A framework without rows of its own (training_fit_notes, section 4)."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a run, as the range functions see it."""

    run: Run
    row: int
    workload: Workload
    moe: bool

    @property
    def candidate(self) -> Candidate:
        """The candidate of the row."""
        return self.run.candidates[self.row]

    def value(self, quantity: str) -> float:
        """Value of a quantity."""
        return self.run.evaluation.value(quantity, self.row)

    @property
    def validated(self) -> bool:
        """Whether the class of the row has measured rows of its own."""
        if self.workload.kind.is_serving:
            return _class_of(self.candidate) in MEASURED_CLASSES
        one_node = self.candidate.build.nodes == 1 or self.candidate.build.node.nvlink
        return one_node and self.workload.training.stack not in {"deepspeed", "axolotl"}


RangeOf = Callable[[Row, float], Range]


def _class_of(candidate: Candidate) -> str:
    return serving_class(candidate.build.gpu, candidate.dp_attention)


def serving_band(candidate: Candidate, figure: str, *, drafted: bool = False) -> Range:
    """Range of one closed-loop figure of a candidate, as factors, by its class.

    Where drafting is counted the text decides more than the card does.
    """
    if drafted and figure in DRAFTED_BANDS:
        return DRAFTED_BANDS[figure]
    return SERVING_BANDS[_class_of(candidate)][figure]


def _band(row: Row, figure: str) -> Range:
    drafted = row.workload.serving.draft_acceptance is not None
    return serving_band(row.candidate, figure, drafted=drafted)


def _factor(band: Range) -> RangeOf:
    return lambda _row, value: (value * band[0], value * band[1])


def _exact(_row: Row, value: float) -> Range:
    return value, value


def _weights(row: Row, value: float) -> Range:
    low, high = WEIGHT_BANDS[row.candidate.weights.bits_class]
    return value * low, value * high


def _used(row: Row, value: float) -> Range:
    """Used memory moves as the pool does: what the pool loses is used, and the other way round."""
    pool = row.value("kv_pool_bytes")
    low = value - (row.value("kv_pool_high_bytes") - pool) / GIB
    return low, value + (pool - row.value("kv_pool_low_bytes")) / GIB


def _held(row: Row, _value: float) -> Range:
    request = row.value("request_bytes")
    copies = row.candidate.replicas * row.candidate.dp_attention
    ends = (row.value(name) for name in ("kv_pool_low_bytes", "kv_pool_high_bytes"))
    low, high = (copies * floor(max(end, 0.0) / request) for end in ends)
    return float(low), float(high)


def _rate(row: Row, value: float) -> Range:
    low, high = _band(row, RATE)
    return value * low, value * high


def _rate_time(row: Row, value: float) -> Range:
    low, high = _band(row, RATE)
    return value / high, value / low


def _speed(row: Row, value: float) -> Range:
    low, high = _band(row, STEP)
    return value / high, value / low


def _step(row: Row, value: float) -> Range:
    low, high = _band(row, STEP)
    return value * low, value * high


def _first(row: Row, value: float) -> Range:
    low, high = _band(row, FIRST)
    return value * low, value * high


def _serving_efficiency(row: Row, value: float) -> Range:
    return efficiency_range(row.candidate, value)


def efficiency_range(candidate: Candidate, value: Any) -> tuple[Any, Any]:
    """What is lost to traffic is as wrong as the step itself; values of any shape."""
    low, high = serving_band(candidate, STEP)
    return np.maximum(0.0, 1.0 - (1.0 - value) * high), 1.0 - (1.0 - value) * low


def _training_efficiency(row: Row, _value: float) -> Range:
    low, high = row.run.ranges["training_efficiency"]
    return float(low[row.row]), float(high[row.row])


def training_band(workload: Workload, *, moe: bool) -> Range:
    """Range of a training rate, as factors, by class: the ones that validation scores.

    Dense runs take the wider range of NVLink cards everywhere: the measured runs on PCIe cards move
    little data, those that are sold may move more.
    """
    if moe:
        return TRAINING_BANDS["experts"]
    if workload.training.stack in {"deepspeed", "axolotl"}:
        return UNKNOWN_STACK_BAND
    return TRAINING_BANDS["dense, NVLink" if workload.kind.trains_all_weights else "adapters"]


def _train_days(row: Row, value: float) -> Range:
    """The class range of the rate; across PCIe nodes also the range of the exchange itself."""
    if row.workload.training.throughput_value is not None:
        return value, value
    slow, fast = training_band(row.workload, moe=row.moe)
    low, high = value / fast, value / slow
    if row.candidate.build.nodes > 1:
        days_low, days_high = (ends[row.row] for ends in row.run.ranges["train_days"])
        low, high = min(low, float(days_high)), max(high, float(days_low))
    return low, high


def _train_rate(row: Row, value: float) -> Range:
    slow, fast = training_band(row.workload, moe=row.moe)
    return value * slow, value * fast


def _energy(row: Row, value: float) -> Range:
    """Power and rate are off independently of each other."""
    low, high = _band(row, RATE)
    return _spread(value, max(1.0 - low, high - 1.0))


def _train_energy(row: Row, value: float) -> Range:
    slow, fast = training_band(row.workload, moe=row.moe)
    return _spread(value, max(1.0 - slow, fast - 1.0))


def _spread(value: float, rate_band: float) -> Range:
    both = hypot(1.0 - TYPICAL_BAND[0], rate_band)
    return value / (1.0 + both), value * (1.0 + both)


def _gpu_draw(row: Row, value: float) -> Range:
    """The band of a card's draw, no more than its limit."""
    low, high = POWER_BANDS["gpu_w"]
    return value * low, min(value * high, row.value("gpu_limit_w"))


def _limited_speed(row: Row, value: float) -> Range:
    """Cards without a sweep of their own may lose as much speed as power."""
    limit, card = row.value("gpu_limit_w"), row.value("tdp_w")
    drawn = limit / (row.value("limited_share") * card)
    return min(limit / card, value), max(min(drawn, 1.0) ** HIGH_EXPONENT, value)


def _supplies(_row: Row, value: float) -> Range:
    """Between the classes that are sold: Gold is 3 points below, Titanium 2 above."""
    return value - 0.03, min(value + 0.02, 1.0)


def _people(row: Row, value: float) -> Range:
    """A faster build has the same people with fewer requests in flight; none think: none more."""
    answer, pause = row.value("answer_s"), row.value("think_s")
    if not pause:
        return value, value
    requests = value * answer / (answer + pause)
    fast, slow = (answer * factor for factor in _band(row, FIRST))
    return requests * (slow + pause) / slow, requests * (fast + pause) / fast


@dataclass(frozen=True, slots=True)
class Spec:
    """One figure: the quantity behind it, its unit, the factor between them, and its range."""

    key: str
    quantity: str
    unit: str
    factor: float
    range_of: RangeOf


_PER_GIB, _PER_TIB = 1.0 / GIB, 1e-12
_SHARED = (
    Spec("power_max_w", "power_max_w", "W", 1.0, _factor(POWER_BAND)),
    Spec("power_typical_w", "power_typical_w", "W", 1.0, _factor(TYPICAL_BAND)),
    Spec("heat_btu_h", "heat_btu_h", "BTU/h", 1.0, _factor(POWER_BAND)),
    Spec("airflow_m3_h", "airflow_m3_h", "m3/h", 1.0, _factor(POWER_BAND)),
    Spec("airflow_cfm", "airflow_cfm", "CFM", 1.0, _factor(POWER_BAND)),
    Spec("node_max_w", "node_max_w", "W", 1.0, _factor(POWER_BAND)),
    Spec("feed_current_a", "feed_current_a", "A", 1.0, _factor(POWER_BAND)),
    Spec("circuit_rating_a", "circuit_rating_a", "A", 1.0, _factor(POWER_BAND)),
    Spec("psu_efficiency", "psu_efficiency_max", "share", 1.0, _supplies),
    Spec("gpu_idle_w", "gpu_idle_w", "W", 1.0, _gpu_draw),
    Spec("gpu_w", "gpu_draw_w", "W", 1.0, _gpu_draw),
    Spec("speed_at_limit", "work_speed", "share", 1.0, _limited_speed),
    Spec("energy_kwh_per_year", "energy_kwh_per_year", "kWh", 1.0, _factor(TYPICAL_BAND)),
)
SERVING_FIGURES: tuple[Spec, ...] = (
    Spec("weights_gib", "weight_bytes", "GiB", _PER_GIB, _weights),
    Spec("kv_gib", "kv_need_bytes", "GiB", _PER_GIB, _factor(KV_BAND)),
    Spec("activation_gib", "activation_bytes", "GiB", _PER_GIB, _factor(ACTIVATION_BAND)),
    Spec("overhead_gib", "overhead_bytes", "GiB", _PER_GIB, _factor(OVERHEAD_BAND)),
    Spec("used_gib", "used_bytes", "GiB", _PER_GIB, _used),
    Spec("kv_pool_gib", "kv_pool_bytes", "GiB", _PER_GIB, _exact),
    Spec("users_held", "users_held", "users", 1.0, _held),
    Spec("ttft_s", "ttft_s", "s", 1.0, _first),
    Spec("tpot_ms", "tpot_s", "ms", 1e3, _step),
    Spec("tokens_per_s_per_user", "tokens_per_s_per_user", "tok/s", 1.0, _speed),
    Spec("tokens_per_s_total", "tokens_per_s_total", "tok/s", 1.0, _rate),
    Spec("tokens_per_s_per_gpu", "tokens_per_s_per_gpu", "tok/s", 1.0, _rate),
    Spec("goodput", "goodput", "tok/s", 1.0, _rate),
    Spec("users_within_targets", "users_within_targets", "users", 1.0, _rate),
    Spec("people_served", "people_served", "users", 1.0, _people),
    Spec("gpu_decode_w", "gpu_decode_w", "W", 1.0, _gpu_draw),
    Spec("gpu_prefill_w", "gpu_prefill_w", "W", 1.0, _gpu_draw),
    Spec("energy_kwh_per_million", "energy_kwh_per_million_tokens", "kWh", 1.0, _energy),
    Spec("batch_days", "batch_days", "days", 1.0, _rate_time),
    Spec("efficiency", "serving_efficiency", "share", 1.0, _serving_efficiency),
    *_SHARED,
)
TRAINING_FIGURES: tuple[Spec, ...] = (
    Spec("weights_gib", "state_bytes", "GiB", _PER_GIB, _factor(KV_BAND)),
    Spec("gradients_gib", "gradient_bytes", "GiB", _PER_GIB, _factor(KV_BAND)),
    Spec("optimizer_gib", "optimizer_state_bytes", "GiB", _PER_GIB, _factor(KV_BAND)),
    Spec("adapters_gib", "adapter_state_bytes", "GiB", _PER_GIB, _factor(KV_BAND)),
    Spec("base_gib", "state_weight_bytes", "GiB", _PER_GIB, _factor(KV_BAND)),
    Spec("activation_gib", "activation_peak_bytes", "GiB", _PER_GIB, _factor(TRAINING_MEMORY_BAND)),
    Spec("overhead_gib", "stack_bytes", "GiB", _PER_GIB, _factor(TRAINING_MEMORY_BAND)),
    Spec("used_gib", "peak_bytes", "GiB", _PER_GIB, _factor(TRAINING_MEMORY_BAND)),
    Spec("train_days", "train_days", "days", 1.0, _train_days),
    Spec("tokens_per_s_total", "train_tokens_per_s", "tok/s", 1.0, _train_rate),
    Spec("tokens_per_s_per_gpu", "train_tokens_per_s_per_gpu", "tok/s", 1.0, _train_rate),
    Spec("efficiency", "training_efficiency", "share", 1.0, _training_efficiency),
    Spec("mfu", "mfu", "share", 1.0, _train_rate),
    Spec("energy_kwh_per_million", "energy_kwh_per_million_trained", "kWh", 1.0, _train_energy),
    Spec("state_tb", "state_total_bytes", "TB", _PER_TIB, _exact),
    *_SHARED,
)
COMMON_KEYS = (
    "weights_gib", "kv_gib", "activation_gib", "overhead_gib", "used_gib", "capacity_gib",
    "users_held", "ttft_s", "tpot_ms", "tokens_per_s_per_user", "tokens_per_s_total",
    "train_days", "efficiency", "power_max_w", "heat_btu_h", "price_eur",
)  # fmt: skip
"""Keys that every candidate has, with no value where it does not apply."""
_UNITS = {
    "kv_gib": "GiB",
    "users_held": "users",
    "ttft_s": "s",
    "tpot_ms": "ms",
    "train_days": "days",
    "tokens_per_s_per_user": "tok/s",
}
_NEEDS_A_REQUEST = frozenset(
    {
        "ttft_s",
        "tpot_ms",
        "tokens_per_s_per_user",
        "tokens_per_s_total",
        "batch_days",
        "efficiency",
        "tokens_per_s_per_gpu",
        "people_served",
        "energy_kwh_per_million",
    }
)
"""Serving figures that mean nothing where not even one request fits."""


class RowFigures(Mapping[str, FigureValue]):
    """Figures of one row by key, computed at the first access and kept."""

    __slots__ = ("_known", "_row", "_snapshot", "_specs")

    def __init__(self, row: Row, snapshot: CatalogSnapshot) -> None:
        self._row = row
        self._snapshot = snapshot
        self._specs = _specs(serving=row.workload.kind.is_serving)
        self._known: dict[str, FigureValue] = {}

    def __getitem__(self, key: str) -> FigureValue:
        if key not in self._known:
            self._known[key] = self._made(key)
        return self._known[key]

    def _made(self, key: str) -> FigureValue:
        if key == "capacity_gib":
            return self._capacity()
        if key == "price_eur":
            return self._price()
        spec = self._specs.get(key)
        if spec is None or not self._row.run.evaluation.has(spec.quantity):
            if key in COMMON_KEYS:
                return _absent(key)
            raise KeyError(key)
        return self._figure(spec)

    def __iter__(self) -> Iterator[str]:
        own = [s.key for s in self._specs.values() if self._row.run.evaluation.has(s.quantity)]
        return iter(dict.fromkeys([*COMMON_KEYS, *own]))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def _figure(self, spec: Spec) -> FigureValue:
        value = self._row.value(spec.quantity) * spec.factor
        if not isfinite(value) or (spec.key in _NEEDS_A_REQUEST and not self._holds_a_request()):
            return _absent(spec.key, spec.unit, spec.quantity)
        low, high = spec.range_of(self._row, value)
        return FigureValue(
            key=spec.key,
            value=value,
            unit=spec.unit,
            low=low,
            high=high,
            evidence=Evidence.ESTIMATE,
            quantity=spec.quantity,
            not_validated=spec.key in _NEEDS_A_REQUEST and not self._row.validated,
        )

    def _holds_a_request(self) -> bool:
        if not self._row.workload.kind.is_serving:
            return True
        return self._row.value("kv_pool_bytes") >= self._row.value("request_bytes")

    def _capacity(self) -> FigureValue:
        build = self._row.candidate.build
        value, evidence = card_gib(build.gpu)
        value -= self._row.workload.constraints.reserved_gib / build.node.gpu_count
        return FigureValue(
            key="capacity_gib", value=value, unit="GiB", low=value, high=value,
            evidence=evidence, quantity="card_bytes",
        )  # fmt: skip

    def _price(self) -> FigureValue:
        price = build_price(self._row.candidate.build, self._snapshot)
        value = None if price is None else float(price.amount)
        return FigureValue(
            key="price_eur", value=value, unit=self._snapshot.price_list.currency, low=value,
            high=value, evidence=Evidence.ESTIMATE, quantity="price_eur",
        )  # fmt: skip


def _specs(*, serving: bool) -> dict[str, Spec]:
    return _SERVING_BY_KEY if serving else _TRAINING_BY_KEY


_SERVING_BY_KEY = {spec.key: spec for spec in SERVING_FIGURES}
_TRAINING_BY_KEY = {spec.key: spec for spec in TRAINING_FIGURES}


def _absent(key: str, unit: str = "", quantity: str = "") -> FigureValue:
    return FigureValue(
        key=key, value=None, unit=unit or _UNITS.get(key, ""), low=None, high=None,
        evidence=Evidence.ESTIMATE, quantity=quantity,
    )  # fmt: skip
