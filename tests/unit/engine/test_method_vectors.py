"""Test vectors of the calculation method: KV pools of one H100 (section 4), training states (7)."""

from __future__ import annotations

import pytest

from kentino_desk.domain.choices import Checkpointing, Kind
from kentino_desk.engine import policy
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.training_memory_inputs import training_memory_inputs
from kentino_desk.engine.training_run import TrainingMemory
from kentino_desk.engine.training_states import adapter_params

GIB, GB = 2**30, 10**9
ADAPTER_BYTES = 8.0
"""torchtune holds adapters, their gradients and moments in 16 bit."""
POOLS = [
    pytest.param("llama-3.3-70b", "fp8", 2, 32.00, id="llm-d-planner-70b-fp8-tp2"),
    pytest.param("llama-3.1-8b", "bf16", 1, 51.38, id="llm-d-planner-8b"),
    pytest.param("qwen3-32b", "bf16", 1, 4.45, id="llm-d-planner-qwen3-32b-tp1"),
    pytest.param("qwen3-32b", "bf16", 2, 34.49, id="llm-d-planner-qwen3-32b-tp2"),
    pytest.param("qwen3-0.6b", "bf16", 1, 64.45, id="llm-d-planner-qwen3-0.6b"),
    pytest.param("gpt-oss-20b", "mxfp4", 1, 50.28, id="llm-d-planner-gpt-oss-20b"),
]


@pytest.mark.parametrize(("model", "weights", "tp", "measured_gib"), POOLS)
def test_the_pool_of_an_h100_is_within_half_a_gib_of_the_measured_one(
    serve, model, weights, tp, measured_gib
):
    pool = serve(
        model, "h100-sxm", weights, "bf16", tp, ("kv_pool_bytes",),
        card_gib=79.18, release="0.11", utilisation=0.90,
    )["kv_pool_bytes"]  # fmt: skip
    assert pool / GIB == pytest.approx(measured_gib, abs=0.5)


def states(card, kind, stack, optimizer="adamw_fp32", base=""):
    run = TrainingMemory(
        kind=kind, stack=stack, optimizer=optimizer, checkpointing=Checkpointing.FULL, base=base
    )  # fmt: skip
    inputs = training_memory_inputs(card, run) | policy.values()
    inputs |= {"layers": float(card.layers), "hidden": float(card.hidden)}
    return compute(("state_total_bytes",), inputs)["state_total_bytes"]


def test_a_70b_with_adamw_and_a_master_copy_is_1129_gb_of_state(model_named):
    total = states(model_named("llama-3.1-70b"), Kind.FULL, "torchtitan")
    assert total / GB == pytest.approx(1129, rel=0.01)


@pytest.mark.parametrize(
    ("model", "gib"),
    [
        pytest.param("llama-3.1-70b", 36.8, id="engine_method-7-70b"),
        pytest.param("llama-3.1-405b", 200.8, id="engine_method-7-405b"),
    ],
)
def test_a_double_quantised_base_weighs_what_the_method_says(model_named, model, gib):
    card = model_named(model)
    adapters = adapter_params(card, 16) * ADAPTER_BYTES
    total = states(card, Kind.QLORA, "torchtune", base="nf4_dq")
    assert (total - adapters) / GIB == pytest.approx(gib, rel=0.01)


def test_a_rank_16_adapter_of_a_70b_has_207_million_parameters(model_named):
    assert adapter_params(model_named("llama-3.1-70b"), 16) == pytest.approx(207e6, rel=0.01)


def test_a_16_bit_lora_of_a_70b_is_17_6_gb_a_card_and_its_adapters_over_eight(model_named):
    card = model_named("llama-3.1-70b")
    total = states(card, Kind.LORA, "torchtune") - adapter_params(card, 16) * ADAPTER_BYTES
    assert total / 8 / GB == pytest.approx(17.6, rel=0.01)
