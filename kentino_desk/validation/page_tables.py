"""Tables of the page of results, shared by all kinds."""

from __future__ import annotations

from collections import defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.validation.score import figure_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kentino_desk.validation.kinds import Report
    from kentino_desk.validation.score import Detail

FIGURE_WORDS: Mapping[str, str] = MappingProxyType({
    "weights_gib": "weights",
    "kv_tokens": "KV tokens, end to end",
    "kv_tokens_given_pool": "KV tokens, pool given",
    "activation_gib": "activations",
    "peak_gib": "whole memory",
    "output_tok_s": "output tok/s",
    "output_tok_s_drafted": "output tok/s, drafted",
    "output_tok_s_half_right": "output tok/s, half of the guesses right",
    "tpot_ms": "time per token",
    "ttft_ms": "time to first token",
    "tokens_per_s_per_gpu": "tokens/s per GPU",
    "prefill_tok_s": "prompt tok/s",
    "busbw_large": "bus bandwidth, 64 MiB and more",
    "time_us": "time",
    "system_w": "node power",
    "gpu_w": "GPU power",
    "gpu_w_burn": "GPU power, burn",
    "speed_ratio": "speed at a limit",
    "speed_ratio_low_limit": "speed below half of the TDP",
})  # fmt: skip


def by_figure(report: Report) -> list[tuple[str, list[Detail]]]:
    """Scored figures by name, in the order of the kind."""
    found = []
    for name in report.kind.figures:
        items = [item for row in report.rows for item in row.scored if item.figure == name]
        if items:
            found.append((name, items))
    return found


def scores(items: Sequence[Detail]) -> tuple[str, ...]:
    """Rows, median, 90th percentile, bias and share inside the range, as cells."""
    score = figure_score(items)
    return (
        str(score.n), f"{score.median_abs_pct:.1f}", f"{score.p90_abs_pct:.1f}",
        f"{score.bias_pct:+.1f}", f"{score.inside_range_pct:.0f} %",
    )  # fmt: skip


def group_table(report: Report, group: str) -> list[str]:
    """Median and 90th percentile of every figure, by the classes of one group."""
    figures = by_figure(report)
    classes: defaultdict[str, list[Detail]] = defaultdict(list)
    for row in report.rows:
        classes[row.groups.get(group) or "not stated"].extend(row.scored)
    lines = [
        (name, *(_cell([item for item in items if item.figure == figure]) for figure, _ in figures))
        for name, items in sorted(classes.items())
        if items
    ]
    header = (group, *(FIGURE_WORDS[name] for name, _ in figures))
    return [
        f"### By {group}",
        "Median / p90 of the error in per cent (rows).",
        markdown_table(header, lines),
    ]


def _cell(items: Sequence[Detail]) -> str:
    if not items:
        return "–"
    score = figure_score(items)
    return f"{score.median_abs_pct:.1f} / {score.p90_abs_pct:.0f} ({score.n})"


def number(value: float | None) -> str:
    """A figure with as many digits as it needs."""
    assert value is not None
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}"


def markdown_table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    rows = [header, ["---"] * len(header), *lines]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)
