"""What is missing before export; the word at the right jumps to its cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from kentino_desk.present.views import Tone
from kentino_desk.ui.fonts import BODY_PX, NOTE_PX
from kentino_desk.ui.labels import PlainLabel, plain_tip
from kentino_desk.ui.marks import paint_check
from kentino_desk.ui.painting import RIGHT, Ink, Painted, lines_of, paint_text, text_width

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from kentino_desk.session.checklist import Finding
    from kentino_desk.ui.look import Look

_INDENT = 24
_JUMP = "Change"


class FindingRow(Painted):
    """Mark, text, detail, and the word that jumps."""

    opened = Signal(str)

    def __init__(self, look: Look, finding: Finding) -> None:
        super().__init__(look)
        self.finding = finding
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if finding.field else Qt.FocusPolicy.NoFocus)
        if finding.field:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        said = ". ".join(part for part in (finding.text, finding.detail) if part)
        self.describe(said, full_text=plain_tip(said))
        self.setFixedHeight(50)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click jumps."""
        if self.finding.field and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(self.finding.field)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter jumps."""
        if self.finding.field and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit(self.finding.field)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Two lines."""
        return QSize(240, 50)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Hairline, mark, two lines."""
        painter = self.begin()
        width = float(self.width())
        painter.fillRect(QRectF(0, 0, width, 1), self.look.color("line"))
        tone = "bad" if self.finding.tone is Tone.BAD else "warn"
        paint_check(painter, self.look, QPointF(8, 17), tone)
        end = width
        if self.finding.field:
            box = QRectF(width - 60, 7, 60, 20)
            paint_text(painter, box, _JUMP, Ink(self.look.color("accent"), NOTE_PX), RIGHT)
            end -= text_width(_JUMP, NOTE_PX) + 12
        text = Ink(self.look.color("text"), BODY_PX)
        paint_text(painter, QRectF(_INDENT, 7, end - _INDENT, 20), self.finding.text, text)
        note = Ink(self.look.color("text2"), NOTE_PX)
        for line in lines_of(self.finding.detail, width - _INDENT, NOTE_PX, 1):
            paint_text(painter, QRectF(_INDENT, 27, width - _INDENT, 16), line, note)
        if self.hasFocus():
            painter.fillRect(QRectF(0, 1, 2, self.height() - 1), self.look.color("accent"))
        painter.end()


class Checklist(QFrame):
    """Findings, the worst first."""

    opened = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName("Before export")
        self._look = look
        self._shown: tuple[Finding, ...] = ()
        self._count = PlainLabel("", "note")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self._build()

    def show_findings(self, findings: tuple[Finding, ...]) -> None:
        """Draw other findings, if they are others."""
        blocks = sum(item.tone is Tone.BAD for item in findings)
        self._count.show_text(f"{blocks} block, {len(findings) - blocks} to look at")
        if findings == self._shown:
            return
        self._shown = findings
        while self._rows.count() > 1:
            self._drop_row(0)
        for index, finding in enumerate(findings):
            row = FindingRow(self._look, finding)
            row.opened.connect(self.opened)
            self._rows.insertWidget(index, row)

    @property
    def rows(self) -> list[FindingRow]:
        """Rows on the screen."""
        entries = (self._rows.itemAt(index) for index in range(self._rows.count()))
        found = (entry.widget() for entry in entries if entry is not None)
        return [row for row in found if isinstance(row, FindingRow)]

    def _drop_row(self, index: int) -> None:
        entry = self._rows.takeAt(index)
        widget = entry.widget() if entry is not None else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()

    def _build(self) -> None:
        head = QHBoxLayout()
        head.addWidget(PlainLabel("Before export", "strong"), 1)
        head.addWidget(self._count)
        content = QWidget()
        content.setLayout(self._rows)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 12, 8)
        column.addLayout(head)
        column.addWidget(area, 1)
