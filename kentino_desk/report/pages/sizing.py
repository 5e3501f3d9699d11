"""Part 3: memory chart and the figures behind it, each with its formula, range and basis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.present.counted import measured
from kentino_desk.present.load_words import figure_of
from kentino_desk.present.memory_chart import memory_chart
from kentino_desk.present.terms import EVIDENCE_WORDS, format_names, layout_name
from kentino_desk.present.verdict_rows import FIGURE_NAMES
from kentino_desk.report.blocks import Column, Figure, Heading, Paragraph, Role, Row, Table

if TYPE_CHECKING:
    from kentino_desk.decision.results import CandidateResult, FigureValue
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
    "weights_gib",
    "gradients_gib",
    "optimizer_gib",
    "saved_gib",
    "overhead_gib",
    "used_gib",
    "state_tb",
    "tokens_per_s_total",
    "efficiency",
    "train_days",
)


def main_figures(context: Context, result: CandidateResult) -> tuple[FigureValue, ...]:
    """The figures that decide, in the order they are read."""
    serving = context.assessment.workload.kind.is_serving
    keys = SERVING_FIGURES if serving else TRAINING_FIGURES
    found = (figure_of(context.assessment, result, key) for key in keys)
    return tuple(figure for figure in found if figure is not None and figure.value is not None)


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
        caption = words.gettext("Figure 1. {twin}.", twin=_twin_sentence(chart.twin[1:]))
        drawn = (
            Paragraph(text=chart.title, role=Role.STRONG),
            Figure(chart=chart, caption=caption),
        )
    return (head, Paragraph(text=intro), *drawn, _calculations(context, result))


def _name(context: Context, result: CandidateResult) -> str:
    view = context.row_of(result)
    return view.name if view else result.candidate.id


def _twin_sentence(rows: tuple[tuple[str, ...], ...]) -> str:
    return ", ".join(f"{name}\u00a0{value}" for name, value in rows)


def _calculations(context: Context, result: CandidateResult) -> Table:
    words = context.words
    columns = (
        Column(title=words.gettext("Quantity"), share=0.25),
        Column(title=words.gettext("Value"), share=0.14, numeric=True),
        Column(title=words.gettext("Range 5–95 %"), share=0.14, numeric=True),
        Column(title=words.gettext("Formula"), share=0.35),
        Column(title=words.gettext("Basis"), share=0.12),
    )
    rows = tuple(_calculation(context, result, figure) for figure in main_figures(context, result))
    return Table(columns=columns, rows=rows)


def _calculation(context: Context, result: CandidateResult, figure: FigureValue) -> Row:
    words = context.words
    row = result.row if figure.key in result.figures else 0
    explained = context.assessment.evaluation.explain(figure.quantity, row)
    return Row(
        cells=(
            words.gettext(FIGURE_NAMES[figure.key]),
            measured(figure.value, figure.unit, context.language),
            context.shown.span(figure.low, figure.high, figure.unit),
            explained.equation,
            words.gettext(EVIDENCE_WORDS[figure.evidence]),
        ),
        strong=False,
    )
