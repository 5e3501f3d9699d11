"""One assessment in one language: every row that screen and paper show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.present.candidate_rows import candidate_views
from kentino_desk.present.close_call_words import close_call_sentence
from kentino_desk.present.field_words import assumed_names
from kentino_desk.present.language import text
from kentino_desk.present.note_words import note_views
from kentino_desk.present.question_words import question_views
from kentino_desk.present.terms import grade_word
from kentino_desk.present.verdict_rows import shown_result, verdict_rows
from kentino_desk.present.verdict_words import verdict_sentence, verdict_title
from kentino_desk.present.views import AssessmentView, VerdictView

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment


def present(
    assessment: Assessment, language: str, most_candidates: int | None = None
) -> AssessmentView:
    """The rows of an assessment; a window that repaints asks for few candidates.

    Raises:
        KeyError: there is no such language.
    """
    return AssessmentView(
        language=language,
        verdict=_verdict(assessment, language),
        questions=question_views(assessment, language),
        candidates=candidate_views(assessment, language, most_candidates),
        notes=note_views(assessment, language),
        assumed=assumed_names(assessment.workload, language),
    )


def _verdict(assessment: Assessment, language: str) -> VerdictView:
    result = shown_result(assessment)
    return VerdictView(
        title=verdict_title(assessment, language),
        sentence=verdict_sentence(assessment, language),
        grade=result.grade if result else None,
        grade_word=grade_word(result, text(language)) if result else "",
        close_call=close_call_sentence(assessment, language),
        rows=verdict_rows(assessment, language),
    )
