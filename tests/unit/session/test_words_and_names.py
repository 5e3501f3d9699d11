from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from kentino_desk.domain.workload import WorkloadInputs
from kentino_desk.session import actions as act
from kentino_desk.session.action_words import action_words
from kentino_desk.session.model_search import ModelSearch
from kentino_desk.session.proposal_name import proposal_name
from kentino_desk.session.state import AppState


@pytest.mark.parametrize("action", act.UNDOABLE)
def test_every_step_that_can_be_undone_has_a_name(action):
    fields = dict.fromkeys(action.__dataclass_fields__, "serving.concurrent_users")
    assert action_words(action(**fields))


def test_a_step_in_a_field_is_called_by_the_field():
    assert action_words(act.SetField("serving.concurrent_users", "4")) == "Users at once"


def test_a_proposal_is_named_in_letters_that_any_file_system_takes():
    state = AppState(
        inputs=WorkloadInputs.of({"workload.kind": "chat", "workload.model": "llama-3.3-70b"}),
        customer="Příklad Data a.s. / ../etc",
    )
    assert proposal_name(state) == "Proposal_Priklad-Data-a.s.-..-etc_llama-3.3-70b_cs.pdf"
    assert proposal_name(replace(state, customer="")) == "Proposal_llama-3.3-70b_cs.pdf"
    assert len(proposal_name(replace(state, customer="x" * 500))) < 120


def card(model_id, name, modality="text", *, sized=True):
    return SimpleNamespace(
        id=model_id,
        name=name,
        modality=modality,
        can_be_sized=sized,
        params_total=70.55e9,
        layers=80,
    )


CARDS = {
    item.id: item
    for item in (
        card("llama-3.3-70b", "Llama 3.3 70B"),
        card("code-llama", "Code Llama 34B"),
        card("vision", "Llama 3.2 Vision", "text+image"),
        card("late", "Llama 9", sized=False),
        card("painter", "Llama Paint", "text-to-image"),
        card("vectors", "Llama Embed", "embedding"),
    )
}


def test_three_letters_find_language_models_and_two_find_none():
    search = ModelSearch(CARDS)
    assert search.find("ll") == []
    found = [search.id_of(line) for line in search.find("lla")]
    assert found == ["vision", "llama-3.3-70b", "late", "code-llama"]


def test_all_words_typed_must_be_there_and_ids_count():
    search = ModelSearch(CARDS)
    assert [search.id_of(line) for line in search.find("70b llama")] == ["llama-3.3-70b"]
    assert [search.id_of(line) for line in search.find("llama-3.3")] == ["llama-3.3-70b"]
    assert "cannot be sized yet" in search.find("llama 9")[0]


def test_a_model_is_shown_by_name_and_size_and_an_unknown_one_by_its_id():
    search = ModelSearch(CARDS)
    assert search.name_of("llama-3.3-70b") == "Llama 3.3 70B"
    assert search.note_of("llama-3.3-70b") == "70.5\u00a0B · 80\u00a0layers"
    assert search.name_of("x") == "x"
    assert search.note_of("x") == ""
