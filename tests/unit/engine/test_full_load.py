"""Servers at full load and at a rate: laws."""

from __future__ import annotations

import pytest

from kentino_desk.domain.choices import Engine, Format, Host
from kentino_desk.engine import policy
from kentino_desk.engine.full_load import at_full_load, at_rate, at_users, engine_habits
from kentino_desk.engine.policy_offline import OFFLINE_SLOTS
from kentino_desk.engine.serving_inputs import ServingLayout, ServingSetup, serving_inputs


@pytest.fixture
def inputs_of(snapshot, model_named):
    def build(model, gpu="h100-sxm", engine=Engine.TRTLLM, prompt=1000.0, answer=1000.0, **layout):
        card = snapshot.gpus[gpu]
        layout = {"weights": Format.FP8, "kv_cache": Format.FP8, "tp": 1} | layout
        setup = ServingSetup(
            engine=engine, release="", max_num_seqs=None, utilisation=None, host=Host.DEFAULT
        )
        known = serving_inputs(
            model_named(model), ServingLayout(gpu=card, nvlink=card.has_nvlink, **layout), setup
        )
        load = {"input_tokens": prompt, "output_tokens": answer, "prompt_reuse": 0.0,
                "context_tokens": prompt + answer, "replicas": 1.0}  # fmt: skip
        return engine_habits(model_named(model), engine, known | policy.values() | load)

    return build


def test_full_load_runs_no_more_requests_than_slots_and_pool_admit(inputs_of):
    short = at_full_load(inputs_of("llama-3.1-8b", prompt=128.0, answer=128.0), Engine.TRTLLM)
    long = at_full_load(inputs_of("llama-3.1-8b", prompt=20_000.0), Engine.TRTLLM)
    assert short.users == OFFLINE_SLOTS
    assert 1.0 <= long.users < 200.0


def test_an_engine_that_reserves_the_whole_length_admits_fewer(inputs_of):
    known = inputs_of("llama-3.1-8b", prompt=100.0, answer=30_000.0)
    whole = at_full_load(known, Engine.TRTLLM)
    mean = at_full_load(known, Engine.VLLM)
    assert mean.users == pytest.approx(2.0 * whole.users, rel=0.05)


def test_a_higher_rate_never_lowers_what_a_finite_run_reaches(inputs_of):
    known = inputs_of("llama-3.1-8b", engine=Engine.VLLM, prompt=200.0, answer=200.0)
    reached = [at_rate(known, rate, 200.0) for rate in (0.5, 1.0, 4.0, 16.0, 32.0)]
    speeds = [item.tokens_per_s for item in reached]
    assert speeds == sorted(speeds)
    assert speeds[0] < 0.5 * 200.0
    assert [item.users for item in reached] == sorted(item.users for item in reached)
    assert reached[-1].users <= 200.0


def test_a_full_cache_for_windows_holds_fewer_requests(inputs_of):
    plain = at_full_load(
        inputs_of("gpt-oss-20b", engine=Engine.VLLM, weights=Format.MXFP4, answer=20_000.0),
        Engine.VLLM,
    )
    whole = at_full_load(
        inputs_of("gpt-oss-20b", weights=Format.MXFP4, answer=20_000.0), Engine.TRTLLM
    )
    assert whole.users < 0.6 * plain.users


def test_attention_groups_hold_requests_of_their_own(inputs_of):
    load = {"gpu": "h200-sxm", "tp": 8, "prompt": 20_000.0}
    one = at_full_load(inputs_of("deepseek-v3", **load), Engine.TRTLLM)
    groups = at_full_load(inputs_of("deepseek-v3", **load, dp_attention=8), Engine.TRTLLM)
    assert groups.users > 2.0 * one.users


def test_a_long_context_of_one_user_is_slower_in_a_kernel_with_few_blocks(inputs_of):
    speeds = {
        engine: 1.0
        / at_users(
            inputs_of(
                "qwen3.5-397b-a17b", gpu="rtx-pro-6000-bw-server", engine=engine, tp=4,
                prompt=131_072.0, weights=Format.NVFP4,
            ) | {"prompt_reuse": 1.0}, 1.0,
        ).tpot_s
        for engine in (Engine.VLLM, Engine.SGLANG)
    }  # fmt: skip
    assert speeds[Engine.SGLANG] < 0.6 * speeds[Engine.VLLM]
