"""The pages as they will print, one at a time, on a sunk ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from kentino_desk.ui.labels import PlainLabel, button, rule
from kentino_desk.ui.painting import CENTER, Ink, Painted, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent

    from kentino_desk.ui.look import Look
    from kentino_desk.ui.proposal.jobs import PageImage, Preview

_AROUND = 8


class PageView(Painted):
    """Paints one page, as large as fits."""

    stepped = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._image = QImage()
        self.message = ""

    def show_page(self, page: PageImage | None, name: str) -> None:
        """Show another page, or none."""
        self._image = (
            QImage(page.pixels, page.width, page.height, page.stride, QImage.Format.Format_RGB32)
            if page
            else QImage()
        )
        self.describe(name)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page keys and arrows turn pages."""
        forward = {Qt.Key.Key_PageDown, Qt.Key.Key_Right, Qt.Key.Key_Down}
        back = {Qt.Key.Key_PageUp, Qt.Key.Key_Left, Qt.Key.Key_Up}
        if event.key() in forward:
            self.stepped.emit(1)
        elif event.key() in back:
            self.stepped.emit(-1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The page with a 1 px edge, or what to do to get one."""
        painter = self.begin()
        painter.fillRect(self.rect(), self.look.color("sunk"))
        if self._image.isNull():
            ink = Ink(self.look.color("text2"))
            paint_text(painter, QRectF(self.rect()), self.message, ink, CENTER)
        else:
            self._paint_page(painter)
        if self.hasFocus():
            painter.setPen(QPen(self.look.color("accent"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    def _paint_page(self, painter: QPainter) -> None:
        room_w, room_h = self.width() - 2 * _AROUND, self.height() - 2 * _AROUND
        scale = min(room_w / self._image.width(), room_h / self._image.height())
        width, height = self._image.width() * scale, self._image.height() * scale
        left, top = (self.width() - width) / 2, (self.height() - height) / 2
        box = QRectF(round(left), round(top), round(width), round(height))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        ratio = self.devicePixelRatioF()
        scaled = self._image.scaled(
            round(box.width() * ratio),
            round(box.height() * ratio),
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        painter.drawImage(box, scaled)
        painter.setPen(QPen(self.look.color("line2"), 1))
        painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5))


class PreviewPanel(QFrame):
    """Toolbar and page."""

    page_turned = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName("Preview")
        self._pages: tuple[PageImage, ...] = ()
        self.index = 0
        self.page = PageView(look)
        self._previous = button("Previous", "", "Previous page")
        self._next = button("Next", "", "Next page")
        self._where = PlainLabel("")
        self._busy = QProgressBar()
        self._build()

    def show_preview(self, preview: Preview | None, message: str = "") -> None:
        """Show other pages; the same page stays in front."""
        self._pages = preview.pages if preview else ()
        self.page.message = message
        self.show_page(min(self.index, max(len(self._pages) - 1, 0)))

    def show_page(self, index: int) -> None:
        """Turn to a page."""
        self.index = index
        count = len(self._pages)
        words = f"Page {index + 1} of {count}" if count else ""
        self._where.show_text(words)
        self._previous.setEnabled(index > 0)
        self._next.setEnabled(index + 1 < count)
        self.page.show_page(self._pages[index] if index < count else None, words or "No pages")
        self.page_turned.emit(index)

    def show_busy(self, *, busy: bool) -> None:
        """A thin bar while pages are made."""
        self._busy.setRange(0, 0 if busy else 1)
        self._busy.setTextVisible(False)
        policy = self._busy.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._busy.setSizePolicy(policy)
        self._busy.setVisible(busy)

    def _build(self) -> None:
        bar = QWidget()
        bar.setFixedHeight(48)
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 0, 12, 0)
        for widget in (self._previous, self._where, self._next):
            row.addWidget(widget)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self._busy)
        column.addWidget(rule())
        column.addWidget(self.page, 1)
        self._previous.clicked.connect(lambda: self._step(-1))
        self._next.clicked.connect(lambda: self._step(1))
        self.page.stepped.connect(self._step)
        self.show_busy(busy=False)

    def _step(self, step: int) -> None:
        target = self.index + step
        if 0 <= target < len(self._pages):
            self.show_page(target)
