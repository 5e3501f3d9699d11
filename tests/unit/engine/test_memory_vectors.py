"""Worked vectors of the memory fit notes, at 1 %."""

from __future__ import annotations

import pytest

GIB = 2**30
WANTED = (
    "weight_bytes", "activation_bytes", "overhead_bytes",
    "kv_pool_low_bytes", "kv_pool_bytes", "kv_pool_high_bytes",
)  # fmt: skip

VECTORS = [
    pytest.param(
        ("llama-3.3-70b", "h100-sxm", "fp8", "bf16", 2),
        {"card_gib": 79.18, "release": "0.11", "utilisation": 0.90},
        (33.86, 4.76, 0.55, 28.10, 32.09, 36.96),
        id="memory_fit_notes-9-llama-3.3-70b-fp8-tp2",
    ),
    pytest.param(
        ("qwen3-32b", "h100-sxm", "bf16", "bf16", 1),
        {"card_gib": 79.18, "release": "0.11", "utilisation": 0.90},
        (61.05, 5.64, 0.14, 0.78, 4.43, 9.26),
        id="memory_fit_notes-9-qwen3-32b-bf16-tp1",
    ),
    pytest.param(
        ("gpt-oss-120b", "h100-sxm", "mxfp4", "bf16", 1),
        {"card_gib": 79.18, "release": "0.11", "utilisation": 0.95},
        (64.58, 7.46, 0.14, -7.41, 3.04, 15.31),
        id="memory_fit_notes-9-gpt-oss-120b-mxfp4-h100",
    ),
    pytest.param(
        ("qwen3-235b-a22b", "rtx-pro-6000-bw-server", "fp8", "bf16", 4),
        {"card_gib": 95.01, "release": "0.27", "utilisation": 0.90, "seqs": 32},
        (55.09, 0.84, 1.00, 23.79, 28.57, 32.70),
        id="memory_fit_notes-9-qwen3-235b-fp8-tp4",
    ),
    pytest.param(
        ("kimi-k2.5", "rtx-pro-6000-bw-server", "int4", "fp8", 8),
        {"card_gib": 95.0, "release": "0.17", "utilisation": 0.93},
        (71.29, 1.80, 1.50, 3.04, 13.76, 24.17),
        id="memory_fit_notes-9-kimi-k2.5-int4-tp8",
    ),
    pytest.param(
        ("glm-5.1", "rtx-pro-6000-bw-server", "nvfp4", "fp8", 8),
        {"card_gib": 95.0, "release": "0.21", "utilisation": 0.865, "seqs": 64},
        (55.35, 1.20, 6.40, 10.50, 19.22, 32.31),
        id="memory_fit_notes-9-glm-5.1-nvfp4-tp8",
    ),
    pytest.param(
        ("qwen3.6-35b-a3b", "rtx-5090", "int4", "fp8", 2),
        {"card_gib": 31.84, "release": "0.25", "utilisation": 0.92, "seqs": 1,
         "profile_tokens": 8192.0},
        (10.71, 0.45, 0.95, 15.19, 17.18, 19.26),
        id="memory_fit_notes-9-qwen3.6-35b-int4-tp2",
    ),
    pytest.param(
        ("gemma-4-e2b", "rtx-3090", "bf16", "bf16", 1),
        {"card_gib": 22.5, "release": "0.21", "utilisation": 0.90, "graph_bytes": 0.0},
        (8.97, 0.72, 0.26, 9.57, 10.31, 11.07),
        id="memory_fit_notes-9-gemma-4-e2b-eager",
    ),
    pytest.param(
        ("llama-3.1-8b", "h100-sxm", "bf16", "bf16", 1),
        {"card_gib": 79.25, "release": "0.30", "utilisation": 0.92},
        (14.99, 1.41, 0.26, 54.16, 56.26, 58.05),
        id="memory_fit_notes-9-llama-3.1-8b-bf16",
    ),
    pytest.param(
        ("llama-3.1-70b", "l40s", "int4", "fp8", 4),
        {"card_gib": 44.4, "release": "0.27", "utilisation": 0.92},
        (9.29, 0.35, 1.00, 28.15, 30.21, 31.94),
        id="memory_fit_notes-9-llama-3.1-70b-awq-tp4",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("candidate", "given", "expected"), VECTORS)
def test_server_memory_matches_the_worked_vectors(serve, candidate, given, expected):
    model, gpu, weights, kv, tp = candidate
    values = serve(model, gpu, weights, kv, tp, WANTED, **given)
    found = [values[name] / GIB for name in WANTED]
    assert found == pytest.approx(expected, rel=0.01, abs=0.006)


NEEDS = [
    pytest.param("llama-3.3-70b", "fp8", "bf16", 2, 16000, 2.44, id="memory_fit_notes-9-70b"),
    pytest.param("qwen3-32b", "bf16", "bf16", 1, 16000, 3.91, id="memory_fit_notes-9-qwen3-32b"),
    pytest.param("qwen3-235b-a22b", "fp8", "bf16", 4, 32768, 1.47, id="memory_fit_notes-9-235b"),
    pytest.param("glm-5.1", "nvfp4", "fp8", 8, 202752, 11.61, id="memory_fit_notes-9-glm-5.1"),
    pytest.param("llama-3.1-8b", "bf16", "bf16", 1, 131072, 16.0, id="memory_fit_notes-9-8b"),
    pytest.param("llama-3.1-70b", "int4", "fp8", 4, 32768, 1.25, id="memory_fit_notes-9-awq"),
]


@pytest.mark.parametrize(("model", "weights", "kv", "tp", "context", "gib"), NEEDS)
def test_one_request_needs_what_the_worked_vectors_say(serve, model, weights, kv, tp, context, gib):
    values = serve(
        model, "rtx-pro-6000-bw-server", weights, kv, tp, ("request_bytes",),
        context_tokens=float(context),
    )  # fmt: skip
    assert values["request_bytes"] / GIB == pytest.approx(gib, rel=0.01)


POOLS = [
    pytest.param("qwen3-235b-a22b", "bf16", 4, 16.46, 48_128, 367_216, id="I026"),
    pytest.param("llama-3.1-8b", "bf16", 1, 2.89, 131_072, 23_664, id="I015"),
    pytest.param("kimi-k2", "bf16", 8, 46.8, 70_272, 715_088, id="I056-kimi-k2-thinking-shape"),
    pytest.param("glm-5.1", "fp8", 8, 19.55, 61_464, 341_520, id="I059"),
]


@pytest.mark.parametrize(("model", "kv", "tp", "pool_gib", "per_token", "tokens"), POOLS)
def test_a_given_pool_holds_the_tokens_that_were_printed(
    serve, model, kv, tp, pool_gib, per_token, tokens
):
    values = serve(
        model, "rtx-pro-6000-bw-server", "bf16", kv, tp,
        ("kv_bytes_per_token", "kv_pool_tokens"), kv_pool_bytes=pool_gib * GIB,
    )  # fmt: skip
    assert values["kv_bytes_per_token"] == pytest.approx(per_token, rel=0.001)
    assert values["kv_pool_tokens"] == pytest.approx(tokens, rel=0.01)


WHOLE = [
    pytest.param("llama-3.1-8b", 14.96, 8.46, 5.61, id="engine_method-2-llama-3.1-8b"),
    pytest.param("qwen3-32b", 61.02, 31.96, 19.25, id="engine_method-2-qwen3-32b"),
    pytest.param("llama-3.1-70b", 131.4, 67.67, 39.77, id="engine_method-2-llama-3.1-70b"),
    pytest.param("llama-3.1-405b", 756.0, 381.9, 218.2, id="engine_method-2-llama-3.1-405b"),
]


@pytest.mark.parametrize(("model", "bf16", "fp8", "nvfp4"), WHOLE)
def test_whole_models_weigh_what_the_method_says(serve, model, bf16, fp8, nvfp4):
    found = [
        serve(model, "b200", weights, wanted=("weight_bytes",), rotary_bytes=0.0)["weight_bytes"]
        for weights in ("bf16", "fp8", "nvfp4")
    ]
    assert [size / GIB for size in found] == pytest.approx([bf16, fp8, nvfp4], rel=0.01)
