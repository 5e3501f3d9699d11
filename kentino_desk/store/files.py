"""Whole-file writes: temporary file in the same folder, flush, fsync, replace, fsync of the folder.

A file that this module writes is either the old one or the new one, never half of each.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import InputError, StorageError

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Replace the content of ``path`` by ``data`` in one step.

    Raises:
        StorageError: the folder is missing, full, or not ours to write.
    """
    if path.is_dir():
        raise StorageError(f"{path} is a folder; choose a file name.")
    try:
        temporary = _write_beside(path, data)
        _replace(temporary, path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {_reason(error)}.") from error
    _sync_folder(path.parent)


def read_limited(path: Path, limit_bytes: int) -> bytes:
    """The content of a file that should be small.

    Raises:
        StorageError: a folder, a missing or an unreadable file.
        InputError: a file above the limit.
    """
    if path.is_dir():
        raise StorageError(f"{path} is a folder; name a file.")
    try:
        with path.open("rb") as file:
            data = file.read(limit_bytes + 1)
    except FileNotFoundError as error:
        raise StorageError(f"{path} does not exist.") from error
    except (OSError, ValueError) as error:
        raise StorageError(f"{path} cannot be read: {_reason(error)}.") from error
    if len(data) > limit_bytes:
        raise InputError(
            "", "", "the file is too large", f"up to {limit_bytes:,} bytes", source=path.name
        )
    return data


def _write_beside(path: Path, data: bytes) -> Path:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    temporary = path.parent / name
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _replace(temporary: Path, path: Path) -> None:
    try:
        # mkstemp makes files for the owner alone; a document is as open as its neighbours.
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else _default_mode())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _default_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    # Some systems cannot open or sync a folder; the rename itself has already happened.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
