"""Constants by GPU, number format, engine release and host. Looked up per candidate, never fitted here.

Sources: kernel shares and collectives from measured operator tables (aiconfigurator-core 0.12.0,
Apache-2.0); overheads fitted on 983 measured serving rows; training shares on 299 measured rows;
memory constants on 114 published server rows. A class without its own rows is an estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Engine, Host

if TYPE_CHECKING:
    from collections.abc import Mapping

KERNEL_SOURCE = "operator tables of aiconfigurator-core 0.12.0 (engine_fit_notes, section 3)"
OVERHEAD_SOURCE = "serving fit on 983 measured rows (engine_fit_notes, section 3)"
COLLECTIVE_SOURCE = "operator tables and published NCCL tests (training_fit_notes, section 6)"
TRAINING_SOURCE = "training fit on 299 measured rows (training_fit_notes, section 3)"


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of peak of one GPU class: (bandwidth, compute) per format, then KV and attention.

    ``experts`` are the shares of grouped expert kernels. ``measured`` is false for the assumed class.
    """

    bf16: tuple[float, float]
    fp8: tuple[float, float]
    fp8_block: tuple[float, float]
    nvfp4: tuple[float, float]
    kv: float
    attention: float
    experts: Mapping[str, tuple[float, float]]
    measured: bool = True


def _experts(
    bf16: tuple[float, float],
    fp8: tuple[float, float],
    int4: tuple[float, float],
    mxfp4: tuple[float, float],
    nvfp4: tuple[float, float],
) -> Mapping[str, tuple[float, float]]:
    return MappingProxyType(
        {"bf16": bf16, "fp8": fp8, "int8": fp8, "int4": int4, "mxfp4": mxfp4, "nvfp4": nvfp4}
    )


_NONE = (0.58, 0.40)
"""NVFP4 where the class has no such kernel row: the assumed share."""

SHARES: Mapping[str, Shares] = MappingProxyType({
    "h100": Shares((.82, .81), (.77, .56), (.83, .54), _NONE, .88, .55,
                   _experts((.95, .52), (1.0, .28), (.89, .21), (.78, .41), (.78, .41))),
    "h200": Shares((.76, .79), (.72, .62), (.77, .54), _NONE, .86, .55,
                   _experts((.96, .57), (.98, .28), (.71, .20), (.57, .42), (.57, .42))),
    "b200": Shares((.81, .68), (.74, .45), (.76, .57), (.69, .42), .91, .45,
                   _experts((.96, .38), (.88, .36), (.54, .09), (.95, .50), (.88, .29))),
    "b300": Shares((.77, .75), (.71, .47), (.72, .62), (.65, .30), .87, .55,
                   _experts((.92, .40), (.84, .38), (.54, .10), (.95, .50), (.83, .20))),
    "gb200": Shares((.79, .69), (.73, .45), (.77, .53), (.67, .38), .92, .42,
                    _experts((.96, .38), (.88, .36), (.54, .09), (.95, .50), (.88, .29))),
    "a100": Shares((.69, .86), (.62, .55), (.62, .45), _NONE, .74, .50,
                   _experts((.86, .54), (.84, .42), (.85, .45), (.89, .40), (.89, .40))),
    "l40s": Shares((.77, .61), (.68, .48), (.78, .30), _NONE, .80, .45,
                   _experts((.86, .54), (.84, .42), (.85, .45), (.89, .40), (.89, .40))),
    "rtx6000": Shares((.93, .82), (.91, .75), (.90, .54), (.58, .62), .92, .55,
                      _experts((1.0, .37), (1.0, .31), (.95, .47), (1.0, .44), (.97, .40))),
    "other": Shares((.80, .65), (.72, .55), (.72, .45), (.58, .40), .85, .50,
                    _experts((.86, .37), (.84, .28), (.85, .21), (.78, .40), (.83, .29)),
                    measured=False),
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bus:
    """Collectives inside a node over 2, 4 and 8 cards: start in us, bus bandwidth in GB/s."""

    start_us: tuple[float, float, float]
    low: tuple[float, float, float]
    best: tuple[float, float, float]
    high: tuple[float, float, float]
    measured: bool = True


SERVING_BUS: Mapping[str, Bus] = MappingProxyType({
    "h100": Bus((4.3, 4.9, 5.5), (262, 292, 320), (262, 292, 359), (303, 340, 431)),
    "h200": Bus((4.5, 4.9, 5.4), (271, 301, 320), (271, 301, 380), (310, 340, 431)),
    "b200": Bus((7.2, 7.5, 8.2), (430, 500, 560), (443, 510, 575), (525, 600, 650)),
    "gb200": Bus((5.2, 5.5, 8.2), (184, 430, 500), (184, 459, 575), (300, 600, 650)),
    "a100": Bus((5.0, 5.9, 7.5), (165, 170, 175), (177, 177, 183), (180, 200, 207)),
})  # fmt: skip
"""Fast kernels of serving engines on NVLink, isolated; all others use ``HOST_BUS``."""

NODE_BUS: Mapping[str, Bus] = MappingProxyType({
    "a100": Bus((11, 15, 22), (165, 190, 195), (180, 200, 207), (235, 235, 235)),
    "h100": Bus((6, 10, 16.5), (240, 330, 360), (305, 335, 410), (480, 480, 480)),
    "b200": Bus((10, 15, 25.5), (430, 560, 590), (525, 600, 650), (720, 720, 720)),
    "gb200": Bus((10, 15, 25.5), (430, 560, 590), (525, 600, 650), (870, 870, 870)),
})  # fmt: skip
"""NCCL on NVLink, as training uses it."""

_P6_START = (4.3, 13.8, 27.4)
HOST_BUS: Mapping[tuple[str, Host], Bus] = MappingProxyType({
    ("rtx6000", Host.DEFAULT): Bus(_P6_START, (15, 25, 22), (37.9, 27.2, 22.3), (40, 30, 38)),
    ("rtx6000", Host.TUNED): Bus(_P6_START, (37.9, 27.2, 37.6), (40, 30, 39.5), (40, 39, 41.1)),
    ("rtx6000", Host.SWITCH): Bus((5, 14, 19), (38, 30, 38), (40, 39, 46), (53, 53, 53)),
    ("rtx6000", Host.POOR): Bus((18, 26, 40), (12, 10, 8), (15, 12, 10), (15, 25, 22), measured=False),
    ("l40s", Host.DEFAULT): Bus((9, 14, 25), (16, 16, 16), (16, 19.3, 18.8), (18, 21, 22)),
    ("l40s", Host.TUNED): Bus((9, 14, 25), (16, 19.3, 18.8), (17, 20.5, 20.3), (18, 22, 22)),
    ("l40s", Host.SWITCH): Bus((9, 14, 25), (16, 19.3, 18.8), (17, 20.5, 20.3), (22, 22, 22)),
    ("l40s", Host.POOR): Bus((5.7, 13, 25), (15, 3, 1.4), (19, 3.8, 1.9), (20, 4.3, 2)),
    ("h100", Host.DEFAULT): Bus((8, 14, 25), (24, 24, 24), (35, 35, 35), (45, 45, 45), measured=False),
    ("geforce5", Host.DEFAULT): Bus((20, 30, 40), (15, 15, 15), (30, 35, 28), (43, 43, 35)),
    ("geforce5", Host.POOR): Bus((20, 30, 40), (10, 8, 6), (15, 12, 10), (30, 35, 28), measured=False),
    ("geforce4", Host.DEFAULT): Bus((20, 30, 40), (6, 6, 6), (14, 14, 14), (25, 25, 25), measured=False),
    ("geforce4", Host.POOR): Bus((20, 30, 40), (4, 3, 2), (6, 6, 6), (14, 14, 14), measured=False),
})  # fmt: skip
"""PCIe cards by host; a host without a row of its own falls back to ``default``.

Serving figures of engine_fit_notes section 3. Training reads the same table; its RTX PRO 6000 default
row of training_fit_notes section 6 (38/28/24) differs by the averaging of the same measurements.
"""

TRAINING_BUS: Mapping[tuple[str, Host], Bus] = MappingProxyType({
    ("rtx6000", Host.DEFAULT): Bus((6, 12, 24.5), (15, 25, 22), (38, 28, 24), (40, 30, 39.5)),
    ("rtx6000", Host.TUNED): Bus((6, 12, 24.5), (38, 28, 24), (40, 30, 39.5), (53, 39, 46)),
    ("rtx6000", Host.SWITCH): Bus((5, 14, 19), (38, 30, 38), (40, 39, 46), (53, 53, 53)),
    ("l40s", Host.DEFAULT): Bus((8, 12, 22), (16, 16, 16), (17, 20.5, 20.3), (22, 22, 22)),
    ("l40s", Host.POOR): Bus((6, 10, 18), (15, 3, 1.4), (20, 4.3, 1.8), (20, 5, 2)),
})  # fmt: skip
"""NCCL on PCIe cards, as training uses it; falls back to ``HOST_BUS``."""

OTHER_PCIE = Bus((9, 14, 25), (6, 5, 4), (16, 16, 15), (20, 20, 20), measured=False)
"""Any other PCIe card: between the measured Gen4 classes, an estimate."""
OTHER_PCIE_POOR = Bus((9, 14, 25), (4, 3, 1.4), (10, 4, 2), (16, 16, 15), measured=False)


@dataclass(frozen=True, slots=True)
class Network:
    """Share of the NIC sum of one node that a ring reaches, and the start per hop."""

    low: float
    best: float
    high: float
    start_us: float


NETWORKS: Mapping[str, Network] = MappingProxyType({
    "infiniband": Network(.75, .92, 1.0, 30.0),
    "roce": Network(.40, .85, .92, 30.0),
    "efa": Network(.75, .93, .96, 150.0),
    "tcp": Network(.32, .42, .60, 150.0),
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Overheads:
    """Engine overheads: per layer (us), per step (ms), per sequence (us), per MoE layer (us)."""

    layer_us: float
    step_ms: float
    sequence_us: float
    moe_layer_us: float


OVERHEADS: Mapping[tuple[Engine, bool], Overheads] = MappingProxyType({
    (Engine.VLLM, False): Overheads(32, 0.1, 15, 32),
    (Engine.VLLM, True): Overheads(17, 0.2, 7, 33),
    (Engine.TRTLLM, False): Overheads(8, 0.9, 24, 46),
    (Engine.TRTLLM, True): Overheads(13, 0.4, 7, 6),
    (Engine.SGLANG, False): Overheads(7, 1.0, 22, 83),
    (Engine.SGLANG, True): Overheads(18, 1.25, 44, 26),
})  # fmt: skip
"""By engine and whether the card is Blackwell SXM; all other cards take the Hopper line.

Rows and units: vLLM 200 and 4, 164 and 3; TensorRT-LLM 232 and 4, 154 and 3; SGLang 116 and 4, 117
and 3. Refitted from neutral values without each unit, one line per generation for all engines
misses throughput and interval by 11 and 12 %, a line per engine by 13 and 15 %: the split by engine
rests on few units each. vLLM's cost per sequence on Blackwell is that of the line per generation
(7 us, 9 units; 5-10 with one left out, 21 without one of them): its own three do not agree.
"""

FIRST_TOKEN: Mapping[tuple[Engine, bool], tuple[float, float]] = MappingProxyType({
    (Engine.VLLM, False): (0.10, 0.030),
    (Engine.VLLM, True): (0.10, 0.030),
    (Engine.TRTLLM, False): (0.10, 0.070),
    (Engine.TRTLLM, True): (0.10, 0.070),
    (Engine.SGLANG, False): (0.40, 0.160),
    (Engine.SGLANG, True): (0.40, 0.100),
})  # fmt: skip
"""Share of foreign prompt time before the first token, and the constant before it in s.

By engine (7 units each) and whether the card is Blackwell SXM: the constant is host work, and
shrinks with the host. SGLang on Blackwell is weakly known: its 3 units (117 rows) ask for 0.05,
0.10 and 0.16; each predicted from the other two, they miss by 61 % on average, and by 66 % with
Hopper's constant.
"""


SERIAL_READ_S: Mapping[Engine, float] = MappingProxyType({Engine.SGLANG: 7.6e-9})
"""Seconds per cached token and layer that a single request's attention takes at least, on RTX PRO 6000.

Its kernel splits one long context over few blocks (24 rows of SGLang 0.5.9, 1-8 users, to 128k).
"""


@dataclass(frozen=True, slots=True)
class TrainingShares:
    """Kernel shares in training: BF16 and FP8 GEMM, attention forward and backward."""

    gemm_bf16: float
    gemm_fp8: float
    attention: float
    attention_fused: float
    measured: bool = True
    gemm_mxfp8: float | None = None
    """MXFP8 with a scale per 32 weights; None: as FP8."""


TRAINING_SHARES: Mapping[str, TrainingShares] = MappingProxyType({
    "a100": TrainingShares(.86, .86, .345, .345),
    "h100": TrainingShares(.81, .63, .205, .31),
    "h200": TrainingShares(.79, .69, .205, .31),
    "b200": TrainingShares(.68, .53, .33, .33, gemm_mxfp8=.64),
    "b300": TrainingShares(.75, .53, .33, .33, gemm_mxfp8=.69),
    "gb200": TrainingShares(.69, .50, .33, .33, gemm_mxfp8=.59),
    "gb300": TrainingShares(.77, .56, .33, .33, gemm_mxfp8=.69),
    "l40s": TrainingShares(.61, .54, .36, .36),
    "rtx6000": TrainingShares(.82, .84, .44, .44),
    "geforce4": TrainingShares(1.09, 1.00, .64, .64),
    "geforce5": TrainingShares(1.09, 1.00, .64, .64),
    "other": TrainingShares(.65, .55, .30, .30, measured=False),
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class StackRule:
    """Training framework class: element-wise passes (low, best, high), overlap, kernels."""

    passes: tuple[float, float, float]
    tp_hidden_nvlink: float
    fused_attention: bool
    validated: bool
    splits_layers: bool
    """Whether the stack offers tensor and pipeline parallelism beside sharding."""


STACKS: Mapping[str, StackRule] = MappingProxyType({
    "torchtitan": StackRule((13.5, 8.1, 6.0), 0.0, False, True, True),
    "torchtune": StackRule((17.0, 13.5, 12.0), 0.0, False, True, False),
    "megatron": StackRule((7.0, 5.0, 4.0), 0.5, True, True, True),
    "deepspeed": StackRule((17.0, 13.5, 12.0), 0.0, False, False, False),
    "peft": StackRule((17.0, 13.5, 12.0), 0.0, False, True, False),
    "axolotl": StackRule((17.0, 13.5, 12.0), 0.0, False, False, False),
    "llm-foundry": StackRule((17.0, 13.5, 12.0), 0.0, False, True, False),
    "automodel": StackRule((17.0, 13.5, 12.0), 0.0, False, True, True),
    "hand-fused": StackRule((7.0, 4.2, 4.0), 0.0, True, True, False),
})  # fmt: skip

TRAINING_FIT_BUS: Mapping[str, float] = MappingProxyType({
    "a100": 235.0, "h100": 365.0, "h200": 365.0, "b200": 640.0, "b300": 640.0, "gb200": 700.0,
    "rtx6000": 30.0, "l40s": 19.3, "geforce5": 35.0, "geforce4": 14.0, "other": 14.0,
})  # fmt: skip
"""Bus bandwidth at gigabyte messages that the training constants were fitted with, GB/s; a build
that states its host takes ``NODE_BUS`` and ``TRAINING_BUS``."""
TRAINING_NETWORK_SHARE = 0.85
"""Of the NICs of one node, in the training fit."""
ASYNC_TP_HIDDEN = 0.33
"""Share of tensor-parallel traffic that asynchronous TP hides in PyTorch, on NVLink."""
FP8_ROW_SHARE = 0.60
"""Row-wise scaled FP8 against tensor-wise: 4 rows of one unit and release, 19 % off in the median."""
OLD_MOE_RELEASE_SPEED = 0.78
"""MoE releases older than spring 2026."""

KAPPA: Mapping[bool, tuple[float, float, float]] = MappingProxyType(
    {True: (1.0, 1.0, 0.9), False: (1.0, 0.5, 0.2)}
)
"""Exposed share of sharded traffic (low, best, high) with and without NVLink."""

TP_BANDWIDTH: Mapping[bool, tuple[float, float, float]] = MappingProxyType(
    {True: (0.4, 0.5, 0.6), False: (1.0, 1.0, 1.0)}
)
"""Share of the bus bandwidth that tensor-parallel traffic reaches, with and without NVLink."""

TP_HIDDEN: tuple[float, float] = (0.0, 0.6)
"""Share of tensor-parallel traffic hidden behind compute: low and high; best is the stack's."""
