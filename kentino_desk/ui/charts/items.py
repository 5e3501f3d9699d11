"""Stacked bars as a plain item of the scene: cheaper for each key than bars of pyqtgraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QBrush, QPainter, QPen


class Bars(QGraphicsItem):
    """Rectangles in data coordinates, all with one pen and one brush."""

    def __init__(self, brush: QBrush, pen: QPen) -> None:
        super().__init__()
        self._brush, self._pen = brush, pen
        self._boxes: list[QRectF] = []
        self._bounds = QRectF()

    def set_look(self, brush: QBrush, pen: QPen) -> None:
        """Other colours."""
        self._brush, self._pen = brush, pen
        self.update()

    def show_boxes(self, boxes: Sequence[QRectF], margin: tuple[float, float]) -> None:
        """Other rectangles; ``margin`` is the width of the pen in data coordinates."""
        bounds = QRectF()
        for box in boxes:
            bounds |= box
        across, up = margin
        bounds.adjust(-across, -up, across, up)
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds
        if boxes != self._boxes:
            self._boxes = list(boxes)
            self.update()

    def boundingRect(self) -> QRectF:
        """Around all bars, with their pen."""
        return self._bounds

    def paint(
        self,
        painter: QPainter,
        _option: QStyleOptionGraphicsItem,
        _widget: QWidget | None = None,
    ) -> None:
        """All bars at once."""
        painter.setPen(self._pen)
        painter.setBrush(self._brush)
        painter.drawRects(self._boxes)
