"""Workload files: TOML of schema 1, read with every check and written whole."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import tomli_w

from kentino_desk.domain.errors import InputError
from kentino_desk.domain.workload_fields import FIELDS, SCHEMA
from kentino_desk.domain.workload_reading import read_workload
from kentino_desk.store.files import read_limited, write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from kentino_desk.domain.workload import WorkloadInputs

LIMIT_BYTES = 1_000_000


def load_workload(path: Path) -> WorkloadInputs:
    """The inputs in a workload file.

    Raises:
        InputError: empty, binary, not TOML, another schema, or a value that is refused.
        StorageError: a folder, a missing or an unreadable file.
    """
    data = read_limited(path, LIMIT_BYTES)
    try:
        return read_workload(_parse(data))
    except InputError as error:
        error.source = path.name
        raise


def save_workload(path: Path, inputs: WorkloadInputs) -> None:
    """Write the inputs as a workload file.

    Raises:
        StorageError: the file cannot be written.
    """
    write_whole(path, workload_text(inputs).encode("utf-8"))


def workload_text(inputs: WorkloadInputs) -> str:
    """The inputs as the text of a workload file, fields in the order of the table."""
    document: dict[str, object] = {"schema": SCHEMA}
    values = inputs.values
    for spec in FIELDS:
        if spec.key not in values:
            continue
        section, _, name = spec.key.partition(".")
        table = document.setdefault(section, {})
        value = values[spec.key]
        table[name] = list(value) if isinstance(value, tuple) else value  # type: ignore[index]
    return tomli_w.dumps(document)


def _parse(data: bytes) -> dict[str, object]:
    if b"\0" in data:
        raise InputError("", "", "the file is binary", "a text file in TOML")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("", "", "the file is not UTF-8 text", "a text file in TOML") from error
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "a value is absurd"
        raise InputError("", "", f"the file is not TOML: {reason}", "TOML of schema 1") from error
