"""How a server runs at full load, at a given rate, with a shared prompt, and with a draft head."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Engine

if TYPE_CHECKING:
    from collections.abc import Mapping

OFFLINE_SLOTS = 1024.0
"""Sequence slots of an offline run that states none [D, 440 rows]."""
RESERVES_FULL_LENGTH: Mapping[Engine, bool] = MappingProxyType(
    {Engine.TRTLLM: True, Engine.VLLM: False, Engine.SGLANG: False}
)
"""Whether an engine admits a request only when its whole length has a place in the pool."""
FULL_WINDOW_CACHE: Mapping[Engine, bool] = MappingProxyType(
    {Engine.TRTLLM: True, Engine.VLLM: False, Engine.SGLANG: False}
)
"""Whether an engine keeps a full cache for layers that look back over a window only."""
OFFLINE_SEQUENCE_SHARE = 0.3
"""Engine cost per sequence at full load: most of it hides behind steps that are long [D]."""
LONGEST_ANSWER = 3.5
"""Longest answer of a run of chats against the mean: it ends the run [A]."""
WIDE_EXPERT_FFN = 8192
"""Experts as wide as dense layers compute as those do."""
SHARED_PREFIX_READ_SHARE = 0.25
"""Reads of a prompt that all requests share: most come from the cache of the card [D, 80 rows]."""
DRAFT_GAIN = 1.45
"""Speed with a draft head of the model against without, at 2-4 drafted tokens [D, 190 rows]."""
