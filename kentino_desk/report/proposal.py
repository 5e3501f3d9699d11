"""Writes the proposal as a file: whole or not at all."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING

from kentino_desk.decision.confidence import with_confidence
from kentino_desk.report.context import ProposalDetails, context_of
from kentino_desk.report.document import document_of
from kentino_desk.report.fonts import check_characters
from kentino_desk.report.pdf import draw_pdf
from kentino_desk.store.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kentino_desk.decision.results import Assessment
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.report.blocks import Document


def proposal_pdf(
    assessment: Assessment,
    snapshot: CatalogSnapshot,
    language: str,
    details: ProposalDetails | None = None,
) -> bytes:
    """The proposal as a PDF in memory.

    Raises:
        InputError: a character that the embedded type cannot print.
        KeyError: there is no such language.
    """
    told = details or ProposalDetails()
    document = document_of(context_of(with_confidence(assessment), snapshot, language, told))
    check_characters(texts_of(document))
    return draw_pdf(document, invariant=told.invariant)


def write_proposal(
    assessment: Assessment,
    snapshot: CatalogSnapshot,
    path: Path,
    language: str,
    details: ProposalDetails | None = None,
) -> None:
    """Write the proposal; an existing file is replaced only by a whole one.

    Raises:
        InputError: a character that the embedded type cannot print.
        StorageError: the file cannot be written.
    """
    write_whole(path, proposal_pdf(assessment, snapshot, language, details))


def texts_of(node: object) -> Iterator[str]:
    """Every text of a document tree, in order."""
    if isinstance(node, Enum):
        return
    if isinstance(node, str):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from texts_of(item)
    elif is_dataclass(node) and not isinstance(node, type):
        for field in fields(node):
            yield from texts_of(getattr(node, field.name))


def words_of(document: Document) -> str:
    """The document as plain text, for comparing and searching."""
    return "\n".join(texts_of(document))
