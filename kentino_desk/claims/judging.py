"""How a figure of the product is held against a claim; the rules stand here once.

A number agrees when it lies inside the claimed range, widened by 5 %, or by 10 % where the seller
calls the figure approximate. A range of ours agrees when it meets the claimed one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Grade, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.claims.desk import Desk
    from kentino_desk.claims.rows import Claim

WIDE, NARROW = 0.10, 0.05
"""Tolerance of an approximate claim, and of any other."""


class Judgement(StrEnum):
    """What came of a claim."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class Found:
    """A figure of the product for a claim (number, range or word), and where it comes from."""

    value: float | tuple[float, float] | str
    why: str
    unit: str | None = None
    """Unit where it is not that of the claim."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One claim with our figure beside it."""

    claim: Claim
    judgement: Judgement
    found: Found | None
    why: str


Answer = Callable[["Desk", "Claim"], Judged]
Finder = Callable[["Desk"], Found]


def number(find: Finder, *, tolerance: float | None = None) -> Answer:
    """An answer whose figure has to lie inside the claimed range."""

    def answer(desk: Desk, claim: Claim) -> Judged:
        found = find(desk)
        slack = (WIDE if claim.is_approximate else NARROW) if tolerance is None else tolerance
        return _judged(claim, found, agrees=_meets(found, claim, slack))

    return answer


def at_least(find: Finder) -> Answer:
    """An answer that agrees where our figure reaches the upper end of the claim."""

    def answer(desk: Desk, claim: Claim) -> Judged:
        found = find(desk)
        limit = claim.high if claim.high is not None else claim.low
        low, _ = _ends(found)
        return _judged(claim, found, agrees=limit is not None and low >= limit * (1.0 - NARROW))

    return answer


def below(find: Finder) -> Answer:
    """An answer that agrees where our figure stays under the claimed one."""

    def answer(desk: Desk, claim: Claim) -> Judged:
        found = find(desk)
        _, high = _ends(found)
        return _judged(claim, found, agrees=claim.high is not None and high < claim.high)

    return answer


def above(find: Finder) -> Answer:
    """An answer that agrees where our figure lies over the claimed one."""

    def answer(desk: Desk, claim: Claim) -> Judged:
        found = find(desk)
        low, _ = _ends(found)
        return _judged(claim, found, agrees=claim.high is not None and low > claim.high)

    return answer


def fact(find: Callable[[Desk], tuple[bool, Found]]) -> Answer:
    """An answer that decides by itself whether it agrees."""

    def answer(desk: Desk, claim: Claim) -> Judged:
        agrees, found = find(desk)
        return _judged(claim, found, agrees=agrees)

    return answer


def outcome(case: str, why: str) -> Answer:
    """An answer from the outcome of one workload."""

    def answer(desk: Desk, claim: Claim) -> Judged:
        verdict = desk.assessed(case).verdict
        build = f", {verdict.chosen.candidate.id}" if verdict.chosen else ""
        found = Found(verdict.outcome.value, f"{why}{build}")
        return _judged(claim, found, agrees=verdict.outcome is OUTCOMES[claim.word])

    return answer


def fit(find: Callable[[Desk], Mapping[str, Grade]], why: str) -> Answer:
    """An answer from computed grades by format step (``8`` and ``4``, or ``state``)."""

    def answer(desk: Desk, claim: Claim) -> Judged:
        grades = find(desk)
        words = ", ".join(f"{step} {grade.word}" for step, grade in grades.items())
        return _judged(claim, Found(words, why), agrees=_grade_word(claim.word, grades))

    return answer


def note(key: str, case: str, more: str = "") -> Answer:
    """An answer by a note: it speaks in a workload and names the claim as its source."""

    def answer(desk: Desk, claim: Claim) -> Judged:
        spoken = [item for item in desk.assessed(case).notes if item.key == key]
        named = any(claim.id in item.sources for item in spoken)
        sentence = desk.sentence(case, spoken[0]) if spoken else "says nothing"
        found = Found(f"note {key}", f"{sentence} {more}".strip())
        return _judged(claim, found, agrees=named)

    return answer


def not_applicable(why: str) -> Answer:
    """An answer where the product has no such figure, with the reason."""

    def answer(_desk: Desk, claim: Claim) -> Judged:
        return Judged(claim, Judgement.NOT_APPLICABLE, None, why)

    return answer


def _judged(claim: Claim, found: Found, *, agrees: bool) -> Judged:
    judgement = Judgement.AGREES if agrees else Judgement.DISAGREES
    return Judged(claim, judgement, found, found.why)


def _ends(found: Found) -> tuple[float, float]:
    if isinstance(found.value, tuple):
        return found.value
    if isinstance(found.value, str):
        raise TypeError(f"{found.value} is no number")
    return found.value, found.value


def _meets(found: Found, claim: Claim, slack: float) -> bool:
    low, high = _ends(found)
    least = -inf if claim.low is None else claim.low * (1.0 - slack)
    most = inf if claim.high is None else claim.high * (1.0 + slack)
    return high >= least and low <= most


OUTCOMES: Mapping[str, Outcome] = MappingProxyType(
    {
        "one_node": Outcome.ONE_NODE,
        "one_node_int4": Outcome.ONE_NODE_INT4,
        "dp_replicas": Outcome.REPLICAS,
        "multi_node_ib": Outcome.CLUSTER_IB,
        "ndr_ib_or_sxm": Outcome.FRONTIER,
    }
)
_LOW = {Grade.NO, Grade.WEIGHTS_ONLY}
_GOOD = {Grade.FITS, Grade.COMFORTABLE}
_ANY = set(Grade)
_WORDS: Mapping[str, tuple[set[Grade], set[Grade]]] = MappingProxyType(
    {
        "yes_comfortably": ({Grade.COMFORTABLE}, _ANY),
        "yes_with_kv_headroom": ({Grade.COMFORTABLE}, _ANY),
        "yes": (_GOOD, _ANY),
        "no": (_LOW, _LOW),
        "weights_only": ({Grade.WEIGHTS_ONLY}, _ANY),
        "marginal_or_no": (_LOW | {Grade.TIGHT}, _LOW | {Grade.TIGHT}),
        "int4_only_tight": (_LOW, {Grade.TIGHT, Grade.FITS}),
        "int4_yes_fp8_marginal": ({Grade.TIGHT, Grade.WEIGHTS_ONLY}, _GOOD),
    }
)
"""What a word of the seller allows at the 8-bit and at the 4-bit step."""


def _grade_word(word: str, grades: Mapping[str, Grade]) -> bool:
    allowed = _WORDS[word]
    return all(
        grade in (allowed[1] if step.startswith("4") else allowed[0])
        for step, grade in grades.items()
    )
