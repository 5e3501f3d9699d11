from __future__ import annotations

import csv
import time
from dataclasses import fields
from pathlib import Path

import pytest

from kentino_desk.catalog.model_config.importing import read_config
from kentino_desk.catalog.model_config.json_text import parse_config
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.choices import Format

CONFIGS = Path(__file__).resolve().parents[3] / "validation" / "configs"
EXPECTED = list(
    csv.DictReader((Path(__file__).parent / "expected_counts.csv").read_text().splitlines())
)
FILES = sorted(path.name for path in CONFIGS.glob("*.json"))


def load(file: str):
    data = (CONFIGS / file).read_bytes()
    return read_config(parse_config(data, file), file.removesuffix(".json"), "2026-12-02")


def test_each_of_the_forty_files_has_an_expected_count() -> None:
    assert len(FILES) == 40
    assert sorted({row["file"] for row in EXPECTED}) == FILES


@pytest.mark.parametrize(
    "row", EXPECTED, ids=lambda row: f"{row['file']}-{row['model_id']}-{row['source']}"
)
def test_parameters_agree_with_the_published_count(row: dict[str, str]) -> None:
    model = load(row["file"])
    assert model.params_total == pytest.approx(int(row["params_computed"]), rel=1e-3)
    assert model.params_total == model.params_decoder + model.params_towers


SHAPE = [
    item.name
    for item in fields(load_snapshot().models["llama-3.1-8b"])
    if item.name
    not in {
        "id",
        "name",
        "vendor",
        "family",
        "modality",
        "source",
        "native_format",
        "native_expert_format",
        "native_format_note",
        "unsized_reason",
    }
]


@pytest.mark.parametrize("row", EXPECTED, ids=lambda row: f"{row['file']}-{row['model_id']}")
def test_the_shape_equals_that_of_the_shipped_catalog(row: dict[str, str]) -> None:
    card = load(row["file"]).card
    shipped = load_snapshot().models[row["model_id"]]
    for name in SHAPE:
        expected = getattr(shipped, name)
        if name in {"params_total", "params_active", "vision_params"}:
            assert getattr(card, name) == pytest.approx(expected, rel=1e-4, abs=1_000), name
        else:
            assert getattr(card, name) == expected, name


@pytest.mark.parametrize(
    ("file", "kv_bytes", "state_bytes", "window"),
    [
        pytest.param("Llama-3.1-8B.json", 131_072, 0, 0, id="memory_fit_notes-9-Llama-3.1-8B"),
        pytest.param("Kimi-K2.5.json", 70_272, 0, 0, id="memory_fit_notes-9-Kimi-K2"),
        pytest.param("Qwen3-235B-A22B.json", 192_512, 0, 0, id="memory_fit_notes-9-4x48128"),
        pytest.param(
            "Qwen3.6-35B-A3B-NVFP4.json",
            20_480,
            30 * (4 * 524_288 + 2 * 24_576),
            0,
            id="memory_fit_notes-9-2.146-MB-a-layer",
        ),
        pytest.param("gpt-oss-120b.json", 18 * 1_024 * 2, 0, 128, id="param_count_method-7"),
        pytest.param("GLM-5.2.json", 2 * 78 * 576, 0, 0, id="param_count_method-7-index"),
        pytest.param(
            "DeepSeek-V4-Flash.json",
            21 * (512 + 128) // 4 * 2 + 20 * 512 * 2 // 128,
            0,
            128,
            id="param_count_method-7-compressed",
        ),
        pytest.param(
            "Llama-4-Scout-17B-16E.json", 12 * 2_048 * 2, 0, 8_192, id="models.json-chunked"
        ),
    ],
)
def test_cache_state_and_window(file: str, kv_bytes: int, state_bytes: int, window: int) -> None:
    model = load(file)
    assert model.kv_bytes_per_token == kv_bytes
    assert model.state_bytes_per_sequence == state_bytes
    assert model.window_tokens == window


@pytest.mark.parametrize(
    ("file", "weights", "experts"),
    [
        ("Llama-3.1-8B.json", Format.BF16, Format.BF16),
        ("DeepSeek-V3.json", Format.FP8, Format.FP8),
        ("Qwen3-32B-FP8.json", Format.FP8, Format.FP8),
        ("DeepSeek-V4-Flash.json", Format.FP8, Format.MXFP4),
        ("gpt-oss-20b.json", Format.BF16, Format.MXFP4),
        ("Kimi-K2.5.json", Format.BF16, Format.INT4),
        ("Gemma-4-31B-IT-NVFP4.json", Format.NVFP4, Format.NVFP4),
        ("Qwen3.6-35B-A3B-NVFP4.json", Format.FP8, Format.NVFP4),
    ],
)
def test_the_quantisation_block_gives_the_native_formats(
    file: str, weights: Format, experts: Format
) -> None:
    card = load(file).card
    assert (card.native_format, card.native_expert_format) == (weights, experts)


def test_what_a_file_leaves_out_is_named_as_assumed() -> None:
    model = load("Llama-4-Scout-17B-16E.json")
    names = {item.name for item in model.assumed}
    assert {"text_config.tie_word_embeddings", "vision tower", "layer kinds"} <= names
    assert model.card.source.unverified == {"params_total", "params_active"}


def test_a_complete_file_needs_no_assumption() -> None:
    model = load("Llama-3.1-8B.json")
    assert model.assumed == ()
    assert model.card.source.unverified == frozenset()
    assert "hidden_size" in {item.name for item in model.read}


def test_an_import_takes_less_than_50_ms() -> None:
    for file in FILES:
        load(file)
        fastest = min(_seconds(file) for _ in range(3))
        assert fastest < 0.05, file


def _seconds(file: str) -> float:
    start = time.perf_counter()
    load(file)
    return time.perf_counter() - start


def test_index_keys_stand_apart_from_the_cache() -> None:
    assert load("GLM-5.2.json").index_bytes_per_token == 2 * 21 * 128
    assert load("Qwen3-32B.json").index_bytes_per_token == 0
