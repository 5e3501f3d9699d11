"""Time of one engine step, as a sum of what the cards do.

Three steps are computed at once on a leading axis of length 3: decoding alone (0), decoding with a
prompt in the batch (1), one prompt alone (2). Everything else broadcasts over the candidates.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kentino_desk.engine.quantity import quantity

_SOURCE = "engine_fit_notes, section 2"
_DRAFT_SOURCE = "geometric run of accepted guesses (arXiv 2211.17192, equation 1)"
_ERROR = "sum of the step: TPOT median 10 %, 90 % of 983 rows within 22 %"
DECODE, MIXED, PROMPT = 0, 1, 2
CUBE = 3.0
"""Exponent for which the root has a fast form: logarithms are several times faster than powers."""
TINY = 1e-300
"""Stands for zero under a logarithm."""


@quantity(title="Requests of a copy in one stage", unit="requests", symbol="N_s", source=_SOURCE)
def stage_requests(running_requests: Any, pp: Any) -> Any:
    """Requests that decode together; pipeline stages work on different parts of the batch.

    N_s = max( N_r/PP, 1 )
    """
    return np.maximum(running_requests / pp, np.minimum(running_requests, 1.0))


@quantity(title="Prompt tokens to compute", unit="tokens", symbol="p", source=_SOURCE)
def prompt_tokens(input_tokens: Any, prompt_reuse: Any) -> Any:
    """Tokens of a prompt that no cached prefix covers.

    p = I·(1 − reuse)
    """
    return input_tokens * (1.0 - prompt_reuse)


@quantity(title="Decoding requests in the step", unit="requests", symbol="n", source=_SOURCE)
def step_requests(stage_requests: Any) -> Any:
    """Requests that decode in each of the three steps.

    n = N_s, N_s, 0
    """
    return np.stack([stage_requests, stage_requests, np.zeros_like(stage_requests)])


@quantity(title="Tokens of a request per step", unit="tokens", symbol="E", source=_DRAFT_SOURCE)
def tokens_per_step(drafted_tokens: Any, draft_acceptance: Any) -> Any:
    """One token, and as many of the k guesses as are right one after the other.

    E = ( 1 − a^(k+1) )/( 1 − a )
    """
    if not np.any(drafted_tokens):
        return 1.0
    wrong = 1.0 - draft_acceptance
    return (1.0 - draft_acceptance ** (drafted_tokens + 1.0)) / wrong


@quantity(title="Prompts that share a step", unit="prompts", symbol="x", source=_SOURCE)
def prompts_together(stage_requests: Any, output_tokens: Any, tokens_per_step: Any) -> Any:
    """Prompts that fall into one decode step; short answers bring in several at once.

    x = max( N_s·E/O, 1 )
    """
    return np.maximum(stage_requests * tokens_per_step / output_tokens, 1.0)


@quantity(title="Prompts in the step", unit="prompts", symbol="x_s", source=_SOURCE)
def step_prompts(prompts_together: Any, prompt_tokens: Any) -> Any:
    """Prompts in each of the three steps; none where a cached prefix covers them.

    x_s = 0, x, 1
    """
    mixed = np.where(prompt_tokens > 0, prompts_together, 0.0)
    return np.stack([np.zeros_like(mixed), mixed, np.minimum(mixed, 1.0)])


@quantity(title="Prompt tokens in the step", unit="tokens", symbol="p_s", source=_SOURCE)
def step_prompt_tokens(prompt_tokens: Any, step_prompts: Any) -> Any:
    """Prompt tokens in each of the three steps.

    p_s = x_s·p
    """
    return prompt_tokens * step_prompts


@quantity(title="Sampled tokens of the step", unit="tokens", symbol="n_k", source=_SOURCE)
def checked_tokens(step_requests: Any, drafted_tokens: Any) -> Any:
    """The next token of each decoding request, and the guesses that are checked with it.

    n_k = n·(1 + k)
    """
    return step_requests * (1.0 + drafted_tokens)


@quantity(title="Tokens in the step", unit="tokens", symbol="m", source=_SOURCE)
def step_tokens(checked_tokens: Any, step_prompt_tokens: Any) -> Any:
    """Tokens of the decoding requests plus the prompts.

    m = n_k + p_s
    """
    return checked_tokens + step_prompt_tokens


@quantity(title="Ranks of one attention group", unit="GPUs", symbol="T", source=_SOURCE)
def attention_tp(tp: Any, dp_attention: Any) -> Any:
    """Ranks that share the attention of one request; groups of them work on different requests.

    T = TP/DPA
    """
    return tp / dp_attention


@quantity(title="Reading the head", unit="s", symbol="t_h", source=_SOURCE, error=_ERROR)
def head_read_s(
    vocab: Any,
    hidden: Any,
    bf16_bandwidth_share: Any,
    bandwidth_bytes_per_s: Any,
    attention_tp: Any,
) -> Any:
    """Output head in 16 bit, streamed once for every token that is sampled after another.

    t_h = V·h·2/T/( e_bw16·BW )
    """
    return vocab * hidden * 2.0 / attention_tp / (bf16_bandwidth_share * bandwidth_bytes_per_s)


@quantity(title="Reading dense weights", unit="s", symbol="t_w", source=_SOURCE, error=_ERROR)
def dense_read_s(
    dense_params: Any,
    dense_bits: Any,
    dense_bandwidth_share: Any,
    head_read_s: Any,
    bandwidth_bytes_per_s: Any,
    attention_tp: Any,
    pp: Any,
) -> Any:
    """Attention, dense feed-forward, shared experts and head, streamed once per step.

    t_w = ( W_d·q_a/8/T/PP )/( e_bw·BW ) + t_h
    """
    body = (
        dense_params
        * dense_bits
        / 8.0
        / (attention_tp * pp)
        / (dense_bandwidth_share * bandwidth_bytes_per_s)
    )
    return body + head_read_s


@quantity(title="Computing dense layers", unit="s", symbol="t_f", source=_SOURCE, error=_ERROR)
def dense_compute_s(
    dense_params: Any,
    step_tokens: Any,
    checked_tokens: Any,
    step_prompts: Any,
    vocab: Any,
    hidden: Any,
    dense_flops: Any,
    tp: Any,
    pp: Any,
) -> Any:
    """Two operations per weight and token; the head only where a token is sampled.

    t_f = 2·( W_d·m/PP + V·h·(n_k + x_s) )/TP /( e_f·F )
    """
    sampled = checked_tokens + step_prompts
    token_s = 2.0 * dense_params / (pp * tp * dense_flops)
    head_s = 2.0 * vocab * hidden / (tp * dense_flops)
    return token_s * step_tokens + head_s * sampled


@quantity(title="Dense layers", unit="s", symbol="t_1", source=_SOURCE, error=_ERROR)
def dense_s(dense_read_s: Any, dense_compute_s: Any, soft_maximum_exponent: Any) -> Any:
    """A soft maximum of reading and computing.

    t_1 = ( t_w³ + t_f³ )^(1/3)
    """
    if soft_maximum_exponent == CUBE:
        read, compute = dense_read_s, dense_compute_s
        return np.exp(np.log(read * read * read + compute * compute * compute) / CUBE)
    power = soft_maximum_exponent
    return (dense_read_s**power + dense_compute_s**power) ** (1.0 / power)


@quantity(title="Experts touched", unit="share", symbol="cov", source=_SOURCE)
def expert_coverage(experts: Any, experts_per_token: Any, step_tokens: Any) -> Any:
    """Share of the routed experts whose weights a step reads.

    cov = 1 − (1 − k/E)^m
    """
    if not np.any(experts):
        return np.zeros(1)
    idle = 1.0 - experts_per_token / np.maximum(experts, 1.0)
    return 1.0 - np.exp(step_tokens * np.log(np.maximum(idle, TINY)))


@quantity(
    title="Routed experts", unit="s", symbol="t_2", source=_SOURCE, error="MoE units: median 5-18 %"
)
def expert_s(
    expert_coverage: Any,
    experts: Any,
    experts_per_token: Any,
    expert_params: Any,
    moe_layers: Any,
    routed_bits: Any,
    step_tokens: Any,
    expert_bandwidth: Any,
    expert_flops: Any,
    moe_layer_s: Any,
    tp: Any,
    pp: Any,
) -> Any:
    """Reading the touched experts, computing the routed tokens, and a fixed cost per MoE layer.

    t_2 = cov·E·X·L_m·q_e/8/n/(m_bw·BW) + 2·m·k·X·L_m/n/(m_f·F_m) + t_M·L_m
    """
    fixed_s = moe_layer_s * moe_layers / pp
    if not np.any(experts):
        return fixed_s
    share = expert_params * moe_layers / (tp * pp)
    whole_read_s = experts * share * routed_bits / 8.0 / expert_bandwidth
    token_s = 2.0 * experts_per_token * share / expert_flops
    return whole_read_s * expert_coverage + token_s * step_tokens + fixed_s


@quantity(
    title="Sparse index attention",
    unit="s",
    symbol="t_D",
    source=_SOURCE,
    error="GLM-5 class, one engine",
)
def sparse_index_s(index_layers: Any, sparse_index_s_per_layer: Any, pp: Any) -> Any:
    """Fixed cost of attention with a learned index.

    t_D = 95 µs·L_idx/PP
    """
    return sparse_index_s_per_layer * index_layers / pp


@quantity(title="Mean context", unit="tokens", symbol="c", source=_SOURCE)
def mean_context_tokens(input_tokens: Any, output_tokens: Any) -> Any:
    """Tokens a request has behind it on average while it decodes.

    c = I + O/2
    """
    return input_tokens + output_tokens / 2.0


@quantity(title="Reading the KV cache", unit="s", symbol="t_3", source=_SOURCE, error=_ERROR)
def kv_read_s(
    step_requests: Any,
    mean_context_tokens: Any,
    sparse_attention: Any,
    sparse_top_tokens: Any,
    index_read_share: Any,
    kv_bytes_per_token: Any,
    window_bytes_per_token: Any,
    window_tokens: Any,
    state_read_bytes: Any,
    kv_bandwidth: Any,
    latent_decode_s_per_token: Any,
    full_layers: Any,
    serial_read_s_per_token: Any,
    attention_tp: Any,
    dp_attention: Any,
    pp: Any,
) -> Any:
    """Cache of every decoding request of a rank, read once; windows and states count as they are.

    t_3 = n/DPA·( c_eff·kv + min(c,w)·kv_w + state )/( e_kv·BW ); latent not below its compute, one
    request not below c·L_full·t_serial/PP
    """
    attended = (
        np.minimum(mean_context_tokens, sparse_top_tokens) + index_read_share * mean_context_tokens
    )
    context = np.where(sparse_attention > 0, attended, mean_context_tokens)
    window = (
        np.minimum(mean_context_tokens, np.maximum(window_tokens, 1.0)) * window_bytes_per_token
    )
    size = context * kv_bytes_per_token + window + state_read_bytes / (attention_tp * pp)
    latent_s = context * latent_decode_s_per_token / (attention_tp * pp)
    request_s = np.maximum(size / kv_bandwidth, latent_s) / dp_attention
    alone_s = context * full_layers * serial_read_s_per_token / pp
    return np.maximum(request_s * step_requests, alone_s * np.minimum(step_requests, 1.0))


@quantity(title="Attention of the prompt", unit="s", symbol="t_4", source=_SOURCE, error=_ERROR)
def prompt_attention_s(
    step_prompt_tokens: Any,
    input_tokens: Any,
    prompt_reuse: Any,
    full_layers: Any,
    sliding_layers: Any,
    window_tokens: Any,
    attention_width: Any,
    attention_flops: Any,
    tp: Any,
    pp: Any,
) -> Any:
    """Attention of the new prompt tokens to everything before them; x is their mean position.

    t_4 = 4·(L_full·x + L_win·min(x,w))·n_q·d·p/n /( e_a·F16 ), x = I·(1 + reuse)/2
    """
    position = input_tokens * (1.0 + prompt_reuse) / 2.0
    reach = full_layers * position + sliding_layers * np.minimum(
        position, np.maximum(window_tokens, 1.0)
    )
    token_s = 4.0 * reach * attention_width / (tp * pp) / attention_flops
    return token_s * step_prompt_tokens


@quantity(
    title="Traffic between cards",
    unit="s",
    symbol="t_5",
    source=_SOURCE,
    error="PCIe: chosen between 1 and 3 times on community runs",
)
def traffic_s(
    layers: Any,
    serving_start_s: Any,
    serving_bus_bytes_per_s: Any,
    step_tokens: Any,
    hidden: Any,
    tp: Any,
    pp: Any,
) -> Any:
    """Two all-reduces per layer inside the tensor group.

    t_5 = 2·L/PP·( M_a·a_n + 2(n−1)/n·m·2h/( M_b·B_n ) ), 0 for one card
    """
    passes = np.where(tp > 1, 2.0 * layers / pp, 0.0)
    token_s = 4.0 * (tp - 1.0) / tp * hidden / serving_bus_bytes_per_s
    return passes * serving_start_s + passes * token_s * step_tokens


@quantity(title="Engine overhead", unit="s", symbol="t_6", source=_SOURCE, error=_ERROR)
def engine_overhead_s(
    layers: Any,
    layer_overhead_s: Any,
    step_overhead_s: Any,
    sequence_overhead_s: Any,
    step_requests: Any,
    pp: Any,
) -> Any:
    """What the engine itself costs per layer, per step and per sequence.

    t_6 = L/PP·t_L + t_0 + t_s·n
    """
    fixed_s = layers / pp * layer_overhead_s + step_overhead_s
    return fixed_s + sequence_overhead_s * step_requests


@quantity(
    title="Link between stages",
    unit="B/s",
    symbol="B_s",
    source="engine_method, section 5",
    error="as the collectives",
)
def stage_link_bytes_per_s(stage_network_bytes_per_s: Any, serving_bus_bytes_per_s: Any) -> Any:
    """The network where one joins the stages, else the bus between the cards of a node.

    B_s = B_net across nodes, B_n inside one
    """
    inside = stage_network_bytes_per_s <= 0
    return np.where(inside, serving_bus_bytes_per_s, stage_network_bytes_per_s)


@quantity(
    title="Sends between stages",
    unit="s",
    symbol="t_7",
    source="engine_method, section 5",
    error="estimate",
)
def stage_send_s(
    step_tokens: Any, hidden: Any, pipeline_send_s: Any, stage_link_bytes_per_s: Any, pp: Any
) -> Any:
    """Activations handed from one pipeline stage to the next, per stage.

    t_7 = (PP − 1)/PP·( a + 2h·m/B_s )
    """
    share = (pp - 1.0) / pp
    token_s = share * 2.0 * hidden / stage_link_bytes_per_s
    return share * pipeline_send_s + token_s * step_tokens


@quantity(
    title="Drafting",
    unit="s",
    symbol="t_8",
    source=_DRAFT_SOURCE,
    error="drafted runs: 164 rows of 3 units",
)
def drafting_s(
    drafted_tokens: Any,
    step_requests: Any,
    dense_s: Any,
    expert_s: Any,
    kv_read_s: Any,
    traffic_s: Any,
    layer_overhead_s: Any,
    layers: Any,
    head_read_s: Any,
    pp: Any,
) -> Any:
    """Guesses come one after the other: each passes one more layer and the head.

    t_8 = k·( (t_1 + t_2 + t_3 + t_5)_d·PP/L + t_L + t_h ), 0 for a prompt alone
    """
    if not np.any(drafted_tokens):
        return 0.0
    kernels = (dense_s + kv_read_s + expert_s + traffic_s)[DECODE]
    guess_s = kernels * pp / layers + layer_overhead_s + head_read_s
    return np.where(step_requests > 0, drafted_tokens * guess_s, 0.0)


@quantity(title="One step", unit="s", symbol="step", source=_SOURCE, error=_ERROR)
def step_s(
    dense_s: Any,
    expert_s: Any,
    sparse_index_s: Any,
    kv_read_s: Any,
    prompt_attention_s: Any,
    traffic_s: Any,
    engine_overhead_s: Any,
    stage_send_s: Any,
    drafting_s: Any,
) -> Any:
    """Time of one step of one pipeline stage.

    step = t_1 + t_2 + t_D + t_3 + t_4 + t_5 + t_6 + t_7 + t_8
    """
    kernels = dense_s + kv_read_s + prompt_attention_s + (expert_s + sparse_index_s)
    return kernels + traffic_s + engine_overhead_s + stage_send_s + drafting_s
