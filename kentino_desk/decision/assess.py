"""One workload assessed: candidates, answers, verdict and notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.decision.admission import check_rate, check_workload
from kentino_desk.decision.facts import choose, gather_facts
from kentino_desk.decision.neighbours import larger_build, smaller_build, worth_comparing
from kentino_desk.decision.note_context import Context
from kentino_desk.decision.notes import NOTES, notes_for
from kentino_desk.decision.numbers import by_users
from kentino_desk.decision.presets import resolve
from kentino_desk.decision.ranking import by_standing, first_place, standings
from kentino_desk.decision.result_rows import ResultMaker, Results, best_places
from kentino_desk.decision.results import (
    Assessment,
    CandidateResult,
    PartnerChoice,
    Verdict,
)
from kentino_desk.decision.rules import RULES, answers
from kentino_desk.decision.selection import Field, field_of, first, ranking
from kentino_desk.decision.serving import run_serving
from kentino_desk.decision.training import run_training
from kentino_desk.decision.verdict import binding_of, close_call_reasons, rule_outcome
from kentino_desk.decision.whole_figures import whole_figures
from kentino_desk.domain.choices import Format, Kind, Outcome
from kentino_desk.engine import policy

if TYPE_CHECKING:
    from kentino_desk.decision.facts import Choice, Facts
    from kentino_desk.decision.note_context import NoteRule
    from kentino_desk.decision.results import QuestionAnswer
    from kentino_desk.decision.rules import Rule
    from kentino_desk.decision.verdict import Ruling
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import WorkloadInputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """The questions and the notes that an assessment goes through."""

    questions: tuple[Rule, ...] = RULES
    notes: tuple[NoteRule, ...] = NOTES


RULEBOOK = Rulebook()


def assess(
    inputs: WorkloadInputs, snapshot: CatalogSnapshot, rulebook: Rulebook = RULEBOOK
) -> Assessment:
    """Everything that can be said of a workload on the builds of a catalog.

    Raises:
        InputError: a combination that is refused, naming the field.
    """
    model = snapshot.model(str(inputs.get("workload.model")))
    workload = resolve(inputs, model)
    check_workload(workload, model)
    check_rate(workload, model, snapshot)
    run = (
        run_serving(workload, snapshot)
        if workload.kind.is_serving
        else run_training(workload, snapshot)
    )
    field = field_of(run, workload, model, snapshot)
    choice = choose(field)
    facts = gather_facts(field, choice)
    questions = answers(facts, rulebook.questions)
    ruling = rule_outcome(field, choice, questions)
    return _assembled(_Found(inputs, field, choice, facts, questions, ruling), rulebook.notes)


@dataclass(frozen=True, slots=True)
class _Found:
    """What was decided before any result is made."""

    inputs: WorkloadInputs
    field: Field
    choice: Choice
    facts: Facts
    questions: tuple[QuestionAnswer, ...]
    ruling: Ruling


def _assembled(found: _Found, note_rules: tuple[NoteRule, ...]) -> Assessment:
    field, choice, ruling = found.field, found.choice, found.ruling
    order = ranking(field, ruling.row)
    maker = ResultMaker(field)
    results = Results(maker, order)
    best = tuple(results[place] for place in best_places(field, order))
    chosen = best[0] if ruling.row is not None else None
    close = close_call_reasons(field, chosen)
    partner = _partner(field, maker, chosen, ruling.outcome)
    stands = standings(best, _needed(field), field.workload.ranking)
    ranked = by_standing(chosen, best, stands)
    context = Context(
        field=field,
        facts=found.facts,
        choice=choice,
        ruling=ruling,
        chosen=chosen,
        best=best,
        everything=results,
        partner=partner,
        close_calls=close,
        assumed=len(field.workload.assumed),
    )
    return Assessment(
        inputs=found.inputs,
        workload=field.workload,
        model=field.model,
        snapshot=field.snapshot,
        evaluation=field.run.evaluation,
        candidates=results,
        best_per_build=worth_comparing(chosen, ranked),
        standings=stands,
        first_place=first_place(chosen, ranked, stands),
        verdict=_verdict(field, choice, ruling, best, close),
        questions=found.questions,
        notes=notes_for(context, note_rules),
        partner=partner,
        figures=whole_figures(field, choice, ruling),
        native_step_weights=chosen.candidate.weights if chosen else Format.AUTO,
    )


def _needed(field: Field) -> float | None:
    """The load in the unit of what a node carries: users, or tokens per second."""
    workload, run = field.workload, field.run
    if workload.kind is Kind.BATCH or workload.kind.is_training:
        return run.needed_rate
    if by_users(workload):
        return run.load
    return run.load / policy.value("demand_load_share")


def _verdict(
    field: Field,
    choice: Choice,
    ruling: Ruling,
    best: tuple[CandidateResult, ...],
    close: tuple[str, ...],
) -> Verdict:
    chosen = best[0] if ruling.row is not None else None
    return Verdict(
        outcome=ruling.outcome,
        chosen=chosen,
        nodes=chosen.candidate.build.nodes if chosen else 0,
        replicas=chosen.candidate.replicas if chosen else 0,
        binding=binding_of(field, choice, ruling),
        close_call=bool(close),
        close_call_reasons=close,
        smaller=smaller_build(chosen, best) if chosen else None,
        larger=larger_build(chosen, best) if chosen else None,
    )


def _partner(
    field: Field, maker: ResultMaker, chosen: CandidateResult | None, outcome: Outcome
) -> PartnerChoice | None:
    """The cheapest partner platform that passes, whatever the format step.

    Frontier work is not begun below its range of GPUs, however little memory it needs.
    """
    if field.partner_flow:
        return PartnerChoice(result=chosen, nodes=chosen.candidate.build.nodes) if chosen else None
    passing = field.partner & field.run.passes
    passing = passing & (~field.fabric | field.gate)
    if outcome is Outcome.FRONTIER:
        gpus = field.nodes * field.run.space.traits.gpus_per_node[field.run.base]
        passing = passing & (gpus >= policy.value("frontier_gpus"))
    row = first(passing, field.price_place)
    if row is None:
        return None
    return PartnerChoice(result=maker.result(row), nodes=int(field.nodes[row]))
