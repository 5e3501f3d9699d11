"""The scaling chart as numbers: throughput per GPU against one GPU."""

from __future__ import annotations

from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.decision.scaling import AgainstGate, chart_lines, scaling_table
from kentino_desk.domain.choices import Fabric
from kentino_desk.engine import policy
from kentino_desk.present.charts import Dash, EfficiencyChart, LaterRows, Line, Mark
from kentino_desk.present.language import later, text
from kentino_desk.present.numbers import numbers
from kentino_desk.present.terms import FABRIC_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.decision.scaling import ScaledPoint, ScalingLine

LIMIT_PERCENT = 100.0 * policy.value("efficiency_gate")
SELLERS_FIGURES = ((8.0, 73.0, "1\u00a0×\u00a08"), (8.0, 65.0, "2\u00a0×\u00a04"))
"""C074 and C075: GPUs, per cent, build."""

LINE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "dp": later("DP replicas, any fabric"),
        "tp_node": later("TP in the node"),
        "fsdp_across": later("FSDP · {fabric}"),
        "pp_across": later("PP across · {fabric}"),
    }
)
SHARED_WORDS = later("DP · {fabric}")
"""Copies that are trained exchange their gradients, so the network counts."""
LINE_LOOKS: Mapping[str, tuple[int, Dash]] = MappingProxyType(
    {
        "dp": (1, Dash.SOLID),
        "tp_node": (0, Dash.SOLID),
        "fsdp_across": (2, Dash.SOLID),
        "pp_across": (0, Dash.PARTNER),
    }
)
SHORT_LAYOUTS: Mapping[str, str] = MappingProxyType(
    {"dp": "DP", "tp_node": "TP", "fsdp_across": "FSDP", "pp_across": "PP"}
)
SHORT_FABRICS: Mapping[Fabric, str] = MappingProxyType(
    {Fabric.IB200: "IB 200", Fabric.IB400: "IB 400"}
)
TITLE = later("Scaling: replicas keep {dp} per GPU, tensor parallel over {gpus} GPUs keeps {tp}")
TITLE_ONE = later("Scaling: {line} keeps {share} per GPU over {gpus} GPUs")


def efficiency_chart(
    assessment: Assessment, result: CandidateResult, language: str
) -> EfficiencyChart | None:
    """Scaling lines of the chosen card and layout; None where no line can be computed."""
    table = scaling_table(assessment, result)
    lines = chart_lines(table)
    if not lines:
        return None
    words, shown = text(language), numbers(language)
    return EfficiencyChart(
        title=_title(lines, language),
        unit=words.gettext("% of one GPU, per GPU"),
        x_label=_x_label(lines, language),
        lines=tuple(_line(line, language) for line in lines),
        marks=tuple(
            Mark(x=x, y=y, label=f"{shown.plain(y / 100, 2)} · {build}")
            for x, y, build in SELLERS_FIGURES
        ),
        mark_word=words.gettext("seller's figure"),
        limit=LIMIT_PERCENT,
        limit_text=words.gettext("below 60\u00a0%: re-architect"),
        twin=LaterRows(lambda: _twin(table, result, language)),
    )


def _x_label(lines: tuple[ScalingLine, ...], language: str) -> str:
    """What the axis counts, and the layouts whose range reaches over the limit somewhere."""
    words = text(language)
    label = words.gettext("GPUs in one job (log scale)")
    unsure = [
        SHORT_LAYOUTS[line.key]
        for line in lines
        if any(item.verdict is AgainstGate.MEASURE for item in line.points)
    ]
    if not unsure:
        return label
    near = words.gettext("measure first near 60\u00a0%: {layouts}", layouts=", ".join(unsure))
    return f"{label} · {near}"


def _line(line: ScalingLine, language: str) -> Line:
    series, dash = LINE_LOOKS[line.key]
    return Line(
        key=line.key,
        label=_label(line, language),
        xs=tuple(float(count) for count in line.gpus),
        ys=tuple(100.0 * share for share in line.efficiency),
        series=series,
        dash=dash,
    )


def _label(line: ScalingLine, language: str) -> str:
    words = text(language)
    if line.key == "dp" and line.fabric is not Fabric.NONE:
        return words.gettext(SHARED_WORDS, fabric=SHORT_FABRICS[line.fabric])
    fabric = SHORT_FABRICS.get(line.fabric) or words.gettext(FABRIC_WORDS[line.fabric])
    return words.gettext(LINE_WORDS[line.key], fabric=fabric)


def _title(lines: tuple[ScalingLine, ...], language: str) -> str:
    words, shown = text(language), numbers(language)
    by_key = {line.key: line for line in lines}
    if {"dp", "tp_node"} <= by_key.keys():
        tensor = by_key["tp_node"]
        return words.gettext(
            TITLE,
            dp=shown.percent(by_key["dp"].efficiency[-1]),
            gpus=tensor.gpus[-1],
            tp=shown.percent(tensor.efficiency[-1]),
        )
    line = lines[0]
    return words.gettext(
        TITLE_ONE,
        line=_label(line, language),
        share=shown.percent(line.efficiency[-1]),
        gpus=line.gpus[-1],
    )


def _twin(
    table: tuple[ScalingLine, ...], result: CandidateResult, language: str
) -> tuple[tuple[str, ...], ...]:
    """Every layout inside the node and over every network, with what the limit says of it."""
    words = text(language)
    counts = sorted({count for line in table for count in line.gpus})
    gate = words.gettext("60\u00a0% line")
    head = (words.gettext("GPUs"), *(str(count) for count in counts), gate)
    rows = []
    for line in table:
        found = dict(zip(line.gpus, line.points, strict=True))
        cells = (_cell(found[n], language) if n in found else "" for n in counts)
        name = f"{line.layout} · {_place(line, result, language)}"
        rows.append((name, *cells, _gate_words(line, language)))
    return (head, *rows)


def _cell(item: ScaledPoint, language: str) -> str:
    shown = numbers(language)
    best = shown.percent(item.best)
    if item.high - item.low < 0.005:
        return best
    return f"{best} ({shown.whole(100 * item.low)}–{shown.whole(100 * item.high)})"


def _place(line: ScalingLine, result: CandidateResult, language: str) -> str:
    words = text(language)
    if line.fabric is not Fabric.NONE:
        return words.gettext(FABRIC_WORDS[line.fabric])
    if line.points[-1].point.nodes > 1:
        return words.gettext("any network")
    link = "NVLink" if result.candidate.build.node.nvlink else "PCIe"
    return words.gettext("{link} in the node", link=link)


GATE_WORDS: Mapping[AgainstGate, str] = MappingProxyType(
    {
        AgainstGate.HOLDS: later("kept: {gpus}"),
        AgainstGate.MEASURE: later("measure first: {gpus}"),
        AgainstGate.BELOW: later("below: {gpus}"),
    }
)


def _gate_words(line: ScalingLine, language: str) -> str:
    """Such as "kept: 1–2; measure first: 4; below: 8", by number of GPUs."""
    words = text(language)
    parts = []
    for verdict, group in groupby(line.points, lambda item: item.verdict):
        counts = [item.point.gpus for item in group]
        span = str(counts[0]) if len(counts) == 1 else f"{counts[0]}–{counts[-1]}"
        parts.append(words.gettext(GATE_WORDS[verdict], gpus=span))
    return "; ".join(parts)
