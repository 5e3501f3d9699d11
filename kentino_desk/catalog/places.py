"""Where the catalog stands: the database at the root of the tree, its text under resources."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CATALOG_PATH = ROOT / "catalog.db"
TEXT_DIR = ROOT / "resources" / "catalog"
EXPECTED_PATH = Path(__file__).resolve().with_name("expected.py")
