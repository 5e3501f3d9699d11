"""The catalog as one frozen snapshot: the only form the rest of the program sees."""

from __future__ import annotations

import hashlib
from dataclasses import fields, replace
from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from kentino_desk.catalog.content_hash import content_hash
from kentino_desk.catalog.database import read_trusted
from kentino_desk.catalog.expected import EXPECTED
from kentino_desk.catalog.places import CATALOG_PATH
from kentino_desk.catalog.tables import ANY_GPU, SOURCE_COLUMNS, TABLE_BY_NAME
from kentino_desk.domain.choices import Attention, Evidence, Fabric, Format
from kentino_desk.domain.errors import InputError
from kentino_desk.domain.hardware import FabricType, Gpu, NodeType
from kentino_desk.domain.model_card import ModelCard
from kentino_desk.domain.snapshot import CatalogSnapshot, PriceLine, PriceList
from kentino_desk.domain.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from kentino_desk.catalog.text import CatalogRows

_SOURCE_NAMES = tuple(column.name for column in SOURCE_COLUMNS)
_GPU_ONLY_SHOWN = (
    "pcie_gen",
    "pcie_lanes",
    "slot_width",
    "cooling",
    "power_connector",
    "launch_year",
)
_MODEL_ONLY_SHOWN = ("released", "licence", "notes")


def load_snapshot(path: Path | None = None) -> CatalogSnapshot:
    """Read and check the catalog (the shipped one if no path is given).

    Raises:
        CatalogError: missing, damaged, or not the one this program was made with.
    """
    return snapshot_of(read_trusted(path or CATALOG_PATH, EXPECTED))


def snapshot_of(rows: CatalogRows) -> CatalogSnapshot:
    """The snapshot of rows that were checked."""
    head = next(_records(rows, "catalog"))
    read_on = head["read_on"]
    return CatalogSnapshot(
        version=head["version"],
        content_hash=content_hash(rows),
        read_on=read_on,
        gpus=_by_id(_gpu(record, read_on) for record in _records(rows, "gpus")),
        nodes=_by_id(_nodes(rows, read_on)),
        fabrics=_by_id(_fabric(record, read_on) for record in _records(rows, "fabrics")),
        models=_by_id(_model(record, read_on) for record in _records(rows, "models")),
        price_list=_price_list(rows),
    )


def with_models(snapshot: CatalogSnapshot, cards: Iterable[ModelCard]) -> CatalogSnapshot:
    """The snapshot with more models on top; its hash then tells it from the shipped catalog.

    Raises:
        InputError: a model of that id stands there already.
    """
    models = dict(snapshot.models)
    digest = hashlib.sha256(snapshot.content_hash.encode())
    for card in cards:
        if card.id in models:
            problem = "is a model of the catalog already"
            raise InputError("model", card.id, problem, hint="import it under another name")
        models[card.id] = card
        digest.update(_card_text(card).encode())
    if len(models) == len(snapshot.models):
        return snapshot
    return replace(snapshot, models=MappingProxyType(models), content_hash=digest.hexdigest())


def _card_text(card: ModelCard) -> str:
    """The same text for the same card on every run, which a set inside it would not give."""
    values = [getattr(card, item.name) for item in fields(card) if item.name != "source"]
    source = card.source
    return repr(
        (values, source.address, source.read_on, source.evidence, sorted(source.unverified))
    )


def _records(rows: CatalogRows, table: str) -> Iterator[dict[str, Any]]:
    names = TABLE_BY_NAME[table].names
    return (dict(zip(names, row, strict=True)) for row in rows[table])


def _by_id(items: Iterator[Any]) -> Mapping[str, Any]:
    return MappingProxyType({item.id: item for item in items})


def _take_source(record: dict[str, Any], read_on: str) -> Source:
    address, evidence, unverified = (record.pop(name) for name in _SOURCE_NAMES)
    return Source(address, read_on, Evidence(evidence), frozenset(unverified.split()))


def _drop(record: dict[str, Any], names: tuple[str, ...]) -> None:
    for name in names:
        del record[name]


def _make_flags(record: dict[str, Any], *names: str) -> None:
    for name in names:
        record[name] = bool(record[name])


def _gpu(record: dict[str, Any], read_on: str) -> Gpu:
    source = _take_source(record, read_on)
    _drop(record, _GPU_ONLY_SHOWN)
    _make_flags(record, "memory_is_engine_view", "sold")
    return Gpu(source=source, **record)


def _nodes(rows: CatalogRows, read_on: str) -> Iterator[NodeType]:
    held: dict[str, list[str]] = {}
    for record in _records(rows, "node_gpus"):
        held.setdefault(record["node_id"], []).append(record["gpu_id"])
    for record in _records(rows, "nodes"):
        source = _take_source(record, read_on)
        any_gpu = record.pop("any_gpu")
        _make_flags(record, "own_build", "offered", "nvlink")
        gpu_ids = (ANY_GPU,) if any_gpu else tuple(held[record["id"]])
        yield NodeType(source=source, gpu_ids=gpu_ids, **record)


def _fabric(record: dict[str, Any], read_on: str) -> FabricType:
    source = _take_source(record, read_on)
    _drop(record, ("link_id",))
    record["id"] = Fabric(record["id"])
    return FabricType(source=source, **record)


def _model(record: dict[str, Any], read_on: str) -> ModelCard:
    source = _take_source(record, read_on)
    _drop(record, _MODEL_ONLY_SHOWN)
    _make_flags(record, "gated_ffn", "tied_embeddings", "state_is_fp32")
    record["attention"] = Attention(record["attention"])
    record["native_format"] = Format(record["native_format"])
    record["native_expert_format"] = Format(record["native_expert_format"])
    return ModelCard(source=source, **record)


def _price_list(rows: CatalogRows) -> PriceList:
    """The first list, which is the one that prices are taken from."""
    record = min(_records(rows, "price_lists"), key=lambda item: int(item.pop("position")))
    _make_flags(record, "is_sample")
    lines = tuple(
        PriceLine(item=line["item"], description=line["description"], price=Decimal(line["price"]))
        for line in _records(rows, "price_lines")
        if line["list_id"] == record["id"]
    )
    return PriceList(lines=lines, **record)
