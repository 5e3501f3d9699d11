"""What the code of an architecture does that its config.json does not say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class QkNorm(StrEnum):
    """Norm on queries and keys: none, one weight per channel, or one over all heads."""

    NONE = "none"
    HEAD = "head"
    ALL_HEADS = "all_heads"


class Gate(StrEnum):
    """Gate on the output of attention."""

    NONE = "none"
    HEAD = "head"
    ELEMENT = "element"


class Sinks(StrEnum):
    """Which layers hold a learned sink per head."""

    NONE = "none"
    EVERY = "every"
    SLIDING = "sliding"


class Recurrent(StrEnum):
    """Mixers that keep a state of fixed size instead of a cache."""

    GATED_DELTA = "gated_delta"
    KDA = "kda"
    LIGHTNING = "lightning"
    MAMBA_1 = "mamba_1"
    MAMBA_2 = "mamba_2"


class OtherLayers(StrEnum):
    """What the layers between the full ones are, where only a period is given."""

    NONE = "none"
    SLIDING = "sliding"
    CHUNKED = "chunked"
    LINEAR = "linear"


@dataclass(frozen=True, slots=True)
class Bias:
    """A bias: the field that decides and what holds where it is missing."""

    field: str = ""
    default: bool = False


NO_BIAS = Bias()
ATTENTION_BIAS = Bias("attention_bias")
ALWAYS = Bias("", default=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Facts of one architecture. ``norms`` counts vectors of the hidden width in a layer.

    Source of every entry: param_count_method, and the modelling code of transformers 5.24.
    """

    title: str
    is_known: bool = True
    norms: int = 2
    norm_vectors: int = 1
    """2 for a LayerNorm with bias."""
    tied: bool = False
    qkv_bias: Bias = ATTENTION_BIAS
    out_bias: Bias = ATTENTION_BIAS
    mlp_bias: Bias = NO_BIAS
    head_bias: Bias = NO_BIAS
    qk_norm: QkNorm = QkNorm.NONE
    qk_norm_field: str = ""
    """Flag that switches the norm of queries and keys on, where there is one."""
    gate: Gate = Gate.NONE
    sinks: Sinks = Sinks.NONE
    is_gated: bool = True
    activation_params: int = 0
    expert_width_fields: tuple[str, ...] = ()
    """Fields of the expert width before the usual ones."""
    dense_width_fields: tuple[str, ...] = ()
    """Fields of the dense width before the usual ones."""
    shared_experts: int = 0
    """Shared experts that the code builds without a field."""
    first_dense: int = 0
    shared_gate: bool = False
    correction_bias: bool = False
    router_bias: bool = False
    expert_bias: bool = False
    latent_norms: int = 0
    """Vectors of the latent width beside the two latent projections."""
    dense_beside_experts: bool = False
    shared_without_experts: bool = False
    """Granite 4: the shared width is the dense feed-forward of every layer."""
    recurrent: Recurrent | None = None
    kda_full_gate: bool = False
    kda_full_forget: bool = False
    full_every: int = 0
    """Every how many layers one is full, where the file gives no pattern."""
    first_is_full: bool = False
    others: OtherLayers = OtherLayers.NONE
    ignores_window: bool = False
    """The window of the file is not used unless a flag or a pattern says so."""
    hyper_rows: str = ""
    """Rows of a hyper-connection: "wide" (2+m)·m, "narrow" 2·m."""
    hyper_head: bool = True
    extra_vocabulary: int = 0
    default_tower: str = ""
    """Tower that the code builds although the file describes none."""
