"""The file name a proposal gets."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kentino_desk.session.state import AppState

_MAX_LETTERS = 60


def proposal_name(state: AppState) -> str:
    """Such as ``Proposal_Priklad-Data_llama-3.3-70b_cs.pdf``; letters any file system takes."""
    parts = ("Proposal", _plain(state.customer), _plain(state.model), state.view.language)
    return "_".join(part for part in parts if part) + ".pdf"


def _plain(text: str) -> str:
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9.]+", "-", ascii_text).strip("-.")[:_MAX_LETTERS]
