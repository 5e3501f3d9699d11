"""Laws of the decision over random workloads: 200 examples here, 2,000 in the deep run."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.assess import assess
from kentino_desk.decision.pricing import bill_items
from kentino_desk.domain.choices import Fabric, Format, Outcome
from kentino_desk.domain.workload import WorkloadInputs

SNAPSHOT = load_snapshot()
MODELS = ("llama-3.1-8b", "llama-3.3-70b", "mixtral-8x22b", "deepseek-v3", "gpt-oss-120b",
          "qwen3.5-397b-a17b", "llama-2-13b", "glm-5.1")  # fmt: skip
HOSTS = st.sampled_from(["default", "tuned", "switch", "poor"])
COMMON = {
    "constraints.host": HOSTS,
    "constraints.nodes_max": st.sampled_from([1, 2, 4, 8]),
    "constraints.reserved_gib": st.sampled_from([0.0, 0.0, 40.0]),
    "constraints.reserved_gpus": st.sampled_from([0, 0, 1]),
}
CHATS = st.fixed_dictionaries(
    {
        "workload.kind": st.just("chat"),
        "workload.model": st.sampled_from(MODELS),
        "serving.concurrent_users": st.integers(1, 3000),
        "serving.context_tokens": st.integers(1024, 60_000),
        "serving.prompt_reuse": st.floats(0.0, 0.95),
        **COMMON,
    }
).filter(lambda values: values["workload.model"] != "llama-2-13b"
         or values["serving.context_tokens"] <= 4096)  # fmt: skip
BATCHES = st.fixed_dictionaries(
    {
        "workload.kind": st.just("batch"),
        "workload.model": st.sampled_from(MODELS),
        "batch.deadline_days": st.floats(0.5, 60.0),
        **COMMON,
    }
)
TRAININGS = st.fixed_dictionaries(
    {
        "workload.kind": st.sampled_from(["lora", "qlora", "full", "pretrain"]),
        "workload.model": st.sampled_from([*MODELS[:3], "llama-2-13b"]),
        "training.sequence_length": st.sampled_from([1024, 4096]),
        "training.micro_batch": st.integers(1, 4),
        "training.deadline_days": st.floats(1.0, 400.0),
        **COMMON,
    }
)
WORKLOADS = st.one_of(CHATS, BATCHES, TRAININGS)
CALM = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}


def check_laws(values):
    found = assess(WorkloadInputs.of(values), SNAPSHOT)
    check_replicas(found)
    check_formats(found)
    check_links(found)
    check_halves(found)
    check_ranking(found)


def check_replicas(found):
    """Whole copies side by side carry no fabric in their bill."""
    for result in found.best_per_build:
        build = result.candidate.build
        if build.fabric is Fabric.NONE:
            items = [item for item, _ in bill_items(build)]
            assert not any(item.startswith(("nic:", "cable:", "switch:")) for item in items)
    if found.verdict.outcome is Outcome.REPLICAS:
        assert found.verdict.chosen.candidate.build.fabric is Fabric.NONE


def check_formats(found):
    """Gradients never flow into 4-bit weights."""
    if found.workload.kind.trains_all_weights:
        formats = {result.candidate.weights for result in found.candidates}
        assert formats <= {Format.BF16, Format.FP8}


def check_links(found):
    """A card without NVLink is credited with none; an own build has none."""
    for result in found.candidates:
        build = result.candidate.build
        assert not build.node.nvlink or build.gpu.has_nvlink
        assert not (build.node.own_build and build.node.nvlink)
        assert build.fabric is not Fabric.NVLINK


def check_halves(found):
    """Two halves of one job stay behind the single node on a tuned host; else the note says so.

    One job is a training run, or one copy over several nodes; copies side by side are many. Where
    GPUs are kept for others, the two no longer have as many left.
    """
    if found.workload.constraints.reserved_gpus:
        return
    order = {}
    for place, result in enumerate(found.candidates):
        order.setdefault(result.candidate.id, place)
    chosen = found.verdict.chosen
    for twin in found.best_per_build:
        build = twin.candidate.build
        whole = f"1x{build.gpus}-{build.gpu.id}"
        if build.nodes != 2 or not build.node.own_build or whole not in order:
            continue
        one_job = found.workload.kind.is_training or build.fabric is not Fabric.NONE
        if one_job and found.workload.constraints.host == "tuned":
            assert order[whole] < order[twin.candidate.id]
        noted = [note for note in found.notes if note.key == "half_node_trap"]
        if chosen and chosen.candidate.id == whole and faster(twin, chosen):
            assert noted[0].numbers["faster"] == 1


def faster(twin, chosen):
    ours, theirs = (item.figures["tokens_per_s_total"].value or 0.0 for item in (chosen, twin))
    return theirs > ours * 1.001


def check_ranking(found):
    """The proposed build is never dominated, and who dominates is at least as good."""
    by_id = {result.candidate.id: result for result in found.best_per_build}
    stands = found.standings
    assert set(stands) == set(by_id)
    for name, stand in stands.items():
        assert 0.0 <= stand.delivered <= 1.0
        if stand.dominated_by:
            better = stands[stand.dominated_by]
            assert better.carried >= stand.carried
            assert better.price <= (stand.price or float("inf"))
            assert by_id[stand.dominated_by].grade >= by_id[name].grade
    if found.verdict.chosen is not None:
        assert found.best_per_build[0] is found.verdict.chosen


@settings(max_examples=200, **CALM)
@given(WORKLOADS)
def test_the_laws_of_the_decision_hold(values):
    check_laws(values)


@pytest.mark.deep
@pytest.mark.timeout(1800)
@settings(max_examples=2000, **CALM)
@given(WORKLOADS)
def test_the_laws_of_the_decision_hold_over_many_workloads(values):
    check_laws(values)
