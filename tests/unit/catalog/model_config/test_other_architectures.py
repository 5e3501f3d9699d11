from __future__ import annotations

import json
from pathlib import Path

import pytest

from kentino_desk.catalog.model_config.importing import read_config
from kentino_desk.domain.errors import InputError

CASES = json.loads((Path(__file__).parent / "other_architectures.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}-{case['source']}")
def test_one_model_of_each_further_architecture_is_counted(case: dict) -> None:
    model = read_config(case["config"], case["id"])
    assert model.params_total == pytest.approx(case["params_total"], rel=1e-3)


def config(case_id: str) -> dict:
    return next(dict(case["config"]) for case in CASES if case["id"] == case_id)


LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 4,
    "num_attention_heads": 8,
    "num_key_value_heads": 2,
    "intermediate_size": 128,
    "vocab_size": 100,
    "max_position_embeddings": 1024,
    "tie_word_embeddings": False,
}
LLAMA_LAYER = 64 * 64 + 2 * 64 * 16 + 64 * 64 + 3 * 64 * 128 + 2 * 64
EXPERTS = {
    "num_experts": 4,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 32,
}
EXPERT_LAYER = LLAMA_LAYER - 3 * 64 * 128 + 64 * 4 + 4 * 3 * 64 * 32


def count(**changed: object) -> int:
    return read_config(LLAMA | changed, "small").params_total


def test_a_plain_decoder_is_the_sum_of_its_parts() -> None:
    assert count() == 2 * 100 * 64 + 4 * LLAMA_LAYER + 64
    assert count(tie_word_embeddings=True) == 100 * 64 + 4 * LLAMA_LAYER + 64


def test_biases_are_added_where_the_file_asks_for_them() -> None:
    assert count(attention_bias=True) - count() == 4 * (64 + 2 * 16 + 64)
    assert count(mlp_bias=True) - count() == 4 * (2 * 128 + 64)


@pytest.mark.parametrize(
    ("rule", "expert_layers"),
    [
        ({"mlp_layer_types": ["dense", "sparse", "dense", "sparse"]}, 2),
        ({"moe_layer_freq": [0, 1, 1, 1]}, 3),
        ({"moe_layers_enum": "1, 3"}, 2),
        ({"moe_layers_enum": [2]}, 1),
        ({"moe_layers": [0, 3]}, 2),
        ({"interleave_moe_layer_step": 2}, 2),
        ({"expert_layer_period": 2, "expert_layer_offset": 1}, 2),
        ({"expert_layer_period": 4}, 1),
        ({"moe_layer_start_index": 1, "moe_layer_end_index": 2}, 2),
        ({"moe_layer_start_index": 1, "moe_layer_end_index": -1, "moe_layer_interval": 2}, 2),
        ({"first_k_dense_replace": 1, "moe_layer_freq": 1}, 3),
        ({"first_k_dense_replace": 1, "moe_layer_freq": 2}, 1),
        ({"decoder_sparse_step": 2}, 2),
        ({"mlp_only_layers": [0]}, 3),
        ({}, 4),
    ],
    ids=str,
)
def test_each_rule_says_which_layers_hold_experts(rule: dict, expert_layers: int) -> None:
    model = read_config(LLAMA | EXPERTS | rule, "small")
    assert dict(model.layers_by_kind)["with_experts"] == expert_layers
    own = expert_layers * EXPERT_LAYER + (4 - expert_layers) * LLAMA_LAYER
    assert model.params_total == 2 * 100 * 64 + own + 64
    idle = expert_layers * 2 * 3 * 64 * 32
    assert model.params_active == model.params_total - idle


def test_the_first_rule_in_the_stated_order_wins() -> None:
    rules = {"moe_layer_freq": [1, 1, 1, 1], "first_k_dense_replace": 3, "moe_layers": [0]}
    model = read_config(LLAMA | EXPERTS | rules, "small")
    assert dict(model.layers_by_kind)["with_experts"] == 4


@pytest.mark.parametrize(
    ("rule", "full"),
    [
        ({"layer_types": ["sliding_attention"] * 3 + ["full_attention"]}, 1),
        ({"sliding_window_pattern": "LG"}, 2),
        ({"sliding_window_pattern": 4}, 1),
        ({"hybrid_layer_pattern": [0, 1, 1, 0]}, 2),
        ({"use_sliding_window": False}, 4),
        ({"use_sliding_window": True, "max_window_layers": 3}, 3),
        ({}, 0),
    ],
    ids=str,
)
def test_each_pattern_says_which_layers_see_everything(rule: dict, full: int) -> None:
    model = read_config(LLAMA | {"sliding_window": 16} | rule, "small")
    assert (model.card.full_layers, model.card.sliding_layers) == (full, 4 - full)
    assert model.kv_bytes_per_token == full * 2 * 2 * 2 * 8
    assert model.window_tokens == (16 if full < 4 else 0)


def test_a_window_as_long_as_the_context_is_none() -> None:
    model = read_config(LLAMA | {"sliding_window": 1024}, "small")
    assert model.card.full_layers == 4
    assert "window" in {item.name for item in model.derived}


NAS = LLAMA | {
    "model_type": "nemotron-nas",
    "num_hidden_layers": 3,
    "num_key_value_heads": None,
    "intermediate_size": None,
    "block_configs": [
        {"attention": {"n_heads_in_group": 4}, "ffn": {"ffn_mult": 2.625}},
        {"attention": {"no_op": True}, "ffn": {"intermediate_size": 128}},
        {"attention": {"num_key_value_heads": 4}, "ffn": {"no_op": True}},
    ],
}


def test_blocks_of_a_searched_architecture_are_counted_one_by_one() -> None:
    model = read_config(NAS, "nas")
    first = 2 * 64 * 64 + 2 * 64 * 16 + 3 * 64 * 256 + 2 * 64
    second = 3 * 64 * 128 + 64
    third = 2 * 64 * 64 + 2 * 64 * 32 + 64
    assert model.params_total == 2 * 100 * 64 + first + second + third + 64
    assert model.card.full_layers == 2
    assert model.kv_bytes_per_token == 2 * (2 * 16 + 2 * 32)


@pytest.mark.parametrize(
    ("block", "field"),
    [
        ({"attention": {"replace_with_linear": True}, "ffn": {}}, "replace_with_linear"),
        ({"attention": {"no_op": True}, "ffn": {"ffn_mult": float("inf")}}, "ffn_mult"),
        ({"attention": {"no_op": True}, "ffn": {"ffn_mult": "wide"}}, "ffn_mult"),
        ({"ffn": {"no_op": True}}, "attention"),
        ({"attention": {"no_op": True}}, "ffn"),
        (3, "block_configs"),
    ],
    ids=str,
)
def test_a_block_that_cannot_be_counted_is_named(block: object, field: str) -> None:
    with pytest.raises(InputError, match=rf"^block_configs.*{field}|^{field} = "):
        read_config(NAS | {"block_configs": [block] * 3}, "nas")


STEP = LLAMA | {
    "model_type": "step3p5",
    "num_key_value_heads": None,
    "num_attention_groups": 2,
    "layer_types": ["full_attention"] + ["sliding_attention"] * 4,
    "sliding_window": 16,
    "head_dim": 8,
    "attention_other_setting": {
        "num_attention_heads": 12,
        "num_attention_groups": 4,
        "head_dim": 8,
    },
}


def test_layers_with_a_window_may_have_heads_of_their_own() -> None:
    model = read_config(STEP, "step")
    full = 64 * (64 + 64 + 32 + 8) + 2 * 8
    window = 64 * (96 + 96 + 64 + 12) + 2 * 8
    layers = full + 3 * window + 4 * (3 * 64 * 128 + 2 * 64)
    assert model.params_total == 2 * 100 * 64 + layers + 64
    assert model.card.kv_elements_sliding == 2 * 4 * 8


def test_mimo_doubles_the_heads_of_windows_that_the_file_leaves_out() -> None:
    raw = {name: value for name, value in config("mimo-v2-flash").items() if "swa_" not in name}
    model = read_config(raw, "mimo")
    assert model.card.kv_elements_sliding == 2 * model.card.kv_elements_full
    assert "swa_num_key_value_heads" in {item.name for item in model.assumed}


@pytest.mark.parametrize(
    ("gate", "width"),
    [
        ({"gating": "per-element"}, 64),
        ({"gating": "per-head"}, 8),
        ({"gating": False}, 0),
        ({"attn_output_gate": True}, 64),
        ({"use_head_wise_attn_gate": False}, 0),
    ],
    ids=str,
)
def test_the_gate_of_attention_follows_its_flag(gate: dict, width: int) -> None:
    laguna = LLAMA | {"model_type": "laguna"}
    without = read_config(laguna | {"gating": False}, "x").params_total
    assert read_config(laguna | gate, "x").params_total - without == 4 * 64 * width


def test_an_unknown_architecture_is_counted_by_its_fields_and_says_so() -> None:
    model = read_config(LLAMA | {"model_type": "unheard_of", "hidden_act": "relu2"}, "x")
    assert model.params_total == count() - 4 * 64 * 128
    assert {"architecture", "gated feed-forward"} <= {item.name for item in model.assumed}
    assert any("unheard_of" in warning for warning in model.warnings)
    assert {"params_total", "params_active"} <= model.card.source.unverified


def test_an_unknown_architecture_with_experts_takes_their_width_from_the_feed_forward() -> None:
    experts = {"num_experts": 4, "num_experts_per_tok": 2, "use_qk_norm": True}
    model = read_config(LLAMA | {"model_type": "unheard_of"} | experts, "x")
    assert model.card.expert_ffn == 128
    assert "moe_intermediate_size" in {item.name for item in model.assumed}


@pytest.mark.parametrize(
    ("fields", "linear", "mamba"),
    [
        ({"linear_num_heads": 4, "linear_head_dim": 8, "linear_conv_kernel_dim": 4}, 4, 0),
        (
            {
                "linear_num_value_heads": 4,
                "linear_num_key_heads": 2,
                "linear_key_head_dim": 8,
                "linear_value_head_dim": 8,
                "linear_conv_kernel_dim": 4,
            },
            4,
            0,
        ),
    ],
)
def test_an_unknown_hybrid_is_told_by_the_fields_of_its_mixer(
    fields: dict, linear: int, mamba: int
) -> None:
    raw = LLAMA | {"model_type": "unheard_of", "layer_types": ["linear_attention"] * 4} | fields
    model = read_config(raw, "x")
    assert (model.card.linear_layers, model.card.mamba_layers) == (linear, mamba)
    assert model.kv_bytes_per_token == 0
    assert model.state_bytes_per_sequence > 0


def test_a_missing_model_type_is_told_by_the_architecture() -> None:
    raw = {name: value for name, value in LLAMA.items() if name != "model_type"}
    assert read_config(raw | {"architectures": ["LlamaForCausalLM"]}, "x").params_total == count()
    with pytest.raises(InputError, match="model_type"):
        read_config(raw, "x")


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"model_type": "bert"}, "model_type"),
        ({"model_type": "whisper"}, "model_type"),
        ({"model_type": "t5"}, "model_type"),
        ({"model_type": "gpt2"}, "model_type"),
        ({"model_type": "rwkv"}, "model_type"),
        ({"_class_name": "FluxPipeline"}, "_class_name"),
        ({"is_encoder_decoder": True}, "is_encoder_decoder"),
        ({"laurel_rank": 64}, "laurel_rank"),
        ({"hidden_size": None}, "hidden_size"),
        ({"hidden_size": "64"}, "hidden_size"),
        ({"hidden_size": True}, "hidden_size"),
        ({"hidden_size": 10**40}, "hidden_size"),
        ({"num_hidden_layers": 0}, "num_hidden_layers"),
        ({"num_attention_heads": 7}, "head_dim"),
        ({"vocab_size": [1, 2]}, "vocab_size"),
        ({"intermediate_size": None}, "intermediate_size"),
        ({"tie_word_embeddings": "no"}, "tie_word_embeddings"),
        ({"layer_types": ["full_attention"]}, "layer_types"),
        ({"layer_types": ["hyena"] * 4}, "layer_types"),
        ({"layer_types": ["mamba"] * 4}, "layer_types"),
        ({"layer_types": "full"}, "layer_types"),
        ({"layer_types": [1] * 4}, "layer_types"),
        ({"layer_types": ["sliding_attention"] * 4}, "sliding_window"),
        ({"hybrid_override_pattern": "MX*E"}, "hybrid_override_pattern"),
        ({"sliding_window": 8, "sliding_window_pattern": "LX"}, "sliding_window_pattern"),
        ({"mlp_layer_types": ["thin"] * 4} | EXPERTS, "mlp_layer_types"),
        ({"moe_layers_enum": "1;2"} | EXPERTS, "moe_layers_enum"),
        ({"moe_layers": ["1"]} | EXPERTS, "moe_layers"),
        (EXPERTS | {"num_experts_per_tok": 5}, "num_experts_per_tok"),
        (EXPERTS | {"num_experts_per_tok": None}, "num_experts_per_tok"),
        (EXPERTS | {"moe_intermediate_size": None}, "moe_intermediate_size"),
        ({"num_kv_shared_layers": 4}, "num_kv_shared_layers"),
        ({"hc_mult": 4}, "hc_mult"),
        ({"compress_ratios": [4] * 4}, "index_head_dim"),
        ({"quantization_config": "fp8"}, "quantization_config"),
        ({"block_configs": [{}]}, "block_configs"),
        ({"vision_config": {"model_type": "unheard_of"}}, "vision_config"),
        ({"audio_config": {}}, "audio_config"),
        ({"model_type": 3}, "model_type"),
    ],
    ids=str,
)
def test_what_cannot_be_counted_is_refused_with_its_field(changed: dict, field: str) -> None:
    with pytest.raises(InputError) as caught:
        read_config(LLAMA | changed, "x")
    assert caught.value.field.endswith(field)


def test_more_parameters_than_any_model_has_are_refused() -> None:
    huge = {"hidden_size": 1_000_000, "intermediate_size": 10_000_000, "num_attention_heads": 1_000}
    with pytest.raises(InputError, match="more parameters than any model"):
        read_config(LLAMA | huge | {"num_hidden_layers": 2_000}, "x")


@pytest.mark.parametrize(
    ("block", "weights", "note"),
    [
        ({"quant_method": "gptq", "bits": 4}, "int4", "int4"),
        ({"quant_method": "gptq", "bits": 8}, "int8", "int8"),
        ({"quant_method": "awq", "w_bit": 4}, "int4", "int4"),
        ({"quant_method": "auto-round"}, "int4", "int4"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "int4", "int4"),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, "int8", "int8"),
        ({"quant_algo": "FP8"}, "fp8", "fp8"),
        ({"quant_method": "modelopt", "quantization": {"quant_algo": "NVFP4"}}, "nvfp4", "nvfp4"),
        ({"config_groups": {"a": {"weights": {"num_bits": 8, "type": "int"}}}}, "int8", "int8"),
        ({"config_groups": {"a": {"weights": {"num_bits": 8, "type": "float"}}}}, "fp8", "fp8"),
        (
            {
                "config_groups": {
                    "a": {"weights": {"num_bits": 4, "type": "float", "group_size": 32}}
                }
            },
            "mxfp4",
            "mxfp4",
        ),
        ({"quant_method": "gptq", "bits": 3}, "bf16", "bfloat16"),
        ({"quant_method": "unheard_of"}, "bf16", "bfloat16"),
    ],
    ids=str,
)
def test_quantisation_blocks_give_the_format(block: dict, weights: str, note: str) -> None:
    raw = LLAMA | {"torch_dtype": "bfloat16", "quantization_config": block}
    model = read_config(raw, "x")
    assert model.card.native_format == weights
    assert model.card.native_format_note == note
    assert bool(model.warnings) == (weights == "bf16")


def test_mixed_precision_names_both_formats() -> None:
    raw = LLAMA | EXPERTS | {"quantization_config": {"quant_algo": "MIXED_PRECISION"}}
    card = read_config(raw, "x").card
    assert (card.native_format, card.native_expert_format) == ("fp8", "nvfp4")
    assert card.native_format_note == "nvfp4 experts, fp8 for the rest"


def test_prediction_blocks_are_named_and_not_counted() -> None:
    model = read_config(LLAMA | {"num_nextn_predict_layers": 1}, "x")
    assert model.params_total == count()
    assert model.card.mtp_layers == 1
    assert "MTP" in model.warnings[0]
    assert read_config(LLAMA | {"num_mtp_modules": 3, "use_mtp": False}, "x").warnings == ()


def test_falcon_without_parallel_halves_has_two_norms() -> None:
    falcon = LLAMA | {"model_type": "falcon", "multi_query": True, "num_kv_heads": 8}
    one = read_config(falcon | {"parallel_attn": True}, "x")
    two = read_config(falcon | {"parallel_attn": False}, "x")
    assert two.params_total - one.params_total == 4 * 2 * 64
    assert one.card.kv_heads == 1
    assert read_config(falcon | {"multi_query": False}, "x").card.kv_heads == 8


def test_the_id_of_a_model_is_made_of_its_name() -> None:
    assert read_config(LLAMA, "Acme / Llama_7B (v2)").card.id == "acme-llama-7b-v2"
    assert read_config(LLAMA, "模型").card.id == "imported-model"


STEP_TOWER = {
    "width": 1536,
    "layers": 47,
    "heads": 16,
    "mlp_ratio": 8960 / 1536,
    "image_size": 728,
    "patch_size": 14,
}


def test_the_tower_of_step_has_its_published_size() -> None:
    text = STEP | {"hidden_size": 4096}
    raw = {"model_type": "step3p7", "text_config": text, "vision_config": STEP_TOWER}
    model = read_config(raw, "step")
    assert model.params_towers == pytest.approx(1_981_015_000, abs=1_000)
    assert model.card.modality == "text+image"


@pytest.mark.parametrize("ratio", ["wide", float("nan"), -1, 1e30], ids=str)
def test_a_ratio_that_is_none_is_refused(ratio: object) -> None:
    tower = STEP_TOWER | {"mlp_ratio": ratio}
    raw = {"model_type": "step3p7", "text_config": STEP, "vision_config": tower}
    with pytest.raises(InputError, match=r"vision_config\.mlp_ratio"):
        read_config(raw, "step")


def test_a_ratio_that_is_missing_is_replaced_by_the_width() -> None:
    tower = STEP_TOWER | {"mlp_ratio": None, "intermediate_size": 8960}
    raw = {"model_type": "step3p7", "text_config": STEP, "vision_config": tower}
    given = raw | {"vision_config": STEP_TOWER}
    assert read_config(raw, "x").params_towers == read_config(given, "x").params_towers


def test_the_tower_of_qwen_2_is_counted_by_its_formula() -> None:
    tower = {"embed_dim": 16, "depth": 2, "num_heads": 2, "patch_size": 2, "mlp_ratio": 4}
    raw = LLAMA | {"model_type": "qwen2_vl", "vision_config": tower}
    block = 4 * (16 * 16 + 16) + 16 * 64 + 64 + 64 * 16 + 16 + 4 * 16
    merger = 2 * 16 + 64 * 64 + 64 + 64 * 64 + 64
    model = read_config(raw, "x")
    assert model.params_towers == 3 * 2 * 2 * 2 * 16 + 2 * block + merger
    assert "vision_config.spatial_merge_size" in {item.name for item in model.assumed}


@pytest.mark.parametrize(
    ("changed", "field"), [({"depths": [1]}, "hidden_sizes"), ({"mlp_ratio": None}, "mlp_ratio")]
)
def test_an_audio_tower_that_cannot_be_counted_is_refused(changed: dict, field: str) -> None:
    raw = config("muse-spark-open-816b")
    with pytest.raises(InputError, match=rf"audio_config\.{field}"):
        read_config(raw | {"audio_config": raw["audio_config"] | changed}, "x")


def test_without_a_window_every_layer_of_a_pattern_is_full() -> None:
    gemma = LLAMA | {"model_type": "gemma2"}
    model = read_config(gemma, "x")
    assert model.card.full_layers == 4
    assert "no window" in model.warnings[0]
    assert read_config(gemma | {"sliding_window": 16}, "x").card.full_layers == 2


def test_the_number_of_layers_may_follow_from_the_list_of_blocks() -> None:
    raw = LLAMA | {
        "num_hidden_layers": None,
        "layers_block_type": ["mlp", "attention", "mlp"],
        "model_type": "nemotron_h",
    }
    model = read_config(raw, "x")
    assert model.layers == 3
    assert dict(model.layers_by_kind) == {"full": 1, "none": 2, "with_experts": 0}
    with pytest.raises(InputError, match="num_hidden_layers"):
        read_config(LLAMA | {"num_hidden_layers": None}, "x")


def test_falcon_without_a_word_about_its_heads_shares_one() -> None:
    model = read_config(LLAMA | {"model_type": "falcon"}, "x")
    assert model.card.kv_heads == 1
    assert "multi_query" in {item.name for item in model.assumed}


def test_layers_with_a_block_index_may_be_named_by_their_kind() -> None:
    raw = config("minimax-m3")
    text = {k: v for k, v in raw["text_config"].items() if k != "sparse_attention_config"}
    kinds = ["full_attention"] * 3 + ["minimax_m3_sparse"] * 57
    named = {"layer_types": kinds, "index_n_heads": 4, "index_head_dim": 128}
    other = read_config(raw | {"text_config": text | named}, "x")
    assert other.params_total == read_config(raw, "x").params_total


def test_a_text_nested_twice_is_found() -> None:
    nested = {"model_type": "outer", "thinker_config": {"text_config": LLAMA}}
    assert read_config(nested, "x").params_total == count()


def test_an_architecture_that_is_not_known_does_not_name_the_model_type() -> None:
    raw = {name: value for name, value in LLAMA.items() if name != "model_type"}
    with pytest.raises(InputError, match="model_type"):
        read_config(raw | {"architectures": ["NewForImages", "NewForCausalLM"]}, "x")


def test_weights_in_an_unknown_type_are_named() -> None:
    model = read_config(LLAMA | {"torch_dtype": "float4"}, "x")
    assert "float4" in model.warnings[0]


def test_an_unknown_architecture_that_hides_state_layers_is_refused() -> None:
    with pytest.raises(InputError, match="mamba_d_state"):
        read_config(LLAMA | {"model_type": "unheard_of", "mamba_d_state": 16}, "x")
