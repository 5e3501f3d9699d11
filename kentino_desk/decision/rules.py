"""The five questions: one ordered tuple of rules over ``Facts``; the first yes ends the debate.

A rule is one entry. Screen, paper, JSON and tests iterate the tuple; none of them names a rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.decision.facts import Facts, frontier
from kentino_desk.decision.results import QuestionAnswer, RuleFigure
from kentino_desk.domain.choices import Answer
from kentino_desk.engine import policy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a rule found: its answer, why, and the numbers that decided."""

    yes: bool
    reason: str
    figures: tuple[RuleFigure, ...]
    applies: bool = True
    """False where the question has nothing to ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One question; ``reads`` names the facts it looks at."""

    number: int
    key: str
    reads: tuple[str, ...]
    decide: Callable[[Facts], Finding]
    ends: bool
    """Whether its yes ends the debate."""
    before: int = 0
    """Number of an earlier question that this one overrules when both say yes, 0 for none."""


def _memory_figure(facts: Facts) -> RuleFigure:
    if facts.trains:
        limit = policy.value("peak_share_fits")
        return RuleFigure(key="peak_share", value=facts.memory_share, unit="share", limit=limit)
    limit = policy.value("weights_share_fits")
    return RuleFigure(key="weight_share", value=facts.weight_share, unit="share", limit=limit)


def _load_figure(facts: Facts) -> RuleFigure:
    return RuleFigure(key="x_node", value=facts.x_node, unit="load", limit=facts.load)


def one_node(facts: Facts) -> Finding:
    """Question 1: does one node hold the job at 8 bit with room to work?"""
    if facts.trains:
        return Finding(
            yes=facts.one_node_8,
            reason="state_fits" if facts.one_node_8 else "state_too_large",
            figures=(_memory_figure(facts),),
        )
    partly = facts.carries_8 and not facts.one_node_4
    yes = facts.one_node_8 or partly
    reason = "whole_load" if facts.one_node_8 else "part_of_load" if partly else "not_at_8_bit"
    return Finding(yes=yes, reason=reason, figures=(_memory_figure(facts), _load_figure(facts)))


def one_node_four_bit(facts: Facts) -> Finding:
    """Question 2: does it in 4 bit, and is it inference?"""
    if facts.trains:
        return Finding(yes=False, reason="never_for_gradients", figures=())
    yes = facts.one_node_4 or (facts.carries_4 and not facts.carries_8)
    reason = "whole_load" if facts.one_node_4 else "part_of_load" if yes else "not_at_4_bit"
    if facts.native_four_bit:
        return Finding(yes=False, reason="native_4_bit", figures=(), applies=False)
    return Finding(yes=yes, reason=reason, figures=(_load_figure(facts),))


def throughput(facts: Facts) -> Finding:
    """Question 3: is it bound by throughput (or the deadline), not by size?"""
    nodes = RuleFigure(key="nodes", value=facts.nodes, unit="nodes", limit=1.0)
    if facts.trains:
        days = RuleFigure(
            key="train_days",
            value=facts.train_days_one_node,
            unit="days",
            limit=facts.deadline_days,
        )
        late = facts.one_node_8 and facts.has_deadline and not facts.one_node_in_time
        return Finding(
            yes=late,
            reason="deadline_missed"
            if late
            else "deadline_met"
            if facts.one_node_8
            else "too_large",
            figures=(days, nodes),
            applies=facts.has_deadline,
        )
    held = one_node(facts).yes or one_node_four_bit(facts).yes
    yes = held and (facts.nodes or 1.0) > 1.0
    reason = "more_nodes" if yes else "one_node_carries" if held else "too_large"
    return Finding(yes=yes, reason=reason, figures=(_load_figure(facts), nodes))


def larger_than_a_node(facts: Facts) -> Finding:
    """Question 4: is it work that no single node holds, but several do within the targets?"""
    gate = RuleFigure(
        key="efficiency",
        value=facts.cluster_efficiency,
        unit="share",
        limit=policy.value("efficiency_gate"),
    )
    held = one_node(facts).yes or one_node_four_bit(facts).yes
    yes = facts.cluster_holds and not held
    reason = "one_node_holds" if held else "cluster_holds" if yes else "no_layout_fits"
    return Finding(yes=yes, reason=reason, figures=(gate,))


def frontier_pretraining(facts: Facts) -> Finding:
    """Question 5: is it pretraining of a 70B+ model from scratch?"""
    params = RuleFigure(
        key="params",
        value=facts.params_total,
        unit="parameters",
        limit=policy.value("frontier_params"),
    )
    yes = frontier(facts)
    reason = (
        "frontier" if yes else "smaller_model" if facts.kind == "pretrain" else "not_pretraining"
    )
    return Finding(yes=yes, reason=reason, figures=(params,))


RULES: tuple[Rule, ...] = (
    Rule(number=1, key="one_node", decide=one_node, ends=True,
         reads=("one_node_8", "carries_8", "one_node_4", "weight_share", "memory_share")),
    Rule(number=2, key="four_bit", decide=one_node_four_bit, ends=True,
         reads=("one_node_4", "carries_4", "carries_8", "native_four_bit")),
    Rule(number=3, key="throughput", decide=throughput, ends=False,
         reads=("nodes", "x_node", "load", "train_days_one_node", "deadline_days")),
    Rule(number=4, key="cluster", decide=larger_than_a_node, ends=True,
         reads=("cluster_holds", "cluster_efficiency")),
    Rule(number=5, key="frontier", decide=frontier_pretraining, ends=True, before=4,
         reads=("kind", "params_total")),
)  # fmt: skip


def decisive(findings: Sequence[tuple[Rule, Finding]]) -> int | None:
    """Number of the question whose yes ends the debate; 5 speaks before 4."""
    ended = [rule for rule, found in findings if rule.ends and found.yes and found.applies]
    overruled = {rule.before for rule in ended}
    return next((rule.number for rule in ended if rule.number not in overruled), None)


def answers(facts: Facts, rules: tuple[Rule, ...] = RULES) -> tuple[QuestionAnswer, ...]:
    """All questions with answer, would-be answer, figures and margin."""
    findings = [(rule, rule.decide(facts)) for rule in rules]
    ending = decisive(findings)
    return tuple(_answer(rule, found, ending) for rule, found in findings)


def _answer(rule: Rule, found: Finding, ending: int | None) -> QuestionAnswer:
    word = Answer.YES if found.yes else Answer.NO
    needed = found.applies and not _after(rule, ending)
    return QuestionAnswer(
        number=rule.number,
        key=rule.key,
        answer=word if needed else Answer.NOT_NEEDED,
        would_be=None if needed else (word if found.applies else None),
        reason_key=found.reason,
        figures=found.figures,
        margin=_margin(found.figures),
    )


def _after(rule: Rule, ending: int | None) -> bool:
    """Whether the debate had ended before a question; the third is always answered."""
    if ending is None or not rule.ends or rule.number == ending:
        return False
    return rule.number > ending or (ending == 5 and rule.number == 4)


def _margin(figures: tuple[RuleFigure, ...]) -> float | None:
    first = next((item for item in figures if item.value is not None and item.limit), None)
    if first is None or first.value is None or not first.limit:
        return None
    return 1.0 - first.value / first.limit
