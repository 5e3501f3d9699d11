"""The theme in force, for widgets that paint themselves; one object for the whole window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from kentino_desk.ui.theme import ICONS, LIGHT, TOKENS, Tokens

if TYPE_CHECKING:
    from kentino_desk.session.state import Theme

_DRAWN_IN = "#52606D"


class Look(QObject):
    """Holds the tokens and tells when they change."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.tokens: Tokens = LIGHT
        self._colors: dict[str, QColor] = {}

    def set_theme(self, theme: Theme) -> None:
        """Switch to the colours of ``theme``."""
        if self.tokens is not TOKENS[theme]:
            self.tokens = TOKENS[theme]
            self.changed.emit()

    def color(self, name: str) -> QColor:
        """A colour by the name of its token."""
        code = str(getattr(self.tokens, name))
        return self.coded(code)

    def coded(self, code: str) -> QColor:
        """A colour by its code; made once."""
        if code not in self._colors:
            self._colors[code] = QColor(code)
        return self._colors[code]

    def icon(self, name: str, color: str = "text2", size_px: int = 20) -> QIcon:
        """An icon in the colour of a token of that name."""
        icon = QIcon(self.pixmap(name, color, size_px))
        icon.addPixmap(self.pixmap(name, "line2", size_px), QIcon.Mode.Disabled)
        return icon

    def pixmap(self, name: str, color: str = "text2", size_px: int = 20) -> QPixmap:
        """An icon as a picture, drawn at twice its size so that scaled screens stay sharp."""
        text = (ICONS / f"{name}.svg").read_text("utf-8")
        code = str(getattr(self.tokens, color))
        renderer = QSvgRenderer(QByteArray(text.replace(_DRAWN_IN, code).encode()))
        pixmap = QPixmap(QSize(2 * size_px, 2 * size_px))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter, QRectF(0, 0, 2 * size_px, 2 * size_px))
        painter.end()
        pixmap.setDevicePixelRatio(2)
        return pixmap
