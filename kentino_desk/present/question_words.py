"""The five questions in words: question, answer, deciding figure, limit."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Answer
from kentino_desk.present.counted import measured
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import load_figure, load_unit
from kentino_desk.present.numbers import numbers
from kentino_desk.present.plain_words import key_in_words
from kentino_desk.present.verdict_words import billions
from kentino_desk.present.views import QuestionView, Tone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment, QuestionAnswer, RuleFigure

QUESTIONS: Mapping[str, str] = MappingProxyType(
    {
        "one_node": later("Fits one node at 8 bit?"),
        "four_bit": later("Fits one node in 4 bit?"),
        "throughput": later("Short of throughput?"),
        "cluster": later("Larger than one node?"),
        "frontier": later("Pretraining of 70B or more?"),
    }
)
TRAINING_QUESTIONS: Mapping[str, str] = MappingProxyType(
    {
        "one_node": later("Fits one node to train?"),
        "throughput": later("Short of time?"),
    }
)

ANSWERS: Mapping[Answer, str] = MappingProxyType(
    {
        Answer.YES: later("Yes"),
        Answer.NO: later("No"),
        Answer.NOT_NEEDED: later("Not needed"),
    }
)
WOULD_BE: Mapping[Answer, str] = MappingProxyType(
    {Answer.YES: later("would be yes: {figure}"), Answer.NO: later("would be no: {figure}")}
)

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "state_fits": later("the training state fits"),
        "state_too_large": later("the training state is too large"),
        "whole_load": later("one node carries the whole load"),
        "part_of_load": later("one node carries part of the load"),
        "not_at_8_bit": later("no node carries it at 8 bit"),
        "not_at_4_bit": later("no node carries it in 4 bit"),
        "never_for_gradients": later("gradients need more than 4 bit"),
        "native_4_bit": later("the model is made in 4 bit"),
        "more_nodes": later("one node does not carry it all"),
        "one_node_carries": later("one node carries it"),
        "too_large": later("size decides, not speed"),
        "deadline_missed": later("one node misses the date"),
        "deadline_met": later("one node makes the date"),
        "one_node_holds": later("one node holds it"),
        "cluster_holds": later("several nodes hold it"),
        "no_layout_fits": later("no layout over nodes fits"),
        "frontier": later("pretraining at the frontier"),
        "smaller_model": later("a smaller model"),
        "not_pretraining": later("it is not pretraining"),
    }
)

FIGURES: Mapping[str, str] = MappingProxyType(
    {
        "weight_share": later("weights {value} of the memory"),
        "peak_share": later("peak {value} of the memory"),
        "x_node": later("one node carries {value}"),
        "nodes": later("needed: {value}"),
        "train_days": later("{value} on one node"),
        "efficiency": later("{value} of the speed per GPU"),
        "params": later("{value} parameters"),
    }
)
LIMITS: Mapping[str, str] = MappingProxyType(
    {
        "weight_share": later("at most {limit}"),
        "peak_share": later("at most {limit}"),
        "x_node": later("asked {limit}"),
        "nodes": later("more than {limit}"),
        "train_days": later("asked {limit}"),
        "efficiency": later("at least {limit}"),
        "params": later("from {limit}"),
    }
)
LIMIT = later("limit {limit}")
DECIDED_BY: Mapping[str, str] = MappingProxyType(
    {
        "part_of_load": "x_node",
        "more_nodes": "x_node",
        "one_node_carries": "x_node",
        "not_at_4_bit": "x_node",
    }
)
"""Reasons that rest on another figure than the first."""
SAID_IN_WORDS = frozenset(
    {"never_for_gradients", "native_4_bit", "not_pretraining", "one_node_holds"}
)
"""Reasons that no figure decides."""


def question_views(assessment: Assessment, language: str) -> tuple[QuestionView, ...]:
    """All questions in their order."""
    return tuple(_view(assessment, answer, language) for answer in assessment.questions)


def _view(assessment: Assessment, answer: QuestionAnswer, language: str) -> QuestionView:
    words = text(language)
    figure = _deciding(answer)
    shown = _figure(assessment, answer, figure, language)
    limit = _limit(assessment, figure, language)
    return QuestionView(
        number=answer.number,
        question=words.gettext(_question(assessment, answer)),
        answer=words.gettext(ANSWERS[answer.answer]),
        detail=words.gettext("{figure}, {limit}", figure=shown, limit=limit) if limit else shown,
        figure=shown,
        limit=limit,
        tone=_tone(answer),
        decided=answer.answer is Answer.YES and answer.key != "throughput",
    )


def _question(assessment: Assessment, answer: QuestionAnswer) -> str:
    special = TRAINING_QUESTIONS if assessment.workload.kind.is_training else QUESTIONS
    unwritten = f"{key_in_words(answer.key)}?"
    return special.get(answer.key) or QUESTIONS.get(answer.key, unwritten)


def _tone(answer: QuestionAnswer) -> Tone:
    if answer.answer is Answer.NOT_NEEDED:
        return Tone.MUTED
    if answer.answer is Answer.NO:
        return Tone.PLAIN
    return Tone.WARN if answer.key == "throughput" else Tone.GOOD


def _deciding(answer: QuestionAnswer) -> RuleFigure | None:
    if answer.reason_key in SAID_IN_WORDS:
        return None
    known = [figure for figure in answer.figures if figure.value is not None]
    wanted = DECIDED_BY.get(answer.reason_key)
    return next((figure for figure in known if figure.key == wanted), next(iter(known), None))


def _figure(
    assessment: Assessment, answer: QuestionAnswer, figure: RuleFigure | None, language: str
) -> str:
    words = text(language)
    if figure is None:
        unwritten = key_in_words(answer.reason_key).lower()
        said = words.gettext(REASONS.get(answer.reason_key, unwritten))
    else:
        value = _value(assessment, figure.key, figure.value, figure.unit, language)
        unwritten = key_in_words(figure.key).lower() + " {value}"
        said = words.gettext(FIGURES.get(figure.key, unwritten), value=value)
    if answer.answer is Answer.NOT_NEEDED and answer.would_be is not None:
        return words.gettext(WOULD_BE[answer.would_be], figure=said)
    return said


def _limit(assessment: Assessment, figure: RuleFigure | None, language: str) -> str:
    if figure is None or figure.limit is None:
        return ""
    if figure.unit == "load":
        load = load_figure(assessment)
        if load is None:
            return ""
        limit = numbers(language).value(load.value, load_unit(assessment))
    else:
        limit = _value(assessment, figure.key, figure.limit, figure.unit, language)
    return text(language).gettext(LIMITS.get(figure.key, LIMIT), limit=limit)


def _value(assessment: Assessment, key: str, value: float | None, unit: str, language: str) -> str:
    if key == "params" and value is not None:
        return billions(value, language)
    return measured(value, load_unit(assessment) if unit == "load" else unit, language)
