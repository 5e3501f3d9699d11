"""One hash over the content of a catalog: the same rows give the same hash in any file."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from kentino_desk.catalog.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kentino_desk.catalog.columns import SqlValue

Rows = list[tuple["SqlValue", ...]]


def content_hash(rows_by_table: Mapping[str, Sequence[tuple[SqlValue, ...]]]) -> str:
    """SHA-256 over table names, column names and the rows in the order of their keys."""
    digest = hashlib.sha256()
    for table in TABLES:
        digest.update(repr((table.name, table.names)).encode())
        digest.update(repr(list(rows_by_table[table.name])).encode())
    return digest.hexdigest()
