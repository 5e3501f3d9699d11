"""Sums over the layers: parameters by part, cache and state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.attention import decide, read_heads
from kentino_desk.catalog.model_config.latent_attention import (
    CompressedShape,
    IndexShape,
    LatentShape,
    read_compressed,
    read_latent,
)
from kentino_desk.catalog.model_config.layer import FeedForwardKind, Layer, Mixer
from kentino_desk.catalog.model_config.recurrent import StateMixer, read_state_mixer
from kentino_desk.domain.errors import InputError

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.attention import HeadShapes
    from kentino_desk.catalog.model_config.basics import Basics
    from kentino_desk.catalog.model_config.feed_forward import FeedForward
    from kentino_desk.catalog.model_config.layer_plan import Layers
    from kentino_desk.catalog.model_config.text_part import TextPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Shapes:
    """Every shape that a layer may take."""

    heads: HeadShapes | None
    latent: LatentShape | None
    compressed: CompressedShape | None
    block_index: int
    """Weights of the block index of a layer (MiniMax-M3)."""
    state: StateMixer | None
    feed_forward: FeedForward

    def mixer_params(self, layer: Layer) -> int:
        """Weights of the mixer of a layer."""
        if layer.mixer is Mixer.NONE:
            return 0
        if not layer.mixer.is_attention:
            return self.state.params if self.state else 0
        if self.compressed:
            return self.compressed.params(layer)
        if self.latent:
            return self.latent.params(layer)
        assert self.heads is not None
        own = self.heads.of(layer).params(layer) + self.block_index * layer.has_index
        return own + _CROSS_GATES * (layer.mixer is Mixer.CROSS)

    def cache_elements(self, layer: Layer) -> int:
        """Elements of the cache per token of a layer that keeps its own."""
        if self.compressed:
            return self.compressed.head_dim
        if self.latent:
            return self.latent.cache_elements()
        return self.heads.of(layer).cache_elements(layer) if self.heads else 0

    @property
    def index(self) -> IndexShape | None:
        """The sparse index of latent attention."""
        return self.latent.index if self.latent else None


_CROSS_GATES = 2
"""Each cross-attention layer has one gate for attention and one for the feed-forward."""


def read_shapes(
    part: TextPart, basics: Basics, feed_forward: FeedForward, layers: Layers
) -> Shapes:
    """Read what the layers need.

    Raises:
        InputError: a width that is missing or out of range, or a mixer no formula covers.
    """
    text = part.text
    is_compressed = text.has("compress_ratios")
    needs_state = any(layer.mixer in {Mixer.LINEAR, Mixer.MAMBA} for layer in layers)
    source = text.first(("layer_types", "layers_block_type", "hybrid_override_pattern"))
    plain = not is_compressed and not basics.is_latent
    return Shapes(
        heads=read_heads(part, basics) if plain else None,
        latent=read_latent(part, basics) if basics.is_latent else None,
        compressed=read_compressed(part, basics) if is_compressed else None,
        block_index=_block_index(part, basics),
        state=read_state_mixer(part, basics, source or "model_type") if needs_state else None,
        feed_forward=feed_forward,
    )


def _block_index(part: TextPart, basics: Basics) -> int:
    nested = part.text.part("sparse_attention_config")
    own = part.text if nested is None else nested
    heads = own.whole("sparse_num_index_heads", "index_n_heads", high=10_000)
    dim = own.whole("sparse_index_dim", "index_head_dim", high=100_000)
    if not heads or not dim:
        return 0
    return basics.hidden * (heads + 1) * dim + 2 * dim


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Parameters of the decoder, and those of them that stand in routed experts."""

    decoder: int
    routed: int
    active_routed: int

    @property
    def active_decoder(self) -> int:
        """Parameters that one token uses; the whole embedding counts."""
        return self.decoder - self.routed + self.active_routed


def count_decoder(part: TextPart, basics: Basics, shapes: Shapes, layers: Layers) -> Counts:
    """Count all parameters of the decoder, prediction blocks left out.

    Raises:
        InputError: a layer without a width.
    """
    feed_forward = shapes.feed_forward
    tables = _table_params(part, basics)
    own = sum(_layer_params(part, basics, shapes, layer) for layer in layers)
    expert_layers = sum(layer.feed_forward is FeedForwardKind.EXPERTS for layer in layers)
    routed = expert_layers * feed_forward.routed_params()
    active = routed * feed_forward.active // feed_forward.experts if feed_forward.experts else 0
    extra = _per_layer_embeddings(part, basics) + _hyper_connections(part, basics)
    return Counts(decoder=tables + own + routed + extra, routed=routed, active_routed=active)


def _table_params(part: TextPart, basics: Basics) -> int:
    """Embedding, output head and final norm."""
    family = part.family
    table = basics.vocab * basics.hidden
    head = 0 if basics.tied else table
    head += basics.vocab * decide(part.text, family.head_bias)
    final = basics.hidden * family.norm_vectors
    return table + family.extra_vocabulary * basics.hidden + head + final


def _layer_params(part: TextPart, basics: Basics, shapes: Shapes, layer: Layer) -> int:
    """One layer without its routed experts."""
    total = shapes.mixer_params(layer) + _norms(part, layer) * basics.hidden
    feed_forward = shapes.feed_forward
    if layer.feed_forward is FeedForwardKind.EXPERTS:
        return total + feed_forward.around_experts_params()
    if layer.feed_forward is FeedForwardKind.NONE:
        return total
    width = layer.dense_width or _dense_width(part, feed_forward)
    return total + feed_forward.dense_params(width)


def _dense_width(part: TextPart, feed_forward: FeedForward) -> int:
    if part.family.shared_without_experts:
        return part.text.need("shared_intermediate_size")
    if not feed_forward.dense_width:
        raise part.text.refusal(
            "intermediate_size", "is missing, although layers have a dense feed-forward"
        )
    return feed_forward.dense_width


def _norms(part: TextPart, layer: Layer) -> int:
    """Vectors of the hidden width: norms, with their biases where they have some."""
    if part.text.has("block_configs"):
        return (layer.mixer is not Mixer.NONE) + (layer.feed_forward is not FeedForwardKind.NONE)
    return _falcon_norms(part) * part.family.norm_vectors


def _falcon_norms(part: TextPart) -> int:
    """Falcon has two norms in its newer shape, or where the halves are not parallel."""
    if part.family.title != "Falcon":
        return part.family.norms
    text = part.text
    stated = text.whole("num_ln_in_parallel_attn", low=1, high=2)
    default = 2 if text.flag("new_decoder_architecture") else 1
    return 2 if text.flag("parallel_attn") is False else stated or default


def _per_layer_embeddings(part: TextPart, basics: Basics) -> int:
    """Gemma 4 E2B and E4B: a small embedding for each layer."""
    width = part.text.whole("hidden_size_per_layer_input", high=1_000_000) or 0
    if not width:
        return 0
    vocab = part.text.whole("vocab_size_per_layer_input") or basics.vocab
    tables = vocab * basics.layers * width + basics.hidden * basics.layers * width + width
    return tables + basics.layers * (2 * basics.hidden * width + basics.hidden)


def _hyper_connections(part: TextPart, basics: Basics) -> int:
    """Streams beside the residual, mixed twice a layer (DeepSeek V4, GLM-5.3, Hy4)."""
    streams = part.text.whole("hc_mult", high=1_000) or 0
    if not streams:
        return 0
    if not part.family.hyper_rows:
        raise part.text.refusal("hc_mult", "means streams that are not counted here")
    is_wide = part.family.hyper_rows == "wide"
    rows, scales = ((2 + streams) * streams, 3) if is_wide else (2 * streams, 2)
    layer = 2 * (rows * streams * basics.hidden + rows + scales)
    head = streams * streams * basics.hidden + streams + 1
    return basics.layers * layer + head * part.family.hyper_head


def check_size(total: int, most: float) -> None:
    """Refuse a count beyond every model there is.

    Raises:
        InputError: too many parameters.
    """
    if total > most:
        problem = "the fields together give more parameters than any model has"
        raise InputError("", "", problem, f"up to {most:.0e}")
