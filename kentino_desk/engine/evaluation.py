"""One evaluated set of candidates: results by name, and the trace behind any of them."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.domain.choices import Evidence
from kentino_desk.engine.input_titles import INPUT_TITLES
from kentino_desk.engine.policy import CONSTANTS
from kentino_desk.engine.quantity import REGISTRY, Plan, Quantity
from kentino_desk.engine.step_time import DECODE, MIXED, PROMPT

if TYPE_CHECKING:
    from collections.abc import Mapping

CASE_OF: Mapping[str, int] = MappingProxyType(
    {"decode_step_s": DECODE, "prompt_work_s": MIXED, "lone_prompt_s": PROMPT}
)
"""Which of the three steps a quantity looks at, for the trace below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedInput:
    """One input of an explained quantity. ``kind`` is quantity, input or constant."""

    name: str
    title: str
    value: float
    unit: str
    kind: str
    source: str
    evidence: Evidence
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """A quantity of one candidate with everything that it says about itself."""

    name: str
    title: str
    value: float
    unit: str
    symbol: str
    sentence: str
    equation: str
    source: str
    expected_error: str
    inputs: tuple[ExplainedInput, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evaluation:
    """Results of one run of a plan. Arrays have one position per candidate, the row.

    Quantities of the engine step carry a leading axis of three steps (``step_time``).
    """

    plan: Plan
    values: Mapping[str, Any]
    rows: int

    def value(self, name: str, row: int, case: int = MIXED) -> float:
        """Value of a quantity or an input for one candidate.

        Raises:
            KeyError: the run did not compute it.
        """
        found = self.values[name]
        if not isinstance(found, np.ndarray) or found.ndim == 0:
            return float(found)
        if found.ndim == 1:
            return float(found[row if len(found) > 1 else 0])
        return float(found[case, row if found.shape[1] > 1 else 0])

    def has(self, name: str) -> bool:
        """Whether the run computed a quantity."""
        return name in self.values

    def explain(self, name: str, row: int, case: int = MIXED) -> Explained:
        """What a quantity says about itself, with the values of its inputs for one candidate.

        Raises:
            KeyError: the run did not compute it, or it is an input.
        """
        item = REGISTRY[name]
        inner = CASE_OF.get(name, case)
        return Explained(
            name=name,
            title=item.title,
            value=self.value(name, row, case),
            unit=item.unit,
            symbol=item.symbol,
            sentence=item.sentence,
            equation=item.equation,
            source=item.source,
            expected_error=item.error,
            inputs=tuple(self._input(parameter, row, inner) for parameter in item.parameters),
        )

    def _input(self, name: str, row: int, case: int) -> ExplainedInput:
        value = self.value(name, row, case)
        if name in REGISTRY:
            return _quantity_input(REGISTRY[name], value)
        if name in CONSTANTS:
            item = CONSTANTS[name]
            return ExplainedInput(
                name=name, title=item.title, value=value, unit=item.unit, kind="constant",
                source=item.source, evidence=item.evidence, origin="table",
            )  # fmt: skip
        title = INPUT_TITLES[name]
        kind = "constant" if title.origin == "table" else "input"
        return ExplainedInput(
            name=name, title=title.title, value=value, unit=title.unit, kind=kind,
            source=title.source, evidence=_evidence(title.origin), origin=title.origin,
        )  # fmt: skip


def _quantity_input(item: Quantity, value: float) -> ExplainedInput:
    return ExplainedInput(
        name=item.name, title=item.title, value=value, unit=item.unit, kind="quantity",
        source=item.source, evidence=Evidence.ESTIMATE, origin="quantity",
    )  # fmt: skip


def _evidence(origin: str) -> Evidence:
    return {"table": Evidence.MEASURED, "model": Evidence.VENDOR, "card": Evidence.VENDOR}.get(
        origin, Evidence.ESTIMATE
    )
