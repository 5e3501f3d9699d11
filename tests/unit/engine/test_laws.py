"""Laws that hold for every model, card and load."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.choices import Engine, Format, Host
from kentino_desk.engine import policy
from kentino_desk.engine.quantity import REGISTRY, compute
from kentino_desk.engine.serving_inputs import ServingLayout, ServingSetup, serving_inputs

SNAPSHOT = load_snapshot()
MODELS = sorted(card.id for card in SNAPSHOT.models.values() if card.can_be_sized)
GPUS = ("rtx-5090", "rtx-pro-6000-bw-server", "l40s", "l4", "h100-sxm", "b200")
NUMBERS = {
    "users_per_copy": 8.0, "input_tokens": 2048.0, "output_tokens": 512.0, "prompt_reuse": 0.0,
    "context_tokens": 8192.0, "replicas": 1.0,
}  # fmt: skip
SETUP = ServingSetup(
    engine=Engine.VLLM, release="0.30", max_num_seqs=None, utilisation=0.92, host=Host.DEFAULT
)

models = st.sampled_from(MODELS)
gpus = st.sampled_from(GPUS)


def results(model, gpu, wanted, weights=Format.FP8, tp=1, pp=1, **given_numbers):
    card = SNAPSHOT.gpus[gpu]
    layout = ServingLayout(
        gpu=card, weights=weights, kv_cache=Format.BF16, tp=tp, pp=pp, nvlink=card.has_nvlink
    )
    inputs = serving_inputs(SNAPSHOT.models[model], layout, SETUP)
    return compute(wanted, inputs | policy.values() | NUMBERS | given_numbers)


@settings(max_examples=60, deadline=None)
@given(models, gpus, st.integers(256, 200_000), st.integers(1, 200_000))
def test_more_context_never_needs_less_memory(model, gpu, context, more):
    wanted = ("request_bytes",)
    short = results(model, gpu, wanted, context_tokens=float(context))["request_bytes"]
    long = results(model, gpu, wanted, context_tokens=float(context + more))["request_bytes"]
    assert long >= short


@settings(max_examples=60, deadline=None)
@given(models, gpus, st.sampled_from([(1, 2), (2, 4), (4, 8)]))
def test_more_tensor_parallelism_never_means_more_weights_per_gpu(model, gpu, degrees):
    fewer, more = (results(model, gpu, ("weight_bytes",), tp=tp)["weight_bytes"] for tp in degrees)
    assert more <= fewer
    assert more * degrees[1] >= fewer * degrees[0] * (1 - 1e-9)


@settings(max_examples=60, deadline=None)
@given(models, gpus)
def test_four_bit_weighs_no_more_than_eight_and_eight_no_more_than_sixteen(model, gpu):
    four, eight, sixteen = (
        results(model, gpu, ("weight_bytes",), weights=weights)["weight_bytes"]
        for weights in (Format.INT4, Format.FP8, Format.BF16)
    )
    card = SNAPSHOT.models[model]
    if not (card.is_moe and card.has_state):
        assert four <= eight
    assert eight <= sixteen


@settings(max_examples=60, deadline=None)
@given(models, gpus, st.sampled_from([1, 2, 4, 8]))
def test_used_memory_is_the_sum_of_its_parts(model, gpu, tp):
    names = ("used_bytes", "weight_bytes", "kv_need_bytes", "activation_bytes", "overhead_bytes")
    values = results(model, gpu, names, tp=tp)
    assert values["used_bytes"] == pytest.approx(sum(values[name] for name in names[1:]))


@settings(max_examples=60, deadline=None)
@given(models, gpus, st.sampled_from([1, 2, 4, 8]), st.integers(1, 200))
def test_more_users_never_see_more_speed_or_an_earlier_word(model, gpu, tp, users):
    wanted = ("ttft_s", "tpot_s", "kv_pool_bytes")
    few = results(model, gpu, wanted, tp=tp, users_per_copy=np.array([float(users)]))
    many = results(model, gpu, wanted, tp=tp, users_per_copy=np.array([users + 1.0]))
    if few["kv_pool_bytes"] > 0:
        assert many["ttft_s"] >= few["ttft_s"] * (1 - 1e-12)
        assert many["tpot_s"] >= few["tpot_s"] * (1 - 1e-12)


@settings(max_examples=60, deadline=None)
@given(models, gpus, st.sampled_from([1, 2, 4, 8]))
def test_efficiency_lies_between_nothing_and_one(model, gpu, tp):
    value = results(model, gpu, ("serving_efficiency",), tp=tp, users_per_copy=np.array([8.0]))[
        "serving_efficiency"
    ]
    assert 0.0 < value[0] <= 1.0
    if tp == 1:
        assert value[0] == 1.0


@settings(max_examples=40, deadline=None)
@given(models, gpus, st.lists(st.integers(1, 512), min_size=2, max_size=6))
def test_an_array_gives_what_the_scalars_give(model, gpu, users):
    wanted = ("ttft_s", "tpot_s", "copy_tokens_per_s")
    together = results(model, gpu, wanted, users_per_copy=np.array(users, dtype=float))
    for place, count in enumerate(users):
        alone = results(model, gpu, wanted, users_per_copy=np.array([float(count)]))
        for name in wanted:
            assert together[name][place] == pytest.approx(alone[name][0])


def test_every_quantity_says_what_it_is():
    for name, item in REGISTRY.items():
        assert item.title, name
        assert item.sentence.endswith("."), name
        assert item.equation, name
        assert item.source, name
