"""What the decision hands on: verdict, answers, notes and candidates, with their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kentino_desk.decision.ranking import FirstPlace, Standing
    from kentino_desk.domain.candidate import Candidate
    from kentino_desk.domain.choices import (
        Answer,
        Binding,
        Evidence,
        Format,
        Grade,
        Outcome,
        Severity,
    )
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.money import Money
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Workload, WorkloadInputs
    from kentino_desk.engine.evaluation import Evaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureValue:
    """One figure of a candidate: best value and its 5-95 % range, None where it does not exist.

    ``quantity`` names the engine quantity that computed it, for the "why?".
    """

    key: str
    value: float | None
    unit: str
    low: float | None
    high: float | None
    evidence: Evidence
    quantity: str
    not_validated: bool = False
    """Whether the range is the outer band of a class without measured rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateResult:
    """One candidate with its grade, its figures and why it was rejected."""

    candidate: Candidate
    row: int
    """Position in the arrays of the evaluation."""
    grade: Grade
    may_be_tight: bool
    """Whether the low side of the memory range gives a lower grade."""
    passes: bool
    misses: tuple[Binding, ...]
    """What it breaks, worst first; empty when it passes."""
    load_per_copy: float
    x_node: float
    """Load one node carries within the targets: users, or tokens/s where demand is in tokens."""
    price: Money | None
    figures: Mapping[str, FigureValue]
    step: int
    """Format step of decision_rules section 1 (0 first), the order in which formats are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFigure:
    """A number that decided an answer: text key, value, unit, and the limit it was held against."""

    key: str
    value: float | None
    unit: str
    limit: float | None = None
    limit_key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswer:
    """Answer to one of the five questions."""

    number: int
    key: str
    answer: Answer
    would_be: Answer | None
    """What a question that is not needed would have answered, else None."""
    reason_key: str
    figures: tuple[RuleFigure, ...]
    margin: float | None
    """Relative distance of the deciding figure to its threshold; positive is on the good side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A remark with its severity, numbers and source; the words stand in ``present``."""

    key: str
    severity: Severity
    numbers: Mapping[str, float | int | str]
    sources: tuple[str, ...]
    """Claim ids (C001…), documents or policy constants."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer: outcome, the proposed candidate (None when nothing fits), nodes and replicas."""

    outcome: Outcome
    chosen: CandidateResult | None
    nodes: int
    replicas: int
    binding: Binding | None
    close_call: bool
    close_call_reasons: tuple[str, ...]
    smaller: CandidateResult | None
    """The next smaller build, which does not pass, or passes at less than is asked."""
    larger: CandidateResult | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerChoice:
    """The cheapest partner platform that passes."""

    result: CandidateResult
    nodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """Everything computed for one workload."""

    inputs: WorkloadInputs
    """The inputs as they were given."""
    workload: Workload
    model: ModelCard
    snapshot: CatalogSnapshot
    evaluation: Evaluation
    candidates: Sequence[CandidateResult]
    """All candidates, best first; made when somebody looks."""
    best_per_build: tuple[CandidateResult, ...]
    """The best layout of each build: the proposed one, those worth comparing, then by rank."""
    standings: Mapping[str, Standing]
    """How each build stands, by its id."""
    first_place: FirstPlace | None
    """Why the proposed build stands before the second."""
    verdict: Verdict
    questions: tuple[QuestionAnswer, ...]
    notes: tuple[Note, ...]
    partner: PartnerChoice | None
    figures: Mapping[str, FigureValue]
    """Figures of the workload as a whole: load, tokens_per_s_needed, x_node, state_tb …"""
    native_step_weights: Format
