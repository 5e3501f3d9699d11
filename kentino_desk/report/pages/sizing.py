"""Part 3: memory chart and the figures behind it, each with its formula, range and basis."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.present.counted import measured
from kentino_desk.present.load_words import figure_of
from kentino_desk.present.memory_chart import memory_chart
from kentino_desk.present.terms import EVIDENCE_WORDS, format_names, layout_name
from kentino_desk.present.verdict_rows import figure_name
from kentino_desk.present.why import equation_of
from kentino_desk.report.blocks import Column, Figure, Heading, Paragraph, Row, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import CandidateResult, FigureValue
    from kentino_desk.present.charts import MemoryChart
    from kentino_desk.report.blocks import Block
    from kentino_desk.report.context import Context

SERVING_FIGURES = (
    "weights_gib",
    "kv_gib",
    "activation_gib",
    "overhead_gib",
    "used_gib",
    "users_held",
    "tpot_ms",
    "tokens_per_s_per_user",
    "ttft_s",
    "tokens_per_s_total",
    "batch_days",
)
TRAINING_FIGURES = (
    "base_gib",
    "adapters_gib",
    "gradients_gib",
    "optimizer_gib",
    "weights_gib",
    "activation_gib",
    "overhead_gib",
    "used_gib",
    "state_tb",
    "tokens_per_s_total",
    "efficiency",
    "train_days",
)


CHART_PARTS: Mapping[str, str] = MappingProxyType(
    {
        "kv_gib": "kv",
        "gradients_gib": "gradients",
        "optimizer_gib": "optimizer",
        "activation_gib": "activations",
        "overhead_gib": "overhead",
    }
)


def main_figures(context: Context, result: CandidateResult) -> tuple[FigureValue, ...]:
    """The figures that decide, in the order they are read."""
    serving = context.assessment.workload.kind.is_serving
    keys = SERVING_FIGURES if serving else TRAINING_FIGURES
    found = (figure_of(context.assessment, result, key) for key in keys)
    return tuple(figure for figure in found if figure is not None and figure.value)


def sizing_blocks(context: Context) -> tuple[Block, ...]:
    """Chart and calculations."""
    result, words = context.closest, context.words
    head = Heading(text=words.gettext("3 Sizing"))
    if result is None:
        nothing = words.gettext("No build was left to be sized.")
        return (head, Paragraph(text=nothing))
    chart = memory_chart(context.assessment, result, context.language)
    intro = words.gettext(
        "{build}, {layout}, {formats}. Figures are per GPU where they say so.",
        build=_name(context, result),
        layout=layout_name(result.candidate),
        formats=format_names(
            result.candidate, words, serving=context.assessment.workload.kind.is_serving
        ),
    )
    drawn: tuple[Block, ...] = ()
    if chart is not None:
        caption = words.gettext(
            "Figure 1. Memory per GPU in GiB: {twin}.", twin=_twin_sentence(chart.twin[1:])
        )
        drawn = (Figure(title=chart.title, chart=chart, caption=caption),)
    return (head, Paragraph(text=intro), *drawn, _calculations(context, result, chart))


def _name(context: Context, result: CandidateResult) -> str:
    view = context.row_of(result)
    return view.name if view else result.candidate.id


def _twin_sentence(rows: tuple[tuple[str, ...], ...]) -> str:
    return ", ".join(f"{name}\u00a0{value}" for name, value in rows)


def _calculations(context: Context, result: CandidateResult, chart: MemoryChart | None) -> Table:
    words = context.words
    columns = (
        Column(title=words.gettext("What"), share=0.25),
        Column(title=words.gettext("Value"), share=0.14, numeric=True),
        Column(title=words.gettext("Range 5–95\u00a0%"), share=0.14, numeric=True),
        Column(title=words.gettext("Formula"), share=0.35),
        Column(title=words.gettext("Basis"), share=0.12),
    )
    rows = tuple(
        _calculation(context, result, figure, chart) for figure in main_figures(context, result)
    )
    return Table(columns=columns, rows=rows)


def _printed(context: Context, figure: FigureValue, chart: MemoryChart | None) -> str:
    """The value; parts of the memory as the chart prints them, so that they add up."""
    serving = context.assessment.workload.kind.is_serving
    part = "weights" if serving and figure.key == "weights_gib" else CHART_PARTS.get(figure.key)
    for segment in chart.bars[0].segments if chart is not None else ():
        if segment.key == part:
            return f"{segment.text}\u00a0GiB"
    return measured(figure.value, figure.unit, context.language)


def _calculation(
    context: Context, result: CandidateResult, figure: FigureValue, chart: MemoryChart | None
) -> Row:
    assessment, language = context.assessment, context.language
    return Row(
        cells=(
            figure_name(assessment, figure.key, language),
            _printed(context, figure, chart),
            context.shown.span(figure.low, figure.high, figure.unit),
            equation_of(assessment, result, figure),
            context.words.gettext(EVIDENCE_WORDS[figure.evidence]),
        )
    )
