"""The rail: the screens that exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from kentino_desk.session.state import Screen
from kentino_desk.ui.fonts import NOTE_PX
from kentino_desk.ui.painting import CENTER, Ink, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QPaintEvent

    from kentino_desk.ui.layout import Density
    from kentino_desk.ui.look import Look


class RailButton(QAbstractButton):
    """Icon over a word; the word goes where there is little room."""

    def __init__(self, look: Look, icon: str, action: QAction) -> None:
        super().__init__()
        self._look = look
        self._icon = icon
        self.has_word = True
        self.setText(action.text())
        self.setToolTip(action.toolTip())
        self.setAccessibleName(action.text())
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(action.trigger)
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """One place of the rail."""
        return QSize(56, 60 if self.has_word else 44)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Accent bar and ground when chosen."""
        painter = QPainter(self)
        chosen = self.isChecked()
        if chosen:
            painter.fillRect(self.rect(), self._look.color("accentbg"))
            painter.fillRect(0, 0, 3, self.height(), self._look.color("accent"))
        elif self.underMouse():
            painter.fillRect(self.rect(), self._look.color("sunk"))
        color = "accent" if chosen else "text2"
        pixmap = self._look.pixmap(self._icon, color)
        top = 10 if self.has_word else (self.height() - 20) // 2
        painter.drawPixmap((self.width() - 20) // 2, top, pixmap)
        if self.has_word:
            ink = Ink(self._look.color(color), NOTE_PX, strong=chosen)
            paint_text(painter, QRectF(0, 34, self.width(), 18), self.text(), ink, CENTER)
        if self.hasFocus():
            painter.setPen(QPen(self._look.color("accent"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()


class Rail(QWidget):
    """One button for each screen."""

    def __init__(self, look: Look, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.setProperty("role", "rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.buttons = {
            Screen.WORKLOAD: RailButton(look, "workload", actions["show_workload"]),
            Screen.COMPARE: RailButton(look, "compare", actions["show_compare"]),
            Screen.PROPOSAL: RailButton(look, "proposal", actions["show_proposal"]),
            Screen.CATALOG: RailButton(look, "catalog", actions["show_catalog"]),
        }
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 1, 8)
        column.setSpacing(0)
        for made in self.buttons.values():
            column.addWidget(made)
        column.addStretch(1)

    def show_screen(self, screen: Screen, *, customer: bool) -> None:
        """Mark the screen in front; the catalog holds prices and leaves with the customer."""
        self.buttons[Screen.CATALOG].setVisible(not customer)
        self.buttons[screen].setChecked(True)

    def set_density(self, density: Density) -> None:
        """Wide with words, narrow without."""
        self.setFixedWidth(density.rail)
        for made in self.buttons.values():
            made.has_word = not density.compact
            made.setFixedHeight(made.sizeHint().height())
