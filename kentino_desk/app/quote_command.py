"""``kentino-desk quote``: the proposal without a window."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from kentino_desk.app.chosen_build import find_build, with_chosen
from kentino_desk.app.evaluate_command import assessed, snapshot_for_commands
from kentino_desk.report.proposal import write_proposal

if TYPE_CHECKING:
    from pathlib import Path


def quote_main(workload: Path, pdf: Path, language: str, build: str | None) -> int:
    """Write the proposal of a workload file and print where it is.

    Raises:
        InputError: the file or the build is refused.
        StorageError: a file cannot be read or written.
    """
    snapshot = snapshot_for_commands()
    assessment = assessed(workload, snapshot)
    if build is not None:
        assessment = with_chosen(assessment, find_build(assessment, build))
    write_proposal(assessment, snapshot, pdf, language)
    sys.stdout.write(f"{pdf}\n")
    return 0
