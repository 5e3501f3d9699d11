"""The memory budget of a serving engine: activations, overheads, the KV pool and its range."""

from __future__ import annotations

from typing import Any

import numpy as np

from kentino_desk.engine.policy_memory import POOL_CAP_BYTES
from kentino_desk.engine.quantity import quantity

_SOURCE = "memory_fit_notes, section 4"
_ERROR = "pool: median 2.8 %, 90 % of 35 rows within 11 %"


@quantity(
    title="Sampler activations", unit="B", symbol="A_s", source=_SOURCE, error="27 rows: median 3 %"
)
def sampler_bytes(sampler_bytes_per_logit: Any, max_num_seqs: Any, vocab: Any) -> Any:
    """Logits of every sequence slot, profiled at the start; every rank sees all of them.

    A_s = a·max_num_seqs·V
    """
    return sampler_bytes_per_logit * max_num_seqs * vocab


@quantity(
    title="Forward activations", unit="B", symbol="A_f", source=_SOURCE, error="27 rows: median 3 %"
)
def forward_bytes(
    profile_tokens: Any,
    hidden: Any,
    dense_ffn: Any,
    experts_per_token: Any,
    expert_ffn: Any,
    tp: Any,
) -> Any:
    """Activations of the largest batch of prompt tokens.

    A_f = 2·T·( 4h + 3f/TP + k·(h + 2·f_e/TP) )
    """
    dense = 4.0 * hidden + 3.0 * dense_ffn / tp
    experts = experts_per_token * (hidden + 2.0 * expert_ffn / tp)
    return 2.0 * profile_tokens * (dense + np.where(experts_per_token > 0, experts, 0.0))


@quantity(
    title="Activations per GPU",
    unit="B",
    symbol="A",
    source=_SOURCE,
    error="27 rows: median 3 %, x0.4-4.0 in releases since 0.14",
)
def activation_bytes(sampler_bytes: Any, forward_bytes: Any) -> Any:
    """Peak of activations found when the engine starts: the larger of sampler and forward pass.

    A = max( A_s, A_f )
    """
    return np.maximum(sampler_bytes, forward_bytes)


@quantity(
    title="Overhead per GPU",
    unit="B",
    symbol="C",
    source=_SOURCE,
    error="0.2-2.1 GiB on 7 rows with TP 4-8",
)
def overhead_bytes(non_torch_bytes: Any, graph_bytes: Any) -> Any:
    """Memory outside the framework (context, communication) and graphs inside the budget.

    C = N + G
    """
    return non_torch_bytes + graph_bytes


@quantity(title="KV pool per GPU", unit="B", symbol="K", source=_SOURCE, error=_ERROR)
def kv_pool_bytes(
    pool_share: Any,
    card_bytes: Any,
    pool_reserve_bytes: Any,
    weights_before_pool: Any,
    overheads_after_pool: Any,
    weight_bytes: Any,
    activation_bytes: Any,
    overhead_bytes: Any,
) -> Any:
    """Memory one GPU has left for the KV cache; engines differ in what they take off first.

    K = u·V − W − A − C (vLLM); 0.9·(V − W − A) (TensorRT-LLM); f·V − W (SGLang)
    """
    before = weights_before_pool * (weight_bytes + np.minimum(activation_bytes, POOL_CAP_BYTES))
    after = (1.0 - weights_before_pool) * weight_bytes
    after = after + overheads_after_pool * (activation_bytes + overhead_bytes)
    return pool_share * (card_bytes - pool_reserve_bytes - before) - after


@quantity(
    title="KV pool per GPU, low side",
    unit="B",
    symbol="K_low",
    source=_SOURCE,
    error="33 of 35 rows inside",
)
def kv_pool_low_bytes(
    kv_pool_bytes: Any,
    weight_uncertainty: Any,
    weight_bytes: Any,
    activation_bytes: Any,
    card_bytes: Any,
    pool_low_activation_share: Any,
    pool_low_card_share: Any,
) -> Any:
    """The pool if weights, activations and the card are all on the unlucky side.

    K_low = K − δ·W − 0.15·A − 0.02·V
    """
    return (
        kv_pool_bytes
        - weight_uncertainty * weight_bytes
        - pool_low_activation_share * activation_bytes
        - pool_low_card_share * card_bytes
    )


@quantity(
    title="KV pool per GPU, high side",
    unit="B",
    symbol="K_high",
    source=_SOURCE,
    error="33 of 35 rows inside",
)
def kv_pool_high_bytes(
    kv_pool_bytes: Any,
    weight_uncertainty: Any,
    weight_bytes: Any,
    activation_bytes: Any,
    card_bytes: Any,
    graph_bytes: Any,
    pool_high_activation_share: Any,
    pool_high_card_share: Any,
) -> Any:
    """The pool if weights, activations and the card are all on the lucky side.

    K_high = K + δ·W + 0.50·A + 0.01·V + G
    """
    return (
        kv_pool_bytes
        + weight_uncertainty * weight_bytes
        + pool_high_activation_share * activation_bytes
        + pool_high_card_share * card_bytes
        + graph_bytes
    )


@quantity(
    title="Memory of a standing server",
    unit="B",
    symbol="U_s",
    source="8 rows of the memory fit that state it",
    error="median 2 %, x0.94-1.09",
)
def standing_bytes(pool_share: Any, card_bytes: Any, standing_reserve_bytes: Any) -> Any:
    """What a card shows once a server has filled its budget, with the context of the driver.

    U_s = u·V + context
    """
    return pool_share * card_bytes + standing_reserve_bytes


@quantity(
    title="Memory used per GPU", unit="B", symbol="U", source="sum of its parts", error=_ERROR
)
def used_bytes(
    weight_bytes: Any, kv_need_bytes: Any, activation_bytes: Any, overhead_bytes: Any
) -> Any:
    """What the load takes of each GPU.

    U = W + need + A + C
    """
    return weight_bytes + kv_need_bytes + activation_bytes + overhead_bytes
