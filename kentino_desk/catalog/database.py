"""Reads catalog.db and refuses whatever is not the catalog this program was made with."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from kentino_desk.catalog.content_hash import Hashes, content_hash, file_hash
from kentino_desk.catalog.tables import APPLICATION_ID, TABLES
from kentino_desk.domain.errors import CatalogError

if TYPE_CHECKING:
    from pathlib import Path

    from kentino_desk.catalog.text import CatalogRows

REMEDY = "run kentino-desk catalog build"


def read_database(path: Path) -> CatalogRows:
    """All rows of the database at ``path``, whatever its content hash.

    Raises:
        CatalogError: missing, empty, another program's file, or damaged.
    """
    _check_file(path)
    try:
        with closing(open_read_only(path)) as connection:
            _check_identity(connection, path)
            return {table.name: connection.execute(table.select_sql).fetchall() for table in TABLES}
    except sqlite3.Error as error:
        raise CatalogError(f"{path}: the catalog is damaged ({error}); {REMEDY}.") from error


def read_trusted(path: Path, expected: Hashes) -> CatalogRows:
    """All rows of the database at ``path``, if it is the expected one.

    Raises:
        CatalogError: as ``read_database``, or changed.
    """
    rows = read_database(path)
    if Hashes(content_hash(rows), file_hash(path)) != expected:
        raise CatalogError(f"{path}: is not the one this program was made with; {REMEDY}.")
    return rows


def _check_file(path: Path) -> None:
    try:
        size_bytes = path.stat().st_size
    except OSError as error:
        raise CatalogError(f"{path}: the catalog is missing; {REMEDY}.") from error
    if not path.is_file():
        raise CatalogError(f"{path}: is no file; {REMEDY}.")
    if size_bytes == 0:
        raise CatalogError(f"{path}: the catalog is empty; {REMEDY}.")


def open_read_only(path: Path) -> sqlite3.Connection:
    """Read-only and immutable, so that a missing file is not made and no journal is looked for."""
    address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(address, uri=True)


def _check_identity(connection: sqlite3.Connection, path: Path) -> None:
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    if application_id != APPLICATION_ID:
        raise CatalogError(f"{path}: is not a Kentino Desk catalog; {REMEDY}.")
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise CatalogError(f"{path}: the catalog is damaged ({verdict}); {REMEDY}.")
