"""Two to five pinned builds side by side: the rows that screen and paper share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Fabric
from kentino_desk.present.candidate_rows import reason_of, reason_without_price
from kentino_desk.present.compare_cells import row_cells, row_name, said_of, spread
from kentino_desk.present.compare_rows import groups_for
from kentino_desk.present.compare_views import (
    CompareCell,
    CompareGroup,
    CompareHead,
    CompareRow,
    CompareView,
)
from kentino_desk.present.counted import counted
from kentino_desk.present.first_place_words import first_place_sentence
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import load_in_words, load_unit
from kentino_desk.present.terms import FABRIC_WORDS, build_name
from kentino_desk.present.views import Tone

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.present.compare_cells import Memo
    from kentino_desk.present.compare_rows import RowSpec

FEWEST, MOST = 2, 5
BEST = later("best")
DIFFERENCE = later("Difference")
NOTES = later("Notes")
HALF_NODES = later("half-node trap")
RECOMMENDED = later("Recommended")


def compared(assessment: Assessment, pins: tuple[str, ...]) -> tuple[CandidateResult, ...]:
    """The pinned builds that are among the candidates, the proposed one first."""
    found = {item.candidate.id: item for item in assessment.best_per_build}
    kept = [found[pin] for pin in pins if pin in found][:MOST]
    chosen = assessment.verdict.chosen
    return tuple(sorted(kept, key=lambda item: item is not chosen))


def usual_pins(assessment: Assessment) -> tuple[str, ...]:
    """What to compare where nobody pinned: the proposed build and its neighbours."""
    return tuple(item.candidate.id for item in assessment.best_per_build[:MOST])


def compare_view(
    assessment: Assessment,
    pins: tuple[str, ...],
    language: str,
    *,
    prices: bool = True,
    memo: Memo | None = None,
) -> CompareView | None:
    """The comparison; None for fewer than two builds. Without prices for the customer's eyes.

    ``memo`` keeps what was said of the builds of this assessment for the next call.
    """
    results = compared(assessment, pins)
    if len(results) < FEWEST:
        return None
    words = text(language)
    reason = first_place_sentence(assessment, language)
    return CompareView(
        title=words.ngettext("{count} build", "{count} builds", len(results), count=len(results)),
        subtitle=_subtitle(assessment, language),
        heads=tuple(_head(assessment, item, results, language) for item in results),
        groups=_groups(assessment, results, language, {} if memo is None else memo, prices=prices),
        reason="" if not prices and _names_price(assessment) else reason,
        best_word=words.gettext(BEST),
        difference_word=words.gettext(DIFFERENCE),
    )


def _names_price(assessment: Assessment) -> bool:
    found = assessment.first_place
    return found is not None and found.criterion == "price"


def _subtitle(assessment: Assessment, language: str) -> str:
    if not load_unit(assessment):
        return assessment.model.name
    return f"{assessment.model.name}, {load_in_words(assessment, language)}"


def _head(
    assessment: Assessment,
    result: CandidateResult,
    results: tuple[CandidateResult, ...],
    language: str,
) -> CompareHead:
    words, chosen = text(language), assessment.verdict.chosen
    is_chosen = result is chosen
    trap = _is_half(result, results)
    mark = RECOMMENDED if is_chosen else HALF_NODES if trap else ""
    return CompareHead(
        id=result.candidate.id,
        row=result.row,
        name=build_name(result.candidate.build),
        kind=_kind(result, language),
        mark=words.gettext(mark) if mark else "",
        mark_tone=Tone.GOOD if is_chosen else Tone.WARN,
        chosen=is_chosen,
    )


def _is_half(result: CandidateResult, results: tuple[CandidateResult, ...]) -> bool:
    """Whether the same cards stand in fewer nodes beside it."""
    build = result.candidate.build
    others = (item.candidate.build for item in results)
    return any(
        (other.gpus, other.gpu.id) == (build.gpus, build.gpu.id) and other.nodes < build.nodes
        for other in others
    )


def _kind(result: CandidateResult, language: str) -> str:
    words, build = text(language), result.candidate.build
    if build.is_customer:
        return words.gettext("there already")
    if build.is_partner:
        return words.gettext("partner platform")
    if build.nodes == 1:
        return words.gettext("one node")
    nodes = counted(build.nodes, "nodes", language)
    if build.fabric is Fabric.NONE:
        return nodes
    return f"{nodes}, {words.gettext(FABRIC_WORDS[build.fabric])}"


def _groups(
    assessment: Assessment,
    results: tuple[CandidateResult, ...],
    language: str,
    memo: Memo,
    *,
    prices: bool,
) -> tuple[CompareGroup, ...]:
    words = text(language)
    groups = [
        CompareGroup(
            title=words.gettext(title),
            rows=tuple(
                _row(assessment, spec, results, language, memo)
                for spec in specs
                if prices or not spec.prices
            ),
        )
        for title, specs in groups_for(assessment.workload)
    ]
    return (*groups, _notes(assessment, results, language, prices=prices))


def _row(
    assessment: Assessment,
    spec: RowSpec,
    results: tuple[CandidateResult, ...],
    language: str,
    memo: Memo,
) -> CompareRow:
    said = tuple(said_of(assessment, spec, item, language, memo) for item in results)
    return CompareRow(
        key=spec.why,
        name=row_name(assessment, spec, language),
        cells=row_cells(assessment, spec, results, said, language),
        spread=spread(spec, said, language),
        prices=spec.prices,
    )


def _notes(
    assessment: Assessment, results: tuple[CandidateResult, ...], language: str, *, prices: bool
) -> CompareGroup:
    words, told = text(language), reason_of if prices else reason_without_price
    cells = tuple(
        CompareCell(text=reason, tone=tone)
        for reason, tone in (told(assessment, result, language) for result in results)
    )
    row = CompareRow(key="", name=words.gettext("Reason"), cells=cells, spread="")
    return CompareGroup(title=words.gettext(NOTES), rows=(row,))
