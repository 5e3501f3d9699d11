"""One hash over the content of a catalog: the same rows give the same hash in any file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.catalog.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kentino_desk.catalog.columns import SqlValue


@dataclass(frozen=True, slots=True)
class Hashes:
    """What a catalog is recognised by: its rows, and the bytes of its file.

    The hash of the rows is the same wherever the text is built. That of the bytes depends on the
    release of SQLite, and notices changes in parts of the file that hold no row.
    """

    content: str
    file: str


def file_hash(path: Path) -> str:
    """SHA-256 over the bytes of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def content_hash(rows_by_table: Mapping[str, Sequence[tuple[SqlValue, ...]]]) -> str:
    """SHA-256 over table names, column names and the rows in the order of their keys."""
    digest = hashlib.sha256()
    for table in TABLES:
        digest.update(repr((table.name, table.names)).encode())
        digest.update(repr(list(rows_by_table[table.name])).encode())
    return digest.hexdigest()
