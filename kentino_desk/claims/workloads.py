"""The workloads on which claims are tried, by a short name; what is not given takes the presets."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.workload import Value

REFERENCE = "rtx-pro-6000-bw-server"
CONSUMER = "rtx-5090"
_OWN: Mapping[str, Value] = MappingProxyType({"constraints.own_builds_only": True})
_TUNING: Mapping[str, Value] = MappingProxyType(
    {**_OWN, "workload.model": "llama-3.1-70b", "training.sequence_length": 4096}
)
_LONG: Mapping[str, Value] = MappingProxyType(
    {
        "serving.growth": 0.0,
        "serving.output_tokens": 512,
        "serving.input_tokens": 32_256,
        "serving.context_tokens": 32_768,
        "serving.ttft_s": 10.0,
        "serving.tokens_per_s_per_user": 5.0,
    }
)


def _on(card: str, per_node: int, nodes: int) -> dict[str, Value]:
    return {
        "constraints.gpus": (card,),
        "constraints.gpus_per_node": per_node,
        "constraints.nodes_max": nodes,
    }


_STATED_RUN: Mapping[str, Value] = MappingProxyType(
    {
        **_on("h100-sxm", 8, 4),
        "workload.kind": "full",
        "workload.model": "llama-3.1-70b",
        "training.tokens": 5_000_000_000,
        "training.deadline_days": 14.0,
        "training.availability": 0.7,
        "training.throughput_value": 3000.0,
    }
)

WORKLOADS: Mapping[str, Mapping[str, Value]] = MappingProxyType(
    {
        "chat_70b": {**_OWN, "workload.kind": "chat", "workload.model": "llama-3.3-70b",
                     "serving.concurrent_users": 48},
        "chat_70b_reference": {**_OWN, **_on(REFERENCE, 8, 1), "workload.kind": "chat",
                               "workload.model": "llama-3.3-70b", "workload.weights": "fp8",
                               "serving.concurrent_users": 64, "serving.growth": 0.0},
        "chat_70b_small": {**_OWN, "workload.kind": "chat", "workload.model": "llama-3.3-70b",
                           "serving.concurrent_users": 4},
        "lab_72b": {**_OWN, "workload.kind": "chat", "workload.model": "qwen2.5-72b",
                    "serving.concurrent_users": 4},
        "chat_405b": {**_OWN, **_LONG, "workload.kind": "chat", "workload.model": "llama-3.1-405b",
                      "workload.kv_cache": "fp8", "serving.concurrent_users": 64,
                      "serving.prompt_reuse": 0.95},
        "chat_deepseek": {**_OWN, "workload.kind": "chat", "workload.model": "deepseek-v3",
                          "workload.kv_cache": "fp8", "serving.concurrent_users": 32,
                          "serving.growth": 0.0, "serving.context_tokens": 16_384,
                          "serving.prompt_reuse": 0.9},
        "demand_70b": {**_OWN, **_on(REFERENCE, 8, 16), "workload.kind": "chat",
                       "workload.model": "llama-3.3-70b", "serving.demand_value": 6500.0},
        "batch_70b": {**_OWN, **_on(REFERENCE, 8, 8), "workload.kind": "batch",
                      "workload.model": "llama-3.3-70b", "batch.deadline_days": 14.0,
                      "batch.input_tokens_total": 6_144_000_000,
                      "batch.output_tokens_total": 1_536_000_000},
        "lora_70b": {**_TUNING, "workload.kind": "lora", "workload.weights": "bf16"},
        "lora_70b_eight": {**_TUNING, "workload.kind": "lora", "workload.weights": "bf16",
                           "constraints.gpus": (REFERENCE,), "constraints.nodes_max": 2,
                           "constraints.host": "tuned", "training.tokens": 1_000_000_000,
                           "training.micro_batch": 4, "training.deadline_days": 4.0},
        "qlora_405b": {**_TUNING, "workload.kind": "qlora", "workload.model": "llama-3.1-405b",
                       "training.sequence_length": 6144},
        "full_13b": {**_TUNING, "workload.kind": "full", "workload.model": "llama-2-13b"},
        "full_70b": {**_TUNING, **_on(REFERENCE, 8, 4), "workload.kind": "full",
                     "training.micro_batch": 4},
        "full_70b_int4": {**_TUNING, "workload.kind": "full", "workload.weights": "int4"},
        "pretrain_70b": {"workload.kind": "pretrain", "workload.model": "llama-3.1-70b",
                         "training.tokens": 1_500_000_000_000},
        "pretrain_70b_h100": {**_on("h100-sxm", 8, 16), "workload.kind": "pretrain",
                              "workload.model": "llama-3.1-70b",
                              "training.tokens": 1_500_000_000_000},
        "pretrain_70b_a100": {**_on("a100-sxm-80", 8, 1), "workload.kind": "pretrain",
                              "workload.model": "llama-3.1-70b"},
        "stated_per_node": {**_STATED_RUN, "training.throughput_unit": "per_node"},
        "stated_per_gpu": {**_STATED_RUN, "training.throughput_unit": "per_gpu"},
    }
)  # fmt: skip
