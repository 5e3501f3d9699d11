"""Steady state of continuous batching: time to first token, time per token, rates."""

from __future__ import annotations

from typing import Any

import numpy as np

from kentino_desk.engine.quantity import quantity
from kentino_desk.engine.step_time import DECODE, MIXED, PROMPT

_SOURCE = "engine_fit_notes, section 2"
_TPOT_ERROR = "median 10 %, 90 % of 983 rows within 22 %; PCIe cards not validated"
_TTFT_ERROR = "median 26 %; 80 % of 983 rows between x0.58 and x1.70"


@quantity(title="Requests held at mean length", unit="requests", symbol="N_mem", source=_SOURCE)
def requests_held_mean(kv_pool_bytes: Any, mean_request_bytes: Any, dp_attention: Any) -> Any:
    """Requests that the pools of a copy hold while they run, one pool per attention group.

    N_mem = DPA·K / K_m
    """
    return dp_attention * np.maximum(kv_pool_bytes, 0.0) / mean_request_bytes


@quantity(title="Requests running in one copy", unit="requests", symbol="N_r", source=_SOURCE)
def running_requests(users_per_copy: Any, requests_held_mean: Any, max_num_seqs: Any) -> Any:
    """Requests beyond the pool wait in front; the running ones do not slow down further.

    N_r = min( N, N_mem, max_num_seqs )
    """
    held = np.minimum(users_per_copy, np.minimum(requests_held_mean, max_num_seqs))
    return np.maximum(held, np.minimum(users_per_copy, 1.0))


@quantity(title="Decode step", unit="s", symbol="t_d", source=_SOURCE, error=_TPOT_ERROR)
def decode_step_s(step_s: Any, speed_at_limit: Any) -> Any:
    """Time of one step without any prompt in it; a power limit slows every step alike.

    t_d = step(N_r, 0)/σ_W
    """
    return step_s[DECODE] / speed_at_limit


@quantity(title="Work of one prompt", unit="s", symbol="t_p", source=_SOURCE, error=_TPOT_ERROR)
def prompt_work_s(step_s: Any, prompts_together: Any, speed_at_limit: Any) -> Any:
    """What one prompt adds to a step of running requests.

    t_p = ( step(N_r, x·p) − step(N_r, 0) )/x/σ_W
    """
    return (step_s[MIXED] - step_s[DECODE]) / (prompts_together * speed_at_limit)


@quantity(title="One prompt alone", unit="s", symbol="t_one", source=_SOURCE, error=_TTFT_ERROR)
def lone_prompt_s(step_s: Any, speed_at_limit: Any) -> Any:
    """Time of a prompt with nothing else in the batch, in one stage.

    t_one = step(0, p)/σ_W
    """
    return step_s[PROMPT] / speed_at_limit


@quantity(title="Time per output token", unit="s", symbol="TPOT", source=_SOURCE, error=_TPOT_ERROR)
def tpot_s(
    decode_step_s: Any,
    prompt_work_s: Any,
    stage_requests: Any,
    output_tokens: Any,
    tokens_per_step: Any,
    first_token_share: Any,
    pp: Any,
) -> Any:
    """One step, plus the share of other requests' prompts that falls between two tokens.

    TPOT = PP·( t_d/E + (1 − σ)·(N_s − 1)/O·t_p )
    """
    others = np.maximum(stage_requests - 1.0, 0.0) / output_tokens
    own_s = decode_step_s / tokens_per_step
    return pp * (own_s + (1.0 - first_token_share) * others * prompt_work_s)


@quantity(
    title="Waiting for a place in the pool",
    unit="s",
    symbol="t_wait",
    source=_SOURCE,
    error=_TTFT_ERROR,
)
def pool_wait_s(
    users_per_copy: Any, running_requests: Any, prompt_wait_s: Any, tpot_s: Any, output_tokens: Any
) -> Any:
    """Requests beyond the pool wait for the running ones to end.

    t_wait = (N/N_r − 1)·( TTFT₀ + (O − 1)·TPOT )
    """
    excess = np.maximum(users_per_copy / np.maximum(running_requests, 1e-9) - 1.0, 0.0)
    return excess * (prompt_wait_s + (output_tokens - 1.0) * tpot_s)


@quantity(
    title="First token without a queue", unit="s", symbol="TTFT₀", source=_SOURCE, error=_TTFT_ERROR
)
def prompt_wait_s(
    first_token_constant_s: Any,
    lone_prompt_s: Any,
    decode_step_s: Any,
    prompt_work_s: Any,
    first_token_share: Any,
    stage_requests: Any,
    pp: Any,
) -> Any:
    """Own prompt, one step, and the share of foreign prompts that comes before the first token.

    TTFT₀ = x_0 + PP·( t_one + t_d + σ·(N_s − 1)·t_p )
    """
    others = first_token_share * np.maximum(stage_requests - 1.0, 0.0) * prompt_work_s
    return first_token_constant_s + pp * (lone_prompt_s + decode_step_s + others)


@quantity(title="Time to first token", unit="s", symbol="TTFT", source=_SOURCE, error=_TTFT_ERROR)
def ttft_s(prompt_wait_s: Any, pool_wait_s: Any) -> Any:
    """From the request to the first word.

    TTFT = TTFT₀ + t_wait
    """
    return prompt_wait_s + pool_wait_s


@quantity(title="Speed per user", unit="tok/s", symbol="v", source=_SOURCE, error=_TPOT_ERROR)
def tokens_per_s_per_user(tpot_s: Any) -> Any:
    """Words one user sees per second once the answer has begun, in tokens.

    v = 1 / TPOT
    """
    return 1.0 / tpot_s


@quantity(
    title="Output of one copy",
    unit="tok/s",
    symbol="X",
    source=_SOURCE,
    error="median 9 %, 90 % of 983 rows within 23 %",
)
def copy_tokens_per_s(users_per_copy: Any, output_tokens: Any, ttft_s: Any, tpot_s: Any) -> Any:
    """Output tokens per second of one copy with its share of the users always in flight.

    X = N·O / ( TTFT + (O − 1)·TPOT )
    """
    return users_per_copy * output_tokens / (ttft_s + (output_tokens - 1.0) * tpot_s)


@quantity(
    title="Output of all copies",
    unit="tok/s",
    symbol="X_all",
    source=_SOURCE,
    error="median 9 %, 90 % of 983 rows within 23 %",
)
def tokens_per_s_total(copy_tokens_per_s: Any, replicas: Any) -> Any:
    """Output tokens per second of the whole build.

    X_all = copies·X
    """
    return copy_tokens_per_s * replicas


@quantity(
    title="Time of one answer",
    unit="s",
    symbol="E2E",
    source=_SOURCE,
    error="first token and time per token together",
)
def answer_s(ttft_s: Any, tpot_s: Any, output_tokens: Any) -> Any:
    """From the request to the last word.

    E2E = TTFT + (O − 1)·TPOT
    """
    return ttft_s + (output_tokens - 1.0) * tpot_s


@quantity(
    title="People behind the load",
    unit="users",
    symbol="U",
    source="engine_method, section 6",
    error="as the time of an answer",
)
def people_served(users_per_copy: Any, replicas: Any, answer_s: Any, think_s: Any) -> Any:
    """People whose requests are in flight; each reads and thinks between an answer and the next.

    U = copies·N·( E2E + think )/E2E
    """
    return replicas * users_per_copy * (answer_s + think_s) / answer_s


@quantity(
    title="Output per GPU",
    unit="tok/s",
    symbol="X_g",
    source=_SOURCE,
    error="median 9 %, 90 % of 983 rows within 23 %",
)
def tokens_per_s_per_gpu(copy_tokens_per_s: Any, tp: Any, pp: Any) -> Any:
    """Output tokens per second and card.

    X_g = X/(TP·PP)
    """
    return copy_tokens_per_s / (tp * pp)


@quantity(
    title="Efficiency",
    unit="share",
    symbol="η",
    source="decision_rules, section 3",
    error="derived; measure first across PCIe",
)
def serving_efficiency(
    step_s: Any,
    traffic_s: Any,
    stage_send_s: Any,
    stage_requests: Any,
    output_tokens: Any,
    tokens_per_step: Any,
    prompts_together: Any,
) -> Any:
    """Part of the average step that is not traffic between cards; q = N_s·E/O prompts fall into it.

    η = 1 − ( e_d + q·(e_m − e_d)/x ) / ( t_d + q·t_p ), e = t_5 + t_7
    """
    exchange = traffic_s + stage_send_s
    prompts = stage_requests * tokens_per_step / output_tokens / prompts_together
    lost = exchange[DECODE] + prompts * (exchange[MIXED] - exchange[DECODE])
    return 1.0 - lost / (step_s[DECODE] + prompts * (step_s[MIXED] - step_s[DECODE]))


@quantity(
    title="Days for the corpus",
    unit="days",
    symbol="D",
    source="decision_rules, section 1",
    error="as the rate",
)
def batch_days(batch_output_tokens: Any, tokens_per_s_total: Any) -> Any:
    """Days that the build takes for all output tokens at its full rate.

    D = tokens / X_all / 86,400
    """
    return batch_output_tokens / tokens_per_s_total / 86_400.0
