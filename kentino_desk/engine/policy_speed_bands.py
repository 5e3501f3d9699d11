"""Ranges of speed figures: the 5-95 % range of measured over predicted, by class.

Read off the measured rows of ``docs/validation.md``; a class without rows takes a wider one.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.engine.card_inputs import card_class

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.hardware import Gpu

Band = tuple[float, float]
"""Low and high factor on the best figure."""

SERVING_BANDS: Mapping[str, Mapping[str, Band]] = MappingProxyType({
    "hopper": {"output_tok_s": (.76, 1.22), "tpot_ms": (.82, 1.33), "ttft_ms": (.61, 2.5)},
    "blackwell": {"output_tok_s": (.70, 1.24), "tpot_ms": (.81, 1.46), "ttft_ms": (.43, 2.3)},
    "attention groups": {"output_tok_s": (.5, 1.27), "tpot_ms": (.78, 1.95), "ttft_ms": (.95, 2.5)},
    "other": {"output_tok_s": (.65, 1.35), "tpot_ms": (.74, 1.54), "ttft_ms": (.4, 2.5)},
})  # fmt: skip
"""Closed loop by class of card; attention groups (data-parallel attention) are a class of their own.

Other cards have no closed-loop row: the outer band of engine_fit_notes, section 4, for the rate, and
for the first token a range that is no narrower than that of any measured class.
"""
MEASURED_CLASSES = frozenset({"hopper", "blackwell"})
"""Classes with closed-loop rows enough for a range of their own."""


def serving_class(gpu: Gpu, dp_attention: int) -> str:
    """The class whose range a serving figure carries."""
    if dp_attention > 1:
        return "attention groups"
    name = card_class(gpu)
    if name in {"h100", "h200"}:
        return "hopper"
    return "blackwell" if name in {"b200", "b300", "gb200"} else "other"


INFERENCE_BANDS: Mapping[str, Band] = MappingProxyType({
    "batch from the pool": (.71, 1.40),
    "PCIe, up to 16 users": (.80, 1.15),
    "PCIe, above 16 users": (.70, 1.30),
    "users given": (.55, 1.15),
    "open loop": (.70, 1.25),
    "prompt alone": (.80, 1.70),
    "drafted": (.68, 1.62),
})  # fmt: skip
"""Output tokens per second (the prompt's where it is alone).

Drafted: 164 rows of 3 units of one source, against the speed without a draft head; a gain fitted to
two of them misses the third by 50-90 %, so none is promised and the range says what was seen.
"""
DRAFTED_BAND: Band = (0.52, 1.45)
"""Speed with drafting against the law with half of the guesses right: 164 rows of 3 units of one
source, scored by ``validate``. A text decides what is right, so nobody's share is assumed."""
LATENCY_BANDS: Mapping[str, Mapping[str, Band]] = MappingProxyType({
    "users given": {"ttft_ms": (.33, 1.5), "tpot_ms": (.8, 1.2)},
    "open loop": {"ttft_ms": (.25, 20.0), "tpot_ms": (.95, 2.8)},
})  # fmt: skip
"""Of runs with users or a rate given; at a rate next to saturation a queue forms or does not."""

TRAINING_BANDS: Mapping[str, Band] = MappingProxyType({
    "dense, NVLink": (.82, 1.20),
    "dense, PCIe": (.88, 1.15),
    "experts": (.65, 1.5),
    "adapters": (.75, 1.25),
})  # fmt: skip
"""Tokens per second and GPU; a framework without rows of its own is off by 35 %."""
