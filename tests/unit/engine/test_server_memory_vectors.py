"""Worked vectors of memory_fit_notes, section 9, with their tokens and needs, at 1 %."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kentino_desk.domain.choices import Format
from kentino_desk.engine import policy
from kentino_desk.engine.model_inputs import stored_bits
from kentino_desk.engine.policy_memory import release_of_date, release_row
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.server_memory_inputs import ServerMemory, server_memory_inputs

GIB = 2**30


@pytest.fixture
def ask(model_named):
    """Quantities of one server, as plain numbers in the order asked for."""

    def run(model, wanted, *, context, given=None, **server):
        setup = ServerMemory(
            card_bytes=server.pop("card_gib", 80.0) * GIB,
            weights=Format(server.pop("weights", "bf16")),
            kv_cache=Format(server.pop("kv", "bf16")),
            **server,
        )
        inputs = server_memory_inputs(model_named(model), setup) | policy.values()
        values = compute(wanted, inputs | {"context_tokens": float(context)} | (given or {}))
        return [float(values[name]) for name in wanted]

    return run


POOLS = [
    pytest.param("qwen3-235b-a22b", {"tp": 4}, 16.46, 32768, 48_128, 367_216, id="I026"),
    pytest.param("llama-3.1-8b", {}, 2.89, 29000, 131_072, 23_664, id="I015"),
    pytest.param("kimi-k2-thinking", {"tp": 8}, 46.8, 32768, 70_272, 715_088, id="I056"),
    pytest.param("glm-5.1", {"tp": 8, "kv": "fp8"}, 19.55, 202752, 61_464, 341_520, id="I059"),
    pytest.param(
        "glm-5.1", {"tp": 8, "kv": "fp8", "draft_tokens": 3, "context_parallel": 8},
        14.15, 202752, 62_252, 1_952_384, id="I063",
    ),
    pytest.param(
        "glm-5.2", {"tp": 8, "kv": "fp8", "draft_tokens": 3},
        40.63, 262144, 54_596, 799_056, id="I066",
    ),
    pytest.param(
        "qwen3.6-35b-a3b", {"kv": "fp8", "release": "0.24"},
        5.98, 131072, 10_240, 567_979, id="I039",
    ),
    pytest.param(
        "qwen3.6-35b-a3b", {"tp": 2, "kv": "fp8", "release": "0.25"},
        17.02, 262144, 5_120, 3_380_069, id="I047",
    ),
    pytest.param(
        "gemma-4-e2b", {"card_gib": 22.5, "release": "0.21"},
        9.92, 8192, 6_144, 1_064_460, id="I108",
    ),
    pytest.param(
        "qwen3-next-80b-a3b", {"release": "0.25"}, 16.63, 65536, 24_576, 688_902, id="I084"
    ),
]  # fmt: skip


@pytest.mark.parametrize(("model", "server", "pool_gib", "context", "per_token", "tokens"), POOLS)
def test_a_given_pool_holds_the_tokens_of_the_worked_vectors(
    ask, model, server, pool_gib, context, per_token, tokens
):
    wanted = ("kv_bytes_per_token", "kv_pool_tokens")
    given = {"kv_pool_bytes": pool_gib * GIB}
    found = ask(model, wanted, context=context, given=given, **server)
    assert found[0] == pytest.approx(per_token, rel=0.001)
    assert found[1] == pytest.approx(tokens, rel=0.001)


CARDS = [
    pytest.param(
        "llama-3.3-70b",
        {"weights": "fp8", "tp": 2, "card_gib": 79.18, "release": "0.11", "utilisation": 0.90},
        16000, 210_304, 2.44, id="llama-3.3-70b-fp8-tp2",
    ),
    pytest.param(
        "gpt-oss-120b",
        {"weights": "mxfp4", "card_gib": 79.18, "release": "0.11", "utilisation": 0.95,
         "padded_experts": True},
        16000, 58_207, 0.84, id="gpt-oss-120b-mxfp4",
    ),
    pytest.param(
        "qwen3-235b-a22b",
        {"weights": "fp8", "tp": 4, "card_gib": 95.01, "release": "0.27", "utilisation": 0.90,
         "max_num_seqs": 32},
        32768, 637_488, 1.47, id="qwen3-235b-fp8-tp4",
    ),
    pytest.param(
        "kimi-k2.5",
        {"weights": "int4", "kv": "fp8", "tp": 8, "card_gib": 95.0, "release": "0.17",
         "utilisation": 0.93},
        2048, 420_608, 0.07, id="kimi-k2.5-int4-tp8",
    ),
    pytest.param(
        "glm-5.1",
        {"weights": "nvfp4", "kv": "fp8", "tp": 8, "card_gib": 95.0, "release": "0.21",
         "utilisation": 0.865, "max_num_seqs": 64, "profile_tokens": 8192},
        202752, 335_776, 11.61, id="glm-5.1-nvfp4-tp8",
    ),
    pytest.param(
        "qwen3.6-35b-a3b",
        {"weights": "int4", "checkpoint": "autoround", "kv": "fp8", "tp": 2, "card_gib": 31.84,
         "release": "0.25", "utilisation": 0.92, "max_num_seqs": 1, "profile_tokens": 8192},
        262144, 3_413_830, 1.28, id="qwen3.6-35b-autoround-tp2",
    ),
    pytest.param(
        "gemma-4-e2b",
        {"card_gib": 22.5, "release": "0.21", "eager": True, "utilisation": 0.90},
        8192, 1_105_872, 0.08, id="gemma-4-e2b-eager",
    ),
    pytest.param(
        "llama-3.1-8b",
        {"card_gib": 23.58, "release": "0.6.4", "utilisation": 0.90, "max_model_len": 29000},
        29000, 24_128, 3.54, id="llama-3.1-8b-v0",
    ),
    pytest.param(
        "llama-3.1-8b",
        {"card_gib": 79.25, "release": "0.30", "utilisation": 0.92},
        131072, 460_832, 16.0, id="llama-3.1-8b-0.30",
    ),
    pytest.param(
        "llama-3.1-70b",
        {"weights": "int4", "checkpoint": "gptq", "kv": "fp8", "tp": 4, "card_gib": 44.4,
         "release": "0.27", "utilisation": 0.92},
        32768, 791_872, 1.25, id="llama-3.1-70b-awq-tp4",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("model", "server", "context", "tokens", "need"), CARDS)
def test_a_card_holds_the_tokens_of_the_worked_vectors(ask, model, server, context, tokens, need):
    found = ask(model, ("kv_pool_tokens", "start_need_bytes"), context=context, **server)
    assert found[0] == pytest.approx(tokens, rel=0.01)
    # The vector of the one state model counts neither whole blocks nor the second state slot.
    assert found[1] / GIB == pytest.approx(need, rel=0.035 if "3.6" in model else 0.01, abs=0.006)


V0 = {"card_gib": 23.58, "utilisation": 0.90}


def test_a_v0_engine_profiles_its_length_up_to_32768_tokens_and_a_chunk_beyond(ask):
    wanted = ("activation_bytes",)
    short, long, later = (
        ask("llama-3.1-8b", wanted, context=2048, release=release, max_model_len=length, **V0)[0]
        for release, length in (("0.6.4", 29000), ("0.6.4", 35000), ("0.7", 131072))
    )
    assert short / GIB == pytest.approx(3.21, rel=0.01)
    assert long / GIB == pytest.approx(0.06, abs=0.005)
    assert later / GIB == pytest.approx(0.22, abs=0.01)


def test_a_v0_engine_with_a_stated_batch_profiles_the_sampler_again(ask):
    stated, left = (
        ask("llama-3.1-8b", ("sampler_bytes",), context=2048, release="0.7",
            max_model_len=131072, profile_tokens=batch, **V0)[0]
        for batch in (2048, None)
    )  # fmt: skip
    assert stated > 0
    assert left == 0


def test_engines_before_0_10_give_window_layers_a_full_cache(ask):
    old, new = (
        ask("gemma-3-27b", ("request_bytes",), context=65536, release=release)[0]
        for release in ("0.9", "0.10")
    )
    assert old == pytest.approx(62 * 4096 * 2 * 65536, rel=0.001)
    assert new < old / 2


def test_engines_before_0_8_pad_latent_entries_to_640(ask):
    old, new = (
        ask("deepseek-v3", ("kv_bytes_per_token",), context=2048, release=release)[0]
        for release in ("0.7", "0.8")
    )
    assert old / new == pytest.approx(640 / 576)


def test_a_window_keeps_one_batch_of_prompt_tokens_in_vllm_alone(ask):
    vllm, other = (
        ask("gpt-oss-120b", ("window_bytes_per_request",), context=65536, engine=engine)[0]
        for engine in ("vllm", "llama.cpp")
    )
    assert vllm / other == pytest.approx((128 - 1 + 8192 + 16) / 128)


def test_a_known_checkpoint_size_wins_over_the_formula(ask):
    size = 400 * GIB
    for model, copies in (("llama-3.1-405b", False), ("deepseek-v3", True)):
        weights = ask(model, ("weight_bytes",), context=2048, tp=8, weights="fp8",
                      checkpoint_bytes=size)[0]  # fmt: skip
        assert (weights > size / 8) == copies
        assert weights == pytest.approx(size / 8, rel=0.05)


def test_a_draft_head_costs_weights_cache_and_a_draft_model_room(ask):
    wanted = ("weight_bytes", "kv_bytes_per_token", "weight_uncertainty")
    none, head, model = (
        ask("glm-5.1", wanted, context=2048, tp=8, weights="nvfp4", kv="fp8", **more)
        for more in ({}, {"draft_tokens": 2}, {"draft_model": True})
    )
    assert head[0] - none[0] == pytest.approx(0.75 * GIB, abs=0.05 * GIB)
    assert head[1] > none[1]
    assert model[2] == pytest.approx(none[2] + 0.05)


def test_more_expert_ranks_than_tensor_ranks_divide_the_experts_further(ask):
    weights = [
        ask("deepseek-v3", ("weight_bytes",), context=2048, tp=8, ep=ep, weights="fp8")[0]
        for ep in (1, 8, 16, 32)
    ]
    assert weights[0] == weights[1]
    assert all(later < earlier for earlier, later in pairwise(weights[1:]))


def test_mamba_states_are_reserved_for_all_slots(ask):
    few, many = (
        ask("nemotron-nano-9b-v2", ("start_need_bytes",), context=8192, max_num_seqs=slots)[0]
        for slots in (None, 256)
    )
    assert (many - few) / (256 - 32) == pytest.approx(0.132 * GIB, rel=0.02)


def test_a_transformers_run_needs_weights_cache_and_its_prompt(ask):
    wanted = ("used_bytes",)
    given = {"users_per_copy": 1.0}
    old = ask("qwen2.5-7b", wanted, context=32768, engine="transformers", release="4.46",
              profile_tokens=30720, given=given)[0]  # fmt: skip
    new = ask("qwen3-8b", wanted, context=32768, engine="transformers", release="4.51.3",
              profile_tokens=30720, given=given)[0]  # fmt: skip
    assert old / GIB == pytest.approx(19.97, rel=0.01)
    assert new / GIB == pytest.approx(19.79, rel=0.01)


@pytest.mark.parametrize(
    ("engine", "tp", "utilisation", "pool"),
    [
        pytest.param("sglang", 4, 0.93, 0.93 * (79.18 - 1.7), id="sglang-f"),
        pytest.param("sglang", 1, None, 0.88 * (79.18 - 0.5), id="sglang-default"),
        pytest.param("llama.cpp", 1, 0.5, 79.18 - 1.0, id="llama.cpp"),
    ],
)
def test_other_engines_take_their_own_share(ask, engine, tp, utilisation, pool):
    found = ask("llama-3.1-8b", ("kv_pool_bytes", "weight_bytes"), context=2048, engine=engine,
                tp=tp, utilisation=utilisation, card_gib=79.18)  # fmt: skip
    assert sum(found) / GIB == pytest.approx(pool, rel=0.001)


BITS = [
    ("qwen3-32b", "int4", "autoround", (4.156, 4.156)),
    ("qwen3-30b-a3b", "int4", "autoround", (4.156, 16.0)),
    ("qwen3-30b-a3b", "int4", "gptq", (4.156, 4.156)),
    ("qwen3.5-35b-a3b", "int4", "gptq", (4.156, 16.0)),
    ("qwen2.5-72b", "int8", "gptq_int8", (8.16, 8.16)),
    ("kimi-k2.5", "int4", "", (4.5, 16.0)),
    ("kimi-k2.5", "int4", "gptq", (4.156, 4.156)),
    ("glm-5.2", "mxfp4", "", (4.25, 8.0)),
    ("deepseek-v4-flash", "mxfp4", "", (4.25, 8.0)),
    ("gpt-oss-120b", "mxfp4", "", (4.25, 16.0)),
    ("glm-5.1", "nvfp4", "", (4.5, 16.0)),
]


@pytest.mark.parametrize(("model", "weights", "layout", "bits"), BITS)
def test_checkpoints_keep_the_bits_of_their_layout(model_named, model, weights, layout, bits):
    assert stored_bits(model_named(model), Format(weights), layout) == bits


def test_releases_compare_part_by_part_and_dates_find_theirs():
    assert release_row("0.9") != release_row("0.11")
    assert release_row("0.2") is release_row("0.4")
    assert release_row("") is release_row("0.30")
    assert release_of_date("2025-03-25") == "0.8"
    assert release_of_date("2026-05") == "0.20"
    assert release_of_date("2027-01-01") == "0.30"
    assert release_of_date("") == ""
