"""Combinations that are refused before anything is computed, each with one clear sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.decision.layouts import node_pairs
from kentino_desk.decision.lengths import above_maximum, below_request
from kentino_desk.domain.choices import Format, Kind, Stack, ThroughputUnit
from kentino_desk.domain.errors import InputError
from kentino_desk.domain.units import TERA
from kentino_desk.engine.policy_tables import STACKS

if TYPE_CHECKING:
    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Workload

_TRAINABLE = {
    Kind.LORA: {Format.AUTO, Format.BF16},
    Kind.QLORA: {Format.AUTO, Format.INT4},
    Kind.FULL: {Format.AUTO, Format.BF16, Format.FP8},
    Kind.PRETRAIN: {Format.AUTO, Format.BF16, Format.FP8},
}
_CACHE = {Format.AUTO, Format.BF16, Format.FP8, Format.INT8}


def check_workload(workload: Workload, model: ModelCard) -> None:
    """Refuse what cannot be meant.

    Raises:
        InputError: context above the model's maximum or below prompt and answer; a format that the
            kind of work or the cache does not take.
    """
    if workload.kind.is_serving:
        _check_lengths(workload, model)
        _check_cache_format(workload)
        _check_draft(workload, model)
        _check_attention_groups(workload, model)
    else:
        _check_training_format(workload)
        _check_batch(workload)
        _check_sequence(workload)


def _check_lengths(workload: Workload, model: ModelCard) -> None:
    serving = workload.serving
    batch = workload.kind is Kind.BATCH
    needed = serving.input_tokens + serving.output_tokens
    key = "batch.input_tokens" if batch else "serving.context_tokens"
    if above_maximum(serving.context_tokens, model):
        raise InputError(
            key,
            serving.context_tokens,
            f"is above the maximum of {model.name}",
            f"up to {model.max_context} tokens",
        )
    if below_request(serving.context_tokens, serving.input_tokens, serving.output_tokens):
        raise InputError(
            "serving.context_tokens",
            serving.context_tokens,
            f"is below prompt and answer together ({needed} tokens)",
            f"{needed} tokens or more",
        )


def _check_cache_format(workload: Workload) -> None:
    if workload.kv_cache not in _CACHE:
        allowed = ", ".join(sorted(_CACHE))
        raise InputError("workload.kv_cache", workload.kv_cache, "is no cache format", allowed)


def _check_draft(workload: Workload, model: ModelCard) -> None:
    """Drafted tokens come from the model's own head; a separate draft model is another model."""
    drafted = workload.serving.draft_tokens
    if drafted and not model.mtp_layers:
        problem = f"{model.name} has no head of its own for drafting"
        raise InputError("serving.draft_tokens", drafted, problem, "0")
    accepted = workload.serving.draft_acceptance
    if accepted is not None and not drafted:
        problem = "is stated, and no tokens are drafted"
        allowed = "nothing, or draft tokens of 1 or more"
        raise InputError("serving.draft_acceptance", accepted, problem, allowed)


def _check_attention_groups(workload: Workload, model: ModelCard) -> None:
    """Groups share the experts of one copy; without experts they would be copies."""
    groups = workload.serving.dp_attention
    if groups > 1 and not model.is_moe:
        problem = f"{model.name} has no experts that attention groups could share"
        raise InputError("serving.dp_attention", groups, problem, "1", "compare copies instead")


def _check_sequence(workload: Workload) -> None:
    training = workload.training
    if training.packing and training.packing_fill < 1.0:
        raise InputError(
            "training.packing_fill",
            training.packing_fill,
            "packed sequences are full",
            "1",
            "set packing = false for samples that leave a part empty",
        )
    if training.context_parallel > 1 and not STACKS[training.stack].splits_layers:
        raise InputError(
            "training.context_parallel",
            training.context_parallel,
            f"{training.stack} does not split sequences over GPUs",
            "1",
            "choose stack " + " or ".join(s for s in Stack if STACKS[s].splits_layers),
        )


def no_candidate(workload: Workload) -> InputError:
    """The refusal of a workload that leaves no candidate: a degree no layout has, or a format."""
    serving = workload.serving
    degrees = [("training.context_parallel", workload.training.context_parallel)]
    if workload.kind.is_serving:
        degrees = [
            ("serving.dp_attention", serving.dp_attention),
            ("serving.context_parallel", serving.context_parallel),
        ]
    for key, degree in degrees:
        if degree > 1:
            problem = "no build in question divides its GPUs that way for this model"
            return InputError(key, degree, problem, "1, or a smaller power of two")
    return InputError(
        "workload.weights", workload.weights, "no card in question computes it",
        "another format or other cards",
    )  # fmt: skip


def _check_training_format(workload: Workload) -> None:
    allowed = _TRAINABLE[workload.kind]
    if workload.weights in allowed:
        return
    four_bit = workload.weights.bits_class == 4
    hint = "use kind qlora for a 4-bit frozen base" if four_bit else ""
    problem = (
        "gradients cannot train weights of that format"
        if workload.kind.trains_all_weights
        else f"is no base format of {workload.kind}"
    )
    raise InputError(
        "workload.weights", workload.weights, problem, ", ".join(sorted(allowed)), hint
    )


def _check_batch(workload: Workload) -> None:
    training = workload.training
    if training.sequence_length * training.micro_batch > training.global_batch_tokens:
        raise InputError(
            "training.global_batch_tokens",
            training.global_batch_tokens,
            "is below one micro-batch",
            f"{training.sequence_length * training.micro_batch} tokens or more",
        )


def check_rate(workload: Workload, model: ModelCard, snapshot: CatalogSnapshot) -> None:
    """Refuse a typed training rate above the FLOP peak of every card in question.

    Raises:
        InputError: names the value and the computed peak; or the constraints leave no node.
    """
    if workload.training.throughput_value is None or workload.kind.is_serving:
        return
    pairs = node_pairs(snapshot, workload.constraints)
    cards = tuple(gpu for _, gpu in pairs)
    check_typed_rate(workload, model, cards, max(node.gpu_count for node, _ in pairs))


def check_typed_rate(
    workload: Workload, model: ModelCard, gpus: tuple[Gpu, ...], gpus_per_node: int
) -> None:
    """Refuse a typed training rate above the FLOP peak of the fastest card in question.

    Raises:
        InputError: names the value and the computed peak per GPU and per node.
    """
    training = workload.training
    if workload.kind.is_serving or training.throughput_value is None:
        return
    peak = max(flop_peak_tokens_per_s(gpu, workload, model) for gpu in gpus)
    cards = {
        ThroughputUnit.PER_GPU: 1,
        ThroughputUnit.PER_NODE: gpus_per_node,
        ThroughputUnit.TOTAL: gpus_per_node * workload.constraints.nodes_max,
    }[training.throughput_unit]
    if training.throughput_value <= peak * cards:
        return
    raise InputError(
        "training.throughput_value",
        f"{training.throughput_value:.10g} {training.throughput_unit}",
        "is above the FLOP peak of the card",
        f"up to {peak:,.0f} tok/s per GPU, {peak * gpus_per_node:,.0f} per node",
        "check the unit: per_gpu, per_node or total",
    )


def flop_peak_tokens_per_s(gpu: Gpu, workload: Workload, model: ModelCard) -> float:
    """Tokens per second at the dense peak: F / (6·P), or F / (4·P) with a frozen base."""
    eight_bit = workload.weights is Format.FP8 and gpu.tflops_fp8 is not None
    tflops = gpu.tflops_fp8 if eight_bit else gpu.tflops_bf16
    passes = 6.0 if workload.kind.trains_all_weights else 4.0
    return (tflops or 0.0) * TERA / (passes * model.params_active)
