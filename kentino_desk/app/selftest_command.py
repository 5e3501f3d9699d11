"""``kentino-desk selftest``: catalog, fonts, paper, database and Qt, each with yes or no."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample" / "sample-chat.toml"
FAILED = 1


def selftest_main(*, as_json: bool) -> int:
    """Run every check, print its line, and return 0 when all are well."""
    results = {name: _checked(check) for name, check in CHECKS}
    if as_json:
        document = {name: {"ok": ok, "detail": text} for name, (ok, text) in results.items()}
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    else:
        for name, (ok, text) in results.items():
            sys.stdout.write(f"{'ok  ' if ok else 'FAIL'}  {name}: {text}\n")
    return 0 if all(ok for ok, _ in results.values()) else FAILED


def _checked(check: Callable[[], str]) -> tuple[bool, str]:
    try:
        return True, check()
    except (UserError, OSError, ImportError, ValueError) as error:
        return False, str(error)


def _catalog() -> str:
    from kentino_desk.catalog.snapshot import load_snapshot  # noqa: PLC0415 - each check apart

    snapshot = load_snapshot()
    return f"version {snapshot.version}, hash {snapshot.content_hash[:12]}"


def _database() -> str:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("create table t (x integer) strict")
    finally:
        connection.close()
    return f"SQLite {sqlite3.sqlite_version}"


def _paper() -> str:
    from kentino_desk.app.evaluate_command import assessed  # noqa: PLC0415 - each check apart
    from kentino_desk.catalog.snapshot import load_snapshot  # noqa: PLC0415 - the same
    from kentino_desk.report.proposal import write_proposal  # noqa: PLC0415 - the same

    snapshot = load_snapshot()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "selftest.pdf"
        write_proposal(assessed(SAMPLE, snapshot), snapshot, path, "cs")
        return f"Czech proposal of the sample, {path.stat().st_size:,} bytes"


def _window() -> str:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6 import QtCore  # noqa: PLC0415 - Qt only where it is needed

    from kentino_desk.ui.start import make_application  # noqa: PLC0415 - the same

    application = make_application()
    return f"Qt {QtCore.qVersion()}, plugin {application.platformName()}"


CHECKS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("catalog", _catalog),
    ("database", _database),
    ("paper and fonts", _paper),
    ("window", _window),
)
