"""Laws of speed, for every model, card, host and load; what fails here is a fault of the form."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.choices import (
    Checkpointing,
    Engine,
    Fabric,
    Format,
    Host,
    Kind,
    Loss,
    Optimizer,
)
from kentino_desk.engine import policy
from kentino_desk.engine.card_inputs import bus_class, serving_link, supports, training_link
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.serving_inputs import ServingLayout, ServingSetup, serving_inputs
from kentino_desk.engine.training_inputs import Recipe, TrainingLayout, training_inputs

SNAPSHOT = load_snapshot()
MODELS = sorted(card.id for card in SNAPSHOT.models.values() if card.can_be_sized)
GPUS = sorted(gpu.id for gpu in SNAPSHOT.gpus.values() if supports(gpu, Format.BF16))
ROUNDING = 1.0 + 1e-9
HOSTS = (Host.POOR, Host.DEFAULT, Host.TUNED, Host.SWITCH)
"""From the slowest path between two cards to the fastest."""
FABRICS = tuple(sorted((f for f in SNAPSHOT.fabrics.values()), key=lambda f: f.nic_gbit_per_s))

models = st.sampled_from(MODELS)
gpus = st.sampled_from(GPUS)
engines = st.sampled_from(Engine)
weights = st.sampled_from([Format.BF16, Format.FP8, Format.INT8, Format.INT4, Format.NVFP4])
lengths = st.tuples(st.integers(16, 64_000), st.integers(1, 4_000))
degrees = st.sampled_from([1, 2, 4, 8])
hosts = st.sampled_from(HOSTS)


def speed(model, gpu, wanted, engine=Engine.VLLM, host=Host.DEFAULT, **given):
    """Quantities of one layout; ``given`` are fields of the layout and inputs of the engine."""
    fields = {n: given.pop(n) for n in ("tp", "pp", "nvlink", "fabric") if n in given}
    layout = ServingLayout(
        gpu=gpu, weights=given.pop("weights", Format.FP8), kv_cache=Format.BF16,
        **{"tp": 1, **fields},
    )  # fmt: skip
    setup = ServingSetup(
        engine=engine, release="0.30", max_num_seqs=1024, utilisation=0.92, host=host
    )
    inputs = serving_inputs(SNAPSHOT.models[model], layout, setup) | policy.values()
    prompt, answer = given.pop("lengths", (2048, 512))
    inputs |= {
        "input_tokens": float(prompt), "output_tokens": float(answer), "prompt_reuse": 0.0,
        "context_tokens": float(prompt + answer), "replicas": 1.0,
    }  # fmt: skip
    return compute(wanted, inputs | given)


def faster(gpu, factor, *, memory):
    """The card with more bandwidth, or with more operations per second."""
    if memory:
        return replace(gpu, memory_bandwidth_gb_per_s=gpu.memory_bandwidth_gb_per_s * factor)
    names = ("tflops_bf16", "tflops_fp8", "tops_int8", "tflops_fp4")
    more = {name: getattr(gpu, name) * factor for name in names if getattr(gpu, name) is not None}
    return replace(gpu, **more)


@settings(max_examples=150, deadline=None)
@given(models, gpus, engines, weights, degrees, lengths, st.integers(1, 1000),
       st.floats(1.0, 8.0), st.booleans())  # fmt: skip
def test_a_card_with_more_bandwidth_or_operations_is_never_slower(
    model, gpu, engine, form, tp, length, users, factor, memory
):
    card = SNAPSHOT.gpus[gpu]
    given = {
        "engine": engine, "weights": form, "tp": tp, "lengths": length,
        "users_per_copy": np.array([float(users)]), "requests_held_mean": np.array([1e6]),
    }  # fmt: skip
    wanted = ("decode_step_s", "tpot_s")
    plain = speed(model, card, wanted, **given)
    quick = speed(model, faster(card, factor, memory=memory), wanted, **given)
    for name in wanted:
        assert quick[name] <= plain[name] * ROUNDING


@settings(max_examples=200, deadline=None)
@given(models, gpus, engines, weights, st.sampled_from([(1, 2), (2, 4), (4, 8), (1, 8)]), lengths,
       st.integers(1, 1000), st.booleans())  # fmt: skip
def test_more_cards_slow_the_decode_of_a_copy_by_their_traffic_alone(
    model, gpu, engine, form, more, length, users, nvlink
):
    wanted = ("decode_step_s", "traffic_s")
    few, many = (
        speed(
            model, SNAPSHOT.gpus[gpu], wanted, engine=engine, weights=form, tp=tp, lengths=length,
            nvlink=nvlink, users_per_copy=np.array([float(users)]),
            requests_held_mean=np.array([1e6]),
        )
        for tp in more
    )  # fmt: skip
    computing = few["decode_step_s"] - few["traffic_s"][0]
    bound = computing + many["traffic_s"][0]
    assert many["decode_step_s"] <= bound * ROUNDING


@settings(max_examples=100, deadline=None)
@given(models, gpus, degrees, lengths, st.integers(1, 2000), st.sampled_from([1, 2, 4, 16]))
def test_more_copies_of_a_layout_never_slow_a_user(model, gpu, tp, length, users, copies):
    wanted = ("decode_step_s", "tpot_s")
    shares = np.ceil(np.array([users, users / copies]))
    found = speed(
        model, SNAPSHOT.gpus[gpu], wanted, tp=tp, lengths=length, users_per_copy=shares,
        requests_held_mean=np.array([1e6]),
    )  # fmt: skip
    # A prompt finds more of its experts read already in a larger batch: a gain of a promille.
    for name in wanted:
        assert found[name][1] <= found[name][0] * 1.002


@settings(max_examples=200, deadline=None)
@given(models, gpus, engines, st.sampled_from([2, 4, 8]), lengths, st.integers(1, 1000),
       st.sampled_from(list(pairwise(HOSTS))))  # fmt: skip
def test_tensor_parallel_over_a_slower_path_never_wins(model, gpu, engine, tp, length, users, pair):
    slow, fast = (
        speed(
            model, SNAPSHOT.gpus[gpu], ("tpot_s", "ttft_s"), engine=engine, tp=tp, lengths=length,
            host=host, users_per_copy=np.array([float(users)]), requests_held_mean=np.array([1e6]),
        )
        for host in pair
    )  # fmt: skip
    assert fast["tpot_s"] <= slow["tpot_s"] * ROUNDING
    assert fast["ttft_s"] <= slow["ttft_s"] * ROUNDING


@pytest.mark.parametrize("ranks", [2, 4, 8])
@pytest.mark.parametrize("gpu", GPUS)
def test_no_path_of_a_worse_host_is_faster_at_any_size(gpu, ranks):
    name = bus_class(SNAPSHOT.gpus[gpu])
    for worse, better in pairwise(HOSTS):
        for link in (
            lambda host: serving_link(name, host, ranks, nvlink=False, hopper=True),
            lambda host: training_link(name, host, ranks, nvlink=False),
        ):
            slow, fast = link(worse), link(better)
            assert fast.start_s <= slow.start_s
            for side in ("low", "best", "high"):
                assert getattr(fast, side) >= getattr(slow, side)


@pytest.mark.parametrize("host", [Host.TUNED, Host.SWITCH])
@pytest.mark.parametrize("gpu", GPUS)
def test_all_cards_of_a_tuned_host_share_a_bus_as_fast_as_that_of_one_socket(gpu, host):
    name = bus_class(SNAPSHOT.gpus[gpu])
    for link in (
        lambda ranks: serving_link(name, host, ranks, nvlink=False, hopper=True),
        lambda ranks: training_link(name, host, ranks, nvlink=False),
    ):
        socket, box = link(4), link(8)
        for side in ("low", "best", "high"):
            assert getattr(box, side) >= getattr(socket, side)


@settings(max_examples=100, deadline=None)
@given(models, st.sampled_from(["h100-sxm", "h200-sxm", "b200", "b300", "gb200", "a100-sxm-80"]),
       engines, st.sampled_from([2, 4, 8]), lengths, st.integers(1, 1000), hosts)  # fmt: skip
def test_tensor_parallel_over_pcie_never_wins_against_nvlink(
    model, gpu, engine, tp, length, users, host
):
    pcie, nvlink = (
        speed(
            model, SNAPSHOT.gpus[gpu], ("tpot_s", "ttft_s"), engine=engine, tp=tp, lengths=length,
            host=host, nvlink=joined, users_per_copy=np.array([float(users)]),
            requests_held_mean=np.array([1e6]),
        )
        for joined in (False, True)
    )  # fmt: skip
    assert nvlink["tpot_s"] <= pcie["tpot_s"] * ROUNDING
    assert nvlink["ttft_s"] <= pcie["ttft_s"] * ROUNDING


@settings(max_examples=60, deadline=None)
@given(models, gpus, degrees, st.sampled_from([2, 4]), lengths, st.integers(1, 500))
def test_a_pipeline_over_a_faster_network_of_one_kind_is_never_slower(
    model, gpu, tp, pp, length, users
):
    for kind in {fabric.network_class for fabric in FABRICS}:
        times = [
            speed(
                model, SNAPSHOT.gpus[gpu], ("tpot_s",), tp=tp, pp=pp, lengths=length, fabric=fabric,
                users_per_copy=np.array([float(users)]), requests_held_mean=np.array([1e6]),
            )["tpot_s"][0]
            for fabric in FABRICS
            if fabric.network_class == kind
        ]  # fmt: skip
        assert all(b <= a * ROUNDING for a, b in pairwise(times))


@settings(max_examples=200, deadline=None)
@given(models, gpus, engines, weights, degrees, st.sampled_from([1, 2, 4]), lengths, hosts)
def test_output_never_falls_with_concurrency_up_to_the_memory_limit(
    model, gpu, engine, form, tp, pp, length, host
):
    users = np.arange(1.0, 1025.0)
    found = speed(
        model, SNAPSHOT.gpus[gpu], ("copy_tokens_per_s", "requests_held_mean"), engine=engine,
        host=host, weights=form, tp=tp, pp=pp, lengths=length, users_per_copy=users,
    )  # fmt: skip
    held = int(min(np.max(found["requests_held_mean"]), len(users)))
    assume(held >= 2)
    output = found["copy_tokens_per_s"][:held]
    assert np.all(output[1:] * ROUNDING >= output[:-1])


RECIPE = Recipe(
    kind=Kind.FULL, weights=Format.BF16, optimizer=Optimizer.ADAMW_FP32,
    checkpointing=Checkpointing.FULL, loss=Loss.PLAIN, packing_fill=1.0, stack="torchtitan",
    lora_rank=16, host=Host.DEFAULT,
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(models, gpus, st.sampled_from([(16, 1, 1), (8, 2, 1), (8, 1, 2), (1, 1, 16), (2, 4, 2)]),
       st.integers(256, 16_384), st.sampled_from([1, 4]))  # fmt: skip
def test_training_over_a_slower_network_never_wins(model, gpu, degrees, sequence, nics):
    """Networks of one kind by their speed, and kinds at one speed: InfiniBand, RoCE, TCP."""
    tp, pp, dp = degrees
    by_kind = {fabric.network_class: [] for fabric in FABRICS}
    for fabric in FABRICS:
        layout = TrainingLayout(
            gpu=SNAPSHOT.gpus[gpu], tp=tp, pp=pp, dp=dp, gpus_per_node=8, nodes=2, nvlink=False,
            fabric=fabric, nics_per_node=nics,
        )  # fmt: skip
        inputs = training_inputs(SNAPSHOT.models[model], RECIPE, layout) | policy.values()
        inputs |= {
            "sequence_length": float(sequence), "micro_batch": 1.0, "global_batch_tokens": 1e6,
        }  # fmt: skip
        rate = compute(("train_tokens_per_s",), inputs)["train_tokens_per_s"]
        by_kind[fabric.network_class].append((fabric.nic_gbit_per_s, float(rate)))
    for rates in by_kind.values():
        assert all(b >= a / ROUNDING for (_, a), (_, b) in pairwise(rates))
    for better, worse in pairwise(("infiniband", "roce", "tcp")):
        slow = dict(by_kind[worse])
        for gbit, rate in by_kind[better]:
            assert rate >= slow.get(gbit, 0.0) / ROUNDING


def test_the_fabrics_of_the_catalog_are_the_ones_the_laws_speak_of():
    assert {fabric.id for fabric in FABRICS} == set(SNAPSHOT.fabrics) <= set(Fabric)
    assert {fabric.network_class for fabric in FABRICS} == {"infiniband", "roce", "tcp"}
    assert pytest.approx(1.0) == ROUNDING


ACCEPTED = st.floats(0.0, 0.95)


@settings(max_examples=150, deadline=None)
@given(models, gpus, engines, lengths, st.integers(1, 500), st.integers(1, 8), ACCEPTED, ACCEPTED)
def test_more_right_guesses_never_slow_a_user_and_no_guess_is_free(
    model, gpu, engine, length, users, guesses, first, second
):
    def step(drafted, share):
        return speed(
            model, SNAPSHOT.gpus[gpu], ("tpot_s", "decode_step_s"), engine=engine, lengths=length,
            users_per_copy=np.array([float(users)]), requests_held_mean=np.array([1e6]),
            drafted_tokens=float(drafted), draft_acceptance=share,
        )  # fmt: skip

    few, many = sorted((first, second))
    assert step(guesses, many)["tpot_s"] <= step(guesses, few)["tpot_s"] * ROUNDING
    plain, drafting = step(0, 0.0), step(guesses, few)
    assert drafting["decode_step_s"] > plain["decode_step_s"]
    assert step(guesses, 0.0)["tpot_s"] > plain["tpot_s"]
    assert drafting["tpot_s"] * (guesses + 1.0) > plain["tpot_s"] / ROUNDING


@pytest.mark.parametrize(("share", "tokens"), [(0.0, 1.0), (0.5, 1.75), (0.8, 2.44)])
def test_two_guesses_give_as_many_tokens_as_are_right_in_a_row(share, tokens):
    found = compute(("tokens_per_step",), {"drafted_tokens": 2.0, "draft_acceptance": share})
    assert found["tokens_per_step"] == pytest.approx(tokens)
