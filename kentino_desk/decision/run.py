"""What both kinds of run hand to the rules: rows, results, grades, and what each row breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from kentino_desk.domain.candidate import Build
from kentino_desk.domain.choices import Binding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.space import Space
    from kentino_desk.domain.candidate import Candidate
    from kentino_desk.engine.evaluation import Evaluation

MEMORY_BINDINGS = frozenset({Binding.MEMORY, Binding.TRAINING_STATE})
ORDER = tuple(Binding)
"""Order in which broken constraints are named."""


def candidate_at(candidate: Candidate, nodes: int) -> Candidate:
    """A candidate at a number of nodes: itself, or replicas of a single node."""
    if nodes == candidate.build.nodes:
        return candidate
    build = Build(candidate.build.node, candidate.build.gpu, nodes)
    return replace(candidate, build=build, replicas=candidate.replicas * nodes)


class RowCandidates(Sequence["Candidate"]):
    """Candidates of the rows; replicas of several nodes are made when somebody looks, and kept."""

    __slots__ = ("_base", "_made", "_nodes", "_space")

    def __init__(self, space: Space, base: Any, nodes: Any) -> None:
        self._space = space
        self._base = base
        self._nodes = nodes
        self._made: dict[int, Candidate] = {}

    @overload
    def __getitem__(self, row: int) -> Candidate: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Candidate]: ...

    def __getitem__(self, row: int | slice) -> Candidate | Sequence[Candidate]:
        if isinstance(row, slice):
            return tuple(self[place] for place in range(*row.indices(len(self))))
        made = self._made.get(row)
        if made is None:
            one = self._space.candidates[int(self._base[row])]
            made = self._made[row] = candidate_at(one, int(self._nodes[row]))
        return made

    def __len__(self) -> int:
        return len(self._base)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """Evaluated candidates. Arrays have one position per row, as the evaluation.

    Attributes:
        candidates: candidate of each row; replicas of several nodes are rows of their own.
        base: position in the space each row came from; ``nodes`` of the row.
        grades: memory grade of each row; ``low_grades`` on the unlucky side of its range.
        margins: relative margin to each limit that applies, negative where broken, by binding.
        x_node: load one node carries within the targets; users, or tokens/s of demand and batch.
        nodes_needed: N of each row, infinite where one node carries nothing.
        four_bit, order: format step of each row.
        passes: grade, targets, deadline, nodes and site limits all hold; ``holds`` leaves out the
            site limits.
        ranges: low and high arrays of figures whose range is computed, by quantity.
        load: what has to be carried, in the unit of ``x_node``.
        needed_rate: tokens per second that the deadline needs, None without a date.
    """

    space: Space
    candidates: RowCandidates
    base: Any
    nodes: Any
    evaluation: Evaluation
    grades: Any
    low_grades: Any
    margins: Mapping[Binding, Any]
    x_node: Any
    nodes_needed: Any
    four_bit: Any
    order: Any
    holds: Any
    passes: Any
    ranges: Mapping[str, tuple[Any, Any]]
    load: float
    needed_rate: float | None

    def misses(self, row: int) -> tuple[Binding, ...]:
        """What a row breaks, in the fixed order of the bindings."""
        return tuple(
            binding
            for binding in ORDER
            if binding in self.margins and self.margins[binding][row] < 0
        )

    def least_margin(self, row: int) -> Binding | None:
        """The limit a row comes closest to."""
        margins = {key: float(values[row]) for key, values in self.margins.items()}
        finite = {key: value for key, value in margins.items() if np.isfinite(value)}
        return min(finite, key=lambda key: finite[key]) if finite else None


def relative_margin(value: Any, limit: Any) -> Any:
    """1 − value/limit: the part of a limit that is left; negative where it is broken."""
    return 1.0 - value / limit
