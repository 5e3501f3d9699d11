"""Writes ``docs/claims.md`` from the claims of the seller and the figures of today."""

from __future__ import annotations

from pathlib import Path

from kentino_desk.claims.desk import Desk
from kentino_desk.claims.page import claims_page
from kentino_desk.claims.register import judged_claims

PAGE = Path(__file__).resolve().parents[2] / "docs" / "claims.md"


def fresh_page() -> str:
    """The page as a run of today finds it."""
    return claims_page(judged_claims(Desk.shipped()))


if __name__ == "__main__":
    PAGE.write_text(fresh_page(), encoding="utf-8")
