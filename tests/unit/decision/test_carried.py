from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.carried import TOLERANCE, nodes_of_builds
from kentino_desk.decision.presets import resolve
from kentino_desk.decision.serving import run_serving
from kentino_desk.decision.space import space_for
from kentino_desk.domain.choices import Binding, Grade
from kentino_desk.domain.workload import WorkloadInputs

SNAPSHOT = load_snapshot()
LIMITS = (Binding.LATENCY, Binding.THROUGHPUT, Binding.DEADLINE)
SERVED = st.fixed_dictionaries(
    {
        "workload.kind": st.sampled_from(["chat", "batch"]),
        "workload.model": st.sampled_from(["llama-3.1-8b", "llama-3.3-70b", "deepseek-v3"]),
        "serving.concurrent_users": st.integers(1, 3000),
        "serving.context_tokens": st.sampled_from([1024, 8192, 32_768]),
        "serving.ttft_s": st.floats(0.3, 60.0),
        "serving.tokens_per_s_per_user": st.floats(2.0, 60.0),
    },
    optional={
        "serving.demand_value": st.floats(100.0, 50_000.0),
        "serving.max_num_seqs": st.sampled_from([4, 64]),
        "batch.deadline_days": st.floats(0.05, 30.0),
    },
)


def resolved(values):
    model = SNAPSHOT.model(values["workload.model"])
    return resolve(WorkloadInputs.of(values), model)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SERVED)
def test_a_row_holds_the_load_exactly_where_its_grade_and_its_margins_say_so(values):
    found = run_serving(resolved(values), SNAPSHOT)
    by_margins = found.grades >= Grade.FITS
    for binding in LIMITS:
        if binding in found.margins:
            by_margins = by_margins & (found.margins[binding] >= -TOLERANCE)
    assert found.holds.tolist() == by_margins.tolist()


def test_a_server_with_few_slots_lets_requests_wait_in_front_of_them():
    values = {
        "workload.kind": "chat", "workload.model": "llama-3.1-8b", "serving.ttft_s": 60.0,
        "serving.max_num_seqs": 4, "constraints.gpus": ("rtx-5090",),
    }  # fmt: skip
    found = run_serving(resolved(values), SNAPSHOT)
    per_copy = found.x_node / found.evaluation.values["replicas"] * found.nodes
    assert per_copy.max() > 4


def test_nodes_of_a_build_come_from_its_first_format_step_within_the_limit():
    values = {"workload.kind": "chat", "workload.model": "llama-3.3-70b"}
    space = space_for(resolved(values), SNAPSHOT)
    needed = np.where(space.order == 0, 9.0, space.order + 1.0)
    count = nodes_of_builds(space, needed, 4)
    single = space.traits.nodes == 1
    at_once = nodes_of_builds(space, np.stack([needed, needed + 100.0]), np.array([[4], [200]]))
    for build in set(space.traits.build[single].tolist()):
        rows = space.traits.build == build
        possible = rows & single & (needed <= 4)
        first = space.order[possible].min()
        expected = needed[possible & (space.order == first)].min()
        assert set(count[rows].tolist()) == {expected}
    assert at_once[0].tolist() == count.tolist()
    assert at_once[1][single].min() >= 101
