"""Puts the counted parts together as a model of the catalog."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.layer import FeedForwardKind, Layer, Mixer
from kentino_desk.catalog.model_config.reading_log import printable, shown
from kentino_desk.domain.choices import Attention, Evidence
from kentino_desk.domain.model_card import ModelCard
from kentino_desk.domain.source import Source

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.basics import Basics
    from kentino_desk.catalog.model_config.counts import Shapes
    from kentino_desk.catalog.model_config.layer_plan import Layers
    from kentino_desk.catalog.model_config.quantisation import NativeFormat
    from kentino_desk.catalog.model_config.text_part import TextPart

_NO_ID = re.compile(r"[^a-z0-9.\-]+")
LONGEST_ID = 80
VENDOR = "imported"
_COUNT_FIELDS = frozenset({"params_total", "params_active"})
_NO_COUNTS = {"dtype": "native_format", "weights": "native_format", "state format": "state_is_fp32"}
"""Assumptions that change no count, and the field of the card that they stand behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedModel:
    """Everything that the card is made of."""

    part: TextPart
    basics: Basics
    shapes: Shapes
    layers: Layers
    formats: NativeFormat
    params_total: int
    params_active: int
    params_towers: int
    window_tokens: int
    mtp_layers: int

    def layers_with(self, *mixers: Mixer) -> int:
        """Layers with one of these mixers."""
        return sum(layer.mixer in mixers for layer in self.layers)

    @property
    def index_layers(self) -> int:
        """Layers that hold a sparse index of their own."""
        return sum(layer.has_index for layer in self.layers) if self.shapes.index else 0

    def mean_cache_elements(self, *mixers: Mixer) -> float:
        """Elements per token of one such layer; the mean where layers differ."""
        found = [
            self.shapes.cache_elements(layer) for layer in self.layers if layer.mixer in mixers
        ]
        return sum(found) / len(found) if found else 0.0

    def kv_bytes_per_token(self) -> int:
        """Cache of the full layers per token: 16 bit, one GPU; index keys stand apart.

        Compressed layers (DeepSeek V4) add one entry for every so many tokens: the mean.
        """
        shapes = self.shapes
        own = [layer for layer in self.layers if layer.mixer is Mixer.FULL]
        if shapes.compressed:
            return round(2 * sum(shapes.compressed.entry_elements(layer) for layer in own))
        return 2 * sum(shapes.cache_elements(layer) for layer in own if not layer.shares_cache)

    def index_bytes_per_token(self) -> int:
        """Keys of the sparse index per token, in 16 bit."""
        return 2 * self.index_layers * (self.shapes.index.dim if self.shapes.index else 0)

    def state_bytes_per_sequence(self) -> int:
        """State that one sequence keeps in all linear and Mamba layers."""
        count = self.layers_with(Mixer.LINEAR, Mixer.MAMBA)
        return count * self.shapes.state.state_bytes if self.shapes.state else 0


def model_id(name: str) -> str:
    """The id of a model of that name: small letters, digits, points, hyphens."""
    plain = _NO_ID.sub("-", name.lower()).strip("-.")[:LONGEST_ID]
    return plain or "imported-model"


def make_card(model: CountedModel, name: str, read_on: str) -> ModelCard:
    """The card of a counted model."""
    basics, shapes, part = model.basics, model.shapes, model.part
    feed_forward, latent = shapes.feed_forward, shapes.latent
    expert_layers = sum(layer.feed_forward is FeedForwardKind.EXPERTS for layer in model.layers)
    has_experts = expert_layers > 0
    state = shapes.state
    index = shapes.index
    return ModelCard(
        id=model_id(name),
        name=printable(name),
        vendor=VENDOR,
        family=part.family.title or shown(part.model_type),
        modality=_modality(part),
        params_total=float(model.params_total),
        params_active=float(model.params_active),
        vision_params=float(model.params_towers),
        hidden=basics.hidden,
        layers=basics.layers,
        heads=basics.heads,
        kv_heads=_usual_kv_heads(model),
        head_dim=latent.nope + latent.rope if latent else basics.head_dim,
        ffn=_dense_width(model),
        gated_ffn=feed_forward.is_gated,
        vocab=basics.vocab,
        tied_embeddings=basics.tied,
        max_context=basics.max_context,
        attention=_attention(model),
        experts=feed_forward.experts if has_experts else 0,
        experts_per_token=feed_forward.active if has_experts else 0,
        expert_ffn=feed_forward.expert_width if has_experts else 0,
        expert_width=feed_forward.expert_input,
        shared_ffn=feed_forward.shared_width if has_experts else 0,
        moe_layers=expert_layers,
        full_layers=model.layers_with(Mixer.FULL),
        sliding_layers=model.layers_with(Mixer.SLIDING, Mixer.CHUNKED),
        linear_layers=model.layers_with(Mixer.LINEAR),
        mamba_layers=model.layers_with(Mixer.MAMBA),
        window_tokens=model.window_tokens,
        kv_elements_full=model.mean_cache_elements(Mixer.FULL),
        kv_elements_sliding=model.mean_cache_elements(Mixer.SLIDING, Mixer.CHUNKED),
        state_elements=float(state.state_elements) if state else 0.0,
        conv_elements=float(state.conv_elements) if state else 0.0,
        state_is_fp32=state.is_fp32 if state else False,
        index_key_elements=float(index.dim) if index else 0.0,
        index_layers=model.index_layers,
        kv_shared_layers=sum(layer.shares_cache for layer in model.layers),
        q_lora_rank=latent.q_rank if latent else 0,
        kv_lora_rank=latent.kv_rank if latent else 0,
        rope_head_dim=latent.rope if latent else 0,
        nope_head_dim=latent.nope if latent else 0,
        v_head_dim=latent.value_dim if latent else 0,
        native_format=model.formats.weights,
        native_expert_format=model.formats.experts,
        native_format_note=model.formats.note,
        mtp_layers=model.mtp_layers,
        unsized_reason="",
        source=_source(part, name, read_on),
        ratio_4_layers=_with_ratio(model.layers, 4),
        ratio_128_layers=_with_ratio(model.layers, 128),
    )


def _with_ratio(layers: Layers, ratio: int) -> int:
    return sum(layer.ratio == ratio for layer in layers)


def _modality(part: TextPart) -> str:
    named = (("image", ("vision_config", "visual")), ("audio", ("audio_config",)))
    kinds = [kind for kind, names in named if part.whole.has(*names)]
    if part.whole.value("model_type") == "llama4" and not kinds:
        kinds = ["image"]
    return "+".join(["text", *kinds])


def _usual_kv_heads(model: CountedModel) -> int:
    """The number most layers have; Nemotron-NAS differs from layer to layer."""
    stated = Counter(layer.kv_heads for layer in model.layers if layer.kv_heads)
    usual = stated.most_common(1)[0][0] if stated else None
    return usual or model.basics.kv_heads


def _dense_width(model: CountedModel) -> int:
    stated = [layer.dense_width for layer in model.layers if layer.dense_width]
    own = model.shapes.feed_forward.dense_width
    return own if own or not stated else round(sum(stated) / len(stated))


def _attention(model: CountedModel) -> Attention:
    if model.shapes.compressed:
        return Attention.COMPRESSED
    if not model.shapes.latent:
        return Attention.GQA
    return Attention.MLA_SPARSE if model.index_layers else Attention.MLA


def _source(part: TextPart, name: str, read_on: str) -> Source:
    """The vendor's own file; what rests on an assumption is an estimate."""
    assumed = frozenset(part.text.log.assumed)
    doubtful = frozenset(_NO_COUNTS[key] for key in assumed & frozenset(_NO_COUNTS))
    if assumed - frozenset(_NO_COUNTS):
        doubtful |= _COUNT_FIELDS
    return Source(f"config.json of {printable(name)}", read_on, Evidence.VENDOR, doubtful)


def layers_by_kind(layers: tuple[Layer, ...]) -> tuple[tuple[str, int], ...]:
    """How many layers there are of each mixer, and how many hold experts."""
    mixers = Counter(layer.mixer.value for layer in layers)
    experts = sum(layer.feed_forward is FeedForwardKind.EXPERTS for layer in layers)
    return (*sorted(mixers.items()), ("with_experts", experts))
