"""What a build is made of in the price list, and what that costs."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Fabric
from kentino_desk.domain.money import Money

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.candidate import Build
    from kentino_desk.domain.snapshot import CatalogSnapshot, PriceLine

SWITCHLESS_NODES = 4
"""Nodes that can be joined without a switch (C139-C142)."""
GPUS_PER_NIC = 4
"""The seller's rule: at least one NIC per four GPUs in a fabric cluster (C181)."""


def nics_per_node(build: Build) -> int:
    """NICs of the fabric in one node by the seller's rule."""
    return max(1, -(-build.node.gpu_count // GPUS_PER_NIC))


def bill_items(build: Build) -> tuple[tuple[str, int], ...]:
    """Items of the price list with their quantities; replicas get a load balancer and no fabric."""
    items = [(f"node:{build.node.id}:{build.gpu.id}", build.nodes)]
    if build.nodes == 1:
        return tuple(items)
    if build.fabric in {Fabric.NONE, Fabric.NVLINK}:
        return (*items, ("service:load-balancer", 1))
    nics = nics_per_node(build) * build.nodes
    items += [(f"nic:{build.fabric}", nics), (f"cable:{build.fabric}", nics)]
    if build.nodes > SWITCHLESS_NODES:
        items.append((f"switch:{build.fabric}", 1))
    return tuple(items)


def build_price(build: Build, snapshot: CatalogSnapshot) -> Money | None:
    """Price of a build, None where the list lacks one of its items; nothing for what is there."""
    if build.is_customer:
        return Money(Decimal(0), snapshot.price_list.currency)
    return _cached_price(bill_items(build), snapshot)


@lru_cache(maxsize=4096)
def _cached_price(items: tuple[tuple[str, int], ...], snapshot: CatalogSnapshot) -> Money | None:
    prices = _prices(snapshot)
    if any(item not in prices for item, _ in items):
        return None
    total = sum((prices[item].price * quantity for item, quantity in items), Decimal(0))
    return Money(total, snapshot.price_list.currency)


@lru_cache(maxsize=8)
def _prices(snapshot: CatalogSnapshot) -> Mapping[str, PriceLine]:
    return snapshot.prices
