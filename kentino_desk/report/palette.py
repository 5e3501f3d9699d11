"""Colours and sizes of the paper: the light tokens of the design."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from reportlab.lib.colors import HexColor

from kentino_desk.present.views import Tone

if TYPE_CHECKING:
    from collections.abc import Mapping

PANEL = HexColor("#FFFFFF")
SUNK = HexColor("#EDEFF2")
LINE = HexColor("#D5DAE0")
LINE2 = HexColor("#8A94A0")
TEXT = HexColor("#1B2128")
TEXT2 = HexColor("#52606D")
ACCENT = HexColor("#0F5CA8")
ACCENT_BG = HexColor("#E6EFF8")
GOOD = HexColor("#1B6E43")
GOOD_BG = HexColor("#E5F2EA")
WARN = HexColor("#8A5200")
BAD = HexColor("#AE2A1F")
BAND = HexColor("#F6E7C8")
GRID = HexColor("#E4E8EC")

TONES: Mapping[Tone, HexColor] = MappingProxyType(
    {Tone.PLAIN: TEXT, Tone.GOOD: GOOD, Tone.WARN: WARN, Tone.BAD: BAD, Tone.MUTED: TEXT2}
)

SEGMENTS: Mapping[str, HexColor] = MappingProxyType(
    {
        "weights": HexColor("#1F4E8C"),
        "kv": HexColor("#2E9E98"),
        "gradients": HexColor("#2E9E98"),
        "activations": HexColor("#A05A08"),
        "overhead": HexColor("#8E7CB8"),
        "optimizer": HexColor("#703E6C"),
    }
)

SERIES: tuple[HexColor, ...] = (
    TEXT,
    HexColor("#0F5CA8"),
    HexColor("#02865D"),
    HexColor("#B85A01"),
    HexColor("#703E6C"),
    HexColor("#3A541E"),
    HexColor("#CC153C"),
)

BODY_PT = 9.75
BODY_LEADING_PT = 13.5
TABLE_PT = 9.4
CAPTION_PT = 9.0
H2_PT = 12.0
H1_PT = 19.5
KEY_FIGURE_PT = 16.5
