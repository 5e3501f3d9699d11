"""Marks drawn as shapes: pips of a grade, signs of evidence, signs of a check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from kentino_desk.domain.choices import Grade

if TYPE_CHECKING:
    from kentino_desk.ui.look import Look

PIPS_WIDTH = 23
_PIP_W, _PIP_H, _PIP_STEP = 5, 11, 6


def grade_token(grade: Grade) -> str:
    """Colour token of a grade."""
    if grade >= Grade.FITS:
        return "good"
    return "warn" if grade is Grade.TIGHT else "bad"


def paint_pips(painter: QPainter, look: Look, left: float, middle: float, grade: Grade) -> None:
    """Four upright pips, as many filled as the grade is good."""
    color = look.color(grade_token(grade))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, 1))
    for index in range(4):
        filled = index < int(grade)
        painter.setBrush(color if filled else Qt.BrushStyle.NoBrush)
        x = left + index * _PIP_STEP + 0.5
        painter.drawRoundedRect(QRectF(x, middle - _PIP_H / 2, _PIP_W - 1, _PIP_H), 1.2, 1.2)


def paint_evidence(painter: QPainter, look: Look, center: QPointF, evidence: str) -> None:
    """Filled circle for measured, open square for vendor, open triangle for estimate."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(look.color("text"), 1.4))
    x, y = center.x(), center.y()
    if evidence == "measured":
        painter.setBrush(look.color("text"))
        painter.drawEllipse(center, 4, 4)
    elif evidence == "vendor":
        painter.drawRect(QRectF(x - 4, y - 4, 8, 8))
    else:
        painter.setPen(QPen(look.color("warn"), 1.4))
        painter.drawPolygon(_triangle(x, y, 5))


def paint_check(
    painter: QPainter, look: Look, center: QPointF, tone: str, scale: float = 1.0
) -> None:
    """Round tick for good, triangle for warn, square cross for bad."""
    painter.save()
    painter.translate(center)
    painter.scale(scale, scale)
    center = QPointF(0, 0)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    x, y = center.x(), center.y()
    stroke = QPen(look.color("panel"), 1.6)
    stroke.setCapStyle(Qt.PenCapStyle.RoundCap)
    if tone == "good":
        painter.setBrush(look.color("good"))
        painter.drawEllipse(center, 7.5, 7.5)
        painter.setPen(stroke)
        painter.drawPolyline(
            QPolygonF(
                [QPointF(x - 3.2, y + 0.2), QPointF(x - 0.8, y + 2.6), QPointF(x + 3.4, y - 2.4)]
            )
        )
    elif tone == "warn":
        painter.setBrush(look.color("warn"))
        painter.drawPolygon(_triangle(x, y, 7.5))
        painter.setPen(stroke)
        painter.drawLine(QPointF(x, y - 2), QPointF(x, y + 1.6))
        painter.drawPoint(QPointF(x, y + 4.2))
    else:
        painter.setBrush(look.color("bad"))
        painter.drawRoundedRect(QRectF(x - 7, y - 7, 14, 14), 2, 2)
        painter.setPen(stroke)
        painter.drawLine(QPointF(x - 3, y - 3), QPointF(x + 3, y + 3))
        painter.drawLine(QPointF(x + 3, y - 3), QPointF(x - 3, y + 3))
    painter.restore()


def _triangle(x: float, y: float, half: float) -> QPolygonF:
    return QPolygonF(
        [
            QPointF(x, y - half + 0.5),
            QPointF(x + half, y + half - 0.5),
            QPointF(x - half, y + half - 0.5),
        ]
    )
