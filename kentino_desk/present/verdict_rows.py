"""The rows of the verdict card: each figure with its range and its wish."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Kind, Outcome
from kentino_desk.present.counted import measured
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import (
    carried,
    closest_own,
    figure_of,
    load_figure,
    load_unit,
    wish_for,
)
from kentino_desk.present.numbers import numbers
from kentino_desk.present.terms import BINDING_WORDS, EVIDENCE_WORDS
from kentino_desk.present.views import FigureRow, Tone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment, CandidateResult, FigureValue

FIGURE_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "weights_gib": later("Weights per GPU"),
        "kv_gib": later("KV cache per GPU"),
        "kv_pool_gib": later("Room for the KV cache per GPU"),
        "activation_gib": later("Activations per GPU"),
        "overhead_gib": later("Overhead per GPU"),
        "used_gib": later("Memory per GPU"),
        "capacity_gib": later("Capacity per GPU"),
        "base_gib": later("Weights per GPU"),
        "adapters_gib": later("Adapters per GPU"),
        "gradients_gib": later("Gradients per GPU"),
        "optimizer_gib": later("Optimizer per GPU"),
        "users_held": later("Users held by the memory"),
        "ttft_s": later("First word"),
        "tpot_ms": later("Time per token"),
        "tokens_per_s_per_user": later("Speed per user"),
        "tokens_per_s_total": later("All users"),
        "tokens_per_s_per_gpu": later("Throughput per GPU"),
        "train_days": later("Duration"),
        "mfu": later("Use of the peak (MFU)"),
        "efficiency": later("Scaling efficiency"),
        "power_max_w": later("Power, maximum"),
        "power_typical_w": later("Power, typical"),
        "heat_btu_h": later("Heat"),
        "airflow_m3_h": later("Airflow"),
        "airflow_cfm": later("Airflow in CFM"),
        "node_max_w": later("Power of one node, maximum"),
        "feed_current_a": later("Current of one feed"),
        "circuit_rating_a": later("Rating that a feed needs"),
        "psu_efficiency": later("Efficiency of the power supplies"),
        "gpu_idle_w": later("GPU power, idle"),
        "gpu_w": later("GPU power, this work"),
        "gpu_decode_w": later("GPU power, answers"),
        "gpu_prefill_w": later("GPU power, prompts"),
        "speed_at_limit": later("Speed left at the power limit"),
        "energy_kwh_per_million": later("Energy per million tokens"),
        "energy_kwh_per_year": later("Energy per year"),
        "goodput": later("Output within the targets"),
        "users_within_targets": later("Requests within the targets"),
        "people_served": later("People served"),
        "price_eur": later("Price"),
        "load": later("Load with growth"),
        "x_node_users": later("Load one node carries"),
        "x_node_tokens_per_s": later("Load one node carries"),
        "tokens_per_s_needed": later("Throughput needed"),
        "state_tb": later("Training state in all"),
        "nodes_by_typed_rate": later("Nodes by the stated rate"),
        "days_at_typed_rate": later("Days at the stated rate"),
        "engine_tokens_per_s_node": later("Rate of a node as computed"),
        "batch_days": later("Duration of the corpus"),
    }
)

TRAINING_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "weights_gib": later("Training state per GPU"),
        "tokens_per_s_total": later("Throughput"),
    }
)
BATCH_NAMES: Mapping[str, str] = MappingProxyType({"tokens_per_s_total": later("Throughput")})


def figure_name(assessment: Assessment, key: str, language: str) -> str:
    """The name of a figure; some keys mean another thing in training.

    Raises:
        KeyError: nobody named that figure.
    """
    kind = assessment.workload.kind
    special = TRAINING_NAMES if kind.is_training else BATCH_NAMES if kind is Kind.BATCH else {}
    return text(language).gettext(special.get(key) or FIGURE_NAMES[key])


CHAT_ROWS = ("tokens_per_s_per_user", "ttft_s", "tokens_per_s_total", "used_gib")
BATCH_ROWS = ("tokens_per_s_total", "batch_days", "used_gib")
FRONTIER_ROWS = ("state_tb",)
"""What can be said without a build: frontier work is planned, not picked from a list."""
TRAINING_ROWS = ("train_days", "tokens_per_s_total", "efficiency", "used_gib")


def verdict_rows(assessment: Assessment, language: str) -> tuple[FigureRow, ...]:
    """The rows of the card; empty where nothing is left to measure."""
    result = shown_result(assessment)
    if result is None:
        return ()
    if assessment.verdict.outcome is Outcome.FRONTIER:
        found = (figure_row(assessment, result, key, language) for key in FRONTIER_ROWS)
        return tuple(row for row in found if row is not None)
    keys = _keys(assessment.workload.kind)
    rows = [figure_row(assessment, result, key, language) for key in keys]
    return tuple(
        row
        for row in (
            *rows,
            _headroom(assessment, result, language),
            _nearest_limit(assessment, language),
            _confidence(assessment, result, language),
        )
        if row is not None
    )


def shown_result(assessment: Assessment) -> CandidateResult | None:
    """The candidate the card and the charts speak of: the chosen one, else the closest."""
    chosen = assessment.verdict.chosen
    return chosen if chosen is not None else closest_own(assessment)


def _keys(kind: Kind) -> tuple[str, ...]:
    if kind is Kind.CHAT:
        return CHAT_ROWS
    return BATCH_ROWS if kind is Kind.BATCH else TRAINING_ROWS


def figure_row(
    assessment: Assessment, result: CandidateResult, key: str, language: str
) -> FigureRow | None:
    """One figure with its range and wish; None where it does not exist."""
    figure = figure_of(assessment, result, key)
    if figure is None or figure.value is None:
        return None
    words = text(language)
    return FigureRow(
        key=key,
        row=result.row if key in result.figures else -1,
        name=figure_name(assessment, key, language),
        value=measured(figure.value, figure.unit, language),
        beside=_beside(assessment, result, figure, language),
        evidence=words.gettext(EVIDENCE_WORDS[figure.evidence]),
        tone=_tone(assessment, figure),
    )


def _beside(
    assessment: Assessment, result: CandidateResult, figure: FigureValue, language: str
) -> str:
    words, shown = text(language), numbers(language)
    if figure.key == "used_gib":
        capacity = figure_of(assessment, result, "capacity_gib")
        return words.gettext(
            "of {capacity}", capacity=shown.value(capacity.value if capacity else None, "GiB")
        )
    span = shown.span(figure.low, figure.high, figure.unit)
    wish = wish_for(assessment.workload, figure.key)
    if wish is None:
        return span
    wanted = shown.exact(wish.value)
    if not span:
        return words.gettext("want {wish}", wish=wanted)
    return words.gettext("{range}, want {wish}", range=span, wish=wanted)


def _tone(assessment: Assessment, figure: FigureValue) -> Tone:
    wish = wish_for(assessment.workload, figure.key)
    if wish is None or figure.value is None:
        return Tone.PLAIN
    met = figure.value >= wish.value if wish.at_least else figure.value <= wish.value
    return Tone.PLAIN if met else Tone.BAD


def _headroom(assessment: Assessment, result: CandidateResult, language: str) -> FigureRow | None:
    load, unit = load_figure(assessment), load_unit(assessment)
    if load is None or load.value is None or not unit:
        return None
    words = text(language)
    whole = carried(result)
    if whole < load.value:
        return None
    return FigureRow(
        key=_headroom_key(assessment),
        row=-1,
        name=words.gettext("Headroom"),
        value=measured(whole - load.value, unit, language),
        beside=words.gettext("{carried} in all", carried=numbers(language).value(whole, unit)),
        evidence="",
    )


def _headroom_key(assessment: Assessment) -> str:
    keys = (key for key in ("x_node_users", "x_node_tokens_per_s") if key in assessment.figures)
    return next(keys, "")


def _nearest_limit(assessment: Assessment, language: str) -> FigureRow | None:
    binding = assessment.verdict.binding
    if binding is None:
        return None
    words = text(language)
    return FigureRow(
        key="",
        row=-1,
        name=words.gettext("Nearest limit"),
        value=words.gettext(BINDING_WORDS[binding]),
        beside="",
        evidence="",
    )


_HOLDS: Mapping[bool, str] = MappingProxyType(
    {False: later("holds over the range"), True: later("holds over most of the range")}
)
"""By whether a range crosses a limit although the outcome is sure enough."""


def _confidence(assessment: Assessment, result: CandidateResult, language: str) -> FigureRow | None:
    if assessment.verdict.outcome is Outcome.NOTHING_FITS and not assessment.verdict.close_call:
        return None
    words = text(language)
    close = assessment.verdict.close_call
    said = _HOLDS[bool(assessment.verdict.close_call_reasons)]
    if close:
        said = later("close call: flips inside the range")
    figure = figure_of(assessment, result, _keys(assessment.workload.kind)[0])
    return FigureRow(
        key="",
        row=-1,
        name=words.gettext("Confidence"),
        value=words.gettext(said),
        beside=words.gettext(EVIDENCE_WORDS[figure.evidence]) if figure else "",
        evidence="",
        tone=Tone.WARN if close else Tone.PLAIN,
    )
