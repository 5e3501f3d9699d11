"""From a parsed config.json to a model of the catalog, with the report of how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.basics import Basics, read_basics
from kentino_desk.catalog.model_config.card import CountedModel, layers_by_kind, make_card
from kentino_desk.catalog.model_config.counts import (
    Counts,
    Shapes,
    check_size,
    count_decoder,
    read_shapes,
)
from kentino_desk.catalog.model_config.feed_forward import read_feed_forward
from kentino_desk.catalog.model_config.fields import Fields
from kentino_desk.catalog.model_config.imported_model import ImportedModel
from kentino_desk.catalog.model_config.layer import Mixer
from kentino_desk.catalog.model_config.layer_plan import Layers, plan_layers, read_window
from kentino_desk.catalog.model_config.quantisation import read_native_format
from kentino_desk.catalog.model_config.reading_log import ReadingLog
from kentino_desk.catalog.model_config.refusals import refuse_hidden_mixers
from kentino_desk.catalog.model_config.text_part import TextPart, find_text
from kentino_desk.catalog.model_config.towers import count_towers

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_PARAMS = 1e14
"""What the catalog lets a model have."""
_WITH_STATE = frozenset({Mixer.LINEAR, Mixer.MAMBA})
_MTP = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules")


def read_config(raw: Mapping[str, object], name: str, read_on: str = "") -> ImportedModel:
    """Count the model of a configuration.

    Args:
        raw: the parsed config.json.
        name: what the model shall be called.
        read_on: the day, as it will stand with the source.

    Raises:
        InputError: a field that is missing, wrong, or means something no formula covers.
    """
    part = find_text(Fields(raw, ReadingLog()))
    basics = read_basics(part)
    feed_forward = read_feed_forward(part, basics)
    layers = plan_layers(part, basics, feed_forward)
    if not part.family.is_known and not any(layer.mixer in _WITH_STATE for layer in layers):
        refuse_hidden_mixers(part.text)
    shapes = read_shapes(part, basics, feed_forward, layers)
    counts = count_decoder(part, basics, shapes, layers)
    towers = count_towers(part.whole, basics.hidden)
    check_size(counts.decoder + towers, MOST_PARAMS)
    model = _counted(part, basics, shapes, layers, counts, towers)
    return _imported(model, counts, name, read_on)


def _counted(
    part: TextPart, basics: Basics, shapes: Shapes, layers: Layers, counts: Counts, towers: int
) -> CountedModel:
    has_window = shapes.compressed or any(layer.mixer.has_window for layer in layers)
    return CountedModel(
        part=part,
        basics=basics,
        shapes=shapes,
        layers=layers,
        formats=read_native_format(part, has_experts=counts.routed > 0),
        params_total=counts.decoder + towers,
        params_active=counts.active_decoder,
        params_towers=towers,
        window_tokens=read_window(part.text) if has_window else 0,
        mtp_layers=_mtp_layers(part),
    )


def _mtp_layers(part: TextPart) -> int:
    """Prediction blocks; they stand in no count, serving needs them for speculation only."""
    count = part.text.whole(*_MTP, high=100) or 0
    if part.text.flag("use_mtp") is False:
        return 0
    if count:
        part.text.log.note_warning(
            f"Prediction blocks (MTP): {count}. They are in no count; a checkpoint may hold them."
        )
    return count


def _imported(model: CountedModel, counts: Counts, name: str, read_on: str) -> ImportedModel:
    log = model.part.text.log
    _note_derived(model, counts)
    return ImportedModel(
        card=make_card(model, name, read_on),
        params_decoder=counts.decoder,
        params_towers=model.params_towers,
        params_total=model.params_total,
        params_active=model.params_active,
        kv_bytes_per_token=model.kv_bytes_per_token(),
        index_bytes_per_token=model.index_bytes_per_token(),
        state_bytes_per_sequence=model.state_bytes_per_sequence(),
        window_tokens=model.window_tokens,
        layers=model.basics.layers,
        layers_by_kind=layers_by_kind(model.layers),
        read=tuple(log.read.values()),
        derived=tuple(log.derived.values()),
        assumed=tuple(log.assumed.values()),
        warnings=tuple(log.warnings),
    )


def _note_derived(model: CountedModel, counts: Counts) -> None:
    log = model.part.text.log
    if counts.routed:
        log.note_derived("routed experts", f"{counts.routed:,} parameters", "sum over the layers")
    if model.params_towers:
        log.note_derived("towers", f"{model.params_towers:,} parameters", "with their projectors")
    _note_cache(model)
    if model.layers_with(Mixer.CROSS):
        log.note_warning("Cross-attention layers cache image tokens, which no figure here holds.")
    if model.shapes.block_index and not model.shapes.index and not model.shapes.compressed:
        log.note_warning("The keys of the block index are not in the cache figures.")


def _note_cache(model: CountedModel) -> None:
    log, full = model.part.text.log, model.layers_with(Mixer.FULL)
    if model.shapes.compressed:
        log.note_warning(
            "Compressed attention: published cache figures of one checkpoint differ by more than"
            " ten times, so these are not validated."
        )
        log.note_derived(
            "cache per token", f"{model.kv_bytes_per_token():,} bytes", "mean over the entries"
        )
        return
    elements = model.mean_cache_elements(Mixer.FULL)
    basis = f"{full} full layers of {elements:,.0f} elements, 2 bytes each"
    log.note_derived("cache per token", f"{model.kv_bytes_per_token():,} bytes", basis)
    index = model.shapes.index
    if index:
        keys = f"{model.index_layers} index keys of {index.dim} elements, 2 bytes each"
        log.note_derived("index per token", f"{model.index_bytes_per_token():,} bytes", keys)
