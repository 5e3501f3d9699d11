"""Rows that screen and paper show: words and numbers already in the language of the reader.

A widget or a page draws these and computes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kentino_desk.domain.choices import Grade


class Tone(StrEnum):
    """Role of a text; the theme picks the colour, the words never rely on it."""

    PLAIN = "plain"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    MUTED = "muted"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """One figure in words: name, value with unit, range and wish, grade of evidence."""

    key: str
    """Key of the figure, for the "why?"; empty where there is nothing to explain."""
    row: int
    """Row of the evaluation the figure belongs to; -1 for a figure of the workload."""
    name: str
    value: str
    beside: str
    """Range and wish, such as ``12.1–18.2, want 12``."""
    evidence: str
    """measured, vendor or estimate, in the reader's language; empty where it does not apply."""
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """The verdict card. ``sentence`` is at most two lines at the design's width."""

    title: str
    sentence: str
    grade: Grade | None
    grade_word: str
    close_call: str
    """Empty, or the sentence that says why it is a close call."""
    rows: tuple[FigureRow, ...]
    blocked: str = ""
    """Why no figures are shown (catalog changed), else empty."""
    stale: str = ""
    """Says that the last valid entry drives the figures, else empty."""
    flips: str = ""
    """What flips the verdict first, once that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """One of the five questions: answer word, deciding figure and limit."""

    number: int
    question: str
    answer: str
    detail: str
    figure: str
    limit: str
    tone: Tone
    decided: bool
    """Whether this answer ended the debate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateView:
    """One candidate as a card of the strip and as a row of the table."""

    id: str
    row: int
    name: str
    layout: str
    formats: str
    grade: Grade
    grade_word: str
    figure: str
    """The figure of merit: speed per user, tokens/s or days."""
    figure_unit: str
    users: str
    ttft: str
    total: str
    efficiency: str
    power: str
    price: str
    price_amount: str
    """The price without its currency, for columns that name it in their head."""
    reason: str
    reason_without_price: str
    """The same for the customer's eyes."""
    reason_tone: Tone
    chosen: bool
    partner: bool
    passes: bool
    customer: bool = False
    """Whether it is the machine that the customer has."""
    dominated_by: str = ""
    """Name of a build that is at least as good in everything and better in something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView:
    """A note in words, with its sources."""

    key: str
    text: str
    tone: Tone
    sources: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceInput:
    """One input of an explained figure; ``key`` can itself be explained when not empty."""

    key: str
    name: str
    value: str
    source: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyView:
    """Everything a "why?" says, in order; ``text`` is the whole of it for the clipboard."""

    key: str
    row: int
    title: str
    value: str
    range: str
    evidence: str
    sentence: str
    equation: str
    symbols: str
    numbers: str
    inputs: tuple[TraceInput, ...]
    constants: tuple[TraceInput, ...]
    expected_error: str
    source: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessmentView:
    """All rows of one assessment in one language."""

    language: str
    verdict: VerdictView
    questions: tuple[QuestionView, ...]
    candidates: tuple[CandidateView, ...]
    """Best layout of each build, best first."""
    notes: tuple[NoteView, ...]
    assumed: tuple[str, ...]
    """Names of the assumed inputs with their values."""
