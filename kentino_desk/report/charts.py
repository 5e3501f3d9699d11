"""Vector painters of the charts; the numbers and words come ready from ``present``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.present.charts import CostChart, MemoryChart
from kentino_desk.report.cost_drawing import CostDrawing
from kentino_desk.report.efficiency_drawing import EfficiencyDrawing
from kentino_desk.report.memory_drawing import MemoryDrawing

if TYPE_CHECKING:
    from reportlab.platypus import Flowable

    from kentino_desk.present.charts import EfficiencyChart
    from kentino_desk.present.numbers import Numbers


def drawing_of(
    chart: MemoryChart | EfficiencyChart | CostChart, shown: Numbers, width: float
) -> Flowable:
    """The painter of a chart."""
    if isinstance(chart, CostChart):
        return CostDrawing(chart, shown, width)
    if isinstance(chart, MemoryChart):
        return MemoryDrawing(chart, shown, width)
    return EfficiencyDrawing(chart, shown, width)
