from __future__ import annotations

from math import ceil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.assess import assess
from kentino_desk.domain.choices import Fabric, Format, Grade, Outcome
from kentino_desk.domain.errors import InputError
from kentino_desk.domain.workload import WorkloadInputs

SNAPSHOT = load_snapshot()


def test_the_verdict_changes_exactly_where_the_node_ends(assessed):
    carried = assessed("W01", serving__growth=0.0).figures["x_node_users"].value
    users = int(carried)
    at = assessed("W01", serving__growth=0.0, serving__concurrent_users=users)
    over = assessed("W01", serving__growth=0.0, serving__concurrent_users=users + 1)
    under = assessed("W01", serving__growth=0.0, serving__concurrent_users=users - 1)
    same = at.verdict.chosen.candidate.id
    assert under.verdict.chosen.candidate.id == same
    assert (over.verdict.chosen.candidate.id, over.verdict.chosen.step) != (
        same, at.verdict.chosen.step,
    )  # fmt: skip


def test_a_demand_of_requests_equals_the_same_demand_in_tokens(assessed):
    tokens = assessed("W14", serving__demand_value=6400.0)
    requests = assessed(
        "W14", serving__demand_value=6400.0 / 512, serving__demand_unit="requests_per_s"
    )
    assert requests.verdict.nodes == tokens.verdict.nodes


def test_nodes_of_a_demand_follow_the_formula(assessed):
    found = assessed("W14")
    per_node = found.figures["x_node_tokens_per_s"].value
    assert found.verdict.nodes == ceil(6500 * 1.25 / (0.75 * per_node))


def test_replicas_carry_no_fabric(assessed):
    for case in ("W06", "W14", "W15b"):
        chosen = assessed(case).verdict.chosen.candidate
        assert chosen.build.fabric is Fabric.NONE
        assert chosen.build.nodes > 1


def test_too_few_nodes_allowed_is_said_and_not_stretched(assessed):
    found = assessed("W14", constraints__nodes_max=3)
    assert found.verdict.outcome is Outcome.NOTHING_FITS
    assert found.verdict.nodes == 0
    assert any(note.key == "relax" for note in found.notes)


@pytest.mark.parametrize(
    ("key", "value", "binding"),
    [("site_kw_max", 2.0, "power"), ("rack_u_max", 1, "space"), ("budget_eur", 1000.0, "budget")],
)
def test_a_site_limit_rejects_with_its_name(assessed, key, value, binding):
    found = assessed("W01", **{f"constraints__{key}": value})
    assert found.verdict.outcome is Outcome.NOTHING_FITS
    assert all(binding in result.misses for result in found.best_per_build if not result.passes
               and result.candidate.build.id == "1x8-rtx-pro-6000-bw-server")  # fmt: skip


def test_partner_platforms_never_become_the_verdict(assessed):
    found = assessed("W06b")
    assert found.verdict.outcome is Outcome.NOTHING_FITS
    assert found.partner.result.candidate.build.is_partner


def test_own_builds_alone_name_no_partner(assessed):
    found = assessed("W01")
    assert found.partner is None
    assert not any(result.candidate.build.is_partner for result in found.best_per_build)


def test_a_partner_card_with_own_builds_only_is_refused(case_inputs, snapshot):
    inputs = case_inputs("W01", constraints__gpus=("h100-sxm",))
    with pytest.raises(InputError, match=r"constraints\.gpus.*own_builds_only"):
        assess(inputs, snapshot)


def test_an_unknown_model_is_answered_with_near_names(case_inputs, snapshot):
    with pytest.raises(InputError, match=r"llama-3\.3-70b"):
        assess(case_inputs("W01", workload__model="llama-3.3-70"), snapshot)


def test_the_figures_of_a_candidate_carry_ordered_ranges(assessed):
    for result in assessed("W01").best_per_build:
        for figure in result.figures.values():
            if figure.value is not None:
                assert figure.low <= figure.value <= figure.high, figure.key


def test_every_figure_can_be_explained(assessed):
    for case in ("W01", "W11", "W15a"):
        found = assessed(case)
        chosen = found.verdict.chosen
        for figure in chosen.figures.values():
            if figure.quantity and found.evaluation.has(figure.quantity):
                if figure.quantity in {"card_bytes", "train_days", *PLAIN}:
                    continue
                explained = found.evaluation.explain(figure.quantity, chosen.row)
                assert explained.equation


def test_the_explained_inputs_compute_the_explained_value(assessed):
    found = assessed("W01")
    row = found.verdict.chosen.row
    explained = found.evaluation.explain("used_bytes", row)
    assert explained.value == pytest.approx(sum(item.value for item in explained.inputs))


PLAIN = ("goodput", "users_within_targets")
"""Figures solved over the engine, without a quantity of their own."""
MODELS = ("llama-3.1-8b", "llama-3.3-70b", "mixtral-8x22b", "deepseek-v3", "gpt-oss-120b",
          "qwen3.5-397b-a17b", "gemma-4-31b", "glm-5.1")  # fmt: skip
chats = st.fixed_dictionaries(
    {
        "workload.kind": st.just("chat"),
        "workload.model": st.sampled_from(MODELS),
        "serving.concurrent_users": st.integers(1, 3000),
        "serving.context_tokens": st.integers(1024, 60_000),
        "serving.prompt_reuse": st.floats(0.0, 0.95),
        "constraints.host": st.sampled_from(["default", "tuned", "switch", "poor"]),
    }
)
trainings = st.fixed_dictionaries(
    {
        "workload.kind": st.sampled_from(["lora", "qlora", "full", "pretrain"]),
        "workload.model": st.sampled_from(MODELS[:4]),
        "training.sequence_length": st.sampled_from([1024, 4096, 8192]),
        "training.micro_batch": st.integers(1, 4),
        "training.deadline_days": st.floats(1.0, 400.0),
    }
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(chats, trainings))
def test_any_workload_gets_an_answer_that_keeps_the_promises(values):
    found = assess(WorkloadInputs.of(values), SNAPSHOT)
    verdict, chosen = found.verdict, found.verdict.chosen
    assert len(found.questions) == 5
    if verdict.outcome is Outcome.NOTHING_FITS:
        assert (chosen, verdict.nodes) == (None, 0)
        assert verdict.binding is not None
        return
    if chosen is None:
        assert verdict.outcome is Outcome.FRONTIER
        return
    if verdict.outcome is not Outcome.FRONTIER:
        assert chosen.grade >= Grade.FITS
    if verdict.outcome in {Outcome.ONE_NODE, Outcome.ONE_NODE_INT4}:
        assert verdict.nodes == 1
    if verdict.outcome is Outcome.REPLICAS:
        assert verdict.nodes > 1
        assert chosen.candidate.build.fabric is Fabric.NONE
    if found.workload.kind.trains_all_weights:
        assert chosen.candidate.weights in {Format.BF16, Format.FP8}
    for result in found.best_per_build:
        assert not (result.candidate.build.node.nvlink and result.candidate.build.gpu.is_pcie)


def test_a_node_that_carries_nothing_carries_zero(assessed):
    for case in ("W06b", "W05b", "W18", "W01", "W14"):
        assert all(result.x_node >= 0 for result in assessed(case).candidates)


def test_drafting_needs_a_head_and_takes_memory(case_inputs, snapshot):
    with pytest.raises(InputError, match="no head of its own"):
        assess(case_inputs("W01", serving__draft_tokens=2), snapshot)
    plain = assess(case_inputs("W07"), snapshot).verdict.chosen
    drafting = assess(case_inputs("W07", serving__draft_tokens=2), snapshot)
    same = next(result for result in drafting.candidates if result.candidate == plain.candidate)
    assert same.figures["weights_gib"].value > plain.figures["weights_gib"].value
    assert any(note.key == "not_modelled" for note in drafting.notes)
    assert same.figures["tpot_ms"].value == pytest.approx(plain.figures["tpot_ms"].value, rel=0.05)


def test_drafting_is_counted_with_the_share_of_right_guesses_that_is_stated(case_inputs, snapshot):
    def run(**given):
        found = assess(case_inputs("W07", **given), snapshot)
        return found, found.verdict.chosen or found.best_per_build[0]

    plain, few, many = (
        run(serving__draft_tokens=2),
        run(serving__draft_tokens=2, serving__draft_acceptance=0.3),
        run(serving__draft_tokens=2, serving__draft_acceptance=0.8),
    )
    speed = "tokens_per_s_per_user"
    build = next(r for r in few[0].candidates if r.candidate == many[1].candidate)
    assert many[1].figures[speed].value > 1.2 * build.figures[speed].value
    said = [{note.key for note in found.notes} & {"drafted", "not_modelled"} for found, _ in
            (plain, few, many)]  # fmt: skip
    assert said == [{"not_modelled"}, {"drafted"}, {"drafted"}]
    figure = many[1].figures[speed]
    assert (figure.low / figure.value, figure.high / figure.value) == pytest.approx((0.52, 1.45))


def test_right_guesses_without_drafting_are_refused_by_name(case_inputs, snapshot):
    with pytest.raises(InputError, match="no tokens are drafted") as caught:
        assess(case_inputs("W01", serving__draft_acceptance=0.5), snapshot)
    assert caught.value.field == "serving.draft_acceptance"


def test_offload_takes_the_optimizer_off_the_card_and_says_so(assessed):
    plain = assessed("W11")
    kept = assessed("W11", training__offload="optimizer")
    first = next(r for r in plain.candidates if r.candidate.id == "1x8-rtx-pro-6000-bw-server")
    second = next(r for r in kept.candidates if r.candidate == first.candidate)
    assert second.figures["optimizer_gib"].value == 0
    assert second.figures["used_gib"].value < first.figures["used_gib"].value
    assert any(note.key == "not_modelled" for note in kept.notes)


@pytest.mark.parametrize("model", sorted(m.id for m in SNAPSHOT.models.values() if m.can_be_sized))
def test_every_model_that_can_be_sized_is_answered_by_the_presets(model):
    for kind in ("chat", "batch"):
        found = assess(
            WorkloadInputs.of({"workload.kind": kind, "workload.model": model}), SNAPSHOT
        )
        assert len(found.questions) == 5


def test_frontier_work_proposes_no_build_and_no_partner_below_its_range(case_inputs, snapshot):
    found = assess(case_inputs("W12", constraints__nodes_max=16), snapshot)
    assert found.verdict.outcome is Outcome.FRONTIER
    assert found.verdict.chosen is None
    assert found.partner.result.candidate.build.gpus >= 32


def _same(assessment, candidate):
    return next(
        item
        for item in assessment.candidates
        if (item.candidate.build, item.candidate.tp, item.candidate.pp)
        == (candidate.build, candidate.tp, candidate.pp)
        and item.candidate.weights is candidate.weights
        and item.candidate.kv_cache is candidate.kv_cache
    )


def _eight_wide(assessment):
    return next(item for item in assessment.candidates if item.candidate.tp == 8)


def test_attention_groups_keep_the_latent_cache_apart_and_say_what_they_rest_on(
    case_inputs, snapshot
):
    plain = _eight_wide(assess(case_inputs("W07"), snapshot))
    grouped = assess(case_inputs("W07", serving__dp_attention=8), snapshot)
    same = _same(grouped, plain.candidate)
    assert same.candidate.dp_attention == 8
    assert same.figures["weights_gib"].value > plain.figures["weights_gib"].value
    assert same.figures["kv_gib"].value == pytest.approx(plain.figures["kv_gib"].value / 8, rel=0.2)
    assert same.figures["tokens_per_s_total"].not_validated
    whats = {note.numbers["what"] for note in grouped.notes if note.key == "not_modelled"}
    assert whats == {"dp_attention"}


def test_a_shared_context_needs_an_eighth_of_the_cache_on_each_card(case_inputs, snapshot):
    plain = _eight_wide(assess(case_inputs("W07"), snapshot))
    shared = assess(case_inputs("W07", serving__context_parallel=8), snapshot)
    same = _same(shared, plain.candidate)
    assert same.figures["kv_gib"].value == pytest.approx(
        plain.figures["kv_gib"].value / 8, rel=0.01
    )
    assert same.figures["users_held"].value >= 7.9 * plain.figures["users_held"].value
    assert {note.numbers["what"] for note in shared.notes if note.key == "not_modelled"} == {
        "context_parallel"
    }


@pytest.mark.parametrize(
    ("case", "change", "field"),
    [
        ("W01", {"serving__dp_attention": 2}, "serving.dp_attention"),
        ("W01", {"serving__context_parallel": 2}, "serving.context_parallel"),
        ("W07", {"serving__dp_attention": 3}, "serving.dp_attention"),
        ("W08", {"training__context_parallel": 2}, "training.context_parallel"),
        ("W11", {"training__context_parallel": 7}, "training.context_parallel"),
        (
            "W11",
            {"training__packing": True, "training__packing_fill": 0.5},
            "training.packing_fill",
        ),
    ],
)
def test_a_degree_that_no_layout_has_is_refused_by_its_field(
    case, change, field, case_inputs, snapshot
):
    with pytest.raises(InputError) as refused:
        assess(case_inputs(case, **change), snapshot)
    assert refused.value.field == field


def test_a_split_sequence_lowers_the_peak_and_belongs_to_one_replica(case_inputs, snapshot):
    long = {"training__sequence_length": 131072, "training__global_batch_tokens": 4_000_000}
    plain = assess(case_inputs("W10", **long), snapshot)
    split = assess(case_inputs("W10", **long, training__context_parallel=4), snapshot)
    for item in split.candidates:
        candidate = item.candidate
        assert candidate.tp * candidate.pp * candidate.cp * candidate.dp == candidate.build.gpus
    whole = next(
        item
        for item in plain.candidates
        if (item.candidate.build.gpus, item.candidate.tp, item.candidate.pp) == (8, 2, 1)
    )
    same = _same(split, whole.candidate)
    assert same.figures["activation_gib"].value == pytest.approx(
        whole.figures["activation_gib"].value / 4, rel=0.01
    )


def test_sequences_half_filled_keep_half_of_the_activations(case_inputs, snapshot):
    full = assess(case_inputs("W10"), snapshot).candidates[0]
    half = _same(assess(case_inputs("W10", training__packing_fill=0.5), snapshot), full.candidate)
    assert half.figures["activation_gib"].value == pytest.approx(
        full.figures["activation_gib"].value / 2, rel=0.01
    )
    assert half.figures["used_gib"].value < full.figures["used_gib"].value
