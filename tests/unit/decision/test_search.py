"""The whole search against the candidates of the decision and against plain trial."""

from __future__ import annotations

import numpy as np
import pytest

from kentino_desk.decision import search as search_module
from kentino_desk.decision.numbers import by_users
from kentino_desk.decision.presets import resolve
from kentino_desk.decision.search import search, search_inputs, searched
from kentino_desk.decision.serving import run_serving
from kentino_desk.decision.training import run_training
from kentino_desk.decision.training_search import trained, training_rows
from kentino_desk.domain.choices import Fabric, Format
from kentino_desk.engine.columns import taken
from kentino_desk.engine.quantity import compute

LAYOUT = ("gpu", "nvlink", "weights", "kv_cache", "tp", "pp", "dp_attention", "fabric")


@pytest.fixture(scope="module")
def workload(case_inputs, snapshot):
    def made(case, **changes):
        inputs = case_inputs(case, **changes)
        return resolve(inputs, snapshot.model(str(inputs.get("workload.model"))))

    return made


def keys_of(result):
    columns = [
        [axis.values[code] for code in axis.codes]
        for axis in (result.rows.axes[name] for name in LAYOUT)
    ]
    per_node = [place.node.gpu_count for place in result.rows.platform.values]
    cards = [per_node[code] for code in result.rows.platform.codes]
    return list(zip(*columns, result.rows.nodes.tolist(), cards, strict=True))


def carried(result, row, *, users):
    """What one copy carries, in users or in tokens per second."""
    if users or not result.users_per_copy[row]:
        return result.users_per_copy[row]
    return result.figures["copy_tokens_per_s"][np.searchsorted(result.carrying, row)]


@pytest.mark.parametrize("case", ["W01", "W04", "W06", "W07", "W14"])
def test_a_layout_carries_what_the_decision_says_it_carries(workload, snapshot, case):
    asked = workload(case)
    run, result = run_serving(asked, snapshot), search(asked, snapshot)
    place = {key: row for row, key in enumerate(keys_of(result))}
    compared = 0
    for row, candidate in enumerate(run.space.candidates):
        build = candidate.build
        fabric = None if build.fabric is Fabric.NONE else snapshot.fabrics[build.fabric]
        key = (
            build.gpu, build.node.nvlink, candidate.weights, candidate.kv_cache, candidate.tp,
            candidate.pp, 1, fabric, build.nodes, build.node.gpu_count,
        )  # fmt: skip
        found = place.get(key)
        if found is not None:
            copies = result.rows.copies[found] if build.nodes == 1 else 1
            mine = copies * carried(result, found, users=by_users(asked))
            assert mine == pytest.approx(run.x_node[row]), key
            compared += 1
    assert compared >= 0.7 * len(run.space.candidates)


def test_the_largest_load_is_the_last_that_meets_the_targets(workload, snapshot):
    asked = workload("W01")
    result = search(asked, snapshot)
    rows = result.rows.taken(np.arange(0, len(result.rows), 997))
    inputs = search_inputs(rows, asked, snapshot)
    users = result.users_per_copy[::997]
    for row in range(len(rows)):
        one = taken(inputs, np.array([row]))
        held = compute(("requests_held_per_copy", "weight_share"), one)
        tried = np.arange(1.0, held["requests_held_per_copy"][0] + 1.0)
        if held["weight_share"][0] > 0.70 or not len(tried):
            assert users[row] == 0
            continue
        speed = compute(("ttft_s", "tokens_per_s_per_user"), one | {"users_per_copy": tried})
        met = (speed["ttft_s"] <= 3.0) & (speed["tokens_per_s_per_user"] >= 12.0)
        assert users[row] == (tried[met].max() if met.any() else 0)


def test_the_size_of_a_block_changes_nothing(workload, snapshot, monkeypatch):
    asked = workload("W01")
    rows = search(asked, snapshot).rows
    rows = rows.taken(np.arange(0, len(rows), 23))
    large = searched(rows, asked, snapshot)
    monkeypatch.setattr(search_module, "BLOCK", 100)
    small = searched(rows, asked, snapshot)
    assert small.users_per_copy.tolist() == large.users_per_copy.tolist()
    for name, column in large.figures.items():
        np.testing.assert_allclose(small.figures[name], column, rtol=1e-12)


def test_only_rows_that_memory_holds_carry_anything_and_each_has_figures(workload, snapshot):
    result = search(workload("W05"), snapshot)
    assert result.holds[result.carrying].all()
    assert 0 < result.holds.sum() < len(result.rows)
    for column in result.figures.values():
        assert len(column) == len(result.carrying)
    assert np.isfinite(result.figures["tokens_per_s_total"]).all()
    assert (result.figures["tokens_per_s_total"] > 0).all()


def test_the_best_layout_of_each_card_is_the_one_with_most_output_per_card(workload, snapshot):
    result = search(workload("W01"), snapshot)
    best = result.best_of_each(result.rows.axes["gpu"])
    rate = dict(zip(result.carrying.tolist(), result.tokens_per_s_per_gpu, strict=True))
    gpus = result.rows.axes["gpu"]
    for gpu, row in best.items():
        own = [rate[r] for r in result.carrying.tolist() if gpus.values[gpus.codes[r]] is gpu]
        assert rate[row] == max(own)
        candidate = result.rows.candidate(row)
        assert candidate.build.gpu is gpu
        assert candidate.replicas * candidate.gpus_per_copy == candidate.build.gpus


def test_the_search_covers_the_catalog(workload, snapshot):
    rows = search(workload("W01"), snapshot).rows
    assert len(rows) >= 20_000
    housed = {gpu_id for node in snapshot.nodes.values() for gpu_id in node.gpu_ids}
    cards = {
        gpu.id
        for gpu in snapshot.gpus.values()
        if gpu.tflops_bf16 and (gpu.is_pcie or gpu.id in housed)
    }
    assert cards == {gpu.id for gpu in rows.axes["gpu"].values}
    assert len(rows.axes["fabric"].values) == len(snapshot.fabrics) + 1
    formats = {Format.BF16, Format.FP8, Format.INT8, Format.NVFP4, Format.INT4}
    assert set(rows.axes["weights"].values) == formats
    assert set(rows.nodes.tolist()) == {1, 2, 3, 4}


def test_latent_attention_is_tried_in_groups_and_others_are_not(workload, snapshot):
    latent = search(workload("W07"), snapshot).rows
    assert set(latent.axes["dp_attention"].values) == {1, 2, 4, 8}
    assert search(workload("W01"), snapshot).rows.axes["dp_attention"].values == (1,)


def test_training_layouts_give_what_the_decision_says(workload, snapshot):
    asked = workload("W11")
    run = run_training(asked, snapshot)
    rows = training_rows(snapshot.models[asked.model], asked, snapshot)
    found = trained(rows, asked, snapshot)
    builds = [rows.builds.values[code] for code in rows.builds.codes]
    degrees = list(zip(*(rows.axes[n].column().tolist() for n in ("tp", "pp", "dp")), strict=True))
    place = {
        (b.gpu.id, b.node.gpu_count, b.node.nvlink, b.nodes, b.fabric, *d): row
        for row, (b, d) in enumerate(zip(builds, degrees, strict=True))
    }
    for row, item in enumerate(run.space.candidates):
        b = item.build
        key = (b.gpu.id, b.node.gpu_count, b.node.nvlink, b.nodes, b.fabric)
        there = place[(*key, float(item.tp), float(item.pp), float(item.dp))]
        for name in ("peak_share", "train_tokens_per_s", "training_efficiency"):
            mine = found[name][there]
            assert mine == pytest.approx(run.evaluation.value(name, row)), name
