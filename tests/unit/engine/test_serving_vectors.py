"""Worked vectors of the serving fit notes (section 7), at 1 %."""

from __future__ import annotations

import pytest

WANTED = (
    "decode_step_s", "prompt_work_s", "lone_prompt_s", "ttft_s", "tpot_s", "copy_tokens_per_s",
)  # fmt: skip
SCALES = (1e3, 1e3, 1e3, 1e3, 1e3, 1.0)

# model, weights, GPUs, card, engine, N, I, O -> t_d, t_p, t_one, TTFT, TPOT (ms), tok/s
VECTORS = [
    ("llama-3.1-70b", "fp8", 2, "h100-sxm", "vllm", 8, 1024, 1024,
     (19.16, 67.33, 85.07, 181, 19.58, 405)),
    ("llama-3.1-70b", "fp8", 8, "h100-sxm", "vllm", 64, 1024, 1024,
     (12.15, 33.87, 41.44, 297, 14.02, 4475)),
    ("llama-3.1-70b", "fp8", 4, "h100-sxm", "vllm", 16, 8192, 1024,
     (16.12, 456.81, 467.99, 1199, 22.15, 687)),
    ("llama-3.1-70b", "fp8", 2, "b200", "trtllm", 32, 1024, 1024,
     (11.48, 39.63, 48.35, 253, 12.56, 2501)),
    ("llama-3.1-8b", "bf16", 1, "h100-sxm", "trtllm", 32, 1024, 256,
     (9.03, 13.64, 19.67, 141, 10.52, 2902)),
    ("qwen3-32b", "bf16", 4, "h100-sxm", "sglang", 16, 1024, 512,
     (10.00, 25.71, 34.43, 359, 10.45, 1437)),
    ("gpt-oss-120b", "mxfp4", 2, "h100-sxm", "vllm", 16, 1024, 1024,
     (9.06, 19.48, 27.92, 96, 9.32, 1701)),
    ("gpt-oss-120b", "mxfp4", 4, "b200", "trtllm", 16, 1024, 1024,
     (3.25, 4.25, 7.31, 87, 3.31, 4719)),
    ("minimax-m2.5", "fp8", 8, "h200-sxm", "vllm", 64, 8192, 1024,
     (17.07, 87.24, 98.47, 695, 21.90, 2838)),
    ("llama-3.1-70b", "fp8", 2, "rtx-pro-6000-bw-server", "vllm", 16, 4000, 1000,
     (37.67, 673.99, 700.74, 1779, 46.77, 330)),
    ("llama-3.1-70b", "fp8", 8, "rtx-pro-6000-bw-server", "vllm", 16, 4000, 1000,
     (23.03, 922.20, 939.31, 2376, 35.48, 423)),
    ("llama-3.1-70b", "fp8", 4, "l40s", "vllm", 16, 4000, 1000,
     (49.09, 1207.97, 1243.44, 3134, 65.40, 234)),
]  # fmt: skip


@pytest.mark.parametrize(
    "vector", [pytest.param(v, id=f"engine_fit_notes-7-{v[0]}-{v[2]}x-{v[3]}") for v in VECTORS]
)
def test_steady_state_matches_the_worked_vectors(serve, vector):
    model, weights, tp, gpu, engine, users, prompt, answer, expected = vector
    values = serve(
        model, gpu, weights, "bf16", tp, WANTED, engine=engine, users_per_copy=float(users),
        input_tokens=float(prompt), output_tokens=float(answer),
    )  # fmt: skip
    found = [values[name] * scale for name, scale in zip(WANTED, SCALES, strict=True)]
    assert found == pytest.approx(expected, rel=0.01)


def test_requests_beyond_the_pool_wait_and_do_not_slow_the_others(serve):
    wanted = ("tpot_s", "ttft_s", "requests_held_mean")
    inside = serve("llama-3.1-8b", "l4", "fp8", wanted=wanted, users_per_copy=4.0)
    crowd = float(int(inside["requests_held_mean"]) * 3)
    queued = serve("llama-3.1-8b", "l4", "fp8", wanted=wanted, users_per_copy=crowd)
    at_pool = serve(
        "llama-3.1-8b", "l4", "fp8", wanted=wanted, users_per_copy=inside["requests_held_mean"]
    )
    assert queued["tpot_s"] == pytest.approx(at_pool["tpot_s"])
    assert queued["ttft_s"] > 2 * at_pool["ttft_s"]
