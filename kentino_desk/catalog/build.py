"""Builds catalog.db from its text, the same bytes every time."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from kentino_desk.catalog.content_hash import Hashes, content_hash, file_hash
from kentino_desk.catalog.places import CATALOG_PATH, EXPECTED_PATH, TEXT_DIR
from kentino_desk.catalog.tables import APPLICATION_ID, SCHEMA_VERSION, TABLES
from kentino_desk.catalog.text import read_text
from kentino_desk.domain.errors import CatalogError

if TYPE_CHECKING:
    from kentino_desk.catalog.text import CatalogRows

_EXPECTED_TEXT = '''\
"""What the catalog is recognised by; ``kentino-desk catalog build`` writes this file."""

from __future__ import annotations

from kentino_desk.catalog.content_hash import Hashes

EXPECTED = Hashes(
    content="{content}",
    file="{file}",
)
'''


def build_catalog(text_dir: Path = TEXT_DIR, path: Path = CATALOG_PATH) -> Hashes:
    """Build the database from the text and return what it is recognised by.

    Raises:
        CatalogError: the text breaks a rule, or the file cannot be written.
    """
    rows = read_text(text_dir)
    try:
        _write_whole(rows, path)
        return Hashes(content_hash(rows), file_hash(path))
    except (OSError, sqlite3.Error) as error:
        raise CatalogError(f"{path}: the catalog cannot be written: {error}.") from error


def write_expected(hashes: Hashes, path: Path = EXPECTED_PATH) -> None:
    """Write the hashes into the package, which then accepts this catalog and no other.

    Raises:
        CatalogError: the file cannot be written.
    """
    try:
        path.write_text(
            _EXPECTED_TEXT.format(content=hashes.content, file=hashes.file),
            encoding="utf-8",
            newline="\n",
        )
    except OSError as error:
        raise CatalogError(f"{path}: the hashes cannot be written: {error}.") from error


def _write_whole(rows: CatalogRows, path: Path) -> None:
    """Build beside the target and move it there, so that no half-built catalog is ever seen."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".catalog-") as folder:
        draft = Path(folder) / "catalog.db"
        _write_database(rows, draft)
        draft.replace(path)


def _write_database(rows: CatalogRows, path: Path) -> None:
    # Imported here: it takes 0.3 s, and reading a catalog does not need it.
    from sqlite_utils import Database  # noqa: PLC0415

    database = Database(path)
    try:
        database.conn.execute("PRAGMA foreign_keys = ON")
        for table in TABLES:
            database.execute(table.create_sql)
            records = [dict(zip(table.names, row, strict=True)) for row in rows[table.name]]
            database.table(table.name).insert_all(records)
        database.conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.conn.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        database.conn.commit()
        database.conn.execute("PRAGMA journal_mode = DELETE")
        database.vacuum()
    finally:
        database.close()
