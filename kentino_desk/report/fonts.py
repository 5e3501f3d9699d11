"""The one type family of the paper, taken from its package and embedded."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from font_source_sans_pro import font_files_ttf
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from kentino_desk.domain.errors import InputError
from kentino_desk.report.escape import clean

if TYPE_CHECKING:
    from collections.abc import Iterable

REGULAR = "SourceSansPro"
SEMIBOLD = "SourceSansProSemibold"


@cache
def register_fonts() -> None:
    """Make both weights known to the drawing library; bold markup means semibold."""
    for name in (REGULAR, SEMIBOLD):
        pdfmetrics.registerFont(TTFont(name, font_files_ttf[name]))
    pdfmetrics.registerFontFamily(
        REGULAR, normal=REGULAR, bold=SEMIBOLD, italic=REGULAR, boldItalic=SEMIBOLD
    )


@cache
def _glyphs() -> frozenset[int]:
    register_fonts()
    faces = [pdfmetrics.getFont(name).face.charToGlyph for name in (REGULAR, SEMIBOLD)]
    return frozenset(faces[0]) & frozenset(faces[1])


def missing_characters(text: str) -> str:
    """Characters of ``text`` that would print as an empty box."""
    return "".join(sorted({letter for letter in clean(text) if ord(letter) not in _glyphs()}))


def check_characters(texts: Iterable[str]) -> None:
    """Refuse text that the embedded type cannot print.

    Raises:
        InputError: a character has no glyph; it is named.
    """
    for text in texts:
        missing = missing_characters(text)
        if missing:
            names = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in missing[:5])
            raise InputError(
                "proposal",
                clean(text)[:60],
                f"the embedded type has no glyph for {names}",
                "Latin and Cyrillic letters",
            )


def text_width(text: str, font: str, size: float) -> float:
    """Width of a text in points."""
    register_fonts()
    return float(pdfmetrics.stringWidth(text, font, size))
