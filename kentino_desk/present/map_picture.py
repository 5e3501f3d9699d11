"""A decision map as an even picture: the cell of each dot, with lines where they were found.

Cells stand at values that need not be even; a line between two neighbours was narrowed along the
side that joins them. Between four cells a dot goes to the one on its side of both lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from kentino_desk.decision.decision_map import DecisionMap

DOTS = 192
"""Dots along each side."""


def scaled(values: Any, *, is_log: bool) -> Any:
    """Where values stand along their axis."""
    numbers = np.asarray(values, dtype=float)
    return np.log(numbers) if is_log else numbers


def picture(drawn: DecisionMap, *, x_is_log: bool, y_is_log: bool) -> Any:
    """Region of each dot, shape (DOTS, DOTS), rows from the smallest y."""
    xs, ys = scaled(drawn.x, is_log=x_is_log), scaled(drawn.y, is_log=y_is_log)
    cells = np.asarray(drawn.cells)
    x_splits, y_splits = _splits(drawn, xs, ys, x_is_log=x_is_log, y_is_log=y_is_log)
    x_dots, y_dots = _dots(xs), _dots(ys)
    column, right = _between(xs, x_dots)
    row, up = _between(ys, y_dots)
    r, c = np.meshgrid(row, column, indexing="ij")
    u, w = np.meshgrid(up, right, indexing="ij")
    above, beside = _next(r, len(ys)), _next(c, len(xs))
    x_line = x_splits[r, c] * (1.0 - u) + x_splits[above, c] * u
    y_line = y_splits[r, c] * (1.0 - w) + y_splits[r, beside] * w
    x_at, y_at = np.meshgrid(x_dots, y_dots)
    return cells[np.where(y_at > y_line, above, r), np.where(x_at > x_line, beside, c)]


def _splits(
    drawn: DecisionMap, xs: Any, ys: Any, *, x_is_log: bool, y_is_log: bool
) -> tuple[Any, Any]:
    """Where each cell ends towards the next: in the middle, or at the line that was found."""
    rows, columns = np.asarray(drawn.cells).shape
    x_splits = np.tile(_middles(xs), (rows, 1))
    y_splits = np.tile(_middles(ys)[:, None], (1, columns))
    for side in drawn.boundaries:
        if side.across == "x":
            x_splits[side.row, side.column] = scaled(side.at, is_log=x_is_log)
        else:
            y_splits[side.row, side.column] = scaled(side.at, is_log=y_is_log)
    return x_splits, y_splits


def _middles(values: Any) -> Any:
    """Middle between each value and the next; the last has none and keeps what is beyond."""
    return np.append((values[1:] + values[:-1]) / 2.0, np.inf)


def _dots(values: Any) -> Any:
    return np.linspace(values[0], values[-1], DOTS)


def _between(values: Any, dots: Any) -> tuple[Any, Any]:
    """Place of the value below each dot, and how far the dot is on the way to the next."""
    place = np.clip(np.searchsorted(values, dots, side="right") - 1, 0, max(len(values) - 2, 0))
    if len(values) == 1:
        return place, np.zeros(len(dots))
    gap = values[place + 1] - values[place]
    return place, np.clip((dots - values[place]) / gap, 0.0, 1.0)


def _next(places: Any, count: int) -> Any:
    return np.minimum(places + 1, count - 1)
