"""The scaling chart as numbers: throughput per GPU against one GPU."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.decision.scaling import scaling_lines
from kentino_desk.domain.choices import Fabric
from kentino_desk.engine import policy
from kentino_desk.present.charts import Dash, EfficiencyChart, Line, Mark
from kentino_desk.present.language import later, text
from kentino_desk.present.numbers import numbers
from kentino_desk.present.terms import FABRIC_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.decision.scaling import ScalingLine

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
LINE_LOOKS: Mapping[str, tuple[int, Dash]] = MappingProxyType(
    {
        "dp": (1, Dash.SOLID),
        "tp_node": (0, Dash.SOLID),
        "fsdp_across": (2, Dash.SOLID),
        "pp_across": (0, Dash.PARTNER),
    }
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
    lines = scaling_lines(assessment, result)
    if not lines:
        return None
    words, shown = text(language), numbers(language)
    return EfficiencyChart(
        title=_title(lines, language),
        unit=words.gettext("% of one GPU, per GPU"),
        x_label=words.gettext("GPUs in one job (log scale)"),
        lines=tuple(_line(line, language) for line in lines),
        marks=tuple(
            Mark(x=x, y=y, label=f"{shown.plain(y / 100, 2)} · {build}")
            for x, y, build in SELLERS_FIGURES
        ),
        mark_word=words.gettext("seller's figure"),
        limit=LIMIT_PERCENT,
        limit_text=words.gettext("below 60\u00a0%: re-architect"),
        twin=_twin(lines, language),
    )


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


def _twin(lines: tuple[ScalingLine, ...], language: str) -> tuple[tuple[str, ...], ...]:
    words, shown = text(language), numbers(language)
    counts = sorted({count for line in lines for count in line.gpus})
    head = (words.gettext("GPUs"), *(str(count) for count in counts))
    rows = []
    for line in lines:
        shares = dict(zip(line.gpus, line.efficiency, strict=True))
        cells = (shown.percent(shares[n]) if n in shares else "" for n in counts)
        rows.append((_label(line, language), *cells))
    return (head, *rows)
