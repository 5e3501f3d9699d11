"""Every claim with its answer: the one place where the tables of answers come together."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.claims import (
    hardware_answers,
    memory_answers,
    operations_answers,
    work_answers,
)
from kentino_desk.claims.judging import Judgement
from kentino_desk.claims.rows import read_claims

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kentino_desk.claims.desk import Desk
    from kentino_desk.claims.judging import Answer, Judged

ANSWERS: Mapping[str, Answer] = MappingProxyType(
    {
        **memory_answers.ANSWERS,
        **hardware_answers.ANSWERS,
        **work_answers.ANSWERS,
        **operations_answers.ANSWERS,
    }
)


def judged_claims(desk: Desk) -> tuple[Judged, ...]:
    """Each claim of the table held against our figure, in the order of the table.

    Raises:
        KeyError: a claim that nobody answers.
    """
    return tuple(ANSWERS[claim.id](desk, claim) for claim in read_claims())


def counts(judged: Iterable[Judged]) -> Mapping[Judgement, int]:
    """How many agree, disagree and do not apply."""
    found = Counter(item.judgement for item in judged)
    return {judgement: found[judgement] for judgement in Judgement}


def counts_in_words(judged: Iterable[Judged]) -> str:
    """Such as "207 claims: 120 agree, 40 disagree, 47 not applicable"."""
    found = counts(judged)
    return (
        f"{sum(found.values())} claims of the seller: {found[Judgement.AGREES]} agree, "
        f"{found[Judgement.DISAGREES]} disagree, {found[Judgement.NOT_APPLICABLE]} not applicable"
    )
