from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.choices import Attention, Evidence, Format
from kentino_desk.domain.errors import InputError

if TYPE_CHECKING:
    from kentino_desk.domain.model_card import ModelCard

SNAPSHOT = load_snapshot()
ODD_SHAPES = {
    "gemma-4-e2b": "per-layer embeddings",
    "gemma-4-e4b": "per-layer embeddings",
    "muse-glimmer-30b": "layers of several widths",
    "nemotron-super-49b": "layers of several widths",
}


def _dense_gqa_models() -> list[ModelCard]:
    return [
        card
        for card in SNAPSHOT.models.values()
        if card.can_be_sized
        and card.attention is Attention.GQA
        and not (card.is_moe or card.has_state or card.id in ODD_SHAPES)
    ]


def _counted_params(card: ModelCard) -> float:
    tables = card.vocab * card.hidden * (1 if card.tied_embeddings else 2)
    attention = 2 * card.hidden * card.head_dim * (card.heads + card.kv_heads)
    ffn = (3 if card.gated_ffn else 2) * card.hidden * card.ffn
    return tables + card.layers * (attention + ffn) + card.vision_params


def test_row_counts_are_pinned() -> None:
    assert len(SNAPSHOT.gpus) == 56
    assert len(SNAPSHOT.nodes) == 70
    assert len(SNAPSHOT.fabrics) == 7
    assert len(SNAPSHOT.models) == 231
    assert len(SNAPSHOT.price_list.lines) == 46
    assert sum(card.can_be_sized for card in SNAPSHOT.models.values()) == 203


@pytest.mark.parametrize("card", _dense_gqa_models(), ids=lambda card: card.id)
def test_parameters_counted_from_the_layers_agree_with_the_row(card: ModelCard) -> None:
    assert _counted_params(card) == pytest.approx(card.params_total, rel=0.02)


def test_most_models_take_part_in_that_count() -> None:
    assert len(_dense_gqa_models()) > 100


@pytest.mark.parametrize(
    "card",
    [card for card in SNAPSHOT.models.values() if card.can_be_sized],
    ids=lambda card: card.id,
)
def test_a_model_that_can_be_sized_is_whole(card: ModelCard) -> None:
    assert card.layers >= card.full_layers + card.sliding_layers > 0
    assert 0 < card.params_active <= card.params_total
    assert card.max_context is None or card.max_context >= 1_024
    assert (card.window_tokens > 0) == (card.sliding_layers > 0 or card.ratio_4_layers > 0)
    assert not card.has_state or card.state_elements > 0
    assert not card.is_mla or card.kv_lora_rank + card.rope_head_dim == card.kv_elements_full
    assert (card.index_layers > 0) == (card.attention is Attention.MLA_SPARSE)


@pytest.mark.parametrize(
    "card",
    [card for card in SNAPSHOT.models.values() if card.can_be_sized and card.is_moe],
    ids=lambda card: card.id,
)
def test_experts_explain_the_gap_between_all_and_active_parameters(card: ModelCard) -> None:
    expert = (3 if card.gated_ffn else 2) * card.expert_width * card.expert_ffn
    resting = card.moe_layers * (card.experts - card.experts_per_token) * expert
    gap = card.params_total - card.vision_params - card.params_active
    assert resting == pytest.approx(gap, rel=0.005)


@pytest.mark.parametrize(
    ("model_id", "field", "value"),
    [
        ("llama-3.1-8b", "params_total", 8_030_261_248.0),
        ("llama-2-13b", "kv_elements_full", 10_240.0),
        ("mistral-nemo-12b", "head_dim", 128),
        ("deepseek-v3", "native_format", Format.FP8),
        ("gpt-oss-120b", "native_expert_format", Format.MXFP4),
        ("kimi-k2.5", "native_expert_format", Format.INT4),
        ("deepseek-v4-pro", "native_expert_format", Format.MXFP4),
        ("glm-5.1", "index_layers", 78),
        ("glm-5.2", "index_layers", 21),
        ("kimi-k3", "expert_width", 3_584),
        ("muse-spark-open-816b", "expert_width", 4_096),
        ("nemotron-3-super-120b-a12b", "expert_width", 1_024),
        ("nemotron-3-super-120b-a12b", "gated_ffn", False),
        ("qwen3.6-35b-a3b", "state_is_fp32", True),
        ("qwen3-next-80b-a3b", "state_is_fp32", False),
        ("gemma-4-e2b", "kv_shared_layers", 20),
        ("llama-4-scout", "shared_ffn", 8_192),
        ("deepseek-v4-flash", "ratio_4_layers", 21),
    ],
)
def test_model_facts_that_figures_hang_on(model_id: str, field: str, value: object) -> None:
    assert getattr(SNAPSHOT.models[model_id], field) == value


@pytest.mark.parametrize(
    ("model_id", "reason"),
    [
        ("falcon-h1-34b", "only the parameter count is known"),
        ("nemotron-ultra-253b", "layer kinds are not known"),
        ("flux.1-dev", "not a language model"),
        ("qwen3-embedding-8b", "not a language model"),
    ],
)
def test_a_model_that_cannot_be_sized_says_why(model_id: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        SNAPSHOT.model(model_id)


def test_other_modalities_are_never_sized() -> None:
    for card in SNAPSHOT.models.values():
        if not card.modality.startswith("text") or card.modality.startswith("text-to"):
            assert card.unsized_reason == "not a language model"


def test_own_builds_are_estimates_and_offered() -> None:
    own = [node for node in SNAPSHOT.nodes.values() if node.own_build]
    assert len(own) == 14
    for node in own:
        assert node.offered
        assert node.source.evidence_of("max_input_kw") is Evidence.ESTIMATE
        assert node.cpu_tdp_w is not None


def test_partner_platforms_are_offered_beside_them() -> None:
    partners = {n.id for n in SNAPSHOT.nodes.values() if n.offered and not n.own_build}
    assert partners == {"dgx-a100", "dgx-h100", "dgx-h200", "dgx-b200", "dgx-b300"}
    assert all(SNAPSHOT.nodes[node_id].nvlink for node_id in partners)
    assert SNAPSHOT.nodes["dgx-a100"].gpu_ids == ("a100-sxm-80",)


def test_generic_hosts_take_any_card_and_are_not_offered() -> None:
    for count in (1, 2, 4, 8):
        host = SNAPSHOT.nodes[f"generic-host-{count}"]
        assert host.gpu_ids == ("*",)
        assert host.gpu_count == count
        assert not host.offered


def test_recalled_fields_are_estimates_and_the_others_keep_their_grade() -> None:
    source = SNAPSHOT.gpus["h100-sxm"].source
    assert source.evidence_of("memory_mib") is Evidence.ESTIMATE
    assert source.evidence_of("memory_bandwidth_gb_per_s") is Evidence.VENDOR
    t4 = SNAPSHOT.gpus["t4"].source
    assert t4.evidence is Evidence.ESTIMATE
    assert "memory_mib" not in t4.unverified


def test_cards_without_nvlink_have_none() -> None:
    for gpu_id in ("rtx-pro-6000-bw-server", "l40s", "l4", "rtx-5090"):
        assert not SNAPSHOT.gpus[gpu_id].has_nvlink
    assert SNAPSHOT.gpus["h100-sxm"].has_nvlink
    assert not SNAPSHOT.gpus["h100-nvl"].has_nvlink


def test_every_row_has_a_source_and_the_one_date() -> None:
    rows = [*SNAPSHOT.gpus.values(), *SNAPSHOT.nodes.values(), *SNAPSHOT.fabrics.values()]
    for row in [*rows, *SNAPSHOT.models.values()]:
        assert row.source.address
        assert row.source.read_on == SNAPSHOT.read_on
