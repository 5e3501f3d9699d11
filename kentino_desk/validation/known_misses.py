"""Why rows that the program gets wrong are wrong: for the page of results, for no prediction."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.validation.row_reasons import ROW_REASONS

if TYPE_CHECKING:
    from collections.abc import Mapping

_NOT_REACHED = "the profile run did not reach the sampler"
_LOSS_OPEN = "the row does not state the kernel of the loss"
_SINGLE_NODE = "one-node full tuning that states neither device count nor checkpointing"

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "I008": "the one multimodal model: its sampler takes 17 B per logit instead of 38.9",
        "I027": _NOT_REACHED,
        "I043": "a separate draft model shares the pool, and the cache is a patched 8-bit one",
        "I063": "decode context parallel of 8 costs 4 GiB more, which is not modelled",
        "I065": "a named variant with larger weights; it stopped on a forced scratch of 8 GiB",
        "I078": "a draft whose weights and activations are not known",
        "I092": f"{_NOT_REACHED}; it started, and ran out at the first step of 200 requests",
        "I093": f"{_NOT_REACHED}; small weights, of which each rank holds more in full",
        "I096": "a mixture of logs of two engine generations",
        "I101": "profiled with the model's full length of 32,768, which the row does not state",
        "I103": "its layout (TP 8, PP 2) is a guess of the row; the two stages differ",
        "I116": "expert parallel of 4 with a large profile batch: 6 GiB of activations",
        "I130": "the engine keeps more beside weights than the rule of two rows says",
        "I150": "a mixed 4-bit file of unknown layout, split unevenly over two cards",
        "T008": "not explained; likely the 16-bit tables are sharded too",
        "T086": _SINGLE_NODE,
        "T093": "sharded full tuning whose checkpointing is not stated",
        "T095": f"{_SINGLE_NODE}; the figure lies below the run's own states",
        "T099": _SINGLE_NODE,
        "T139": "two-card data parallel above the one-card figure of the same script",
        "T153": "not explained; the header of a script, likely with 16-bit gradients",
        "T162": "layers split unevenly over the cards",
        "T163": "not explained; likely the samples fill less than half of the cap",
        "T174": "half a billion parameters: what the stack keeps beside them is most of the peak",
        "T175": "not explained (+16 %): 16-bit weights next to the limit of a 48 GB card",
        "T179": "weights offloaded to the host; what stays on the card is a rule of thumb",
        "T200": "a Mamba hybrid: its mixers keep more than the formula of attention",
        "T207": f"{_LOSS_OPEN}: a vocabulary of 262,144 entries",
        "T212": f"{_LOSS_OPEN}: a vocabulary of 202,048 entries",
        "T213": f"{_LOSS_OPEN}, nor packing",
        "T214": f"{_LOSS_OPEN}, nor packing",
        "T225": "a rounded share of the card (80 %) rather than a peak",
    }
)
"""By id of the row (memory_fit_notes, sections 5 and 7)."""

OTHERWISE = "no reason found"


def reason_for(row_id: str) -> str:
    """Why a row is wrong."""
    return REASONS.get(row_id, OTHERWISE)


_HIDDEN = "a hidden setting of the run: repeats differ up to 1.9 times"
UNIT_REASONS: Mapping[str, str] = MappingProxyType(
    {
        "DeepSeek-V3/R1|b300_sxm|sglang": "early software: prompts 3-4 times too slow",
        "torchtitan": "row-wise FP8, plain pipeline schedules, another kernel at long sequences",
        "llmfoundry|30b": "the activations probably went to the host",
        "automodel": "an eager pipeline schedule, or a small run of 1,024 cards",
        "nemo2412": "a recalled shape, or an interleave that is not stated",
        "torchtune": "a recipe that saves memory on one card",
        "MiniMax-M2.5|b200_sxm|vllm": (
            "FP8 experts on vLLM take prompts a quarter slower than predicted, as on H200; some "
            "users are made to wait for a pool that was not full"
        ),
        "Qwen3.5-397B-A17B|h200_sxm|sglang": (
            "prompts of 8,192 under load are predicted to wait for each other longer than they did"
        ),
        "GLM-5|b300_sxm|sglang": "sparse attention on a new card: first tokens came earlier",
    }
)
"""By unit: what its rows share (engine_fit_notes, section 6; training_fit_notes, section 5)."""

CLASS_REASONS: Mapping[str, str] = MappingProxyType(
    {
        "attention groups": "attention data parallel: groups wait for each other, not modelled",
        "NVLink in a node": "files of one card and rank count differ up to 2.8 times",
        "PCIe, default": "small messages: the host decides, 13-72 us for one size",
        "PCIe, switch": "small messages: the host decides, 13-72 us for one size",
        "low: PCIe, poor host": "a host that holds the cards back, from rank to rank differently",
        "across nodes, infiniband": "one source each; 20 racks, or figures that its author rounded",
        "across nodes, roce": "congestion: the same cluster gives 100 to 40 GB/s over 2 to 6 nodes",
        "across nodes, efa": "figures that the author rounded",
        "batch from the pool": "slots, or a full cache for windows, are not stated",
        "PCIe, up to 16 users": "an early kernel for NVFP4 or sparse attention on this card",
        "PCIe, above 16 users": "requests that share a prompt route alike: fewer experts are read",
        "users given": "a static batch: its prompts all come before the first token",
        "open loop": "next to saturation a queue forms or does not; lengths are spread",
        "prompt alone": "its source says that the method over-reports; traffic may hide",
        "drafted": "what a draft head guesses right depends on the text and its length",
        "burn": "small matrices leave part of the card idle, or it is too hot",
        "mixed": "a small model leaves the cards waiting, or their limit is not known",
        "prefill": "an older card whose speed collapses below 0.6 of its power",
        "decode": "an older card whose speed collapses at the lowest limits",
        "copy": "a copy draws with the speed of the memory, by edition",
        "idle": "a rounded figure",
        "training": "the highest reading, set against typical work",
        "experts": "one layout gained up to 2.0 times between two releases",
        "dense, NVLink": "rounded figures of one small model",
        "dense, PCIe": "rounded figures of one small model",
        "hopper": _HIDDEN,
        "blackwell": _HIDDEN,
    }
)
"""By class of a row, where its unit has no reason of its own."""


def speed_reason(row_id: str, unit: str, groups: Mapping[str, str]) -> str:
    """Why a row of a speed kind is off: its own reason, its unit's, or its class's."""
    own = ROW_REASONS.get(row_id) or UNIT_REASONS.get(unit)
    return own or CLASS_REASONS.get(groups.get("class", ""), OTHERWISE)
