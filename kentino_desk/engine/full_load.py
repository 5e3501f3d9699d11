"""Load of a server that is offered more than it takes, or requests at a rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.engine.policy_offline import (
    FULL_WINDOW_CACHE,
    LONGEST_ANSWER,
    OFFLINE_SEQUENCE_SHARE,
    OFFLINE_SLOTS,
    RESERVES_FULL_LENGTH,
    WIDE_EXPERT_FFN,
)
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.server_memory_inputs import ENDLESS_WINDOW

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.choices import Engine
    from kentino_desk.domain.model_card import ModelCard

_FIGURES = ("copy_tokens_per_s", "ttft_s", "tpot_s")
RATE_STEPS = 40
"""Steps of the fixed point between load and latency; damped, so that it settles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FullLoad:
    """What an offline run does that its source does not state."""

    slots: float = OFFLINE_SLOTS
    sequence_share: float = OFFLINE_SEQUENCE_SHARE


USUAL_LOAD = FullLoad()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """What a server reaches: output tokens/s of one copy, first token and token interval in s."""

    tokens_per_s: float
    ttft_s: float
    tpot_s: float
    users: float


def engine_habits(
    model: ModelCard, engine: Engine, inputs: Mapping[str, float]
) -> dict[str, float]:
    """Inputs with what an engine does with windows and wide experts."""
    changed = dict(inputs)
    if FULL_WINDOW_CACHE[engine] and model.sliding_layers:
        changed["window_tokens"] = ENDLESS_WINDOW
    if model.is_moe and model.expert_ffn >= WIDE_EXPERT_FFN:
        changed["expert_flops"] = changed["dense_flops"]
    return changed


def at_users(inputs: Mapping[str, float], users: float) -> Reached:
    """A closed loop of so many users."""
    found = compute(_FIGURES, {**inputs, "users_per_copy": users})
    rate, first, interval = (float(found[name]) for name in _FIGURES)
    return Reached(tokens_per_s=rate, ttft_s=first, tpot_s=interval, users=users)


def at_full_load(
    inputs: Mapping[str, float], engine: Engine, load: FullLoad = USUAL_LOAD
) -> Reached:
    """Everything at once: as many requests run as slots and pool admit."""
    given = {
        **inputs,
        "max_num_seqs": load.slots,
        "sequence_overhead_s": inputs["sequence_overhead_s"] * load.sequence_share,
    }
    full = RESERVES_FULL_LENGTH[engine]
    # The sampler's profile belongs to the slots of the server, not to those of the run.
    name = "requests_held_per_copy" if full else "requests_held_mean"
    held = float(compute((name,), {**inputs, "users_per_copy": 1.0})[name])
    return at_users(given, max(min(held, load.slots), 1.0))


def at_rate(inputs: Mapping[str, float], requests_per_s: float, requests: float) -> Reached:
    """A finite run of requests that arrive at a rate: load by Little's law, the tail counted.

    Arrivals are spread, so no prompt waits for a burst of others before its first token.
    """
    answer, users = inputs["output_tokens"], 1.0
    spread = {**inputs, "first_token_share": 0.0}
    for _ in range(RATE_STEPS):
        found = at_users(spread, max(users, 1.0))
        stay = found.ttft_s + (answer - 1.0) * found.tpot_s
        tail = found.ttft_s + LONGEST_ANSWER * answer * found.tpot_s
        arrivals = requests / requests_per_s
        users = 0.5 * users + 0.5 * requests * stay / (arrivals + stay)
    rate = requests * answer / (arrivals + tail)
    return Reached(tokens_per_s=rate, ttft_s=found.ttft_s, tpot_s=found.tpot_s, users=users)
