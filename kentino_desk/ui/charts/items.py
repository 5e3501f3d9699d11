"""Items of pyqtgraph that keep their bounds: the scene asks for them many times at each paint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF


class Bars(pg.BarGraphItem):  # type: ignore[misc] # pyqtgraph has no types
    """Bars whose bounds are worked out once for each change of data, look or view."""

    def __init__(self, **opts: object) -> None:
        self._bounds: QRectF | None = None
        super().__init__(**opts)

    def setOpts(self, **opts: object) -> None:
        """Other data or another look."""
        self._bounds = None
        super().setOpts(**opts)

    def viewTransformChanged(self) -> None:
        """The pen is as wide as a pixel, so the bounds follow the scale."""
        self._bounds = None
        self.prepareGeometryChange()
        super().viewTransformChanged()

    def boundingRect(self) -> QRectF:
        """Around all bars, with their pen."""
        if self._bounds is None:
            self._bounds = super().boundingRect()
        return self._bounds
