"""``kentino-desk evaluate``: figures, grades, five questions, verdict and candidates."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.app.chosen_build import find_build
from kentino_desk.decision.assess import assess
from kentino_desk.decision.confidence import with_confidence
from kentino_desk.decision.decision_map import map_of
from kentino_desk.domain.errors import InputError, nearest
from kentino_desk.present.assessment import present
from kentino_desk.present.copy_text import candidates_text, verdict_text
from kentino_desk.present.json_document import evaluate_document, map_document
from kentino_desk.present.relaxation_words import help_sentences
from kentino_desk.present.why import why
from kentino_desk.session.own_models import load_with_own_models
from kentino_desk.store.workload_file import load_workload

if TYPE_CHECKING:
    from pathlib import Path

    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.domain.snapshot import CatalogSnapshot

LANGUAGE = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What to print of an evaluation: some builds, a figure explained, a map over two inputs.

    ``axes`` is ``x,y``, empty for the usual axes, None for no map.
    """

    builds: tuple[str, ...] = ()
    figure: str | None = None
    axes: str | None = None


def evaluate_main(path: Path, asked: Asked, *, as_json: bool) -> int:
    """Evaluate one workload file and print it.

    Raises:
        InputError: the file, a build or a figure is refused.
        StorageError: the file or the catalog cannot be read.
    """
    builds, explain = asked.builds, asked.figure
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
        if asked.axes is not None:
            document["map"] = _map(assessment, asked.axes)
        sys.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
        return 0
    view = present(with_confidence(assessment), LANGUAGE)
    helps = "".join(f"{line}\n" for line in help_sentences(assessment, LANGUAGE))
    sys.stdout.write(f"{verdict_text(view)}{helps}\n\n{candidates_text(view)}\n")
    if explain:
        sys.stdout.write("\n" + _explained(assessment, picked, explain) + "\n")
    return 0


def _map(assessment: Assessment, axes: str) -> dict[str, object]:
    keys = tuple(part.strip() for part in axes.split(",")) if axes else None
    if keys is not None and len(keys) != len(("x", "y")):
        raise InputError("--map", axes, "needs two inputs", "such as serving.ttft_s,serving.growth")
    drawn = map_of(assessment, (keys[0], keys[1]) if keys else None)
    assert drawn is not None, "nobody stops it"
    return map_document(drawn)


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
