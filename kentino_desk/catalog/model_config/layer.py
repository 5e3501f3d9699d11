"""One layer as the count needs it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Mixer(StrEnum):
    """What mixes the tokens of a layer."""

    FULL = "full"
    SLIDING = "sliding"
    CHUNKED = "chunked"
    CROSS = "cross"
    LINEAR = "linear"
    MAMBA = "mamba"
    NONE = "none"

    @property
    def has_window(self) -> bool:
        """Whether the cache ends at a window."""
        return self in {Mixer.SLIDING, Mixer.CHUNKED}

    @property
    def is_attention(self) -> bool:
        """Whether there are queries, keys and values."""
        return self in {Mixer.FULL, Mixer.SLIDING, Mixer.CHUNKED, Mixer.CROSS}


class FeedForwardKind(StrEnum):
    """What stands behind the mixer."""

    DENSE = "dense"
    EXPERTS = "experts"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Mixer and feed-forward of one layer, with what differs from the other layers."""

    mixer: Mixer
    feed_forward: FeedForwardKind
    shares_cache: bool = False
    heads: int | None = None
    kv_heads: int | None = None
    dense_width: int | None = None
    has_index: bool = False
    has_rope: bool = True
    ratio: int = 0
    """Tokens per entry of a compressed cache; 0 for none."""
