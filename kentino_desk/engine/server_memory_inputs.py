"""Inputs of the memory of a serving engine: formats, release, limits, layout; no speeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Format
from kentino_desk.domain.units import GIB
from kentino_desk.engine.columns import Part
from kentino_desk.engine.model_inputs import (
    kv_element_bytes,
    latent_bytes_per_token,
    model_inputs,
    parts,
    stored_bits,
    weight_uncertainty,
    with_draft_block,
)
from kentino_desk.engine.policy_memory import (
    DRAFT_MODEL_UNCERTAINTY,
    KNOWN_SIZE_UNCERTAINTY,
    LARGE_CARD_GIB,
    MAX_NUM_SEQS_LARGE,
    MAX_NUM_SEQS_SMALL,
    NEWEST_RELEASE,
    POOL_RULES,
    PROFILE_TOKENS_LARGE,
    PROFILE_TOKENS_SMALL,
    STATE_SLOTS_OF_THE_START,
    TRANSFORMERS_LEAN_GIB,
    TRANSFORMERS_LEAN_RELEASE,
    V0_LEAST_PROFILE_TOKENS,
    V0_LONG_CONTEXT,
    V0_MAX_NUM_SEQS,
    V0_PROFILE_TOKENS_UNKNOWN,
    Release,
    release_key,
    release_row,
)

if TYPE_CHECKING:
    from kentino_desk.domain.model_card import ModelCard

ENDLESS_WINDOW = 1e12
"""Window of an engine that gives every layer a full cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerMemory:
    """What decides on the memory of one serving engine; ``None`` takes the release's default."""

    card_bytes: float
    weights: Format
    kv_cache: Format
    engine: str = "vllm"
    release: str = NEWEST_RELEASE
    tp: int = 1
    pp: int = 1
    dp_attention: int = 1
    """Groups of ranks that each serve the attention of their own requests."""
    ep: int = 1
    """Ranks that share the experts, where they are more than those of the tensors."""
    utilisation: float | None = None
    max_num_seqs: int | None = None
    profile_tokens: int | None = None
    max_model_len: int | None = None
    eager: bool = False
    padded_experts: bool = False
    """Whether the kernel stores narrow MXFP4 experts in rows of a multiple of 256 (Hopper)."""
    checkpoint: str = ""
    """Layout of the checkpoint where it is not the usual one of its format."""
    checkpoint_bytes: float | None = None
    """Size of the files where it is known: it wins over the formula."""
    draft_tokens: int = 0
    """Tokens per step of the model's own draft head (MTP); 0 is off."""
    draft_model: bool = False
    context_parallel: int = 1
    scaled_kv: bool = False
    """Whether an 8-bit cache carries a scale per token and head."""


def server_memory_inputs(model: ModelCard, server: ServerMemory) -> dict[str, float]:
    """Every input of the memory of one server but the load."""
    inputs: dict[str, float] = {"ep": float(server.ep)}
    for part in MEMORY_PARTS:
        inputs |= part.inputs(model, server)
    return inputs


def _draft_inputs(model: ModelCard, server: ServerMemory) -> dict[str, float]:
    """A draft head is one more layer of weights and cache, and a projection."""
    if not server.draft_tokens:
        return {}
    inputs = model_inputs(model)
    split = with_draft_block(model)
    indexed = model.index_layers == model.layers
    return {
        "head_params": split.head,
        "routed_params": split.routed,
        "other_params": split.other,
        "replicated_params": split.replicated,
        "full_layers": inputs["full_layers"] + 1.0,
        "index_layers": inputs["index_layers"] + (1.0 if indexed else 0.0),
    }


def _format_inputs(model: ModelCard, server: ServerMemory) -> dict[str, float]:
    routed, other = stored_bits(model, server.weights, server.checkpoint)
    known = server.checkpoint_bytes
    uncertain = KNOWN_SIZE_UNCERTAINTY if known else weight_uncertainty(server.weights)
    draft = DRAFT_MODEL_UNCERTAINTY if server.draft_model else 0.0
    return {
        "routed_bits": routed,
        "other_bits": other,
        "routed_padding": _padding(model, server),
        "checkpoint_bytes": known or 0.0,
        "latent_copy_params": parts(model).replicated if model.is_mla else 0.0,
        "weight_uncertainty": uncertain + draft,
    }


def _padding(model: ModelCard, server: ServerMemory) -> float:
    """Hopper stores MXFP4 experts of 2,880 columns as 3,072 (memory_fit_notes, section 2)."""
    narrow = server.padded_experts and server.weights is Format.MXFP4
    if not narrow or model.expert_ffn % 256 == 0:
        return 1.0
    return -(-model.expert_ffn // 256) * 256 / model.expert_ffn


def _release_inputs(model: ModelCard, server: ServerMemory) -> dict[str, float]:
    if server.engine == "transformers":
        return _transformers_inputs(server)
    row = release_row(server.release if server.engine == "vllm" else NEWEST_RELEASE)
    graphs = row.graph_gib_sparse if model.index_layers else row.graph_gib
    return {
        "card_bytes": server.card_bytes,
        "sampler_bytes_per_logit": _sampler_bytes(server, row),
        "max_num_seqs": float(server.max_num_seqs or _default_slots(server, row)),
        "profile_tokens": float(server.profile_tokens or _default_profile(server, row)),
        "non_torch_bytes": row.non_torch_gib[_rank_position(server.tp)] * GIB,
        "graph_bytes": 0.0 if server.eager else graphs * GIB,
        "state_slots": float(row.state_slots + server.draft_tokens),
        **pool_inputs(server, row),
    }


def _transformers_inputs(server: ServerMemory) -> dict[str, float]:
    """A plain run: no pool, no sampler profile; the prompt is the batch of tokens."""
    lean = release_key(server.release) >= TRANSFORMERS_LEAN_RELEASE
    row = release_row(NEWEST_RELEASE)
    return {
        "card_bytes": server.card_bytes,
        "sampler_bytes_per_logit": 0.0,
        "max_num_seqs": float(server.max_num_seqs or 1),
        "profile_tokens": 0.0 if lean else float(server.profile_tokens or 0),
        "non_torch_bytes": TRANSFORMERS_LEAN_GIB * GIB if lean else 0.0,
        "graph_bytes": 0.0,
        "state_slots": 1.0,
        **pool_inputs(server, row),
    }


def pool_inputs(server: ServerMemory, row: Release) -> dict[str, float]:
    """How the engine divides the card; no model is needed for it."""
    rule = POOL_RULES[server.engine]
    share = rule.share if rule.share is not None else row.utilisation
    if rule.share_is_asked and server.utilisation is not None:
        share = server.utilisation
    return {
        "pool_share": share,
        "pool_reserve_bytes": rule.reserve_gib[0 if server.tp == 1 else 1] * GIB,
        "weights_before_pool": rule.weights_before,
        "overheads_after_pool": rule.overheads_after,
        "window_keeps_profile": 1.0 if rule.keeps_profile_in_windows else 0.0,
    }


def _is_large(server: ServerMemory) -> bool:
    return server.card_bytes / GIB >= LARGE_CARD_GIB


def _default_slots(server: ServerMemory, row: Release) -> int:
    if row.long_profile_tokens is not None:
        return V0_MAX_NUM_SEQS
    return MAX_NUM_SEQS_LARGE if _is_large(server) else MAX_NUM_SEQS_SMALL


def _default_profile(server: ServerMemory, row: Release) -> int:
    if row.long_profile_tokens is None:
        return PROFILE_TOKENS_LARGE if _is_large(server) else PROFILE_TOKENS_SMALL
    if server.max_model_len is None:
        return V0_PROFILE_TOKENS_UNKNOWN
    if server.max_model_len > V0_LONG_CONTEXT:
        return row.long_profile_tokens
    return max(server.max_model_len, V0_LEAST_PROFILE_TOKENS)


def _sampler_bytes(server: ServerMemory, row: Release) -> float:
    """V0 engines above 32,768 tokens profile a short chunk that never reaches the sampler."""
    long = (server.max_model_len or 0) > V0_LONG_CONTEXT and server.profile_tokens is None
    return 0.0 if row.long_profile_tokens is not None and long else row.sampler_bytes


def _cache_inputs(model: ModelCard, server: ServerMemory) -> dict[str, float]:
    row = release_row(server.release if server.engine == "vllm" else NEWEST_RELEASE)
    slots = server.max_num_seqs or STATE_SLOTS_OF_THE_START
    cached_layers = model.full_layers + (1 if server.draft_tokens else 0)
    inputs = {
        "kv_element_bytes": kv_element_bytes(server.kv_cache, scaled=server.scaled_kv),
        "latent_bytes_per_token": latent_bytes_per_token(
            model, server.kv_cache, layers=cached_layers, step=row.latent_step
        ),
        "context_parallel": float(server.context_parallel),
        "reserved_states": float(model.mamba_layers * slots) / server.pp,
    }
    if not row.pages_by_layer:
        inputs["window_tokens"] = ENDLESS_WINDOW
    return inputs


def _rank_position(tp: int) -> int:
    return min(max(tp - 1, 0).bit_length(), 3)


def _model_inputs(model: ModelCard, server: ServerMemory) -> dict[str, float]:
    return {**model_inputs(model), **_draft_inputs(model, server)}


MEMORY_PARTS: tuple[Part, ...] = (
    Part((), _model_inputs),
    Part(("tp",), lambda _model, server: {"tp": float(server.tp)}),
    Part(("pp",), lambda _model, server: {"pp": float(server.pp)}),
    Part(("dp_attention",), lambda _model, server: {"dp_attention": float(server.dp_attention)}),
    Part(("gpu", "weights"), _format_inputs),
    Part(("gpu", "tp"), _release_inputs),
    Part(("kv_cache", "pp"), _cache_inputs),
)
"""Axes of a serving layout that each group of inputs depends on."""
