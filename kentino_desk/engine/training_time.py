"""Training time as a sum of kernels and traffic, in microseconds of one GPU per token."""

from __future__ import annotations

from typing import Any

import numpy as np

from kentino_desk.engine.quantity import quantity

_SOURCE = "training_fit_notes, section 2"
_ERROR = "dense median 5 %, MoE 16 %; across PCIe nodes derived, measure first"


@quantity(title="Dense matrix products", unit="us", symbol="gemm", source=_SOURCE, error=_ERROR)
def gemm_us(training_passes: Any, trained_dense_params: Any, gemm_tflops: Any) -> Any:
    """Six operations per weight and token, four with a frozen base, two more where recomputed.

    gemm = c·W / ( e·F )
    """
    return training_passes * trained_dense_params / gemm_tflops * 1e-6


@quantity(title="Head", unit="us", symbol="head", source=_SOURCE, error=_ERROR)
def head_us(head_passes: Any, vocab: Any, hidden: Any, gemm_bf16_tflops: Any) -> Any:
    """Output head, in 16 bit always.

    head = (6 | 4)·V·h / ( e16·F16 )
    """
    return head_passes * vocab * hidden / gemm_bf16_tflops * 1e-6


@quantity(title="Routed experts", unit="us", symbol="exp", source=_SOURCE, error="MoE median 16 %")
def expert_us(training_passes: Any, active_expert_params: Any, expert_tflops: Any) -> Any:
    """Expert matrix products of the active experts.

    exp = c·W_e / ( 0.70·m_f·F )
    """
    return training_passes * active_expert_params / expert_tflops * 1e-6


@quantity(title="Attention", unit="us", symbol="attn", source=_SOURCE, error=_ERROR)
def attention_us(
    full_layers: Any,
    sliding_layers: Any,
    window_tokens: Any,
    attention_width: Any,
    sequence_length: Any,
    recomputed_share: Any,
    attention_tflops: Any,
) -> Any:
    """Causal attention forward and backward; windows count twice their length at most.

    attn = 2·n_q·d·( L_full·s + L_win·min(s, 2w) )·(3.5 + r) / ( e_a·F16 )
    """
    window = np.minimum(sequence_length, 2.0 * window_tokens)
    reach = full_layers * sequence_length + sliding_layers * window
    return 2.0 * attention_width * reach * (3.5 + recomputed_share) / attention_tflops * 1e-6


@quantity(title="Element-wise work", unit="us", symbol="elem", source=_SOURCE, error=_ERROR)
def elementwise_us(
    elementwise_passes: Any, elementwise_bytes: Any, adapter_factor: Any, bandwidth_gb_per_s: Any
) -> Any:
    """Norms, activations, residuals and casts: passes over the stored activation bytes.

    elem = ψ·act / BW
    """
    return elementwise_passes * adapter_factor * elementwise_bytes / (bandwidth_gb_per_s * 1e3)


@quantity(title="Logit traffic", unit="us", symbol="logit", source=_SOURCE, error=_ERROR)
def logit_us(logit_bytes: Any, vocab: Any, bandwidth_gb_per_s: Any) -> Any:
    """Reading and writing the logits.

    logit = 20·V / BW
    """
    return logit_bytes * vocab / (bandwidth_gb_per_s * 1e3)


@quantity(title="Dequantisation", unit="us", symbol="deq", source=_SOURCE, error="chosen on 4 rows")
def dequantise_us(
    dequantise_bytes: Any,
    quantised_params: Any,
    recomputed_share: Any,
    bandwidth_gb_per_s: Any,
    micro_batch_tokens: Any,
) -> Any:
    """Unpacking a 4-bit base for every pass over a micro-batch.

    deq = 9·W·(2 + r) / BW / (b·s)
    """
    size = dequantise_bytes * quantised_params * (2.0 + recomputed_share)
    return size / (bandwidth_gb_per_s * 1e3) / micro_batch_tokens


@quantity(title="Work of the kernels", unit="us", symbol="W_k", source=_SOURCE, error=_ERROR)
def kernel_us(
    gemm_us: Any,
    head_us: Any,
    expert_us: Any,
    attention_us: Any,
    elementwise_us: Any,
    logit_us: Any,
    dequantise_us: Any,
    speed_at_limit: Any,
) -> Any:
    """Everything that computes; a power limit slows it all alike.

    W_k = ( gemm + head + exp + attn + elem + logit + deq )/σ_W
    """
    dense = gemm_us + head_us + attention_us + elementwise_us
    return (dense + expert_us + logit_us + dequantise_us) / speed_at_limit


@quantity(
    title="Tensor-parallel traffic",
    unit="us",
    symbol="tp",
    source=_SOURCE,
    error="over PCIe derived: measure first",
)
def tp_traffic_us(
    tp_hidden_share: Any,
    recomputed_share: Any,
    layers: Any,
    hidden: Any,
    tp_bus_gb_per_s: Any,
    tp: Any,
) -> Any:
    """All-reduces of every layer, less what is hidden behind computing.

    tp = (1 − w)·(4 + 2r)·L·2(TP−1)/TP·2h/( k·B )·TP
    """
    volume = (4.0 + 2.0 * recomputed_share) * layers * 2.0 * (tp - 1.0) / tp * 2.0 * hidden
    return (1.0 - tp_hidden_share) * volume * tp / (tp_bus_gb_per_s * 1e3)


@quantity(
    title="Sequences per micro-batch step and replica",
    unit="micro-batches",
    symbol="m",
    source=_SOURCE,
)
def micro_batches(global_batch_tokens: Any, sequence_length: Any, micro_batch: Any, dp: Any) -> Any:
    """Micro-batches that one replica works through before the optimizer steps; at least one.

    m = max( G/(D·b), 1 )
    """
    return np.maximum(global_batch_tokens / sequence_length / (dp * micro_batch), 1.0)


@quantity(title="Tokens per GPU between exchanges", unit="tokens", symbol="tok", source=_SOURCE)
def exchange_tokens(
    micro_batch_tokens: Any,
    micro_batches: Any,
    exchange_once_per_step: Any,
    tp: Any,
    pp: Any,
) -> Any:
    """Tokens that one GPU works on between two exchanges: a micro-batch, or a whole step.

    tok = t_mb/(TP·PP), or t_mb·m/(TP·PP) with pipeline stages or unsharded copies
    """
    per_batch = micro_batch_tokens / (tp * pp)
    return np.where((pp > 1) | (exchange_once_per_step > 0), per_batch * micro_batches, per_batch)


@quantity(
    title="Bus bandwidth of the data-parallel group",
    unit="GB/s",
    symbol="B",
    source="training_fit_notes, section 6",
    error="operator tables: median 6 % from 64 MiB up; poor hosts and TCP far more",
)
def dp_bus_gb_per_s(dp_inside_gb_per_s: Any, dp_network_gb_per_s: Any) -> Any:
    """A ring is as fast as its slowest part: the bus in a node, or the NICs of one node.

    B = min( B_in, B_net ), B_in inside one node
    """
    slower = np.minimum(dp_inside_gb_per_s, dp_network_gb_per_s)
    return np.where(dp_network_gb_per_s > 0, slower, dp_inside_gb_per_s)


@quantity(
    title="Data-parallel traffic, unhidden", unit="us", symbol="x", source=_SOURCE, error=_ERROR
)
def dp_traffic_us(
    dp: Any,
    exchange_bytes_per_param: Any,
    exchanged_params: Any,
    dp_bus_gb_per_s: Any,
    exchange_tokens: Any,
) -> Any:
    """Gathering weights and reducing gradients over the data-parallel group.

    x = (D−1)/D·v·P_m / B / tok
    """
    volume = (dp - 1.0) / dp * exchange_bytes_per_param * exchanged_params
    return volume / (dp_bus_gb_per_s * 1e3) / exchange_tokens


@quantity(
    title="Data-parallel traffic, exposed", unit="us", symbol="dp", source=_SOURCE, error=_ERROR
)
def dp_exposed_us(kernel_us: Any, dp_traffic_us: Any, exposed_share: Any) -> Any:
    """What the exchange adds when part of it hides behind the kernels.

    dp = max(W_k, x) + κ·min(W_k, x) − W_k
    """
    longer = np.maximum(kernel_us, dp_traffic_us)
    return longer + exposed_share * np.minimum(kernel_us, dp_traffic_us) - kernel_us


@quantity(
    title="Traffic of a split sequence",
    unit="us",
    symbol="cp",
    source="keys and values of every other rank, once per pass",
    error="derived, 8 rows within 25 %",
)
def cp_traffic_us(
    recomputed_share: Any,
    full_layers: Any,
    ring_kv_elements: Any,
    cp: Any,
    cp_bus_gb_per_s: Any,
) -> Any:
    """Keys and values passed around the ring: forward, again backward, and their gradients back.

    x_c = (3 + r)·L_full·(CP−1)·2·kv / B, kv elements of keys and values per token and layer
    """
    volume = (3.0 + recomputed_share) * full_layers * (cp - 1.0) * 2.0 * ring_kv_elements
    return volume / (cp_bus_gb_per_s * 1e3)


@quantity(
    title="Traffic of a split sequence, exposed",
    unit="us",
    symbol="cp_e",
    source=_SOURCE,
    error="derived, 8 rows within 25 %",
)
def cp_exposed_us(attention_us: Any, cp_traffic_us: Any, exposed_share: Any) -> Any:
    """What the ring adds when part of it hides behind the attention of the piece at hand.

    cp = max(attn, x_c) + κ·min(attn, x_c) − attn
    """
    longer = np.maximum(attention_us, cp_traffic_us)
    return longer + exposed_share * np.minimum(attention_us, cp_traffic_us) - attention_us


@quantity(title="Expert exchange", unit="us", symbol="a2a", source=_SOURCE, error="MoE median 16 %")
def expert_exchange_us(
    recomputed_share: Any,
    moe_layers: Any,
    experts_per_token: Any,
    hidden: Any,
    expert_bus_gb_per_s: Any,
    ep: Any,
) -> Any:
    """Tokens sent to their experts and back.

    a2a = (4 + 2r)·L_m·(EP−1)/EP·min(k, EP)·2h / B
    """
    volume = (4.0 + 2.0 * recomputed_share) * moe_layers * (ep - 1.0) / ep
    return volume * np.minimum(experts_per_token, ep) * 2.0 * hidden / (expert_bus_gb_per_s * 1e3)


@quantity(
    title="Fixed cost of MoE layers",
    unit="us",
    symbol="tM",
    source=_SOURCE,
    error="MoE median 16 %",
)
def moe_fixed_us(moe_layer_us: Any, moe_layers: Any, micro_batch_tokens: Any, tp: Any) -> Any:
    """Routing and launches per MoE layer and micro-batch.

    tM = 1000·L_m·TP / t_mb
    """
    return moe_layer_us * moe_layers * tp / micro_batch_tokens


@quantity(
    title="Weight traffic per micro-batch", unit="us", symbol="mb", source=_SOURCE, error=_ERROR
)
def micro_batch_us(
    micro_batch_bytes: Any,
    exchanged_params: Any,
    trains_all: Any,
    bandwidth_gb_per_s: Any,
    micro_batch_tokens: Any,
    tp: Any,
    pp: Any,
) -> Any:
    """Casting weights and adding gradients once per micro-batch; none with a frozen base.

    mb = 15·P_m·TP·PP / BW / t_mb
    """
    size = trains_all * micro_batch_bytes * exchanged_params * tp * pp
    return size / (bandwidth_gb_per_s * 1e3) / micro_batch_tokens


@quantity(title="Optimizer step", unit="us", symbol="opt", source=_SOURCE, error=_ERROR)
def optimizer_us(
    optimizer_bytes: Any,
    exchanged_params: Any,
    trains_all: Any,
    optimizer_bandwidth_share: Any,
    bandwidth_gb_per_s: Any,
    global_batch_tokens: Any,
    dp: Any,
    gpus: Any,
) -> Any:
    """Reading and writing the optimizer states once per global batch.

    opt = 26·P_m/D / (0.8·BW) / (G/n)
    """
    size = trains_all * optimizer_bytes * exchanged_params / dp
    rate = optimizer_bandwidth_share * bandwidth_gb_per_s * 1e3
    return size / rate / (global_batch_tokens / gpus)


@quantity(title="Busy time", unit="us", symbol="busy", source=_SOURCE, error=_ERROR)
def busy_us(
    kernel_us: Any,
    tp_traffic_us: Any,
    dp_exposed_us: Any,
    cp_exposed_us: Any,
    expert_exchange_us: Any,
    moe_fixed_us: Any,
    micro_batch_us: Any,
) -> Any:
    """Everything but the pipeline bubble, the optimizer and the drag of a large fleet.

    busy = W_k + tp + dp + cp + a2a + tM + mb
    """
    traffic = tp_traffic_us + dp_exposed_us + cp_exposed_us + expert_exchange_us
    return kernel_us + traffic + moe_fixed_us + micro_batch_us


@quantity(title="Pipeline bubble", unit="us", symbol="bubble", source=_SOURCE, error=_ERROR)
def bubble_us(busy_us: Any, micro_batches: Any, pp: Any, interleave: Any) -> Any:
    """Stages that wait at the start and end of a step; interleaved ones wait for less.

    bubble = (PP−1)/m/v·busy
    """
    return (pp - 1.0) / micro_batches / interleave * busy_us


@quantity(title="Drag of a large fleet", unit="us", symbol="scale", source=_SOURCE, error=_ERROR)
def fleet_us(fleet_drag: Any, busy_us: Any, bubble_us: Any, optimizer_us: Any, gpus: Any) -> Any:
    """Stragglers and jitter above 64 GPUs.

    scale = 0.02·log2(n/64)·( busy + bubble + opt )
    """
    doublings = np.log2(np.maximum(gpus, 64.0) / 64.0)
    return fleet_drag * doublings * (busy_us + bubble_us + optimizer_us)


@quantity(title="Time per token", unit="us", symbol="t", source=_SOURCE, error=_ERROR)
def token_us(busy_us: Any, bubble_us: Any, optimizer_us: Any, fleet_us: Any) -> Any:
    """Microseconds of one GPU per token.

    t = busy + bubble + opt + scale
    """
    return busy_us + bubble_us + optimizer_us + fleet_us


@quantity(title="Tokens per second and GPU", unit="tok/s", symbol="R", source=_SOURCE, error=_ERROR)
def train_tokens_per_s_per_gpu(token_us: Any) -> Any:
    """Training rate of one GPU.

    R = 10^6 / t
    """
    return 1e6 / token_us


@quantity(title="Training rate", unit="tok/s", symbol="R_all", source=_SOURCE, error=_ERROR)
def train_tokens_per_s(train_tokens_per_s_per_gpu: Any, gpus: Any) -> Any:
    """Training rate of the whole build.

    R_all = R·GPUs
    """
    return train_tokens_per_s_per_gpu * gpus


@quantity(
    title="Scaling efficiency",
    unit="share",
    symbol="η",
    source="decision_rules, section 3",
    error="across PCIe nodes derived: measure first",
)
def training_efficiency(
    token_us: Any,
    tp_traffic_us: Any,
    dp_exposed_us: Any,
    bubble_us: Any,
    fleet_us: Any,
    expert_exchange_us: Any,
    cp_exposed_us: Any,
) -> Any:
    """Part of the time that is not traffic, bubble or drag.

    η = 1 − ( tp + dp + cp + a2a + bubble + scale ) / t
    """
    traffic = tp_traffic_us + dp_exposed_us + cp_exposed_us + expert_exchange_us
    lost = traffic + bubble_us + fleet_us
    return 1.0 - lost / token_us


@quantity(title="Model FLOPs utilisation", unit="share", symbol="MFU", source=_SOURCE, error=_ERROR)
def mfu(training_flops_per_token: Any, train_tokens_per_s_per_gpu: Any, peak_tflops: Any) -> Any:
    """Useful operations against the dense peak of the card.

    MFU = FLOPs per token·R / F
    """
    return training_flops_per_token * train_tokens_per_s_per_gpu / (peak_tflops * 1e12)


@quantity(
    title="Days of training",
    unit="days",
    symbol="D",
    source="decision_rules, section 1",
    error=_ERROR,
)
def train_days(train_tokens: Any, train_tokens_per_s: Any, availability: Any) -> Any:
    """Calendar days for all tokens.

    D = tokens / ( R_all·86,400·availability )
    """
    return train_tokens / (train_tokens_per_s * 86_400.0 * availability)
