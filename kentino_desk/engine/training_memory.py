"""Peak memory of training: states, saved activations, the larger of logits and working set."""

from __future__ import annotations

from typing import Any

import numpy as np

from kentino_desk.engine.quantity import quantity

_SOURCE = "memory_fit_notes, section 6"
_ERROR = "median 6.5 %, 90 % of 127 rows within 27 %; settings known: x0.85-1.20"


@quantity(
    title="Weights of the training state", unit="B", symbol="S_w", source=_SOURCE, error=_ERROR
)
def state_weight_bytes(
    base_bytes: Any,
    base_expert_bytes: Any,
    shard_weights: Any,
    tp: Any,
    expert_ranks: Any,
    pp: Any,
) -> Any:
    """Weights that stay on one GPU, sharded over the data-parallel group.

    S_w = ( (base − experts)/TP + experts/ranks ) / ( PP·D_w ); ranks = TP, or EP in Megatron
    """
    local = (base_bytes - base_expert_bytes) / tp + base_expert_bytes / expert_ranks
    return local / (pp * shard_weights)


@quantity(title="Gradients", unit="B", symbol="S_g", source=_SOURCE, error=_ERROR)
def gradient_bytes(
    trained_params: Any,
    trained_expert_params: Any,
    gradient_bytes_per_param: Any,
    shard_gradients: Any,
    tp: Any,
    expert_ranks: Any,
    pp: Any,
) -> Any:
    """Gradients of all trained weights on one GPU.

    S_g = g·( (P − R)/TP + R/ranks ) / ( PP·D_g )
    """
    local = (trained_params - trained_expert_params) / tp + trained_expert_params / expert_ranks
    return local * gradient_bytes_per_param / (pp * shard_gradients)


@quantity(title="Optimizer states", unit="B", symbol="S_o", source=_SOURCE, error=_ERROR)
def optimizer_state_bytes(
    trained_params: Any,
    trained_expert_params: Any,
    optimizer_bytes_per_param: Any,
    shard_optimizer: Any,
    shard_expert_optimizer: Any,
    tp: Any,
    expert_ranks: Any,
    pp: Any,
) -> Any:
    """Moments and master weights on one GPU; experts may have fewer ranks to share them with.

    S_o = o·( (P − R)/(TP·D_o) + R/(ranks·D_e) ) / PP
    """
    dense = (trained_params - trained_expert_params) / (tp * shard_optimizer)
    experts = trained_expert_params / (expert_ranks * shard_expert_optimizer)
    return (dense + experts) * optimizer_bytes_per_param / pp


@quantity(
    title="Adapters with their optimizer", unit="B", symbol="S_a", source=_SOURCE, error=_ERROR
)
def adapter_state_bytes(
    adapter_params: Any,
    adapter_bytes_per_param: Any,
    trained_table_bytes: Any,
    shard_optimizer: Any,
    pp: Any,
) -> Any:
    """Low-rank adapters, their gradients and moments on one GPU, and trained embeddings.

    S_a = ( P_lora·a + 12·E ) / ( PP·D_o )
    """
    own = adapter_params * adapter_bytes_per_param + trained_table_bytes
    return own / (pp * shard_optimizer)


@quantity(title="Training state per GPU", unit="B", symbol="S", source=_SOURCE, error=_ERROR)
def state_bytes(
    state_weight_bytes: Any,
    gradient_bytes: Any,
    optimizer_state_bytes: Any,
    adapter_state_bytes: Any,
) -> Any:
    """What stays on one GPU for the whole run.

    S = S_w + S_g + S_o + S_a
    """
    return state_weight_bytes + gradient_bytes + optimizer_state_bytes + adapter_state_bytes


@quantity(
    title="Training state in all",
    unit="B",
    symbol="S_all",
    source=_SOURCE,
    error="exact arithmetic on the recipe",
)
def state_total_bytes(
    base_bytes: Any,
    trained_params: Any,
    gradient_bytes_per_param: Any,
    optimizer_bytes_per_param: Any,
    adapter_params: Any,
    adapter_bytes_per_param: Any,
) -> Any:
    """The same before any sharding, over all cards.

    S_all = base + P·(g + o) + P_lora·a
    """
    trained = trained_params * (gradient_bytes_per_param + optimizer_bytes_per_param)
    return base_bytes + trained + adapter_params * adapter_bytes_per_param


@quantity(
    title="Tokens of a micro-batch per GPU group", unit="tokens", symbol="t_mb", source=_SOURCE
)
def micro_batch_tokens(sequence_length: Any, micro_batch: Any, packing_fill: Any, cp: Any) -> Any:
    """Tokens that one micro-batch puts through a stage on one rank.

    t_mb = s·b·fill / CP
    """
    return sequence_length * micro_batch * packing_fill / cp


@quantity(
    title="Activations of one block per token", unit="B", symbol="a_b", source=_SOURCE, error=_ERROR
)
def block_bytes_per_token(block_width_bytes: Any, block_factor: Any) -> Any:
    """What one layer would keep per token without recomputation.

    a_b = factor·( 2·(4h + 2·n_q·d + 2·n_kv·d) + 8f )
    """
    return block_width_bytes * block_factor


@quantity(title="Saved activations", unit="B", symbol="A_s", source=_SOURCE, error=_ERROR)
def saved_activation_bytes(
    block_width_bytes: Any,
    saved_block_factor: Any,
    saved_block_share: Any,
    saved_hidden_bytes: Any,
    hidden: Any,
    micro_batch_tokens: Any,
    layers: Any,
    micro_batches_in_flight: Any,
    tp: Any,
    pp: Any,
) -> Any:
    """Kept from forward to backward: checkpoints, or whole blocks, of the micro-batches in flight.

    A_s = ( share·a_b + c·h )·t_mb·(L/PP)·m / TP
    """
    blocks = saved_block_share * block_width_bytes * saved_block_factor
    per_token = blocks + saved_hidden_bytes * hidden
    return per_token * micro_batch_tokens * (layers / pp) * micro_batches_in_flight / tp


@quantity(title="Working set of one block", unit="B", symbol="A_w", source=_SOURCE, error=_ERROR)
def work_bytes(
    block_bytes_per_token: Any, work_block_share: Any, micro_batch_tokens: Any, tp: Any
) -> Any:
    """One block recomputed in the backward pass.

    A_w = share·a_b·t_mb / TP
    """
    return work_block_share * block_bytes_per_token * micro_batch_tokens / tp


@quantity(title="Logits", unit="B", symbol="A_l", source=_SOURCE, error=_ERROR)
def logit_memory_bytes(
    logit_element_bytes: Any, vocab: Any, micro_batch_tokens: Any, tp: Any
) -> Any:
    """Logits with what the loss makes of them; the bytes per element belong to the stack.

    A_l = B·V·t_mb / TP
    """
    return logit_element_bytes * vocab * micro_batch_tokens / tp


@quantity(title="Gathered weights", unit="B", symbol="G", source=_SOURCE, error=_ERROR)
def gather_bytes(
    layer_params: Any,
    gather_bytes_per_param: Any,
    embedding_params: Any,
    head_params: Any,
    params_total: Any,
    gathers_whole: Any,
    shard_weights: Any,
    tp: Any,
    pp: Any,
) -> Any:
    """Weights made whole while they are used; with pipeline stages the stage stays whole.

    G = 2 layers·b + 2·(E_emb + E_head); with PP 6·P/(PP·TP); litgpt 4·P; 0 without sharding
    """
    whole = 2.0 * layer_params * gather_bytes_per_param + 2.0 * (embedding_params + head_params)
    staged = 6.0 * params_total / (pp * tp)
    gathered = np.where(pp > 1, staged, whole / tp)
    gathered = np.where(gathers_whole > 0, 4.0 * params_total, gathered)
    return np.where(shard_weights > 1, gathered, 0.0)


@quantity(title="Activations at the peak", unit="B", symbol="A", source=_SOURCE, error=_ERROR)
def activation_peak_bytes(
    saved_activation_bytes: Any, logit_memory_bytes: Any, work_bytes: Any
) -> Any:
    """Saved activations and the larger of logits and working set, which do not live together.

    A = A_s + max( A_l, A_w )
    """
    return saved_activation_bytes + np.maximum(logit_memory_bytes, work_bytes)


@quantity(title="Buffers of the stack", unit="B", symbol="C", source=_SOURCE, error=_ERROR)
def stack_bytes(gather_bytes: Any, stage3_bytes: Any, stack_constant_bytes: Any) -> Any:
    """Gathered weights, buckets, and the constant part of the framework.

    C = G + stage 3 + c
    """
    return gather_bytes + stage3_bytes + stack_constant_bytes


@quantity(title="Peak memory per GPU", unit="B", symbol="peak", source=_SOURCE, error=_ERROR)
def peak_bytes(
    state_bytes: Any,
    activation_peak_bytes: Any,
    stack_bytes: Any,
    live_bytes: Any,
    stack_constant_bytes: Any,
    reserved_factor: Any,
) -> Any:
    """Largest memory of one GPU during a step; what an allocator reserves is 4 % above its use.

    peak = φ·( S + A + C − c + live ) + c
    """
    used = state_bytes + activation_peak_bytes + stack_bytes - stack_constant_bytes + live_bytes
    return reserved_factor * used + stack_constant_bytes


@quantity(
    title="Peak, share of the card", unit="share", symbol="p", source="decision_rules, section 2"
)
def peak_share(peak_bytes: Any, card_bytes: Any) -> Any:
    """Part of the usable card memory that the peak takes.

    p = peak / V
    """
    return peak_bytes / card_bytes
