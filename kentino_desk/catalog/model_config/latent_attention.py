"""Multi-head latent attention, its sparse index, and the compressed attention of DeepSeek V4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.attention import decide
from kentino_desk.catalog.model_config.basics import MOST_HEADS, MOST_WIDTH
from kentino_desk.catalog.model_config.family import ATTENTION_BIAS, Gate, Sinks

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.basics import Basics
    from kentino_desk.catalog.model_config.fields import Fields
    from kentino_desk.catalog.model_config.layer import Layer
    from kentino_desk.catalog.model_config.text_part import TextPart


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexShape:
    """The index that picks the tokens a layer looks at."""

    hidden: int
    query_input: int
    heads: int
    dim: int
    pool: int = 0
    normed_input: bool = False

    def params(self) -> int:
        """Weights of one index; a pooled one (GLM-5.3) also learns how to pool."""
        total = self.query_input * self.heads * self.dim + self.hidden * (self.dim + self.heads)
        total += 2 * self.dim + (self.pool + self.hidden) * self.dim * (self.pool > 0)
        return total + (2 * self.hidden) * self.normed_input


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentShape:
    """Widths of latent attention; ``q_rank`` 0 means full-rank queries."""

    hidden: int
    heads: int
    q_rank: int
    kv_rank: int
    rope: int
    nope: int
    value_dim: int
    has_bias: bool = False
    gate: Gate = Gate.NONE
    has_sinks: bool = False
    index: IndexShape | None = None

    def params(self, layer: Layer) -> int:
        """Weights of the attention of a layer."""
        unrotated = 0 if layer.has_rope else self.rope
        rotated = self.rope - unrotated
        total = self._query_params() + self.hidden * (self.kv_rank + rotated) + self.kv_rank
        total += self.kv_rank * self.heads * (self.nope + unrotated + self.value_dim)
        total += self.heads * self.value_dim * self.hidden
        total += (self.q_rank + self.kv_rank + rotated + self.hidden) * self.has_bias
        total += self.hidden * self.gate_width + self.heads * self.has_sinks
        return total + (self.index.params() if self.index and layer.has_index else 0)

    def _query_params(self) -> int:
        width = self.heads * (self.nope + self.rope)
        if not self.q_rank:
            return self.hidden * width
        return self.hidden * self.q_rank + self.q_rank + self.q_rank * width

    @property
    def gate_width(self) -> int:
        """Outputs of the gate."""
        element = self.heads * self.value_dim
        return {Gate.NONE: 0, Gate.HEAD: self.heads, Gate.ELEMENT: element}[self.gate]

    def cache_elements(self) -> int:
        """Elements of the cache per token, the same for every rank."""
        return self.kv_rank + self.rope


def read_latent(part: TextPart, basics: Basics) -> LatentShape:
    """Read the widths of latent attention.

    Raises:
        InputError: a width that is missing or out of range.
    """
    text, family = part.text, part.family
    gate = Gate.ELEMENT if text.flag("mla_use_output_gate") else family.gate
    return LatentShape(
        hidden=basics.hidden,
        heads=basics.heads,
        q_rank=text.whole("q_lora_rank", high=MOST_WIDTH) or 0,
        kv_rank=text.need("kv_lora_rank", high=MOST_WIDTH),
        rope=text.need("qk_rope_head_dim", low=0, high=100_000),
        nope=text.need("qk_nope_head_dim", low=0, high=100_000),
        value_dim=text.need("v_head_dim", high=100_000),
        has_bias=decide(text, ATTENTION_BIAS),
        gate=gate,
        has_sinks=family.sinks is Sinks.EVERY,
        index=read_index(text, basics.hidden),
    )


def read_index(text: Fields, hidden: int) -> IndexShape | None:
    """The sparse index, or None for attention that looks at everything.

    Raises:
        InputError: a width that is missing or out of range.
    """
    if not text.has("index_head_dim"):
        return None
    q_rank = text.whole("q_lora_rank", high=MOST_WIDTH) or 0
    return IndexShape(
        hidden=hidden,
        query_input=q_rank or hidden,
        heads=text.need("index_n_heads", high=MOST_HEADS),
        dim=text.need("index_head_dim", high=100_000),
        pool=text.whole("index_kpool") or 0,
        normed_input=not q_rank,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressedShape:
    """One shared K=V head, low-rank queries, grouped low-rank output (DeepSeek V4)."""

    hidden: int
    heads: int
    head_dim: int
    q_rank: int
    groups: int
    out_rank: int
    index: IndexShape

    def params(self, layer: Layer) -> int:
        """Weights of the attention of a layer."""
        wide = self.heads * self.head_dim
        total = self.hidden * self.q_rank + self.q_rank + self.q_rank * wide
        total += self.hidden * self.head_dim + self.head_dim
        total += self.out_rank * wide + self.groups * self.out_rank * self.hidden + self.heads
        return total + self._compressor(layer.ratio)

    def _compressor(self, ratio: int) -> int:
        if not ratio:
            return 0
        if ratio != 4:
            return _pooling(ratio, self.head_dim, self.hidden)
        queries = self.index.query_input * self.index.heads * self.index.dim
        overlapping = _pooling(4, 2 * self.head_dim, self.hidden) - self.head_dim
        pooled_index = _pooling(4, 2 * self.index.dim, self.hidden) - self.index.dim
        return overlapping + pooled_index + queries + self.hidden * self.index.heads

    def entry_elements(self, layer: Layer) -> float:
        """Elements that one more token adds to the cache of a layer on average."""
        if not layer.ratio:
            return 0.0
        return (self.head_dim + (self.index.dim if layer.ratio == 4 else 0)) / layer.ratio


def _pooling(ratio: int, width: int, hidden: int) -> int:
    """Positions, two projections and a norm of a compressor."""
    return ratio * width + 2 * hidden * width + width


def read_compressed(part: TextPart, basics: Basics) -> CompressedShape:
    """Read the widths of compressed attention.

    Raises:
        InputError: a width that is missing or out of range.
    """
    text = part.text
    index = read_index(text, basics.hidden)
    if index is None:
        raise text.refusal("index_head_dim", "is missing, and the layers cannot be counted")
    return CompressedShape(
        hidden=basics.hidden,
        heads=basics.heads,
        head_dim=basics.head_dim,
        q_rank=text.need("q_lora_rank", high=MOST_WIDTH),
        groups=text.need("o_groups", high=MOST_HEADS),
        out_rank=text.need("o_lora_rank", high=MOST_WIDTH),
        index=index,
    )
