"""The graph of named quantities: one plain function each, resolved once and run often.

A quantity's parameters are the names of the quantities and inputs that it needs. From the same
function come the number, the "why?", the annex and the nomenclature page.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

F = TypeVar("F", bound="Callable[..., Any]")


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity: its function and what the function says about itself."""

    name: str
    function: Callable[..., Any]
    parameters: tuple[str, ...]
    title: str
    unit: str
    symbol: str
    sentence: str
    equation: str
    source: str
    error: str


REGISTRY: dict[str, Quantity] = {}


def quantity(
    *, title: str, unit: str, symbol: str, source: str, error: str = ""
) -> Callable[[F], F]:
    """Register a function as the quantity of its own name.

    The docstring's first paragraph is the sentence, its second the equation. ``error`` says how far
    the figure is from measurement, or is empty where the quantity is exact arithmetic.
    """

    def register(function: F) -> F:
        name = function.__name__
        if name in REGISTRY:
            raise ValueError(f"quantity {name} is defined twice")
        sentence, equation = _paragraphs(function)
        parameters = tuple(inspect.signature(function).parameters)
        REGISTRY[name] = Quantity(
            name, function, parameters, title, unit, symbol, sentence, equation, source, error
        )
        return function

    return register


def _paragraphs(function: Callable[..., Any]) -> tuple[str, str]:
    paragraphs = [" ".join(part.split()) for part in (inspect.getdoc(function) or "").split("\n\n")]
    if len(paragraphs) < 2:
        raise ValueError(f"quantity {function.__name__} needs a sentence and an equation")
    return paragraphs[0], paragraphs[1]


@dataclass(frozen=True, slots=True)
class Plan:
    """Calls in an order in which every parameter is known, and the inputs they need."""

    steps: tuple[Quantity, ...]
    inputs: frozenset[str]


@lru_cache(maxsize=256)
def plan_for(wanted: tuple[str, ...], given: frozenset[str]) -> Plan:
    """The plan that computes ``wanted`` from ``given``.

    Raises:
        KeyError: a name that is neither a quantity nor given.
    """
    steps: dict[str, Quantity] = {}
    used: set[str] = set()
    for name in wanted:
        _visit(name, given, steps, used, ())
    return Plan(tuple(steps.values()), frozenset(used))


def _visit(
    name: str,
    given: frozenset[str],
    steps: dict[str, Quantity],
    used: set[str],
    path: tuple[str, ...],
) -> None:
    if name in steps:
        return
    if name in given:
        used.add(name)
        return
    if name in path:
        raise ValueError(f"quantities need each other: {' > '.join([*path, name])}")
    if name not in REGISTRY:
        raise KeyError(f"{name} is neither a quantity nor an input (needed by {' > '.join(path)})")
    item = REGISTRY[name]
    for parameter in item.parameters:
        _visit(parameter, given, steps, used, (*path, name))
    steps[name] = item


def run(plan: Plan, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Results by name, inputs included; scalars and arrays that broadcast alike."""
    values: dict[str, Any] = {name: inputs[name] for name in plan.inputs}
    for step in plan.steps:
        values[step.name] = step.function(*[values[name] for name in step.parameters])
    return values


@lru_cache(maxsize=256)
def affected_steps(plan: Plan, changed: frozenset[str]) -> tuple[Quantity, ...]:
    """The steps of a plan that depend on some of its inputs, in order."""
    moving = set(changed)
    steps = []
    for step in plan.steps:
        if moving.intersection(step.parameters):
            moving.add(step.name)
            steps.append(step)
    return tuple(steps)


def rerun(plan: Plan, values: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Results after some inputs changed: only what depends on them is computed again, in place."""
    values.update(changes)
    for step in affected_steps(plan, frozenset(changes)):
        values[step.name] = step.function(*[values[name] for name in step.parameters])
    return values


def compute(wanted: Iterable[str], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Plan and run in one call."""
    return run(plan_for(tuple(wanted), frozenset(inputs)), inputs)
