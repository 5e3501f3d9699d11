"""The catalog as one frozen object: all the rest of the program ever sees of it."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from decimal import Decimal

    from kentino_desk.domain.hardware import FabricType, Gpu, NodeType
    from kentino_desk.domain.model_card import ModelCard


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceLine:
    """One price of a list.

    ``item`` is ``node:<node id>:<gpu id>``, ``nic:<fabric>``, ``cable:<fabric>``,
    ``switch:<fabric>`` or ``service:<name>``.
    """

    item: str
    description: str
    price: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceList:
    """A list of prices in one currency; a sample list is invented and is stamped so everywhere."""

    id: str
    name: str
    currency: str
    valid_from: str
    is_sample: bool
    lines: tuple[PriceLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CatalogSnapshot:
    """Everything that can be offered and run, read once at the start."""

    version: str
    content_hash: str
    read_on: str
    gpus: Mapping[str, Gpu]
    nodes: Mapping[str, NodeType]
    fabrics: Mapping[str, FabricType]
    models: Mapping[str, ModelCard]
    price_list: PriceList

    def model(self, model_id: str) -> ModelCard:
        """The model of that id, if it can be sized.

        Raises:
            InputError: unknown model (nearest names offered), or one that cannot be sized yet.
        """
        card = self.models.get(model_id)
        if card is None:
            sized = [item.id for item in self.models.values() if item.can_be_sized]
            raise InputError(
                "workload.model",
                model_id,
                "unknown model",
                "an id of the catalog",
                near=nearest(model_id, sized),
            )
        if not card.can_be_sized:
            raise InputError(
                "workload.model",
                model_id,
                f"cannot be sized yet: {card.unsized_reason}",
                "a model whose layers are known",
            )
        return card

    def gpu(self, gpu_id: str) -> Gpu:
        """The GPU of that id.

        Raises:
            InputError: unknown GPU (nearest names offered).
        """
        card = self.gpus.get(gpu_id)
        if card is None:
            raise InputError(
                "constraints.gpus",
                gpu_id,
                "unknown GPU",
                "an id of the catalog",
                near=nearest(gpu_id, self.gpus),
            )
        return card

    @property
    def prices(self) -> Mapping[str, PriceLine]:
        """Lines of the price list by item."""
        return MappingProxyType({line.item: line for line in self.price_list.lines})
