"""``kentino-desk evaluate``: figures, grades, five questions, verdict and candidates."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from kentino_desk.app.chosen_build import find_build
from kentino_desk.decision.assess import assess
from kentino_desk.domain.errors import InputError, nearest
from kentino_desk.present.assessment import present
from kentino_desk.present.copy_text import candidates_text, verdict_text
from kentino_desk.present.json_document import evaluate_document
from kentino_desk.present.why import why
from kentino_desk.session.own_models import load_with_own_models
from kentino_desk.store.workload_file import load_workload

if TYPE_CHECKING:
    from pathlib import Path

    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.domain.snapshot import CatalogSnapshot

LANGUAGE = "en"


def evaluate_main(
    path: Path, builds: tuple[str, ...], explain: str | None, *, as_json: bool
) -> int:
    """Evaluate one workload file and print it.

    Raises:
        InputError: the file, a build or a figure is refused.
        StorageError: the file or the catalog cannot be read.
    """
    snapshot = snapshot_for_commands()
    assessment = assessed(path, snapshot)
    picked = [find_build(assessment, build) for build in builds]
    if as_json:
        document = evaluate_document(assessment, snapshot)
        if builds:
            document["candidates"] = [
                item for item in document["candidates"] if item["id"] in builds
            ]
        if explain:
            document["explained"] = _explained(assessment, picked, explain)
        sys.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
        return 0
    view = present(assessment, LANGUAGE)
    sys.stdout.write(f"{verdict_text(view)}\n\n{candidates_text(view)}\n")
    if explain:
        sys.stdout.write("\n" + _explained(assessment, picked, explain) + "\n")
    return 0


def snapshot_for_commands() -> CatalogSnapshot:
    """The catalog with the user's own models; what is wrong with those goes to standard error."""
    snapshot, problems = load_with_own_models()
    for problem in problems:
        sys.stderr.write(f"{problem}\n")
    return snapshot


def assessed(path: Path, snapshot: CatalogSnapshot) -> Assessment:
    """The assessment of a workload file; a refusal names the file."""
    try:
        return assess(load_workload(path), snapshot)
    except InputError as error:
        error.source = error.source or str(path)
        raise


def _explained(assessment: Assessment, picked: list[CandidateResult], figure: str) -> str:
    result = picked[0] if picked else assessment.verdict.chosen or assessment.candidates[0]
    known = [*result.figures, *assessment.figures]
    if figure not in known:
        raise InputError(
            "--explain", figure, "no such figure", "a figure of a candidate",
            near=nearest(figure, known),
        )  # fmt: skip
    return why(assessment, result, figure, LANGUAGE).text
