"""The "why?" of one figure: value, range, formula in words and symbols, inputs, constants."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kentino_desk.present.counted import measured
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import figure_of
from kentino_desk.present.numbers import numbers
from kentino_desk.present.plain_figures import PLAIN_FIGURES
from kentino_desk.present.source_words import source_in_words
from kentino_desk.present.terms import EVIDENCE_WORDS
from kentino_desk.present.trace_values import trace_value
from kentino_desk.present.verdict_rows import figure_name
from kentino_desk.present.views import TraceInput, WhyView

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment, CandidateResult, FigureValue
    from kentino_desk.engine.evaluation import Explained, ExplainedInput
    from kentino_desk.present.language import Text

LIKELY = later("likely {low} to {high}")
NOT_VALIDATED = later("likely {low} to {high}; class of hardware not validated by measurement")


def why(assessment: Assessment, result: CandidateResult | None, key: str, language: str) -> WhyView:
    """Everything that stands behind one figure, or behind one quantity of its trace.

    Raises:
        KeyError: there is no such figure or quantity.
    """
    figure = figure_of(assessment, result, key)
    of_candidate = result is not None and (figure is None or key in result.figures)
    row = result.row if result is not None and of_candidate else -1
    if key in PLAIN_FIGURES:
        view = _plain_view(assessment, key, row, language)
    else:
        name = figure.quantity if figure else key
        explained = assessment.evaluation.explain(name, max(row, 0))
        view = _explained_view(explained, key, row, language)
    if figure is not None:
        view = _with_figure(view, figure, language)
        view = replace(view, title=figure_name(assessment, key, language))
    return replace(view, text=_as_text(view, language))


def equation_of(assessment: Assessment, result: CandidateResult, figure: FigureValue) -> str:
    """How a figure is made, in symbols."""
    if figure.key in PLAIN_FIGURES:
        return PLAIN_FIGURES[figure.key].equation
    row = result.row if figure.key in result.figures else 0
    return assessment.evaluation.explain(figure.quantity, row).equation


def _plain_view(assessment: Assessment, key: str, row: int, language: str) -> WhyView:
    words, plain = text(language), PLAIN_FIGURES[key]
    return WhyView(
        key=key,
        row=row,
        title=figure_name(assessment, key, language),
        value="",
        range="",
        evidence="",
        sentence=words.gettext(plain.sentence),
        equation=words.gettext(plain.equation),
        symbols="",
        numbers="",
        inputs=(),
        constants=(),
        expected_error="",
        source=words.gettext(plain.source),
        text="",
    )


def _explained_view(explained: Explained, key: str, row: int, language: str) -> WhyView:
    words = text(language)
    traces = [(item, _trace(item, language)) for item in explained.inputs]
    value = trace_value(explained.value, explained.unit, language)
    return WhyView(
        key=key,
        row=row,
        title=words.gettext(explained.title),
        value=value,
        range="",
        evidence="",
        sentence=words.gettext(explained.sentence),
        equation=explained.equation,
        symbols=explained.symbol,
        numbers=f"{explained.symbol} = {value}",
        inputs=tuple(trace for item, trace in traces if item.kind != "constant"),
        constants=tuple(trace for item, trace in traces if item.kind == "constant"),
        expected_error=_said(words, explained.expected_error),
        source=source_in_words(explained.source, language),
        text="",
    )


def _said(words: Text, sentence: str) -> str:
    """A text of the engine; nothing stays nothing."""
    return words.gettext(sentence) if sentence else ""


def _with_figure(view: WhyView, figure: FigureValue, language: str) -> WhyView:
    words, shown = text(language), numbers(language)
    span = ""
    if figure.low is not None and figure.high is not None and figure.low < figure.high:
        span = words.gettext(
            NOT_VALIDATED if figure.not_validated else LIKELY,
            low=shown.value(figure.low, figure.unit),
            high=shown.value(figure.high, figure.unit),
        )
    return replace(
        view,
        value=measured(figure.value, figure.unit, language),
        range=span,
        evidence=words.gettext(EVIDENCE_WORDS[figure.evidence]),
    )


def _trace(item: ExplainedInput, language: str) -> TraceInput:
    words = text(language)
    grade = words.gettext(EVIDENCE_WORDS[item.evidence])
    return TraceInput(
        key=item.name if item.kind == "quantity" else "",
        name=words.gettext(item.title),
        value=trace_value(item.value, item.unit, language),
        source=source_in_words(item.source, language),
        evidence="" if item.origin in {"workload", "layout"} else grade,
    )


def _as_text(view: WhyView, language: str) -> str:
    words = text(language)
    error = view.expected_error
    lines = [
        view.title,
        " ".join(part for part in (view.value, view.range, view.evidence) if part),
        view.sentence,
        view.equation,
        view.numbers,
        words.gettext("Inputs") if view.inputs else "",
        *map(_trace_line, view.inputs),
        words.gettext("Constants") if view.constants else "",
        *map(_trace_line, view.constants),
        words.gettext("Expected error: {error}", error=error) if error else "",
        words.gettext("Source: {source}", source=view.source) if view.source else "",
    ]
    return "\n".join(line.rstrip() for line in lines if line) + "\n"


def _trace_line(item: TraceInput) -> str:
    return f"{item.name}\t{item.value}\t{item.source}\t{item.evidence}"
