"""Figures without a quantity of the engine: one sentence and an equation in words each."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from kentino_desk.present.language import later

if TYPE_CHECKING:
    from collections.abc import Mapping


class PlainFigure(NamedTuple):
    """What a figure is, how it is made, and where it comes from."""

    sentence: str
    equation: str
    source: str


PLAIN_FIGURES: Mapping[str, PlainFigure] = MappingProxyType(
    {
        "load": PlainFigure(
            later("What the customer wants to run at once, with growth."),
            later("load = asked × (1 + growth)"),
            later("requirement"),
        ),
        "x_node_users": PlainFigure(
            later("Users that one node carries with room in the memory and all targets met."),
            later("largest load for which speed, first word and memory hold"),
            later("solved over the engine"),
        ),
        "x_node_tokens_per_s": PlainFigure(
            later("Output that one node delivers with room in the memory and all targets met."),
            later("largest load for which speed, first word and memory hold"),
            later("solved over the engine"),
        ),
        "goodput": PlainFigure(
            later("Output of the build at the largest load with every target met."),
            later("goodput = copies × output of a copy at its largest load"),
            later("solved over the engine"),
        ),
        "users_within_targets": PlainFigure(
            later("Requests in flight that the build carries with every target met."),
            later("copies × largest load of a copy"),
            later("solved over the engine"),
        ),
        "tokens_per_s_needed": PlainFigure(
            later("Rate that makes the date."),
            later("rate = tokens ÷ (days × share of the time that is used)"),
            later("requirement"),
        ),
        "nodes_by_typed_rate": PlainFigure(
            later("Nodes by the throughput that was stated."),
            later("nodes = rate needed ÷ rate of one node, rounded up"),
            later("requirement"),
        ),
        "days_at_typed_rate": PlainFigure(
            later("Days by the throughput that was stated."),
            later("days = tokens ÷ (rate of one node × nodes × availability)"),
            later("requirement"),
        ),
        "capacity_gib": PlainFigure(
            later("Memory of one card as its driver reports it, less what the driver keeps."),
            later("capacity = driver memory − 0.5 GiB"),
            later("catalog"),
        ),
        "price_eur": PlainFigure(
            later("Sum of the price list over the bill of material, without VAT."),
            later("price = Σ quantity × unit price"),
            later("price list"),
        ),
    }
)
