"""Worked vectors of the training and memory fit notes, at 1 %."""

from __future__ import annotations

import pytest

from kentino_desk.domain.choices import (
    Checkpointing,
    Format,
    Host,
    Kind,
    Loss,
    Optimizer,
    Stack,
)
from kentino_desk.engine import policy
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.training_inputs import Recipe, TrainingLayout, training_inputs

GIB = 2**30
ENDLESS = 1e15
"""A global batch so large that the optimizer step costs nothing."""


@pytest.fixture
def train(snapshot, model_named):
    def run(case, wanted, **given):
        gpu = snapshot.gpus[case["gpu"]]
        nodes = case.get("nodes", 1)
        gpus = case["tp"] * case["pp"] * case["dp"]
        layout = TrainingLayout(
            gpu=gpu, tp=case["tp"], pp=case["pp"], dp=case["dp"], gpus_per_node=gpus // nodes,
            nodes=nodes, nvlink=gpu.has_nvlink, nics_per_node=1,
            fabric=snapshot.fabrics["ib200"] if nodes > 1 else None,
        )  # fmt: skip
        recipe = Recipe(
            kind=Kind(case["kind"]), weights=Format(case.get("weights", "bf16")),
            optimizer=Optimizer(case.get("optimizer", "adamw_fp32")),
            checkpointing=Checkpointing(case.get("checkpointing", "full")),
            loss=Loss(case.get("loss", "plain")), packing_fill=1.0, stack=Stack(case["stack"]),
            lora_rank=16, host=Host(case.get("host", "default")),
        )  # fmt: skip
        numbers = {
            "sequence_length": float(case["s"]), "micro_batch": float(case["mb"]),
            "global_batch_tokens": float(case.get("batch", ENDLESS)),
        }  # fmt: skip
        inputs = training_inputs(model_named(case["model"]), recipe, layout)
        values = compute(wanted, inputs | policy.values() | numbers | given)
        return {name: float(values[name]) for name in wanted}

    return run


BOX = {"model": "llama-3.1-70b", "gpu": "rtx-pro-6000-bw-server", "kind": "full",
       "stack": "torchtitan", "s": 4096, "mb": 1, "pp": 1, "dp": 1}  # fmt: skip
TERMS = ("gemm_us", "head_us", "attention_us", "elementwise_us", "logit_us")
TIMES = [
    pytest.param(BOX | {"tp": 8}, {"tp_bus_gb_per_s": 24.0}, 6407, 0.28, id="70b-tp8-24"),
    pytest.param(BOX | {"tp": 8}, {"tp_bus_gb_per_s": 22.0}, 6824, 0.27, id="70b-tp8-22"),
    pytest.param(BOX | {"tp": 8}, {"tp_bus_gb_per_s": 38.0}, 4717, 0.39, id="70b-tp8-38"),
    pytest.param(BOX | {"tp": 8}, {"tp_bus_gb_per_s": 46.0}, 4213, 0.43, id="70b-tp8-46"),
    pytest.param(BOX | {"tp": 8, "weights": "fp8"}, {}, 5695, 0.19, id="70b-fp8-tp8"),
    pytest.param(BOX | {"tp": 2, "pp": 4, "batch": 32 * 4096}, {}, 2454, 0.75, id="70b-tp2-pp4"),
    pytest.param(
        BOX | {"tp": 4, "pp": 2, "batch": 32 * 4096},
        {"tp_bus_gb_per_s": 30.0}, 3510, 0.52, id="70b-tp4-pp2",
    ),
    pytest.param(BOX | {"tp": 1, "dp": 8, "mb": 4}, {}, 2169, 0.78, id="70b-fsdp8"),
    pytest.param(
        BOX | {"tp": 1, "dp": 8, "mb": 4}, {"dp_bus_gb_per_s": 46.0}, 1944, 0.87, id="70b-fsdp8-46"
    ),
    pytest.param(BOX | {"tp": 1, "dp": 8, "mb": 4, "kind": "lora"}, {}, 1610, 0.80, id="70b-lora"),
    pytest.param(
        BOX | {"tp": 1, "dp": 16, "mb": 4, "nodes": 2}, {}, 2225, 0.76, id="70b-fsdp16-ib200"
    ),
]  # fmt: skip


@pytest.mark.parametrize(("case", "given", "total", "efficiency"), TIMES)
def test_training_time_matches_the_worked_box_vectors(train, case, given, total, efficiency):
    values = train(case, ("token_us", "training_efficiency"), **given)
    assert values["token_us"] == pytest.approx(total, rel=0.01)
    assert values["training_efficiency"] == pytest.approx(efficiency, abs=0.006)


MEASURED = [
    pytest.param(
        {"model": "mpt-7b", "gpu": "a100-sxm-80", "kind": "full", "stack": "torchtune", "s": 2048,
         "mb": 6, "tp": 1, "pp": 1, "dp": 8, "checkpointing": "none", "batch": 8 * 6 * 2048 * 21.1},
        {"dp_bus_gb_per_s": 235.0},
        (144.06, 4.61, 17.46, 34.71, 0.49), None, id="TRN-0087",
    ),
    pytest.param(
        {"model": "mpt-7b", "gpu": "a100-sxm-80", "kind": "full", "stack": "torchtune", "s": 8192,
         "mb": 8, "tp": 1, "pp": 1, "dp": 8},
        {"dp_bus_gb_per_s": 235.0}, (192.08, 4.61, 89.78, 34.71, 0.49), 324.69, id="TRN-0085",
    ),
    pytest.param(
        {"model": "mpt-7b", "gpu": "h100-sxm", "kind": "full", "stack": "torchtune", "s": 2048,
         "mb": 6, "tp": 1, "pp": 1, "dp": 8, "checkpointing": "none"},
        {"dp_bus_gb_per_s": 365.0}, (48.25, 1.55, 9.27, 21.13, 0.30), 90.70, id="TRN-0039",
    ),
    pytest.param(
        {"model": "llama-3.1-8b", "gpu": "rtx-4090", "kind": "lora", "stack": "torchtune",
         "s": 2048, "mb": 2, "tp": 1, "pp": 1, "dp": 1},
        {}, (233.50, 11.72, 22.85, 67.17, 2.54), 337.79, id="TRN-0385",
    ),
    pytest.param(
        {"model": "llama-3.1-8b", "gpu": "rtx-4090", "kind": "qlora", "stack": "torchtune",
         "s": 2048, "mb": 2, "tp": 1, "pp": 1, "dp": 1, "weights": "int4"},
        {}, (233.50, 11.72, 22.85, 67.17, 2.54), 383.43, id="TRN-0387",
    ),
    pytest.param(
        {"model": "llama-3.1-70b", "gpu": "a100-sxm-80", "kind": "lora", "stack": "torchtune",
         "s": 2048, "mb": 2, "tp": 1, "pp": 1, "dp": 8},
        {"dp_bus_gb_per_s": 235.0}, (1530.66, 15.66, 112.22, 164.02, 1.26), 2080.36,
        id="TRN-0389",
    ),
    pytest.param(
        {"model": "llama-3.1-405b", "gpu": "a100-sxm-80", "kind": "qlora", "stack": "torchtune",
         "s": 2048, "mb": 2, "tp": 1, "pp": 1, "dp": 8, "weights": "int4"},
        {"dp_bus_gb_per_s": 235.0}, (8981.36, 31.33, 353.50, 487.95, 1.26), 12629.60,
        id="TRN-0390",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("case", "given", "terms", "total"), MEASURED)
def test_kernel_terms_match_the_worked_rows(train, case, given, terms, total):
    values = train(case, (*TERMS, "token_us"), **given)
    assert [values[name] for name in TERMS] == pytest.approx(terms, rel=0.01, abs=0.006)
    if total is not None:
        assert values["token_us"] == pytest.approx(total, rel=0.01)


STATES = ("state_bytes", "saved_activation_bytes", "work_bytes", "logit_memory_bytes",
          "gather_bytes", "peak_bytes")  # fmt: skip
PEAKS = [
    pytest.param(
        {"model": "llama-3.2-3b", "gpu": "a100-sxm-80", "kind": "full", "stack": "torchtune",
         "optimizer": "adamw_bf16", "s": 4096, "mb": 2, "tp": 1, "pp": 1, "dp": 1,
         "checkpointing": "none"},
        (23.94, 26.39, 0.0, 9.79, 0.0, 60.41), id="T010",
    ),
    pytest.param(
        {"model": "llama-3.1-405b", "gpu": "h100-sxm", "kind": "pretrain", "stack": "torchtitan",
         "s": 32768, "mb": 1, "tp": 8, "pp": 8, "dp": 8, "nodes": 64},
        (11.81, 15.75, None, 9.79, 35.44, None), id="T039",
    ),
    pytest.param(
        {"model": "llama-3.1-8b", "gpu": "h100-sxm", "kind": "pretrain", "stack": "torchtitan",
         "s": 8192, "mb": 2, "tp": 1, "pp": 1, "dp": 8, "checkpointing": "selective"},
        (14.96, None, None, 11.74, 2.77, None), id="T026-states-logits-gather",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("case", "expected"), PEAKS)
def test_peak_parts_match_the_worked_rows(train, case, expected):
    values = train(case, STATES)
    for name, gib in zip(STATES, expected, strict=True):
        if gib is not None:
            assert values[name] / GIB == pytest.approx(gib, rel=0.01, abs=0.006), name
