"""A moment in words and charts: everything the window draws, made once for each assessment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kentino_desk.present.verdict_rows import shown_result
from kentino_desk.present.views import AssessmentView, CandidateView, VerdictView

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.present.charts import EfficiencyChart, MemoryChart
    from kentino_desk.session.session import Moment

SCREEN_LANGUAGE = "en"
CARDS = 5
"""Candidates of the strip."""
STALE = "From the last valid entry."


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The moment, its rows and its charts; charts are None while there are no figures."""

    moment: Moment
    view: AssessmentView
    result: CandidateResult | None
    """The candidate looked at."""
    memory: MemoryChart | None
    efficiency: EfficiencyChart | None
    all_rows: Callable[[], AssessmentView]
    """The rows with every candidate: made when the table is looked at, not at each key."""

    @property
    def build_ids(self) -> tuple[str, ...]:
        """Ids of all builds, best first."""
        assessment = self.moment.evaluated.assessment
        return tuple(item.candidate.id for item in assessment.best_per_build) if assessment else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Builders:
    """The functions of ``present`` that make rows and charts."""

    present: Callable[[Assessment, str, int | None], AssessmentView]
    candidate_view: Callable[[Assessment, CandidateResult, str], CandidateView]
    memory_chart: Callable[[Assessment, CandidateResult, str], MemoryChart | None]
    efficiency_chart: Callable[[Assessment, CandidateResult, str], EfficiencyChart | None]


class Presenter:
    """Makes what is shown; keeps the rows and charts of the last assessment."""

    def __init__(self, builders: Builders, language: str = SCREEN_LANGUAGE) -> None:
        self._builders = builders
        self._language = language
        self._of: Assessment | None = None
        self._all_of: Assessment | None = None
        self._all: AssessmentView | None = None
        self._view: AssessmentView | None = None
        self._charts_of: tuple[Assessment, int] | None = None
        self._charts: tuple[MemoryChart | None, EfficiencyChart | None] | None = None

    def show(self, moment: Moment, blocked: str = "") -> Shown:
        """Rows and charts of a moment."""
        assessment = moment.evaluated.assessment
        if assessment is None:
            view = _without_figures(moment, blocked)
            return Shown(
                moment=moment,
                view=view,
                result=None,
                memory=None,
                efficiency=None,
                all_rows=lambda: view,
            )
        view = self._rows(assessment)
        if moment.evaluated.is_stale or moment.state.drafts:
            view = replace(view, verdict=replace(view.verdict, stale=STALE))
        result = looked_at(assessment, moment.state.chosen)
        extra = self._extra(assessment, view, moment, result)
        view = replace(view, candidates=(*view.candidates, *extra)) if extra else view
        memory, efficiency = self._drawn(assessment, result)
        return Shown(
            moment=moment,
            view=view,
            result=result,
            memory=memory,
            efficiency=efficiency,
            all_rows=lambda: self._whole(assessment),
        )

    def _rows(self, assessment: Assessment) -> AssessmentView:
        if self._view is None or self._of is not assessment:
            self._view = self._builders.present(assessment, self._language, CARDS)
            self._of = assessment
        return self._view

    def _whole(self, assessment: Assessment) -> AssessmentView:
        if self._all is None or self._all_of is not assessment:
            self._all = self._builders.present(assessment, self._language, None)
            self._all_of = assessment
        return self._all

    def _extra(
        self,
        assessment: Assessment,
        view: AssessmentView,
        moment: Moment,
        result: CandidateResult | None,
    ) -> tuple[CandidateView, ...]:
        """The candidate looked at and the pinned ones, where they are not among the best."""
        known = {item.id for item in view.candidates}
        wanted = {*moment.state.pins, *([result.candidate.id] if result else [])} - known
        if not wanted:
            return ()
        return tuple(
            self._builders.candidate_view(assessment, item, self._language)
            for item in assessment.best_per_build
            if item.candidate.id in wanted
        )

    def _drawn(
        self, assessment: Assessment, result: CandidateResult | None
    ) -> tuple[MemoryChart | None, EfficiencyChart | None]:
        if result is None:
            return None, None
        known = self._charts_of
        if (
            self._charts is None
            or not known
            or known[0] is not assessment
            or known[1] != result.row
        ):
            self._charts = (
                self._builders.memory_chart(assessment, result, self._language),
                self._builders.efficiency_chart(assessment, result, self._language),
            )
            self._charts_of = (assessment, result.row)
        return self._charts


def looked_at(assessment: Assessment, chosen: str | None) -> CandidateResult | None:
    """The candidate somebody chose, else that of the verdict, else the best one."""
    best = assessment.best_per_build
    if chosen is not None:
        for result in best:
            if result.candidate.id == chosen:
                return result
    return shown_result(assessment) or (best[0] if best else None)


def _without_figures(moment: Moment, blocked: str) -> AssessmentView:
    return AssessmentView(
        language=SCREEN_LANGUAGE,
        verdict=_verdict_without_figures(moment, blocked),
        questions=(),
        candidates=(),
        notes=(),
        assumed=(),
    )


def _verdict_without_figures(moment: Moment, blocked: str) -> VerdictView:
    title, sentence = "Choose a model", "Type three letters of its name; Ctrl+K goes to the field."
    refusal = moment.evaluated.refusal
    if blocked:
        title, sentence = "Figures are blocked", blocked
    elif refusal is not None:
        title, sentence = "No figures yet", str(refusal)
    return VerdictView(
        title=title,
        sentence=sentence,
        grade=None,
        grade_word="",
        close_call="",
        rows=(),
        blocked=blocked,
    )
