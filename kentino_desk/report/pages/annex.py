"""Part 10: sources, and the formulas of the main figures with their inputs."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from kentino_desk.present.why import why
from kentino_desk.report.blocks import Formula, Heading, Paragraph
from kentino_desk.report.pages.sizing import main_figures

if TYPE_CHECKING:
    from kentino_desk.decision.results import CandidateResult
    from kentino_desk.domain.source import Source
    from kentino_desk.present.views import TraceInput, WhyView
    from kentino_desk.report.blocks import Block
    from kentino_desk.report.context import Context


def annex_blocks(context: Context) -> tuple[Block, ...]:
    """Where the facts come from, and how the figures are made."""
    words, result = context.words, context.closest
    formulas = _formulas(context, result) if result else ()
    return (
        Heading(text=words.gettext("10 Sources and formulas")),
        Paragraph(
            text=words.gettext(
                "Catalog {version}, read on {day}, hash {hash}.",
                version=context.snapshot.version,
                day=_day(context, context.snapshot.read_on),
                hash=context.snapshot.content_hash[:16],
            )
        ),
        *_facts(context, result),
        Heading(text=words.gettext("Formulas of the main figures"), level=2),
        *formulas,
    )


def _facts(context: Context, result: CandidateResult | None) -> tuple[Block, ...]:
    model = context.assessment.model
    facts: list[tuple[str, Source]] = [(model.name, model.source)]
    if result is not None:
        build = result.candidate.build
        facts += [(build.gpu.name, build.gpu.source), (build.node.name, build.node.source)]
    return tuple(
        Paragraph(
            text=context.words.gettext(
                "{name}: {address}, read on {day}.",
                name=name,
                address=source.address,
                day=_day(context, source.read_on),
            )
        )
        for name, source in facts
    )


def _day(context: Context, read_on: str) -> str:
    try:
        return context.shown.day(date.fromisoformat(read_on))
    except ValueError:
        return read_on


def _formulas(context: Context, result: CandidateResult) -> tuple[Block, ...]:
    views = (
        why(
            context.assessment,
            result if figure.key in result.figures else None,
            figure.key,
            context.language,
        )
        for figure in main_figures(context, result)
    )
    return tuple(_formula(context, view) for view in views)


def _formula(context: Context, view: WhyView) -> Formula:
    words = context.words
    value = ", ".join(part for part in (view.value, view.range, view.evidence) if part)
    said = (
        view.sentence,
        words.gettext("Expected error: {error}.", error=view.expected_error)
        if view.expected_error
        else "",
        words.gettext("Source: {source}.", source=view.source) if view.source else "",
    )
    inputs = _listed((*view.inputs, *view.constants))
    return Formula(
        name=view.title,
        value=value,
        lines=(view.equation, inputs),
        notes=(" ".join(part for part in said if part),),
    )


def _listed(inputs: tuple[TraceInput, ...]) -> str:
    return "; ".join(f"{item.name} {item.value}" for item in inputs)
