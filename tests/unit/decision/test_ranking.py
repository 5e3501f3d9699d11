from __future__ import annotations

import pytest

from kentino_desk.decision.assess import assess
from kentino_desk.domain.errors import InputError
from kentino_desk.present.first_place_words import first_place_sentence
from kentino_desk.present.load_words import closest_own


def by_id(found):
    return {result.candidate.id: result for result in found.best_per_build}


def note(found, key):
    return next((item for item in found.notes if item.key == key), None)


def test_the_customers_machine_is_a_candidate_and_never_the_verdict(assessed):
    found = assessed("W01", constraints__customer_gpu="l40s", constraints__customer_gpus=4)
    theirs = by_id(found)["customer-1x4-l40s"]
    assert theirs.candidate.build.is_customer
    assert not theirs.candidate.build.is_partner
    assert theirs.price.amount == 0
    assert found.verdict.chosen.candidate.build.node.own_build
    assert found.best_per_build[1] is theirs
    said = note(found, "customer_machine").numbers
    assert (said["gpus"], said["passes"]) == (4, int(theirs.passes))


def test_a_machine_that_is_large_enough_is_said_to_carry_it(assessed):
    found = assessed("W01", constraints__customer_gpu="h100-sxm", constraints__customer_gpus=8)
    assert note(found, "customer_machine").numbers["passes"] == 1
    assert found.verdict.chosen.candidate.id == "1x8-rtx-pro-6000-bw-server"


def test_the_customers_host_counts_for_the_customers_machine_alone(assessed):
    card = {"constraints__customer_gpu": "rtx-pro-6000-bw-server", "constraints__customer_gpus": 8}
    tuned = assessed("W01", **card, constraints__customer_host="tuned")
    poor = assessed("W01", **card, constraints__customer_host="poor")
    same = "1x8-rtx-pro-6000-bw-server"
    assert by_id(tuned)[same].x_node == by_id(poor)[same].x_node

    def wide(found):
        rows = [item for item in found.candidates if item.candidate.build.is_customer]
        return next(item for item in rows if item.candidate.tp == 8).figures["tpot_ms"].value

    assert wide(tuned) < wide(poor)


def test_one_machine_is_never_counted_twice(assessed):
    found = assessed("W06", constraints__customer_gpu="rtx-pro-6000-bw-server",
                     constraints__customer_gpus=8)  # fmt: skip
    own = [r.candidate.build for r in found.candidates if r.candidate.build.is_customer]
    assert {build.nodes for build in own} == {1}


def test_a_training_run_counts_the_customers_machine_too(assessed):
    found = assessed("W08", constraints__customer_gpu="a100-sxm-80", constraints__customer_gpus=8)
    assert by_id(found)["customer-1x8-a100-sxm-80"].passes


def test_an_unknown_card_of_the_customer_is_refused_by_its_field(case_inputs, snapshot):
    with pytest.raises(InputError, match=r"constraints\.customer_gpu"):
        assess(case_inputs("W01", constraints__customer_gpu="l40z"), snapshot)


def test_memory_kept_for_other_models_leaves_less_for_this_one(assessed):
    plain, kept = assessed("W01"), assessed("W01", constraints__reserved_gib=160.0)
    name = "1x8-rtx-pro-6000-bw-server"
    before, after = (by_id(found)[name].figures for found in (plain, kept))
    assert after["capacity_gib"].value == pytest.approx(before["capacity_gib"].value - 20.0)
    assert kept.figures["x_node_users"].value <= plain.figures["x_node_users"].value
    assert note(kept, "reserved").numbers["reserved_gib"] == 160.0
    assert note(plain, "reserved") is None


def test_gpus_kept_for_other_models_are_not_used(assessed):
    kept = assessed("W01", constraints__reserved_gpus=1)
    for result in kept.candidates:
        candidate = result.candidate
        if candidate.pp == 1:
            used = candidate.tp * candidate.replicas // candidate.build.nodes
            assert used <= candidate.build.node.gpu_count - 1
    training = assessed("W08", constraints__reserved_gpus=1)
    for result in training.candidates:
        candidate = result.candidate
        left = candidate.build.nodes * (candidate.build.node.gpu_count - 1)
        assert candidate.tp * candidate.pp * candidate.dp == left


def test_keeping_every_gpu_is_refused(case_inputs, snapshot):
    inputs = case_inputs("W04", constraints__reserved_gpus=8)
    with pytest.raises(InputError, match=r"constraints\.reserved_gpus.*up to 7"):
        assess(inputs, snapshot)


def test_weights_move_the_others_and_not_the_proposed_build(assessed):
    usual = assessed("W01")
    thrifty = assessed("W01", ranking__price=50.0, ranking__delivered=0.0)
    assert usual.verdict.chosen.candidate == thrifty.verdict.chosen.candidate

    def scores(found):
        return [found.standings[item.candidate.id].score for item in found.best_per_build]

    assert scores(usual) != scores(thrifty)
    cheapest = min(
        (stand for stand in thrifty.standings.values() if stand.price), key=lambda s: s.price
    )
    assert cheapest.score == max(stand.score for stand in thrifty.standings.values())


def test_a_dominated_build_is_listed_with_the_one_that_beats_it(assessed):
    found = assessed("W01")
    folded = {name: stand.dominated_by for name, stand in found.standings.items()
              if stand.dominated_by}  # fmt: skip
    assert folded
    assert found.verdict.chosen.candidate.id not in folded
    assert set(folded) <= set(by_id(found))
    for better in folded.values():
        assert better in by_id(found)


@pytest.mark.parametrize(
    ("case", "criterion", "words"),
    [
        ("W14", "delivered", "of 8,125"),
        ("W16", "nodes", "needs 2"),
        ("W06", "price", "less than"),
        ("W11", "nodes", "needs 3"),
        ("W02", "step", "larger formats"),
        ("W03", "step", "larger formats"),
    ],
)
def test_the_reason_for_first_place_is_one_sentence_against_the_second(
    assessed, case, criterion, words
):
    found = assessed(case)
    assert found.first_place.criterion == criterion
    for language in ("en", "cs"):
        sentence = first_place_sentence(found, language)
        assert sentence.count(".") >= 1
        assert "{" not in sentence
    assert words in first_place_sentence(found, "en")


def test_nothing_proposed_has_no_first_place(assessed):
    assert assessed("W06b").first_place is None
    assert first_place_sentence(assessed("W06b"), "en") == ""


@pytest.mark.parametrize("case", ["W05b", "W06b", "W09b"])
def test_where_nothing_fits_the_closest_build_of_ours_comes_before_the_cheapest(assessed, case):
    found = assessed(case)
    own = [item for item in found.best_per_build if item.candidate.build.node.own_build]
    assert own[0] is closest_own(found)
    grades = [item.grade for item in own if not item.passes]
    assert grades == sorted(grades, reverse=True)
