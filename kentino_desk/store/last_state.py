"""The workload that was open last, so that the window comes back as it was left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.domain.errors import InputError, StorageError
from kentino_desk.store.workload_file import load_workload, save_workload

if TYPE_CHECKING:
    from pathlib import Path

    from kentino_desk.domain.workload import WorkloadInputs

FILE_NAME = "last.toml"


def load_last(folder: Path) -> WorkloadInputs | None:
    """The inputs saved last, or None where there are none.

    A file that is refused is kept aside as ``last.toml.bad`` before the error is raised, so that
    the next start is clean and nothing is lost.

    Raises:
        InputError: the file is damaged.
        StorageError: it cannot be read.
    """
    path = folder / FILE_NAME
    if not path.exists():
        return None
    try:
        return load_workload(path)
    except InputError as error:
        path.replace(path.with_suffix(".toml.bad"))
        error.hint = f"it is kept as {path.name}.bad"
        raise


def save_last(folder: Path, inputs: WorkloadInputs) -> None:
    """Keep the inputs for the next start.

    Raises:
        StorageError: the folder cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder} cannot be made: {error.strerror}.") from error
    save_workload(folder / FILE_NAME, inputs)
