"""Attention with grouped heads: weights and cache of one layer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.basics import KV_HEADS, MOST_HEADS
from kentino_desk.catalog.model_config.family import Bias, Gate, QkNorm, Sinks

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.basics import Basics
    from kentino_desk.catalog.model_config.fields import Fields
    from kentino_desk.catalog.model_config.layer import Layer
    from kentino_desk.catalog.model_config.text_part import TextPart


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadShape:
    """Heads of one kind of layer. ``has_values`` is no where V is K (Gemma 4, full layers)."""

    hidden: int
    heads: int
    kv_heads: int
    key_dim: int
    value_dim: int
    has_values: bool = True
    qkv_bias: bool = False
    out_bias: bool = False
    qk_norm: QkNorm = QkNorm.NONE
    gate: Gate = Gate.NONE
    has_sinks: bool = False

    def params(self, layer: Layer) -> int:
        """Weights of the attention of a layer."""
        heads = layer.heads or self.heads
        kv_heads = 0 if layer.shares_cache else layer.kv_heads or self.kv_heads
        queries = heads * self.key_dim
        keys_values = kv_heads * (self.key_dim + (self.value_dim if self.has_values else 0))
        total = self.hidden * (queries + keys_values + heads * self.value_dim)
        total += (queries + keys_values) * self.qkv_bias + self.hidden * self.out_bias
        total += self._norm_params(heads, kv_heads) + self._gate_params(heads)
        return total + heads * self.has_sinks

    def _norm_params(self, heads: int, kv_heads: int) -> int:
        if self.qk_norm is QkNorm.NONE:
            return 0
        if self.qk_norm is QkNorm.ALL_HEADS:
            return (heads + kv_heads) * self.key_dim
        return self.key_dim * (2 if kv_heads else 1)

    def _gate_params(self, heads: int) -> int:
        width = {Gate.NONE: 0, Gate.HEAD: heads, Gate.ELEMENT: heads * self.value_dim}[self.gate]
        return self.hidden * width

    def cache_elements(self, layer: Layer) -> int:
        """Elements of the cache per token, for a layer that keeps its own."""
        return (layer.kv_heads or self.kv_heads) * (self.key_dim + self.value_dim)


@dataclass(frozen=True, slots=True)
class HeadShapes:
    """Heads of full layers and of layers with a window."""

    full: HeadShape
    window: HeadShape

    def of(self, layer: Layer) -> HeadShape:
        """The heads of a layer."""
        return self.window if layer.mixer.has_window else self.full


def read_heads(part: TextPart, basics: Basics) -> HeadShapes:
    """Read the heads of both kinds of layer.

    Raises:
        InputError: a field that is out of range.
    """
    text, family = part.text, part.family
    base = HeadShape(
        hidden=basics.hidden,
        heads=basics.heads,
        kv_heads=basics.kv_heads,
        key_dim=basics.head_dim,
        value_dim=text.whole("v_head_dim", low=1, high=100_000) or basics.head_dim,
        qkv_bias=decide(text, family.qkv_bias),
        out_bias=decide(text, family.out_bias),
        qk_norm=_qk_norm(part),
        gate=_gate(part),
        has_sinks=_has_sinks(part, "add_full_attention_sink_bias", family.sinks is Sinks.EVERY),
    )
    return HeadShapes(_global_heads(text, base), _window_heads(part, base))


def decide(text: Fields, bias: Bias) -> bool:
    """Whether there is a bias.

    Raises:
        InputError: the field is neither true nor false.
    """
    stated = text.flag(bias.field) if bias.field else None
    return bias.default if stated is None else stated


def _qk_norm(part: TextPart) -> QkNorm:
    family, text = part.family, part.text
    if not family.is_known:
        return QkNorm.HEAD if text.flag("use_qk_norm") or text.flag("qk_norm") else QkNorm.NONE
    if family.qk_norm_field and not text.flag(family.qk_norm_field):
        return QkNorm.NONE
    return family.qk_norm


def _gate(part: TextPart) -> Gate:
    """Flags of Qwen3.5, Step and Laguna say what the architecture has by default."""
    text, gate = part.text, part.family.gate
    if text.has("attn_output_gate"):
        return Gate.ELEMENT if text.flag("attn_output_gate") else Gate.NONE
    if text.has("use_head_wise_attn_gate"):
        return Gate.HEAD if text.flag("use_head_wise_attn_gate") else Gate.NONE
    if gate is Gate.HEAD and isinstance(text.value("gating"), str):
        return Gate.ELEMENT if text.word("gating") == "per-element" else Gate.HEAD
    return Gate.NONE if text.has("gating") and text.value("gating") is False else gate


def _has_sinks(part: TextPart, name: str, default: bool) -> bool:
    stated = part.text.flag(name)
    return default if stated is None else stated


def _global_heads(text: Fields, base: HeadShape) -> HeadShape:
    """Gemma 4: full layers have wider and fewer heads, and may use K as V."""
    if not text.has("global_head_dim"):
        return base
    head_dim = text.need("global_head_dim", high=100_000)
    kv_heads = text.whole("num_global_key_value_heads", low=1, high=MOST_HEADS)
    return replace(
        base,
        key_dim=head_dim,
        value_dim=head_dim,
        kv_heads=kv_heads or base.kv_heads,
        has_values=not text.flag("attention_k_eq_v"),
    )


def _window_heads(part: TextPart, base: HeadShape) -> HeadShape:
    """MiMo-V2 and Step 3.7 give layers with a window heads of their own."""
    text, sinks = part.text, part.family.sinks
    nested = text.part("attention_other_setting")
    own = nested or text
    prefix = "" if nested else "swa_"

    def read(names: tuple[str, ...], default: int, high: int = MOST_HEADS) -> int:
        named = tuple(prefix + name for name in names)
        return own.whole(*named, low=1, high=high) or default

    key_dim = read(("head_dim",), base.key_dim, 100_000)
    default_value = base.value_dim if base.value_dim != base.key_dim else key_dim
    return replace(
        base,
        heads=read(("num_attention_heads",), base.heads),
        kv_heads=read(KV_HEADS, _default_window_kv_heads(part, base)),
        key_dim=key_dim,
        value_dim=read(("v_head_dim",), default_value, 100_000),
        has_sinks=_has_sinks(part, "add_swa_attention_sink_bias", sinks is not Sinks.NONE),
    )


def _default_window_kv_heads(part: TextPart, base: HeadShape) -> int:
    if part.family.title != "MiMo-V2" or part.text.has("swa_num_key_value_heads"):
        return base.kv_heads
    doubled = 2 * base.kv_heads
    part.text.log.note_assumed(
        part.text.path("swa_num_key_value_heads"), doubled, "twice those of full layers in MiMo-V2"
    )
    return doubled
