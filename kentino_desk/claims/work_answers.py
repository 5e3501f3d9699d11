"""Claims about outcomes, scaling, training state, dates and rates."""

from __future__ import annotations

from math import ceil
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.claims.desk import GB
from kentino_desk.claims.judging import (
    Found,
    at_least,
    fact,
    fit,
    not_applicable,
    note,
    number,
    outcome,
)
from kentino_desk.claims.workloads import REFERENCE
from kentino_desk.decision.layouts import CLUSTER_FABRIC
from kentino_desk.decision.pricing import bill_items
from kentino_desk.decision.scaling import scaling_lines
from kentino_desk.domain.choices import (
    Checkpointing,
    Fabric,
    Format,
    Grade,
    Host,
    Kind,
    Loss,
    Optimizer,
    Outcome,
    Stack,
)
from kentino_desk.domain.units import SECONDS_PER_DAY, TERA
from kentino_desk.engine import policy
from kentino_desk.engine.policy_training_memory import STATE_BYTES_ANY
from kentino_desk.engine.quantity import REGISTRY, compute
from kentino_desk.engine.training_inputs import Recipe, TrainingLayout, training_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kentino_desk.claims.desk import Desk
    from kentino_desk.claims.judging import Answer

_MODEL = "llama-3.1-70b"
_DAYS_PER_MONTH = 30.4
_FULL_STATE = sum(STATE_BYTES_ANY[Optimizer.ADAMW_FP32])


def _recipe(kind: Kind) -> Recipe:
    return Recipe(
        kind=kind, weights=Format.BF16, optimizer=Optimizer.ADAMW_FP32,
        checkpointing=Checkpointing.FULL, loss=Loss.PLAIN, packing_fill=1.0,
        stack=Stack.TORCHTITAN if kind.trains_all_weights else Stack.PEFT, lora_rank=16,
        host=Host.DEFAULT,
    )  # fmt: skip


def _layout(desk: Desk, card: str, **degrees: int) -> TrainingLayout:
    nodes = degrees.pop("nodes", 1)
    tp, dp = degrees.get("tp", 1), degrees.get("dp", 1)
    return TrainingLayout(
        gpu=desk.gpu(card), tp=tp, pp=1, dp=dp, gpus_per_node=tp * dp // nodes, nodes=nodes,
        nvlink=bool(degrees.get("nvlink", 0)), nics_per_node=1,
        fabric=desk.snapshot.fabrics[CLUSTER_FABRIC] if nodes > 1 else None,
    )  # fmt: skip


def _trained(desk: Desk, kind: Kind, layout: TrainingLayout, figure: str, model: str) -> float:
    inputs = {
        **training_inputs(desk.model(model), _recipe(kind), layout),
        **policy.values(),
        "sequence_length": 4096.0,
        "micro_batch": 1.0,
        "global_batch_tokens": 500_000.0,
    }
    return float(compute((figure,), inputs)[figure])


def _pcie_penalty(desk: Desk, kind: Kind, model: str, tp: int) -> float:
    """Wall time of eight cards joined by PCIe against the same cards joined by NVLink."""
    layouts = [_layout(desk, "h100-sxm", tp=tp, dp=8 // tp, nvlink=joined) for joined in (0, 1)]
    slow, fast = (_trained(desk, kind, item, "train_tokens_per_s", model) for item in layouts)
    return fast / slow


def _penalty_of_adapters(desk: Desk) -> Found:
    sizes = ("llama-3.1-8b", _MODEL)
    found = sorted(_pcie_penalty(desk, Kind.LORA, model, 1) for model in sizes)
    why = "LoRA of 8B and of 70B sharded over 8 cards, one card with and without NVLink"
    return Found((found[0], found[-1]), why)


def _penalty_of_tensors(desk: Desk) -> Found:
    why = "pretraining of 70B in tensor groups of 8, one card with and without NVLink"
    return Found(_pcie_penalty(desk, Kind.PRETRAIN, _MODEL, 8), why)


def _tensor_efficiency(nodes: int) -> Callable[[Desk], Found]:
    def find(desk: Desk) -> Found:
        layout = _layout(desk, REFERENCE, tp=8, nodes=nodes)
        value = _trained(desk, Kind.FULL, layout, "training_efficiency", _MODEL)
        best = desk.assessed("full_70b").verdict.chosen
        shown = best.figures["efficiency"].value if best else None
        why = f"tensor group of 8 over {nodes} node(s), default host"
        return Found(value, f"{why}; the proposed layout of a 70B keeps {shown:.2f}")

    return find


def _state(desk: Desk) -> Found:
    chosen = desk.best("full_70b")
    state = desk.assessed("full_70b").figures["state_tb"].value or 0.0
    used = (chosen.figures["used_gib"].value or 0.0) * chosen.candidate.build.gpus * 1.0737e-3
    return Found(
        (state, max(state, used)), f"state alone, and peak on all cards of {chosen.candidate.id}"
    )


def _months(desk: Desk) -> Found:
    found = desk.assessed("pretrain_70b_h100")
    held = [item for item in found.candidates if item.grade >= Grade.FITS]
    work = min(
        (item.figures["train_days"].value or 0.0) * item.candidate.build.gpus for item in held
    )
    return Found(
        work / _DAYS_PER_MONTH, "1.5 T tokens on H100 SXM nodes, the layout with least work"
    )


def _preset_tokens(desk: Desk) -> Found:
    tokens = desk.tried({"workload.kind": "pretrain", "workload.model": _MODEL})
    return Found(tokens.workload.training.tokens / 1e12, "preset: 20 tokens per parameter")


def _frontier(desk: Desk) -> Found:
    constant = policy.CONSTANTS["frontier_gpus"]
    result = desk.assessed("pretrain_70b").verdict.outcome
    return Found((constant.low, constant.high), f"range named by the verdict {result}")


def _production_405b(desk: Desk) -> tuple[bool, Found]:
    found = desk.assessed("chat_405b")
    chosen = desk.best("chat_405b")
    joined = found.verdict.outcome is not Outcome.REPLICAS
    why = f"{found.verdict.outcome}: {chosen.candidate.id}, whole copies, no layout across nodes"
    return joined, Found(float(found.verdict.nodes), why)


def _demand(desk: Desk) -> tuple[bool, Found]:
    found = desk.assessed("demand_70b")
    rate = (found.figures["x_node_tokens_per_s"].value or 0.0) * policy.value("demand_load_share")
    answer = found.workload.serving.output_tokens
    why = (
        f"demand one node carries before replicas, {rate / answer:.1f} requests/s of {answer} "
        "tokens; 100,000 requests/s are a hundred thousand times that, so the unit cannot be meant"
    )
    return False, Found(rate, why, unit="tok/s")


def _no_fabric(desk: Desk) -> tuple[bool, Found]:
    chosen = desk.best("demand_70b").candidate
    items = [item for item, _ in bill_items(chosen.build)]
    bare = chosen.build.fabric is Fabric.NONE and not any("nic" in item for item in items)
    return bare, Found("no fabric", f"bill of {chosen.id}: {', '.join(items)}")


def _dp_against_tp(desk: Desk) -> tuple[bool, Found]:
    found = desk.assessed("demand_70b")
    lines = {line.key: line for line in scaling_lines(found, desk.best("demand_70b"))}
    dp, tp = lines["dp"].efficiency[3], lines["tp_node"].efficiency[-1]
    return dp > tp, Found(dp, f"copies side by side on 8 cards, {tp:.2f} for one tensor group of 8")


def _dp_free(desk: Desk) -> tuple[bool, Found]:
    found = desk.assessed("demand_70b")
    lines = {line.key: line for line in scaling_lines(found, desk.best("demand_70b"))}
    worst = min(lines["dp"].efficiency)
    return worst > 0.999, Found(worst, "efficiency of copies side by side, 1 to 64 cards")


def _pipeline_bytes(desk: Desk) -> tuple[bool, Found]:
    model = desk.model("llama-3.3-70b")
    boundary = 2.0 * model.hidden
    tensor = 2.0 * model.layers * 2.0 * (2.0 * 7.0 / 8.0) * model.hidden
    equation = REGISTRY["stage_send_s"].equation
    why = f"{boundary / 1e3:.0f} kB per token and boundary, {tensor / 1e6:.1f} MB in a group of 8"
    return boundary < tensor, Found("light", f"{why}; {equation}")


def _reduces(_desk: Desk) -> tuple[bool, Found]:
    said = REGISTRY["traffic_s"].sentence
    return said.startswith("Two all-reduces per layer"), Found(2.0, f"quantity traffic_s: {said}")


def _full_class(desk: Desk) -> Found:
    """Largest dense model of the catalog whose full tuning one reference node holds."""
    best = desk.model("llama-2-13b")
    for model in desk.snapshot.models.values():
        dense = model.can_be_sized and not model.is_moe and model.params_total > best.params_total
        if dense and model.params_total * _FULL_STATE < 8 * desk.gpu(REFERENCE).memory_gb * GB:
            found = desk.tried(
                {
                    "workload.kind": "full",
                    "workload.model": model.id,
                    "constraints.gpus": (REFERENCE,),
                    "constraints.gpus_per_node": 8,
                    "constraints.nodes_max": 1,
                    "training.sequence_length": min(4096, model.max_context or 4096),
                }
            )
            if max(item.grade for item in found.candidates) >= Grade.FITS:
                best = model
    return Found(
        best.params_total / GB, f"largest dense model of the catalog that fits: {best.name}"
    )


def _multiple(desk: Desk) -> Found:
    weights = desk.weights_gb(_MODEL, Format.BF16)
    state = desk.model(_MODEL).params_total * _FULL_STATE / GB
    why = "FP32 master weights, gradients and AdamW: 16 B per parameter; 16-bit states halve it"
    return Found((state - weights) / weights, why)


def _extra(desk: Desk) -> Found:
    weights = desk.weights_gb(_MODEL, Format.BF16)
    state = desk.model(_MODEL).params_total * _FULL_STATE / GB
    return Found(state - weights, "the same in GB; agrees with the 1.2 to 1.5 TB of C063 instead")


def _state_part(place: int, per: float, why: str) -> Callable[[Desk], Found]:
    return lambda _desk: Found(STATE_BYTES_ANY[Optimizer.ADAMW_FP32][place] / per, why)


def _refused(desk: Desk) -> str:
    return desk.refusal("stated_per_gpu")


def _stated_rate(desk: Desk) -> tuple[bool, Found]:
    rate = desk.assessed("stated_per_node").workload.training.throughput_value or 0.0
    why = f"accepted per node; per GPU it is refused: {_refused(desk)}"
    return bool(_refused(desk)), Found(rate, why)


def _gpu_seconds(desk: Desk) -> Found:
    training = desk.assessed("stated_per_node").workload.training
    seconds = training.tokens / (training.throughput_value or 1.0)
    return Found(
        seconds, "tokens over the stated rate; node-seconds, as the rate is that of a node"
    )


def _stated(name: str, why: str) -> Callable[[Desk], tuple[bool, Found]]:
    """An input of the seller's worked example, which the product takes as it is."""

    def find(desk: Desk) -> tuple[bool, Found]:
        workload = desk.assessed("stated_per_node").workload
        values = {
            "params": desk.model(workload.model).params_total / GB,
            "tokens": workload.training.tokens / GB,
            "days": workload.training.deadline_days or 0.0,
            "share": 100.0 * workload.training.availability,
        }
        return True, Found(values[name], f"input of the worked example W17: {why}")

    return find


def _gpus_for_date(desk: Desk) -> Found:
    found = desk.assessed("stated_per_node")
    nodes = found.figures["nodes_by_typed_rate"].value or 0.0
    own = found.figures["engine_tokens_per_s_node"].value or 0.0
    why = f"{nodes:.0f} nodes by the stated rate; the engine's own is {own:,.0f} tok/s a node"
    return Found(8.0 * nodes, why)


def _gpus_if_per_gpu(desk: Desk) -> tuple[bool, Found]:
    training = desk.assessed("stated_per_node").workload.training
    seconds = (training.deadline_days or 0.0) * SECONDS_PER_DAY * training.availability
    gpus = ceil(training.tokens / 3000.0 / seconds)
    return gpus == 2, Found(
        float(gpus), f"arithmetic alone; the entry is refused: {_refused(desk)}"
    )


def _implied(desk: Desk) -> Found:
    flops = 6.0 * desk.model(_MODEL).params_total * 3000.0 / TERA
    peak = desk.gpu("h100-sxm").tflops_bf16 or 0.0
    return Found(flops, f"above the BF16 peak of {peak:g} TFLOP/s, hence refused")


def _days(nodes: int) -> Callable[[Desk], Found]:
    def find(desk: Desk) -> Found:
        training = desk.assessed("stated_per_node").workload.training
        rate = (training.throughput_value or 1.0) * nodes
        days = training.tokens / rate / training.availability / SECONDS_PER_DAY
        return Found(days, f"{nodes} nodes at the stated rate, 70 % of the time")

    return find


def _reusable(desk: Desk) -> tuple[bool, Found]:
    build = desk.best("stated_per_node").candidate.build
    found = desk.tried(
        {
            "workload.kind": "chat",
            "workload.model": "llama-3.3-70b",
            "constraints.gpus": (build.gpu.id,),
            "constraints.nodes_max": 1,
        }
    )
    outcome_word = found.verdict.outcome
    why = f"{build.node.name} of the training example serves 70B at the presets"
    return outcome_word is Outcome.ONE_NODE, Found(outcome_word.value, why)


def _pretraining_on_a100(desk: Desk) -> Mapping[str, Grade]:
    return {"state": max(item.grade for item in desk.assessed("pretrain_70b_a100").candidates)}


def _refuses_four_bit(desk: Desk) -> tuple[bool, Found]:
    said = desk.refusal("full_70b_int4")
    return "qlora" in said, Found("refused", said)


def _largest_in_one(desk: Desk) -> tuple[bool, Found]:
    found = desk.assessed("full_70b")
    why = "8 GPUs carry a 13B class in one chassis (C072); a 70B asks for that many nodes"
    return found.verdict.nodes == 1, Found(float(found.verdict.nodes), why, unit="nodes of 8")


ANSWERS: Mapping[str, Answer] = MappingProxyType(
    {
        "C052": outcome("chat_70b", "70B, 60 users"),
        "C053": note("replicas_not_cluster", "chat_405b"),
        "C054": outcome("lab_72b", "72B, 5 users"),
        "C057": outcome("batch_70b", "70B, 1.5 G tokens of answers in 14 days"),
        "C060": number(_preset_tokens),
        "C061": number(_frontier),
        "C062": at_least(_months),
        "C063": number(_state),
        "C064": number(
            lambda desk: Found(
                float(desk.assessed("full_70b").verdict.nodes), desk.best("full_70b").candidate.id
            )
        ),
        "C065": fact(_production_405b),
        "C066": fact(_demand),
        "C067": outcome("demand_70b", "demand of 8,125 tok/s"),
        "C069": note("partner_platform", "pretrain_70b"),
        "C070": number(_penalty_of_adapters),
        "C071": number(_penalty_of_tensors),
        "C072": at_least(_full_class),
        "C073": fact(_no_fabric),
        "C074": number(_tensor_efficiency(1)),
        "C075": number(_tensor_efficiency(2)),
        "C076": number(
            lambda _desk: Found(policy.value("efficiency_gate"), "gate of question 4, a setting")
        ),
        "C077": outcome("lora_70b_eight", "LoRA of 70B that needs 8 cards, 1 x 8 against 2 x 4"),
        "C078": fact(_dp_against_tp),
        "C079": note("half_node_trap", "lora_70b_eight"),
        "C087": outcome("chat_70b", "question 1"),
        "C088": outcome("chat_deepseek", "question 2, DeepSeek-V3, 32 users of 16k"),
        "C089": outcome("demand_70b", "question 3"),
        "C090": outcome("full_70b", "question 4, full fine-tuning of 70B"),
        "C091": outcome("pretrain_70b", "question 5"),
        "C092": fact(_refuses_four_bit),
        "C106": number(_state_part(2, 1.0, "AdamW in FP32: two values of 4 B per parameter")),
        "C107": number(
            _state_part(1, 2.0, "gradients kept in FP32, 4 B per parameter; 1 x with 16-bit states")
        ),
        "C116": fact(_reduces),
        "C117": fact(_pipeline_bytes),
        "C118": not_applicable(
            "the serving layouts that are tried split experts by tensor groups, so no all-to-all "
            "is counted; training counts it as a steady term"
        ),
        "C119": fact(_dp_free),
        "C167": fit(_pretraining_on_a100, "state over 8 x 80 GB; the article contradicts C063"),
        "C172": fact(_reusable),
        "C182": fact(_stated("params", "parameters of Llama 3.1 70B")),
        "C183": fact(_stated("tokens", "tokens")),
        "C185": number(_multiple),
        "C186": number(_extra),
        "C187": fact(_stated_rate),
        "C188": number(_gpu_seconds),
        "C189": fact(_stated("days", "deadline")),
        "C190": fact(_stated("share", "availability")),
        "C191": number(_gpus_for_date),
        "C192": fact(_gpus_if_per_gpu),
        "C193": number(_days(2)),
        "C194": number(_implied),
        "C195": number(_days(2)),
        "C196": number(
            lambda desk: Found(
                3.0 * desk.best("stated_per_node").candidate.build.node.gpu_count,
                "three nodes of the worked example",
            )
        ),
        "C202": fact(_largest_in_one),
    }
)
