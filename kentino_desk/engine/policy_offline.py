"""How a server runs at full load and at a given rate, and what engines do with windows."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Engine

if TYPE_CHECKING:
    from collections.abc import Mapping

OFFLINE_SLOTS = 1024.0
"""Sequence slots of an offline run that states none.

Class: batch from the pool, TensorRT-LLM; 440 rows of 7 units. Any six of them choose it again, with
512 to 4,096 within 3 points of error; 256 leaves experts 45 % too slow [D]. Range 512-4,096.
"""
RESERVES_FULL_LENGTH: Mapping[Engine, bool] = MappingProxyType(
    {Engine.TRTLLM: True, Engine.VLLM: False, Engine.SGLANG: False}
)
"""Whether an engine admits a request only when its whole length has a place in the pool."""
FULL_WINDOW_CACHE: Mapping[Engine, bool] = MappingProxyType(
    {Engine.TRTLLM: True, Engine.VLLM: False, Engine.SGLANG: False}
)
"""Whether an engine keeps a full cache for layers that look back over a window only."""
OFFLINE_SEQUENCE_SHARE = 0.3
"""Engine cost per sequence at full load: most of it hides behind steps that are long.

Class: batch from the pool, TensorRT-LLM; 440 rows of 7 units. Any six of them choose 0.15-0.3, with
up to 0.6 within 1 point of error and the whole cost 2 points worse [D]. Range 0.1-1.
"""
LONGEST_ANSWER = 3.5
"""Longest answer of a run of chats against the mean: it ends the run [A]."""
WIDE_EXPERT_FFN = 8192
"""Experts as wide as dense layers compute as those do."""
