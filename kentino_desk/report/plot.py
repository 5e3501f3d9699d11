"""The inside of a chart: plot, ticks, grid, axis, labels that keep apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kentino_desk.report import palette
from kentino_desk.report.fonts import REGULAR, SEMIBOLD, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kentino_desk.present.numbers import Numbers

SMALL_PT = 9.0
LABEL_GAP_PT = 11.0


@dataclass(frozen=True, slots=True)
class Plot:
    """The inside of a chart in points: its corner, its size, and the top of the y axis."""

    left: float
    bottom: float
    width: float
    height: float
    y_top: float

    def y(self, value: float) -> float:
        """Height on the page of a value."""
        return self.bottom + self.height * value / self.y_top


def round_ticks(top: float, count: int = 4) -> tuple[float, ...]:
    """About ``count`` round numbers from 0 up to ``top``.

    Example:
        >>> round_ticks(100.4)
        (0.0, 25.0, 50.0, 75.0, 100.0)
    """
    raw = top / count
    size = 10.0 ** math.floor(math.log10(raw))
    step = min((factor * size for factor in (1, 2, 2.5, 5, 10)), key=lambda item: abs(item - raw))
    return tuple(step * index for index in range(int(top / step + 1e-9) + 1))


def spread_labels(heights: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Baselines at least ``gap`` apart, as near to ``heights`` (highest first) as that allows."""
    placed: list[float] = []
    for height in heights:
        above = placed[-1] - gap if placed else high
        placed.append(min(height, above))
    floor = low
    for index in range(len(placed) - 1, -1, -1):
        placed[index] = max(placed[index], floor)
        floor = placed[index] + gap
    return placed


def draw_on(
    canvas: Any, x: float, y: float, text: str, ground: Any, colour: Any = palette.TEXT
) -> None:
    """A label on a patch of its ground, readable where a line runs under it."""
    width = text_width(text, SEMIBOLD, SMALL_PT)
    canvas.setFillColor(ground)
    canvas.rect(x - 1.5, y - 2, width + 3, 10.5, stroke=0, fill=1)
    canvas.setFont(SEMIBOLD, SMALL_PT)
    canvas.setFillColor(colour)
    canvas.drawString(x, y, text)


def named_ticks(ticks: Sequence[float], shown: Numbers) -> tuple[tuple[float, str], ...]:
    """Ticks with their names in the language."""
    return tuple((tick, shown.short(tick)) for tick in ticks)


def draw_grid(canvas: Any, plot: Plot, ticks: Sequence[tuple[float, str]], unit: str) -> None:
    """Horizontal lines at round numbers with their names, the unit once at the top."""
    canvas.setFont(REGULAR, SMALL_PT)
    canvas.setFillColor(palette.TEXT2)
    canvas.drawString(6, plot.bottom + plot.height + 8, unit)
    canvas.setStrokeColor(palette.GRID)
    canvas.setLineWidth(0.7)
    for tick, name in ticks:
        canvas.line(plot.left, plot.y(tick), plot.left + plot.width, plot.y(tick))
        canvas.drawRightString(plot.left - 5, plot.y(tick) - 3, name)


def draw_axis(canvas: Any, plot: Plot) -> None:
    """The one axis line, at zero."""
    canvas.setStrokeColor(palette.LINE2)
    canvas.setLineWidth(0.8)
    canvas.line(plot.left, plot.bottom, plot.left + plot.width, plot.bottom)
