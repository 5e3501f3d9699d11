"""What flips the verdict and how sure it is, in words of the screen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kentino_desk.decision.points import typed
from kentino_desk.domain.choices import Outcome
from kentino_desk.domain.workload_fields import FIELD_BY_KEY
from kentino_desk.present.field_words import UNIT_OF, field_name, value_in_words
from kentino_desk.present.numbers import numbers
from kentino_desk.present.relaxation_words import relaxation_sentences
from kentino_desk.present.terms import build_name
from kentino_desk.present.views import Tone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.flips import Flip
    from kentino_desk.decision.outlook import Outlook
    from kentino_desk.decision.results import Assessment
    from kentino_desk.domain.candidate import Candidate
    from kentino_desk.present.views import VerdictView

LANGUAGE = "en"
CONFIDENCE = "Confidence"
"""Name of the row that an outlook settles."""
OUTCOME_NAMES: Mapping[Outcome, str] = {
    Outcome.ONE_NODE: "one node",
    Outcome.ONE_NODE_INT4: "one node in 4 bit",
    Outcome.REPLICAS: "replicas",
    Outcome.DATA_PARALLEL: "data parallel",
    Outcome.CLUSTER_IB: "cluster",
    Outcome.REARCHITECT: "change the layout",
    Outcome.FRONTIER: "frontier training",
    Outcome.NOTHING_FITS: "nothing fits",
}
SOURCE_NAMES: Mapping[str, str] = {
    "rate": "the speed",
    "first": "the time to the first word",
    "memory": "the memory",
    "exchange": "the traffic between nodes",
}
HEAD = ("What flips it", "now", "upwards", "downwards")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlookView:
    """Flips as a table and sentences, ticks of the fields, and the confidence in words."""

    table: tuple[tuple[str, ...], ...]
    """Head first: name, value now, flip upwards, flip downwards."""
    sentences: tuple[str, ...]
    ticks: Mapping[str, tuple[float, ...]]
    confidence: str
    close_call: str
    """Empty, or what to measure first."""
    helps: tuple[str, ...] = ()
    """Where nothing fits: what would help, the smallest change first."""


def outlook_view(assessment: Assessment, outlook: Outlook) -> OutlookView:
    """An outlook in words."""
    by_key: dict[str, list[Flip]] = {}
    for flip in outlook.flips:
        by_key.setdefault(flip.key, []).append(flip)
    rows = tuple(_row(assessment, key, flips) for key, flips in by_key.items())
    return OutlookView(
        table=(HEAD, *rows),
        sentences=tuple(_sentence(assessment, flips) for flips in by_key.values()),
        ticks={key: tuple(flip.value for flip in flips) for key, flips in by_key.items()},
        confidence=_confidence(outlook),
        close_call=_close_call(outlook),
        helps=_helps(assessment, outlook),
    )


def settled(view: VerdictView, outlook: OutlookView) -> VerdictView:
    """The verdict card once flips and confidence are known: they say whether it is a close call."""
    close = bool(outlook.close_call)
    rows = tuple(
        replace(row, value=outlook.confidence, beside="", tone=Tone.WARN if close else Tone.PLAIN)
        if row.name == CONFIDENCE
        else row
        for row in view.rows
    )
    said = outlook.helps or outlook.sentences[:1]
    return replace(view, rows=rows, close_call=outlook.close_call, flips=" ".join(said))


def _helps(assessment: Assessment, outlook: Outlook) -> tuple[str, ...]:
    if assessment.verdict.outcome is not Outcome.NOTHING_FITS:
        return ()
    return relaxation_sentences(assessment, outlook.relaxations, LANGUAGE)


def number_name(key: str) -> str:
    """Name of a number on an axis or in a row."""
    return field_name(key, LANGUAGE)


def number_value(assessment: Assessment, key: str, value: float) -> str:
    """A value with its unit."""
    spec = FIELD_BY_KEY[key]
    if spec.kind == "int":
        return value_in_words(spec, typed(key, value), LANGUAGE)
    words = value_in_words(spec, _significant(value), LANGUAGE)
    if key in UNIT_OF.values():
        words = f"{words}\u00a0{_typed_unit(assessment, key)}"
    return words


def _typed_unit(assessment: Assessment, key: str) -> str:
    other = {unit_of: unit for unit, unit_of in UNIT_OF.items()}[key]
    section, _, name = other.partition(".")
    return str(getattr(getattr(assessment.workload, section), name)).replace("_per_s", "/s")


def _significant(value: float) -> float:
    return float(f"{value:.4g}")


def place_words(outcome: Outcome | None, candidate: Candidate | None) -> str:
    """A verdict in a few words: the build, and the outcome where it says more."""
    if outcome is None:
        return "refused"
    if candidate is None:
        return OUTCOME_NAMES[outcome]
    name = build_name(candidate.build)
    plain = {Outcome.ONE_NODE, Outcome.REPLICAS, Outcome.DATA_PARALLEL}
    return name if outcome in plain else f"{name}, {OUTCOME_NAMES[outcome]}"


def _row(assessment: Assessment, key: str, flips: list[Flip]) -> tuple[str, ...]:
    sides = {flip.rises: flip for flip in flips}
    cells = []
    for rises in (True, False):
        flip = sides.get(rises)
        cells.append(_flip_words(assessment, flip) if flip else "no flip found")
    return (number_name(key), number_value(assessment, key, flips[0].now), *cells)


def _flip_words(assessment: Assessment, flip: Flip) -> str:
    from_there = "from" if flip.rises else "at or under"
    value = number_value(assessment, flip.key, flip.value)
    return f"{from_there} {value}: {place_words(flip.outcome, flip.candidate)}"


def _sentence(assessment: Assessment, flips: list[Flip]) -> str:
    sides = "; ".join(_flip_words(assessment, flip) for flip in flips)
    return f"{number_name(flips[0].key)}: {sides}."


def _confidence(outlook: Outlook) -> str:
    shown, found = numbers(LANGUAGE), outlook.confidence
    outcome, share = next(iter(found.outcomes.items()))
    return f"{shown.percent(share)} {OUTCOME_NAMES[outcome]}"


def _close_call(outlook: Outlook) -> str:
    found = outlook.confidence
    if not found.close_call:
        return ""
    named = [SOURCE_NAMES[name] for name in found.measure_first]
    first = f" Measure {' and '.join(named)} first." if named else " Measure first."
    others = [OUTCOME_NAMES[item] for item in found.outcomes][1:2]
    other = f", or else {others[0]}" if others else ""
    return f"{_confidence(outlook)}{other}.{first}"
