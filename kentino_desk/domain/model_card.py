"""A language model as far as sizing needs it: counts and shapes, nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Attention, Format

if TYPE_CHECKING:
    from kentino_desk.domain.source import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """Shape and counts of one model.

    Parameter counts are in units (not 10^9). ``unsized_reason`` says why a model cannot be sized;
    it is empty for a model that can.
    """

    id: str
    name: str
    vendor: str
    family: str
    modality: str
    params_total: float
    params_active: float
    vision_params: float
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    gated_ffn: bool
    vocab: int
    tied_embeddings: bool
    max_context: int | None
    attention: Attention
    experts: int
    experts_per_token: int
    expert_ffn: int
    expert_width: int
    """Input width of a routed expert: the latent width, or the hidden size."""
    shared_ffn: int
    """Total width of the shared experts."""
    moe_layers: int
    full_layers: int
    sliding_layers: int
    linear_layers: int
    mamba_layers: int
    window_tokens: int
    kv_elements_full: float
    kv_elements_sliding: float
    state_elements: float
    """Elements of the recurrent state of one linear or Mamba layer and sequence."""
    conv_elements: float
    state_is_fp32: bool
    index_key_elements: float
    index_layers: int
    kv_shared_layers: int
    q_lora_rank: int
    kv_lora_rank: int
    rope_head_dim: int
    nope_head_dim: int
    v_head_dim: int
    native_format: Format
    native_expert_format: Format
    native_format_note: str
    mtp_layers: int
    unsized_reason: str
    source: Source
    ratio_4_layers: int = 0
    """Layers of compressed attention that keep one entry for every 4 tokens."""
    ratio_128_layers: int = 0
    """The same for every 128 tokens."""

    def __hash__(self) -> int:
        """The id alone: records are keys of caches, and one catalog has one record of an id."""
        return hash(self.id)

    @property
    def is_moe(self) -> bool:
        """Whether some layers hold routed experts."""
        return self.experts > 0 and self.moe_layers > 0

    @property
    def is_mla(self) -> bool:
        """Whether the cache is one latent vector per token."""
        return self.attention in {Attention.MLA, Attention.MLA_SPARSE}

    @property
    def has_state(self) -> bool:
        """Whether some layers keep a recurrent state instead of a cache."""
        return self.linear_layers + self.mamba_layers > 0

    @property
    def can_be_sized(self) -> bool:
        """Whether everything the engine needs is known."""
        return not self.unsized_reason
