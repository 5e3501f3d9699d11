from __future__ import annotations

import copy
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kentino_desk.catalog.model_config.importing import read_config
from kentino_desk.catalog.model_config.json_text import LIMIT_BYTES, parse_config
from kentino_desk.domain.errors import InputError

CONFIGS = Path(__file__).resolve().parents[3] / "validation" / "configs"
GOOD = [json.loads(path.read_bytes()) for path in sorted(CONFIGS.glob("*.json"))]
SELDOM = [
    "attention_other_setting",
    "attn_config",
    "attn_layer_period",
    "attn_type_list",
    "audio_config",
    "block_configs",
    "cla_share_factor",
    "compress_ratios",
    "compression_config",
    "cross_attention_layers",
    "enable_moe_block",
    "expert_layer_period",
    "expansion_ratio",
    "ffn_config",
    "gating",
    "hc_mult",
    "hidden_size_per_layer_input",
    "hybrid_layer_pattern",
    "interleave_moe_layer_step",
    "is_encoder_decoder",
    "layers_block_type",
    "linear_attn_config",
    "max_window_layers",
    "mla_use_output_gate",
    "moe_latent_size",
    "moe_layer_freq",
    "moe_layers",
    "moe_layers_enum",
    "moe_layer_start_index",
    "moe_layer_end_index",
    "moe_layer_interval",
    "multi_query",
    "no_rope_layers",
    "num_attention_heads_per_layer",
    "num_kv_shared_layers",
    "residual_moe",
    "routed_expert_hidden_size",
    "shared_intermediate_size",
    "sliding_window_pattern",
    "sparse_attention_config",
    "use_cla",
    "use_double_wide_mlp",
]


def names_that_are_read() -> list[str]:
    models = [read_config(raw, "good") for raw in GOOD]
    read = {item.name.rpartition(".")[2] for model in models for item in model.read}
    return sorted({*read, *SELDOM, "text_config", "vision_config", "quantization_config"})


NAMES = names_that_are_read()
BAD_VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(10**6, 10**9)
    | st.integers(10**30, 10**40)
    | st.floats()
    | st.text(max_size=20)
    | st.lists(st.integers(-3, 300) | st.text(max_size=3) | st.none(), max_size=8)
    | st.dictionaries(st.sampled_from(NAMES), st.integers() | st.none(), max_size=3)
    | st.sampled_from(["deepest list", "deepest object", "missing", "many"])
)
MUTATIONS = st.lists(
    st.tuples(st.booleans(), st.sampled_from(NAMES), BAD_VALUES), min_size=1, max_size=4
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner),
    max_leaves=20,
)


def deepest(kind: str) -> object:
    nested: object = []
    for _ in range(100_000):
        nested = [nested] if kind == "deepest list" else {"text_config": nested}
    return nested


DEEPEST = {kind: deepest(kind) for kind in ("deepest list", "deepest object")}
MANY = [1] * 200_000


def mutate(raw: dict[str, Any], mutations: list[tuple[bool, str, Any]]) -> dict[str, Any]:
    mutated = copy.deepcopy(raw)
    for in_text, name, value in mutations:
        text = mutated.get("text_config")
        part = text if in_text and isinstance(text, dict) else mutated
        if isinstance(value, str) and value == "missing":
            part.pop(name, None)
        elif isinstance(value, str) and value in DEEPEST:
            part[name] = DEEPEST[value]
        else:
            part[name] = MANY if isinstance(value, str) and value == "many" else value
    return mutated


def check(raw: dict[str, Any]) -> None:
    start = time.perf_counter()
    refusal = ""
    try:
        model = read_config(raw, "fuzzed")
    except InputError as error:
        refusal = str(error)
    if refusal:
        assert refusal.endswith(".")
        assert refusal.encode()
    else:
        assert json.dumps(model.document(), ensure_ascii=False).encode()
        assert 0 < model.params_active <= model.params_total
        assert model.params_total == model.params_decoder + model.params_towers
    assert time.perf_counter() - start < 1.0


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(raw=st.sampled_from(GOOD), mutations=MUTATIONS)
def test_a_mutated_file_is_counted_or_refused_within_a_second(
    raw: dict[str, Any], mutations: list[tuple[bool, str, Any]]
) -> None:
    check(mutate(raw, mutations))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(raw=st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=8), ANYTHING))
def test_any_object_is_counted_or_refused_within_a_second(raw: dict[str, Any]) -> None:
    check(raw)


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_an_object_or_refused(data: bytes) -> None:
    refusal = ""
    try:
        parse_config(data, "config.json")
    except InputError as error:
        refusal = str(error)
    assert not refusal or refusal.startswith("config.json: ")


@pytest.mark.deep
@settings(max_examples=20_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(raw=st.sampled_from(GOOD), mutations=MUTATIONS)
def test_many_mutated_files_are_counted_or_refused(
    raw: dict[str, Any], mutations: list[tuple[bool, str, Any]]
) -> None:
    check(mutate(raw, mutations))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b'{"text_config":' * 100_000, "nested too deeply"),
        (b'{"hidden_size": NaN}', "NaN is not a number"),
        (b'{"hidden_size": 1, "hidden_size": 2}', "hidden_size stands there twice"),
        (b'{"hidden_size": ' + b"9" * 5_000 + b"}", "a number is too long"),
        (b'{"a": }', "in line 1"),
        (b"[1, 2]", "holds no JSON object"),
        (b"\xff\xfe{", "not UTF-8"),
        (b"", "not valid JSON"),
        (b" " * (LIMIT_BYTES + 1), "too large"),
    ],
    ids=lambda value: value[:20] if isinstance(value, bytes) else value,
)
def test_text_that_is_no_configuration_is_refused_with_the_reason(
    data: bytes, problem: str
) -> None:
    start = time.perf_counter()
    with pytest.raises(InputError, match=problem):
        parse_config(data, "config.json")
    assert time.perf_counter() - start < 1.0


def test_a_file_of_many_equal_keys_is_refused_within_a_second() -> None:
    data = b"{" + b",".join(b'"a%d": 1' % (i % 200_000) for i in range(200_001)) + b"}"
    start = time.perf_counter()
    with pytest.raises(InputError, match="stands there twice"):
        parse_config(data, "config.json")
    assert time.perf_counter() - start < 1.0


def test_infinity_is_let_through_where_nothing_counts_it() -> None:
    raw = parse_config(b'{"time_step_limit": [0.0, Infinity], "hidden_size": -Infinity}', "x")
    assert raw["hidden_size"] == float("-inf")
    with pytest.raises(InputError, match="hidden_size"):
        read_config({**raw, "model_type": "llama"}, "x")
