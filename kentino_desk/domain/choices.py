"""Every closed set of choices. A value is the word of the file formats."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Kind(StrEnum):
    """What the customer wants done."""

    CHAT = "chat"
    BATCH = "batch"
    LORA = "lora"
    QLORA = "qlora"
    FULL = "full"
    PRETRAIN = "pretrain"

    @property
    def is_serving(self) -> bool:
        """Inference, with or without users waiting."""
        return self in {Kind.CHAT, Kind.BATCH}

    @property
    def is_training(self) -> bool:
        """Anything with gradients."""
        return not self.is_serving

    @property
    def trains_all_weights(self) -> bool:
        """Full tuning and pretraining."""
        return self in {Kind.FULL, Kind.PRETRAIN}


class Format(StrEnum):
    """Number format of weights or of the KV cache."""

    AUTO = "auto"
    BF16 = "bf16"
    FP8 = "fp8"
    INT8 = "int8"
    INT4 = "int4"
    NVFP4 = "nvfp4"
    MXFP4 = "mxfp4"

    @property
    def bits_class(self) -> int:
        """16, 8 or 4: the step of the decision flow this format belongs to."""
        if self is Format.BF16:
            return 16
        return 8 if self in {Format.FP8, Format.INT8} else 4


class Grade(IntEnum):
    """Fit of the memory alone, worst first, so that grades compare."""

    NO = 0
    WEIGHTS_ONLY = 1
    TIGHT = 2
    FITS = 3
    COMFORTABLE = 4

    @property
    def word(self) -> str:
        """The word of the file formats."""
        return self.name.lower()


class Evidence(StrEnum):
    """How well a value is known."""

    MEASURED = "measured"
    VENDOR = "vendor"
    ESTIMATE = "estimate"


class Outcome(StrEnum):
    """The word of the verdict."""

    ONE_NODE = "ONE_NODE"
    ONE_NODE_INT4 = "ONE_NODE_INT4"
    REPLICAS = "REPLICAS"
    DATA_PARALLEL = "DATA_PARALLEL"
    CLUSTER_IB = "CLUSTER_IB"
    REARCHITECT = "REARCHITECT"
    FRONTIER = "FRONTIER"
    NOTHING_FITS = "NOTHING_FITS"


class Answer(StrEnum):
    """Answer to one of the five questions."""

    YES = "yes"
    NO = "no"
    NOT_NEEDED = "not_needed"


class Binding(StrEnum):
    """The constraint that decides."""

    MEMORY = "memory"
    LATENCY = "latency"
    THROUGHPUT = "throughput"
    DEADLINE = "deadline"
    TRAINING_STATE = "training_state"
    POWER = "power"
    SPACE = "space"
    BUDGET = "budget"


class Host(StrEnum):
    """How well the host lets cards talk to each other."""

    DEFAULT = "default"
    TUNED = "tuned"
    SWITCH = "switch"
    POOR = "poor"


class Fabric(StrEnum):
    """Network between nodes."""

    NONE = "none"
    IB200 = "ib200"
    IB400 = "ib400"
    ROCE100 = "roce100"
    ROCE200 = "roce200"
    ROCE400 = "roce400"
    TCP25 = "tcp25"
    TCP100 = "tcp100"
    NVLINK = "nvlink"


class Engine(StrEnum):
    """Serving engine."""

    VLLM = "vllm"
    SGLANG = "sglang"
    TRTLLM = "trtllm"


class Optimizer(StrEnum):
    """Optimizer of a training run."""

    ADAMW_FP32 = "adamw_fp32"
    ADAMW_BF16 = "adamw_bf16"
    ADAMW_8BIT = "adamw_8bit"
    ADAFACTOR = "adafactor"
    MUON = "muon"


class Checkpointing(StrEnum):
    """Recomputation of activations."""

    NONE = "none"
    SELECTIVE = "selective"
    FULL = "full"


class OffloadKind(StrEnum):
    """What a training run keeps in host memory."""

    NONE = "none"
    OPTIMIZER = "optimizer"
    WEIGHTS_OPTIMIZER = "weights_optimizer"
    ACTIVATIONS = "activations"


class Loss(StrEnum):
    """Kernel of the loss."""

    PLAIN = "plain"
    CHUNKED = "chunked"
    FUSED = "fused"


class Stack(StrEnum):
    """Class of the training framework."""

    TORCHTITAN = "torchtitan"
    TORCHTUNE = "torchtune"
    MEGATRON = "megatron"
    DEEPSPEED = "deepspeed"
    PEFT = "peft"
    AXOLOTL = "axolotl"


class DemandUnit(StrEnum):
    """Unit of a typed demand."""

    TOKENS_PER_S = "tokens_per_s"
    REQUESTS_PER_S = "requests_per_s"


class ThroughputUnit(StrEnum):
    """What a typed training rate refers to."""

    PER_GPU = "per_gpu"
    PER_NODE = "per_node"
    TOTAL = "total"


class Attention(StrEnum):
    """Class of attention, as far as the cache and the kernels care."""

    GQA = "gqa"
    MLA = "mla"
    MLA_SPARSE = "mla_sparse"
    COMPRESSED = "compressed"


class Severity(StrEnum):
    """How much a note matters."""

    INFO = "info"
    LOOK = "look"
    BLOCK = "block"
