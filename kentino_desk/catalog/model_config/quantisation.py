"""Formats of the weights as the checkpoint holds them."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.catalog.model_config.fields import Fields
    from kentino_desk.catalog.model_config.text_part import TextPart


@dataclass(frozen=True, slots=True)
class NativeFormat:
    """Format of most weights, of the routed experts, and both in words."""

    weights: Format
    experts: Format
    note: str


_BITS: Mapping[int, Format] = MappingProxyType({4: Format.INT4, 8: Format.INT8})
_ALGORITHMS: Mapping[str, Format] = MappingProxyType(
    {
        "FP8": Format.FP8,
        "FP8_PB_WO": Format.FP8,
        "NVFP4": Format.NVFP4,
        "NVFP4_AWQ": Format.NVFP4,
        "W4A16": Format.INT4,
        "W4A16_AWQ": Format.INT4,
        "W4A8_AWQ": Format.INT4,
        "W8A8_SQ_PER_CHANNEL": Format.INT8,
        "INT8_SQ": Format.INT8,
        "MXFP4": Format.MXFP4,
    }
)
_METHODS: Mapping[str, Format] = MappingProxyType(
    {
        "fp8": Format.FP8,
        "fbgemm_fp8": Format.FP8,
        "mxfp4": Format.MXFP4,
        "modelopt_fp4": Format.NVFP4,
        "nvfp4": Format.NVFP4,
    }
)
_BIT_METHODS = frozenset({"gptq", "awq", "auto-round", "intel/auto-round", "auto_round", "hqq"})
_ATTENTION_WORDS = ("attn", "attention")
_FLOATS = frozenset({"bfloat16", "float16", "float32", "bf16", "fp16", "half", "float"})
_MOST_GROUPS = 100
_BITS_RANK: Mapping[Format, int] = MappingProxyType(
    {format_: format_.bits_class for format_ in Format}
)


def read_native_format(part: TextPart, has_experts: bool) -> NativeFormat:
    """The formats of the file.

    Raises:
        InputError: a quantisation block whose fields cannot be read.
    """
    block = part.text.part("quantization_config") or part.whole.part("quantization_config")
    block = block or part.text.part("compression_config") or part.whole.part("compression_config")
    stored = _dtype(part)
    if block is None:
        return NativeFormat(Format.BF16, Format.BF16, stored)
    found = _formats(block)
    if not found:
        method = block.word("quant_method", "quant_algo") or "(none named)"
        part.text.log.note_assumed(
            "weights", "16 bit", f"the quantisation {method[:40]} is not known"
        )
        part.text.log.note_warning("The quantisation of the file is not known: state its size.")
        return NativeFormat(Format.BF16, Format.BF16, stored)
    return _with_experts(part, block, found, has_experts)


def _dtype(part: TextPart) -> str:
    for fields in (part.text, part.whole):
        stated = fields.word("torch_dtype", "dtype")
        if stated:
            if stated.removeprefix("torch.") not in _FLOATS:
                part.text.log.note_warning(
                    f"The weights are stored as {stated[:40]}, taken as 16 bit."
                )
            return stated[:40]
    part.text.log.note_assumed("dtype", "bfloat16", "the file names none")
    return "bfloat16 (assumed; the file names none)"


def _formats(block: Fields) -> tuple[Format, ...]:
    """All formats that the block names, fewest bits first."""
    method = block.word("quant_method").lower()
    if method in _METHODS:
        return (_METHODS[method],)
    if method in _BIT_METHODS:
        bits = block.whole("bits", "w_bit", low=1, high=16) or 4
        return (_BITS[bits],) if bits in _BITS else ()
    if method == "bitsandbytes" or block.has("load_in_4bit", "load_in_8bit"):
        return (Format.INT4,) if block.flag("load_in_4bit") else (Format.INT8,)
    return _by_groups(block) or _by_algorithm(block)


def _by_groups(block: Fields) -> tuple[Format, ...]:
    groups = block.part("config_groups")
    if groups is None:
        return ()
    found: set[Format] = set()
    for name in groups.names()[:_MOST_GROUPS]:
        group = groups.part(name)
        weights = group.part("weights") if group is not None else None
        if weights is not None:
            found |= _weights_format(weights)
    return tuple(sorted(found, key=lambda item: _BITS_RANK[item]))


def _weights_format(weights: Fields) -> set[Format]:
    bits = weights.whole("num_bits", low=1, high=16)
    if weights.word("type") == "float":
        four = Format.MXFP4 if weights.whole("group_size", low=-1) == 32 else Format.NVFP4
        return {four} if bits == 4 else {Format.FP8}
    return {_BITS[bits]} if bits is not None and bits in _BITS else set()


def _by_algorithm(block: Fields) -> tuple[Format, ...]:
    nested = block.part("quantization")
    algorithm = block.word("quant_algo") or (nested.word("quant_algo") if nested else "")
    if algorithm in _ALGORITHMS:
        return (_ALGORITHMS[algorithm],)
    return (Format.NVFP4, Format.FP8) if algorithm == "MIXED_PRECISION" else ()


def _with_experts(
    part: TextPart, block: Fields, found: tuple[Format, ...], has_experts: bool
) -> NativeFormat:
    fewest, most = found[0], found[-1]
    if part.text.value("expert_dtype") == "fp4" and has_experts:
        return _named(most, Format.MXFP4)
    if not has_experts or fewest.bits_class == 8:
        return _named(most if fewest is most else fewest, fewest)
    if fewest is not most:
        return _named(most, fewest)
    return _named(Format.BF16 if _leaves_attention(block) else fewest, fewest)


def _leaves_attention(block: Fields) -> bool:
    """Whether the exceptions name attention: then only the experts are quantised."""
    for name in ("ignore", "modules_to_not_convert", "exclude_modules", "ignored_layers"):
        patterns = block.words(name) or ()
        if any(word in pattern for pattern in patterns for word in _ATTENTION_WORDS):
            return True
    return block.value("quant_method") == "mxfp4"


def _named(weights: Format, experts: Format) -> NativeFormat:
    if weights is experts:
        return NativeFormat(weights, experts, weights.value)
    return NativeFormat(weights, experts, f"{experts.value} experts, {weights.value} for the rest")
