"""Every scalar constant of the engine and of the decision: value, unit, range, source, grade.

A constant enters the graph of quantities under its own name, so that the "why?" shows it like any
other input. Tables by GPU, engine or host stand in ``policy_tables``.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Evidence
from kentino_desk.domain.units import GIB

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Constant:
    """One constant; ``low`` and ``high`` bound it, and are equal to it where it is a definition."""

    name: str
    title: str
    value: float
    unit: str
    low: float
    high: float
    source: str
    evidence: Evidence


M, V, E = Evidence.MEASURED, Evidence.VENDOR, Evidence.ESTIMATE

_MEMORY = "memory fit on 114 published server rows (memory_fit_notes)"
_TRAIN_MEMORY = "memory fit on 145 published training rows (memory_fit_notes, section 6)"
_SERVING = "serving fit on 983 measured rows (engine_fit_notes)"
_TRAINING = "training fit on 299 measured rows (training_fit_notes)"
_POWER = "power fit on 60 rows and planning rules (training_fit_notes, section 7)"
_RULES = "the seller's decision rules (decision_rules)"

_ALL: tuple[Constant, ...] = (
    # Memory of a serving engine
    Constant("rotary_bytes", "Rotary tables and the like", 0.03 * GIB, "B", 0, 0.1 * GIB,
             f"{_MEMORY}, section 2; 16-bit rows: 27, x0.98-1.03", M),
    Constant("driver_reserve_gib", "Memory the driver keeps", 0.5, "GiB", 0.3, 0.6, _RULES, E),
    Constant("gib_per_marketing_gb", "Usable GiB per GB of the label", 0.985, "GiB/GB", 0.93, 1.0,
             f"{_RULES}, section 2; used where no driver figure exists", E),
    Constant("index_bytes_per_token", "Cache of one index layer per token", 132.0, "B", 128.0, 132.0,
             f"{_MEMORY}, section 3; sparse latent rows: 6, within 2 %", M),
    Constant("sparse_fp8_entry_bytes", "Sparse latent entry in FP8", 656.0, "B", 576.0, 656.0,
             f"{_MEMORY}, section 3; sparse latent rows: 6, within 2 %", M),
    Constant("standing_reserve_bytes", "Context of the driver beside a server's budget", 0.5 * GIB, "B",
             0, 2.5 * GIB, f"{_MEMORY}; servers that state their whole memory: 7 rows, x0.94-1.09", M),
    Constant("activation_low_share", "Activation below the best estimate", 0.85, "share", 0.4, 1.0,
             f"{_MEMORY}, section 4; profiled activations: 26 of 27 rows inside", M),
    Constant("pool_low_card_share", "Pool: low side, share of the card", 0.02, "share", 0.0, 0.05,
             f"{_MEMORY}, section 4; pool end to end: 33 of 35 rows inside", M),
    Constant("pool_high_card_share", "Pool: high side, share of the card", 0.01, "share", 0.0, 0.05,
             f"{_MEMORY}, section 4; pool end to end: 33 of 35 rows inside", M),
    Constant("pool_low_activation_share", "Pool: low side, share of activations", 0.15, "share", 0, 1,
             f"{_MEMORY}, section 4; pool end to end: 33 of 35 rows inside", M),
    Constant("pool_high_activation_share", "Pool: high side, share of activations", 0.5, "share", 0,
             1, f"{_MEMORY}, section 4; pool end to end: 33 of 35 rows inside", M),
    # Grades
    Constant("weights_share_fits", "Largest share of the card for weights", 0.70, "share", 0.60, 0.75,
             f"{_RULES}, section 2 (C003)", E),
    Constant("weights_share_comfortable", "Share for weights with room", 0.60, "share", 0.50, 0.70,
             f"{_RULES}, section 2 (C003)", E),
    Constant("pool_spare_comfortable", "Spare pool, share of the card", 0.15, "share", 0.05, 0.30,
             f"{_RULES}, section 2", E),
    Constant("pool_share_tight", "Least share of the need that counts as tight", 0.25, "share", 0.1,
             0.5, f"{_RULES}, section 2", E),
    Constant("peak_share_tight", "Largest training peak at all", 1.00, "share", 0.95, 1.0,
             f"{_RULES}, section 2", E),
    Constant("peak_share_fits", "Largest training peak that fits", 0.92, "share", 0.85, 0.95,
             f"{_RULES}, section 2", E),
    Constant("peak_share_comfortable", "Training peak with room", 0.80, "share", 0.7, 0.9,
             f"{_RULES}, section 2", E),
    # Decision
    Constant("efficiency_gate", "Least efficiency of a cluster", 0.60, "share", 0.5, 0.7,
             f"{_RULES}, section 3", E),
    Constant("frontier_params", "Parameters that make pretraining frontier work", 65e9, "", 6e10, 7e10,
             f"{_RULES}, section 3 (C060, C091)", E),
    Constant("frontier_gpus", "Fewest GPUs of frontier work", 32.0, "GPUs", 32.0, 128.0,
             f"{_RULES}, section 3 (C060)", E),
    Constant("demand_load_share", "Share of a node's rate that demand may use", 0.75, "share", 0.6,
             0.9, f"{_RULES}, section 1", E),
    Constant("batch_availability", "Share of the time a batch node works", 0.9, "share", 0.7, 1.0,
             f"{_RULES}, section 1", E),
    # Serving speed
    Constant("soft_maximum_exponent", "Exponent of the joint maximum of reading and computing", 3.0, "",
             2.0, 8.0, f"{_SERVING}, section 2", M),
    Constant("latent_decode_share", "Share of the peak in latent attention decode", 0.6, "share", 0.4,
             0.7, f"{_SERVING}, section 2", M),
    Constant("index_read_share", "Index reads, share of the context", 0.12, "share", 0.1, 0.15,
             f"{_SERVING}, section 2", M),
    Constant("sparse_top_tokens", "Tokens a sparse layer attends to", 2048.0, "tokens", 2048, 2048,
             "model configurations (index_topk)", V),
    Constant("sparse_index_s_per_layer", "Index attention per layer and step", 95e-6, "s", 50e-6,
             150e-6, f"{_SERVING}, section 3", M),
    Constant("pipeline_send_s", "Start of one send between pipeline stages", 20e-6, "s", 5e-6, 60e-6,
             "latency of tuned RDMA between nodes (seller's article, C138)", E),
    # Training
    Constant("lora_elementwise_factor", "Element-wise work of adapters", 0.93, "share", 0.85, 1.0,
             f"{_TRAINING}, section 3", E),
    Constant("logit_bytes", "Logit traffic per vocabulary entry", 20.0, "B", 10.0, 30.0,
             f"{_TRAINING}, section 2", M),
    Constant("dequantise_bytes", "Dequantisation traffic per weight", 9.0, "B", 6.0, 12.0,
             f"{_TRAINING}, section 3", E),
    Constant("micro_batch_bytes", "Weight traffic per micro-batch and parameter", 15.0, "B", 10.0,
             21.0, f"{_TRAINING}, section 3", M),
    Constant("optimizer_bytes", "Optimizer traffic per parameter", 26.0, "B", 20.0, 32.0,
             f"{_TRAINING}, section 2", M),
    Constant("optimizer_bandwidth_share", "Bandwidth reached by the optimizer", 0.8, "share", 0.7, 0.9,
             f"{_TRAINING}, section 2", M),
    Constant("fleet_drag", "Loss per doubling above 64 GPUs", 0.02, "share", 0.0, 0.04,
             f"{_TRAINING}, section 2", M),
    Constant("moe_expert_factor", "Expert kernels in training against serving", 0.80, "share", 0.65,
             1.0, f"{_TRAINING}, section 3, has 0.70, 6 % too slow on its 111 rows; refitted", M),
    Constant("moe_elementwise_passes", "Element-wise passes of MoE layers", 6.5, "passes", 2.0, 10.0,
             f"{_TRAINING}, section 3", M),
    Constant("moe_layer_us", "Fixed cost of one MoE layer", 1000.0, "us", 0.0, 2000.0,
             f"{_TRAINING}, section 2", M),
    Constant("moe_attention_share_hopper", "Attention share of MoE stacks on Hopper", 0.31, "share",
             0.25, 0.35, f"{_TRAINING}, section 2", M),
    Constant("moe_attention_share_blackwell", "Attention share of MoE stacks on Blackwell", 0.33,
             "share", 0.28, 0.38, f"{_TRAINING}, section 2", M),
    Constant("activation_block_factor", "Saved bytes of a block against the formula", 1.16, "", 1.0,
             1.3, f"{_TRAIN_MEMORY}; no checkpointing: 32 rows, x0.86-1.21", M),
    Constant("activation_block_factor_compiled", "The same in a compiled stack", 0.80, "", 0.7, 1.0,
             f"{_TRAIN_MEMORY}; compiled stacks: 23 rows, x0.92-1.06", M),
    Constant("selective_work_share", "Working set under selective checkpointing", 0.25, "share", 0.1,
             0.5, f"{_TRAIN_MEMORY}; selective checkpointing: 13 rows, x0.89-1.03", M),
    Constant("quantised_bits_nf4", "NF4 with one scale per 64", 4.5, "bit", 4.127, 4.5,
             "arXiv 2305.14314", V),
    Constant("packing_fill_unstated", "Share of a sequence filled, where nobody states it", 1.0, "share", 0.5, 1.0,
             f"{_TRAIN_MEMORY}: half is typical, all is the safe side", E),
    # Power
    Constant("gpu_peak_share", "All cards at their peak at once", 1.07, "share", 1.0, 1.10, _POWER, M),
    Constant("share_serving", "GPU draw in saturated serving", 0.75, "share", 0.55, 0.90, _POWER, M),
    Constant("share_training", "GPU draw in training", 0.93, "share", 0.80, 1.0, _POWER, M),
    Constant("share_idle", "GPU draw with the model loaded, idle", 0.07, "share", 0.05, 0.10, _POWER, M),
    Constant("share_decode", "GPU draw in decode for many users", 0.50, "share", 0.38, 0.63, _POWER, M),
    Constant("share_prefill", "GPU draw while prompts are read", 0.83, "share", 0.67, 1.0, _POWER, M),
    Constant("host_typical_share", "Host draw in typical work", 0.6, "share", 0.4, 0.8, _POWER, E),
    Constant("dimm_w", "Power of one DIMM", 8.0, "W", 4.0, 12.0, _POWER, E),
    Constant("nic_w", "Power of a NIC", 25.0, "W", 10.0, 33.0, _POWER, E),
    Constant("drive_w", "Power of an NVMe drive", 12.0, "W", 8.0, 25.0, _POWER, E),
    Constant("drive_count", "Drives in a node", 2.0, "", 1.0, 8.0, _POWER, E),
    Constant("board_w_hgx", "Board and switches of an SXM node", 350.0, "W", 250.0, 500.0, _POWER, E),
    Constant("board_w_pcie", "Board of a PCIe node", 80.0, "W", 50.0, 150.0, _POWER, E),
    Constant("fan_share_hgx", "Fans of an air-cooled SXM node", 0.15, "share", 0.10, 0.20, _POWER, E),
    Constant("fan_share_pcie", "Fans of a PCIe node", 0.08, "share", 0.05, 0.10, _POWER, E),
    Constant("psu_efficiency", "Efficiency of the power supplies", 0.94, "share", 0.91, 0.96, _POWER, V),
    Constant("psu_rated_w", "Rating of all supplies of a node, 0 if not known", 0.0, "W", 0.0, 3e4,
             "catalog, else taken as twice the load", V),
    Constant("altitude_m", "Height of the site", 0.0, "m", 0.0, 3_050.0, "sea level where not stated", E),
    Constant("air_rise_k", "Rise of the air through the node", 15.0, "K", 10.0, 20.0,
             "planning rules, section 2 (typical 11-17 K)", E),
    Constant("continuous_load_share", "Part of a breaker for a load that never pauses", 0.8, "share", 0.8, 1.0,
             "planning rules, section 5 (NEC 210.20(A); common practice in Europe)", E),
    Constant("limit_exponent", "Speed at a power limit, exponent", 0.45, "", 0.30, 1.0, _POWER, M),
)  # fmt: skip

CONSTANTS: Mapping[str, Constant] = MappingProxyType({item.name: item for item in _ALL})


def value(name: str) -> float:
    """Best value of one constant."""
    return CONSTANTS[name].value


def values() -> dict[str, float]:
    """Best values of all constants, as inputs of the graph."""
    return {name: item.value for name, item in CONSTANTS.items()}
