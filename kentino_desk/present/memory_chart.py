"""The memory chart as numbers: one stacked bar per GPU against the capacity of the card."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Grade
from kentino_desk.engine import policy
from kentino_desk.present.charts import Bar, MemoryChart, Segment
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import value_of
from kentino_desk.present.numbers import numbers, parts_of_total
from kentino_desk.present.terms import copies

if TYPE_CHECKING:
    from collections.abc import Mapping
    from decimal import Decimal

    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.present.language import Text

BAND_LOW = policy.value("weights_share_comfortable")
BAND_HIGH = policy.value("weights_share_fits")
MOST_BARS = 16

SEGMENT_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "weights": later("weights"),
        "kv": later("KV cache"),
        "gradients": later("gradients"),
        "optimizer": later("optimizer"),
        "activations": later("activations"),
        "overhead": later("overhead"),
        "free": later("free"),
    }
)
TITLE = later("Memory per GPU: {used} of {capacity} GiB used, {free} free")
TITLE_OVER = later("Memory per GPU: {used} GiB needed, {over} more than the {capacity} there are")


def memory_chart(
    assessment: Assessment, result: CandidateResult, language: str
) -> MemoryChart | None:
    """Memory of each GPU of one candidate; None where the memory is not known."""
    capacity = value_of(result, "capacity_gib")
    if capacity is None or value_of(result, "used_gib") is None:
        return None
    words = text(language)
    segments = _segments(assessment, result, language)
    return MemoryChart(
        title=_title(segments, capacity, language),
        unit=words.gettext("GiB per GPU"),
        bars=_bars(result, segments, words),
        capacity=capacity,
        capacity_text=words.gettext(
            "capacity {capacity}", capacity=numbers(language).value(capacity, "GiB")
        ),
        band_low=BAND_LOW * capacity,
        band_high=BAND_HIGH * capacity,
        band_text=words.gettext("60–70\u00a0% limit for the weights"),
        group_word=words.gettext("Replica"),
        twin=_twin(segments, words),
    )


def _parts(assessment: Assessment, result: CandidateResult) -> dict[str, float]:
    """Parts that add up to what is used; in training the state comes apart into its three."""

    def gib(key: str) -> float:
        return value_of(result, key) or 0.0

    used, overhead = gib("used_gib"), gib("overhead_gib")
    if assessment.workload.kind.is_serving:
        known = {"weights": gib("weights_gib"), "kv": gib("kv_gib")}
    else:
        gradients, optimizer = gib("gradients_gib"), gib("optimizer_gib")
        weights = gib("weights_gib") - gradients - optimizer
        known = {"weights": max(weights, 0.0), "gradients": gradients, "optimizer": optimizer}
    rest = used - overhead - sum(known.values())
    return {**known, "activations": max(rest, 0.0), "overhead": overhead}


def _segments(
    assessment: Assessment, result: CandidateResult, language: str
) -> tuple[Segment, ...]:
    parts = _parts(assessment, result)
    printed: dict[str, Decimal] = dict(
        zip(parts, parts_of_total(tuple(parts.values()), 1), strict=True)
    )
    capacity = value_of(result, "capacity_gib") or 0.0
    (whole,) = parts_of_total((capacity,), 1)
    free = capacity - sum(parts.values())
    if free > 0 and result.grade > Grade.NO:
        parts["free"], printed["free"] = free, whole - sum(printed.values())
    words, shown = text(language), numbers(language)
    return tuple(
        Segment(
            key=key,
            label=words.gettext(SEGMENT_WORDS[key]),
            value=value,
            text=shown.plain(printed[key], 1),
        )
        for key, value in parts.items()
        if value > 0
    )


def _title(segments: tuple[Segment, ...], capacity: float, language: str) -> str:
    words, shown = text(language), numbers(language)
    used = sum(shown.parse(item.text) for item in segments if item.key != "free")
    (whole,) = parts_of_total((capacity,), 1)
    template = TITLE if used <= whole else TITLE_OVER
    return words.gettext(
        template,
        used=shown.plain(used, 1),
        capacity=shown.plain(whole, 1),
        free=shown.plain(whole - used, 1),
        over=shown.plain(used - whole, 1),
    )


def _bars(result: CandidateResult, segments: tuple[Segment, ...], words: Text) -> tuple[Bar, ...]:
    size, names = _groups(result, words)
    if size * len(names) > MOST_BARS:
        if len(names) > MOST_BARS:
            count = size * len(names)
            return (
                Bar(label=f"× {count}", group=copies(result.candidate, words), segments=segments),
            )
        return tuple(Bar(label=f"× {size}", group=name, segments=segments) for name in names)
    return tuple(
        Bar(label=str(size * group + index), group=name, segments=segments)
        for group, name in enumerate(names)
        for index in range(size)
    )


def _groups(result: CandidateResult, words: Text) -> tuple[int, list[str]]:
    """GPUs of a group, and the groups: copies where there are several, else nodes."""
    candidate = result.candidate
    if candidate.replicas > 1:
        word = later("Replica {number}")
        count, size = candidate.replicas, candidate.gpus_per_copy
    else:
        word = later("Node {number}")
        count, size = candidate.build.nodes, candidate.build.node.gpu_count
    return size, [words.gettext(word, number=number + 1) for number in range(count)]


def _twin(segments: tuple[Segment, ...], words: Text) -> tuple[tuple[str, ...], ...]:
    head = (words.gettext("Part"), words.gettext("GiB per GPU"))
    return (head, *((item.label, item.text) for item in segments))
