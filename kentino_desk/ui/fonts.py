"""Source Sans Pro in five sizes, from a package; a bare machine has no usable font."""

from __future__ import annotations

import importlib
from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

FAMILY = "Source Sans Pro"
NOTE_PX, BODY_PX, NAME_PX, TITLE_PX, FIGURE_PX = 12, 14, 16, 20, 28
_FACES = ("SourceSansPro", "SourceSansProSemibold")


def load_fonts() -> None:
    """Register the faces with Qt.

    Raises:
        RuntimeError: the package is damaged, so no text could be read.
    """
    files = importlib.import_module("font_source_sans_pro").font_files_ttf
    for face in _FACES:
        if QFontDatabase.addApplicationFont(files[face]) < 0:
            raise RuntimeError(f"the font file {files[face]} cannot be loaded")


@cache
def font(size_px: int = BODY_PX, *, strong: bool = False) -> QFont:
    """The font of one of the five sizes."""
    made = QFont(FAMILY)
    made.setPixelSize(size_px)
    made.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
    return made


@cache
def metrics(size_px: int = BODY_PX, *, strong: bool = False) -> QFontMetricsF:
    """Widths of that font."""
    return QFontMetricsF(font(size_px, strong=strong))
