"""Writes ``docs/nomenclature.md`` from the engine."""

from __future__ import annotations

from pathlib import Path

from kentino_desk.present.nomenclature import nomenclature

PAGE = Path(__file__).resolve().parents[2] / "docs" / "nomenclature.md"

if __name__ == "__main__":
    PAGE.write_text(nomenclature(), encoding="utf-8")
