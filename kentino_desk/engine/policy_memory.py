"""Memory constants of serving engines: releases, pool rules and checkpoint layouts.

Fitted on 114 published server rows (memory_fit_notes, sections 2 to 4). A row of a table stands for a
class of releases, engines or checkpoints; no constant belongs to one measured row.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.units import GIB

if TYPE_CHECKING:
    from collections.abc import Mapping

RELEASE_SOURCE = "release table fitted on 114 server rows (memory_fit_notes, section 4)"


@dataclass(frozen=True, slots=True)
class Release:
    """Memory constants of one span of engine releases."""

    first: tuple[int, int, int]
    sampler_bytes: float
    """Bytes per sequence and vocabulary entry of the sampler's profile."""
    non_torch_gib: tuple[float, float, float, float]
    """At TP 1, 2, 4 and from 8."""
    graph_gib: float
    graph_gib_sparse: float
    state_slots: int
    """Blocks of recurrent state kept per request: 2 since prefix caching of states."""
    utilisation: float
    long_profile_tokens: int | None = None
    """V0: batch of prompt tokens above 32,768 tokens of length, where the sampler is not profiled.

    None: V1, whose batch belongs to the card and not to the length."""
    pages_by_layer: bool = True
    """Whether window and state layers have pages of their own; before 0.10 each counts as full."""
    latent_step: int = 1
    """Latent entries are padded to a multiple of this many elements (640 for 576 before 0.8)."""


_V0, _V1, _V1_2026 = (.08, .74, .8, 1.0), (.14, .55, .8, 1.5), (.26, .70, 1.0, 1.5)  # fmt: skip

VLLM_RELEASES: tuple[Release, ...] = (
    Release((0, 4, 0), 38.9, _V0, 0.0, 0.0, 1, 0.90, 512, pages_by_layer=False, latent_step=128),
    Release((0, 7, 0), 38.9, _V0, 0.0, 0.0, 1, 0.90, 2048, pages_by_layer=False, latent_step=128),
    Release((0, 8, 0), 38.9, _V0, 0.0, 0.0, 1, 0.90, 2048, pages_by_layer=False),
    Release((0, 9, 0), 38.9, _V1, 0.0, 0.0, 1, 0.90, pages_by_layer=False),
    Release((0, 10, 0), 38.9, _V1, 0.0, 0.0, 1, 0.90),
    Release((0, 14, 0), 11.5, _V1_2026, 0.0, 0.0, 2, 0.90),
    Release((0, 20, 2), 11.5, _V1_2026, 0.25, 4.9, 2, 0.90),
    Release((0, 22, 0), 11.5, _V1_2026, 0.25, 4.9, 2, 0.92),
    Release((0, 27, 0), 11.5, _V1_2026, 0.0, 0.0, 2, 0.92),
)
NEWEST_RELEASE = "0.30"
"""The newest release the constants were calibrated on; the preset."""
FIRST_KNOWN_RELEASE = (0, 4, 0)
"""Older releases divide the card by rules that the table does not know."""
CAUTIOUS_SAMPLER_RELEASE = (0, 14, 0)
"""From here on the sampler term rests on one clean row; the upper end is wider."""

RELEASE_OF_MONTH: tuple[tuple[str, str], ...] = (
    ("2024-02", "0.2"), ("2024-07", "0.4"), ("2024-10", "0.5"), ("2024-12", "0.6"),
    ("2025-02", "0.7"), ("2025-06", "0.8"), ("2025-08", "0.9"), ("2025-10", "0.10"),
    ("2025-12", "0.11"), ("2026-01", "0.13"), ("2026-03", "0.16"), ("2026-04", "0.18"),
    ("2026-05", "0.20"), ("2026-06", "0.21"), ("2026-07", "0.23"), ("2026-08", "0.25"),
    ("2026-09", "0.27"), ("2026-10", "0.29"),
)  # fmt: skip
"""Last month of a release, for servers whose release nobody wrote down."""


def release_key(release: str) -> tuple[int, int, int]:
    """A release as numbers that compare part by part; the newest where none is given."""
    parts = [int(part) if part.isdigit() else 0 for part in (release or NEWEST_RELEASE).split(".")]
    first, second, third = [*parts, 0, 0, 0][:3]
    return first, second, third


def release_row(release: str) -> Release:
    """Constants of the span a release belongs to.

    A release older than the table takes its first line, a newer one its last.
    """
    key = release_key(release)
    fitting = [row for row in VLLM_RELEASES if row.first <= key]
    return fitting[-1] if fitting else VLLM_RELEASES[0]


def release_of_date(date: str) -> str:
    """The release that was current at a date (year, or year and month); empty for no date."""
    month = date[:7] if len(date) >= 7 else f"{date[:4]}-06"
    if not date:
        return ""
    return next((name for last, name in RELEASE_OF_MONTH if month <= last), NEWEST_RELEASE)


MAX_NUM_SEQS_LARGE, MAX_NUM_SEQS_SMALL = 1024, 256
PROFILE_TOKENS_LARGE, PROFILE_TOKENS_SMALL = 8192, 2048
LARGE_CARD_GIB = 70.0
V0_MAX_NUM_SEQS = 256
V0_LEAST_PROFILE_TOKENS = 2048
V0_LONG_CONTEXT = 32_768
V0_PROFILE_TOKENS_UNKNOWN = 4096
"""Batch of prompt tokens of a V0 engine whose length nobody stated [A]."""
STATE_SLOTS_OF_THE_START = 32
"""Sequences whose Mamba state is reserved at the start, where the limit is not known [A]."""
MTP_TOKENS_UNKNOWN = 3
"""Tokens per step of a model's own draft head that is only said to be on."""


@dataclass(frozen=True, slots=True)
class PoolRule:
    """How an engine carves its KV pool out of the card (memory_fit_notes, section 4).

    pool = share (V - reserve - before·(W + min(A, 1 GiB))) - (1 - before)·W - overheads·(A + N + G)
    """

    share: float | None
    """None: the utilisation the user sets, or the release's."""
    reserve_gib: tuple[float, float]
    """At TP 1 and above."""
    weights_before: float
    overheads_after: float
    keeps_profile_in_windows: bool = False
    """Whether window layers keep one batch of prompt tokens beside the window."""
    share_is_asked: bool = True
    """Whether a utilisation that is given replaces the share."""


POOL_RULES: Mapping[str, PoolRule] = MappingProxyType(
    {
        "vllm": PoolRule(None, (0.0, 0.0), 0.0, 1.0, keeps_profile_in_windows=True),
        "sglang": PoolRule(0.88, (0.5, 1.7), 0.0, 0.0),
        "trtllm": PoolRule(0.9, (0.6, 0.6), 1.0, 0.0),
        "llama.cpp": PoolRule(1.0, (1.0, 1.0), 0.0, 0.0, share_is_asked=False),
        "transformers": PoolRule(1.0, (0.0, 0.0), 0.0, 1.0, share_is_asked=False),
    }
)
"""Reserves count from the memory that the engine sees."""

POOL_CAP_BYTES = 1.0 * GIB
"""TensorRT-LLM takes at most this much of the activations before it counts its pool."""


@dataclass(frozen=True, slots=True)
class CheckpointBits:
    """Bits per weight of routed experts, and of the rest by class of model, in one layout."""

    routed: float
    dense: float
    moe: float
    hybrid_moe: float


CHECKPOINT_BITS: Mapping[str, CheckpointBits] = MappingProxyType({
    "bf16": CheckpointBits(16.0, 16.0, 16.0, 16.0),
    "fp8": CheckpointBits(8.0, 8.0, 8.0, 8.0),
    "int8": CheckpointBits(8.0, 8.0, 8.0, 8.0),
    "int4": CheckpointBits(4.156, 4.156, 4.156, 16.0),
    "nvfp4": CheckpointBits(4.5, 4.5, 16.0, 16.0),
    "mxfp4": CheckpointBits(4.25, 4.25, 16.0, 16.0),
    "gptq": CheckpointBits(4.156, 4.156, 4.156, 16.0),
    "autoround": CheckpointBits(4.156, 4.156, 16.0, 16.0),
    "gptq_int8": CheckpointBits(8.16, 8.16, 8.16, 8.16),
    "nf4": CheckpointBits(4.5, 4.5, 4.5, 4.5),
})  # fmt: skip
"""By format, then by layouts that differ from their format's usual one (memory_fit_notes, section 2)."""
MXFP4_LATENT_OTHER_BITS = 8.0
"""MXFP4 checkpoints of latent-attention models keep the rest in 8 bit [D, 2 rows]."""
NATIVE_GROUP_BITS: Mapping[str, float] = MappingProxyType(
    {"int4": 4.5, "nvfp4": 4.5, "mxfp4": 4.25}
)
"""Routed experts of models released in 4 bit; the native INT4 of Kimi has groups of 32."""

WEIGHT_UNCERTAINTY: Mapping[int, float] = MappingProxyType({16: 0.02, 8: 0.05, 4: 0.12})
"""Share by which weights may differ, by bits."""
KNOWN_SIZE_UNCERTAINTY = 0.03
DRAFT_MODEL_UNCERTAINTY = 0.05
"""What a separate draft model adds: its weights are not counted."""

COMPRESSED_ENTRY_BYTES: Mapping[bool, float] = MappingProxyType({True: 1024.0, False: 584.0})
"""One entry of compressed attention in 16 bit, and in 8 bit with its scales."""
COMPRESSED_FACTOR = 4.0
"""Cache of compressed attention against its entries [D, 2 rows; others differ by 10 times]."""


@dataclass(frozen=True, slots=True)
class Band:
    """Measured over predicted: 90 % of the rows of a class or better lie between the two."""

    low: float
    high: float


WEIGHT_BANDS: Mapping[int, Band] = MappingProxyType(
    {16: Band(0.98, 1.03), 8: Band(0.98, 1.12), 4: Band(0.95, 1.22)}
)
"""By bits: 44 of 47 rows inside."""
TOKENS_BAND = Band(0.97, 1.03)
"""Tokens of a given pool: 37 of 39 rows; end to end the same beside the range of the pool."""
ACTIVATION_BAND_BEFORE, ACTIVATION_BAND_SINCE = Band(0.35, 1.35), Band(0.4, 4.0)
"""Before release 0.14 and since: 26 of 27 rows."""
TRANSFORMERS_BAND = Band(0.97, 1.04)
"""Whole memory of a Transformers run: 20 of 20 rows."""
STANDING_SERVER_BAND = Band(0.94, 1.09)
"""Whole memory of a vLLM server against its budget and context: 8 of 8 rows, median 2 %."""
TRANSFORMERS_LEAN_RELEASE = (4, 51, 0)
"""From here on a Transformers run no longer materialises the prompt's activations."""
TRANSFORMERS_LEAN_GIB = 0.1
