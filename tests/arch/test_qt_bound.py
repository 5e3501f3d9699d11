from __future__ import annotations

import sys

from PySide6.QtGui import QColor, QImage, QPainter


def test_void_qt_calls_keep_the_references_to_none(qapp: object) -> None:
    # PySide6 6.12.0 with CPython 3.11 drops one on each such call and aborts after some thousand.
    image = QImage(8, 8, QImage.Format.Format_ARGB32)
    color = QColor("black")
    painter = QPainter(image)
    before = sys.getrefcount(None)
    for _ in range(5_000):
        painter.setPen(color)
    after = sys.getrefcount(None)
    painter.end()
    assert before - after < 1_000
