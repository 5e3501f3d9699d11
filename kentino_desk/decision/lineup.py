"""Rows in competition: groups, order inside a group, and the yes-or-no facts of the questions.

One set of rules for one workload and for many at once: arrays end in an axis of rows, an axis
before it holds points of the same workload with other numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


class Group(Enum):
    """Groups in the order in which they are searched."""

    ONE_NODE = 0
    ONE_NODE_FOUR_BIT = 1
    SEVERAL = 2
    SEVERAL_FOUR_BIT = 3
    CLUSTER = 4


def flow_of(partner: Any, customer: Any, *, named_cards: bool) -> tuple[Any, bool]:
    """Rows the questions look at, and whether those are partner platforms: only such were named."""
    partners = named_cards and bool((partner | customer).all()) and bool(partner.any())
    return (partner if partners else ~partner & ~customer), partners


SINGLE = (Group.ONE_NODE, Group.ONE_NODE_FOUR_BIT)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lineup:
    """What rows are, as far as groups and order go; arrays that end in an axis of rows."""

    four_bit: Any
    fabric: Any
    nodes: Any
    order: Any
    """Place of the format step."""
    prices: Any
    """Price, or its rank; infinite or last where the list has none."""
    gpus: Any
    watts: Any
    gpus_per_copy: Any
    x_node: Any
    serving: bool

    def group(self, group: Group) -> Any:
        """Mask of the rows of one group, whether they pass or not."""
        if group is Group.CLUSTER:
            return self.fabric
        eight = group in {Group.ONE_NODE, Group.SEVERAL}
        step = ~self.four_bit if eight else self.four_bit
        return step & ~self.fabric & ((self.nodes == 1) if group in SINGLE else (self.nodes > 1))

    @property
    def build_keys(self) -> tuple[Any, ...]:
        """Keys of the order of builds inside a group, the first decides.

        Format step, price, nodes, GPUs, watts.
        """
        return (self.order, self.prices, self.nodes, self.gpus, self.watts)

    @property
    def layout_keys(self) -> tuple[Any, ...]:
        """Keys of the order of layouts within a build, the first decides.

        Serving takes the layout that carries most per node. Training takes the one that splits the
        model least: pipelines and tensor groups over PCIe are derived, plain sharding is measured.
        Where two layouts carry the same, the smaller group exchanges less.
        """
        split = () if self.serving else (self.gpus_per_copy,)
        return (*split, -self.x_node, self.gpus_per_copy)

    @property
    def keys(self) -> tuple[Any, ...]:
        """Keys of the whole order inside a group."""
        return (*self.build_keys, *self.layout_keys)


def narrowed(mask: Any, keys: Sequence[Any]) -> Any:
    """The rows of a mask that no other row of it comes before by the keys, for every point."""
    left = np.array(mask)
    if not left.size:
        return left
    for key in keys:
        masked = np.where(left, key, np.inf)
        left &= masked == masked.min(axis=-1, keepdims=True)
    return left


def first_of(mask: Any) -> Any:
    """Position of the first row of a mask, for every point; -1 where it is empty."""
    if not mask.shape[-1]:
        return np.full(mask.shape[:-1], -1)
    return np.where(mask.any(axis=-1), mask.argmax(axis=-1), -1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """The yes-or-no facts that the questions rest on; booleans, or arrays with one per point."""

    one_node_8: Any
    """Some node carries the whole load at an 8-bit step; training: holds it."""
    one_node_4: Any
    carries_8: Any
    """Some node carries part of the load at an 8-bit step."""
    carries_4: Any
    one_node_in_time: Any
    cluster_holds: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Standing:
    """How rows stand to the load; arrays that end in an axis of rows."""

    flow: Any
    """Rows the questions look at."""
    holds: Any
    """Whether a row carries the load within the targets, site limits left out."""
    carries: Any
    """Whether it carries anything at all."""
    fits: Any
    """Whether its memory grade fits."""


def signs_of(lineup: Lineup, standing: Standing) -> Signs:
    """Read the signs of rows; training has no 4-bit step and no part of a load."""
    serving, holds = lineup.serving, standing.holds
    one = standing.flow & (lineup.nodes == 1) & ~lineup.fabric
    eight, four = one & ~lineup.four_bit, one & lineup.four_bit
    return Signs(
        one_node_8=(eight & (holds if serving else standing.fits)).any(axis=-1),
        one_node_4=serving & (four & holds).any(axis=-1),
        carries_8=serving & (eight & standing.carries).any(axis=-1),
        carries_4=serving & (four & standing.carries).any(axis=-1),
        one_node_in_time=(one & holds).any(axis=-1),
        cluster_holds=(standing.flow & lineup.fabric & holds).any(axis=-1),
    )
