"""``kentino-desk validate``: predictions against measured rows of CSV files."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.validation.document import validation_document, validation_text
from kentino_desk.validation.kinds import known_kind, validate

if TYPE_CHECKING:
    from pathlib import Path


def validate_main(kind: str, paths: tuple[Path, ...], as_json: bool) -> int:
    """Score one kind of files and print what was found.

    Raises:
        InputError: unknown kind, or a file whose columns or cells are refused.
        StorageError: a file or the catalog cannot be read.
    """
    known_kind(kind)
    report = validate(kind, paths, load_snapshot())
    if as_json:
        text = json.dumps(
            validation_document(report), ensure_ascii=False, allow_nan=False, indent=1
        )
    else:
        text = validation_text(report)
    sys.stdout.write(text + "\n")
    return 0
