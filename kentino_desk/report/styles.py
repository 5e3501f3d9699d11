"""Paragraph styles of the paper, all in the one embedded family."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from reportlab.lib.enums import TA_CENTER, TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle

from kentino_desk.report import palette
from kentino_desk.report.fonts import REGULAR, SEMIBOLD, register_fonts

if TYPE_CHECKING:
    from collections.abc import Mapping

register_fonts()


def _style(name: str, size: float, leading: float, **more: Any) -> ParagraphStyle:
    values: dict[str, Any] = {
        "fontName": REGULAR,
        "textColor": palette.TEXT,
        "allowWidows": 0,
        "allowOrphans": 0,
    }
    return ParagraphStyle(
        name, fontSize=size, leading=leading, bulletFontName=REGULAR, **{**values, **more}
    )


_BODY = (palette.BODY_PT, palette.BODY_LEADING_PT)
_TABLE = (palette.TABLE_PT, 12.6)
_MUTED: dict[str, Any] = {"textColor": palette.TEXT2}
_STRONG: dict[str, Any] = {"fontName": SEMIBOLD}

STYLES: Mapping[str, ParagraphStyle] = MappingProxyType(
    {
        "body": _style("body", *_BODY, spaceAfter=4),
        "strong": _style("strong", *_BODY, spaceAfter=4, **_STRONG),
        "numbers": _style("numbers", palette.TABLE_PT, 12.6, spaceAfter=2),
        "caption": _style(
            "caption", palette.CAPTION_PT, 12.2, spaceBefore=3, spaceAfter=6, **_MUTED
        ),
        "kicker": _style("kicker", *_BODY, **_MUTED),
        "answer": _style("answer", 15.0, 20, spaceAfter=2, **_STRONG),
        "h1": _style("h1", 13.5, 18, spaceBefore=12, spaceAfter=4, keepWithNext=1, **_STRONG),
        "h2": _style(
            "h2", palette.H2_PT, 16, spaceBefore=10, spaceAfter=3, keepWithNext=1, **_STRONG
        ),
        "h3": _style("h3", 10.5, 14, spaceBefore=8, spaceAfter=2, keepWithNext=1, **_STRONG),
        "h0": _style("h0", palette.H1_PT, 25, spaceAfter=4, keepWithNext=1, **_STRONG),
        "key": _style("key", palette.KEY_FIGURE_PT, 20, **_STRONG),
        "key_label": _style("key_label", palette.CAPTION_PT, 12.2, **_MUTED),
        "cell": _style("cell", *_TABLE),
        "cell_strong": _style("cell_strong", *_TABLE, **_STRONG),
        "cell_muted": _style("cell_muted", *_TABLE, **_MUTED),
    }
)


@cache
def column_style(
    *,
    numeric: bool,
    strong: bool = False,
    head: bool = False,
    centred: bool = False,
    colour: object = None,
) -> ParagraphStyle:
    """The style of one cell: numbers to the right, heads and strong rows semibold."""
    side = TA_CENTER if centred else TA_RIGHT if numeric else TA_LEFT
    return _style(
        "column",
        *_TABLE,
        alignment=side,
        splitLongWords=not numeric,
        fontName=SEMIBOLD if strong or head else REGULAR,
        textColor=palette.TEXT2 if head else colour or palette.TEXT,
    )
