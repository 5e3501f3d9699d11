from __future__ import annotations

from dataclasses import replace

import pytest

from kentino_desk.decision.facts import Facts
from kentino_desk.decision.rules import RULES, Finding, Rule, answers
from kentino_desk.domain.choices import Answer, Kind

CHAT = Facts(
    kind=Kind.CHAT, native_four_bit=False, params_total=70e9, has_deadline=False,
    one_node_8=True, one_node_4=True, carries_8=True, carries_4=True, one_node_in_time=True,
    cluster_holds=True, cluster_efficiency=0.8, nodes=1.0, weight_share=0.4, memory_share=None,
    load=60.0, x_node=100.0, train_days_one_node=None, deadline_days=None,
)  # fmt: skip
TRAIN = replace(
    CHAT, kind=Kind.FULL, one_node_4=False, carries_8=False, carries_4=False, weight_share=None,
    memory_share=0.5, train_days_one_node=3.0, deadline_days=4.0, has_deadline=True,
)  # fmt: skip


def words(facts):
    return {item.number: item.answer for item in answers(facts)}


def test_the_first_yes_ends_the_debate_and_the_rest_keep_what_they_would_say():
    found = answers(CHAT)
    assert [item.answer for item in found] == [
        Answer.YES, Answer.NOT_NEEDED, Answer.NO, Answer.NOT_NEEDED, Answer.NOT_NEEDED,
    ]  # fmt: skip
    assert found[1].would_be is Answer.YES
    assert found[3].would_be is Answer.NO


def test_question_one_never_hides_a_need_for_nodes():
    facts = replace(CHAT, one_node_8=False, one_node_4=False, nodes=2.0)
    assert words(facts)[1] is Answer.YES
    assert words(facts)[3] is Answer.YES


def test_four_bit_decides_where_one_node_carries_the_load_only_there():
    facts = replace(CHAT, one_node_8=False)
    assert words(facts)[1] is Answer.NO
    assert words(facts)[2] is Answer.YES


def test_four_bit_is_never_an_answer_for_gradients():
    facts = replace(TRAIN, one_node_8=False, one_node_4=True, carries_4=True)
    assert words(facts)[2] is Answer.NO


def test_a_natively_four_bit_model_has_nothing_to_ask_of_question_two():
    found = answers(replace(CHAT, native_four_bit=True, one_node_8=False, carries_8=False))
    assert found[1].answer is Answer.NOT_NEEDED
    assert found[1].would_be is None


def test_a_missed_deadline_is_throughput_and_not_size():
    facts = replace(TRAIN, one_node_in_time=False, train_days_one_node=9.0, nodes=3.0)
    assert words(facts)[1] is Answer.YES
    assert words(facts)[3] is Answer.YES
    assert words(facts)[4] is Answer.NOT_NEEDED


def test_training_without_a_date_has_no_throughput_question():
    facts = replace(TRAIN, has_deadline=False, deadline_days=None)
    assert words(facts)[3] is Answer.NOT_NEEDED


def test_frontier_pretraining_is_decided_before_the_cluster_question():
    facts = replace(TRAIN, kind=Kind.PRETRAIN, one_node_8=False, has_deadline=False)
    assert words(facts)[5] is Answer.YES
    assert words(facts)[4] is Answer.NOT_NEEDED


@pytest.mark.parametrize(
    ("params", "answer"), [(64.999e9, Answer.NO), (65e9, Answer.YES), (65.001e9, Answer.YES)]
)
def test_the_frontier_begins_at_sixty_five_billion(params, answer):
    facts = replace(
        TRAIN, kind=Kind.PRETRAIN, one_node_8=False, cluster_holds=False, params_total=params
    )
    assert words(facts)[5] is answer


def test_every_rule_names_facts_that_exist():
    names = Facts.__dataclass_fields__.keys()
    for rule in RULES:
        assert set(rule.reads) <= set(names), rule.key


def test_a_rule_added_to_the_tuple_is_answered():
    extra = Rule(
        number=6, key="extra", reads=("load",), ends=False,
        decide=lambda facts: Finding(yes=facts.load > 50, reason="load", figures=()),
    )  # fmt: skip
    found = answers(CHAT, (*RULES, extra))
    assert (found[-1].key, found[-1].answer) == ("extra", Answer.YES)
