"""Dense feed-forward and experts: widths, and the weights of one layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.attention import decide
from kentino_desk.catalog.model_config.basics import MOST_WIDTH

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.basics import Basics
    from kentino_desk.catalog.model_config.fields import Fields
    from kentino_desk.catalog.model_config.text_part import TextPart

EXPERTS = ("n_routed_experts", "num_local_experts", "num_experts", "moe_num_experts")
ACTIVE = (
    "num_experts_per_tok",
    "num_experts_per_token",
    "experts_per_token",
    "moe_topk",
    "moe_top_k",
    "moe_k",
    "top_k_experts",
    "num_experts_per_topk",
)
EXPERT_WIDTH = ("moe_intermediate_size", "expert_intermediate_size", "expert_ffn_hidden_size")
SHARED_COUNT = (
    "n_shared_experts",
    "num_shared_experts",
    "num_shared_expert",
    "moe_num_shared_experts",
)
SHARED_WIDTH = (
    "shared_expert_intermediate_size",
    "moe_shared_expert_intermediate_size",
    "share_expert_dim",
    "share_expert_dims",
    "shared_intermediate_size",
)
DENSE_WIDTH = ("intermediate_size", "ffn_hidden_size")
LATENT_WIDTH = ("moe_latent_size", "routed_expert_hidden_size", "moe_hidden_size")
MOST_EXPERTS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedForward:
    """Widths of the feed-forward; experts 0 means that there are none."""

    hidden: int
    dense_width: int
    is_gated: bool
    has_bias: bool
    activation_params: int
    experts: int = 0
    active: int = 0
    expert_width: int = 0
    latent_width: int = 0
    latent_norms: int = 0
    shared_width: int = 0
    has_shared_gate: bool = False
    has_correction: bool = False
    has_router_bias: bool = False
    has_expert_bias: bool = False
    has_dense_beside: bool = False
    vectors_beside: int = 0

    @property
    def expert_input(self) -> int:
        """Input width of a routed expert."""
        return self.latent_width or self.hidden

    @property
    def matrices(self) -> int:
        """Matrices of a feed-forward: gated ones have three."""
        return 3 if self.is_gated else 2

    def dense_params(self, width: int) -> int:
        """Weights of a dense feed-forward of that width."""
        total = self.matrices * self.hidden * width + self.activation_params
        return total + ((self.matrices - 1) * width + self.hidden) * self.has_bias

    def routed_params(self) -> int:
        """Weights of all routed experts of a layer."""
        one = self.matrices * self.expert_input * self.expert_width
        bias = (self.matrices - 1) * self.expert_width + self.expert_input
        return self.experts * (one + bias * self.has_expert_bias)

    def around_experts_params(self) -> int:
        """Router, shared experts, latent projections, and what else stands in such a layer."""
        total = self.experts * (self.hidden + self.has_correction + self.has_router_bias)
        total += self.dense_params(self.shared_width) if self.shared_width else 0
        total += self.hidden * self.has_shared_gate * (self.shared_width > 0)
        total += self.latent_width * (2 * self.hidden + self.latent_norms)
        total += self.dense_params(self.dense_width) if self.has_dense_beside else 0
        return total + self.vectors_beside


def read_feed_forward(part: TextPart, basics: Basics) -> FeedForward:
    """Read the widths of the feed-forward.

    Raises:
        InputError: a width that is missing or out of range.
    """
    text, family = part.text, part.family
    experts = _experts(text)
    dense_width = _dense_width(part, basics)
    base = FeedForward(
        hidden=basics.hidden,
        dense_width=dense_width,
        is_gated=_is_gated(part),
        has_bias=decide(text, family.mlp_bias),
        activation_params=family.activation_params,
    )
    return base if not experts else _with_experts(part, base, experts)


def _experts(text: Fields) -> int:
    nested = text.part("ffn_config")
    if nested is not None and nested.has("moe_num_experts"):
        return nested.need("moe_num_experts", high=MOST_EXPERTS)
    if text.flag("enable_moe_block") is False:
        return 0
    count = text.whole(*EXPERTS, high=MOST_EXPERTS) or 0
    blocks = text.value("hybrid_override_pattern")
    return 0 if isinstance(blocks, str) and "E" not in blocks else count


def _dense_width(part: TextPart, basics: Basics) -> int:
    """0 where the file gives none: every layer then has experts, or the layer is refused."""
    text = part.text
    stated = text.whole(*part.family.dense_width_fields, *DENSE_WIDTH, high=10_000_000)
    if stated is not None:
        return stated
    ratio = text.whole("expansion_ratio", low=1, high=1_000)
    if ratio is not None:
        return ratio * basics.hidden
    if part.family.title == "Falcon":
        text.log.note_assumed(
            text.path("ffn_hidden_size"), 4 * basics.hidden, "the default of falcon"
        )
        return 4 * basics.hidden
    return 0


def _is_gated(part: TextPart) -> bool:
    """relu2, xielu and plain gelu come without a gate; the architecture knows, else the name."""
    if part.family.is_known:
        return part.family.is_gated
    activation = part.text.word("hidden_act", "mlp_hidden_act", "hidden_activation", "activation")
    plain = activation in {"relu2", "xielu", "relu", "gelu_new"}
    part.text.log.note_assumed(
        "gated feed-forward", not plain, f"told by the activation {activation or '(none given)'}"
    )
    return not plain


def _with_experts(part: TextPart, base: FeedForward, experts: int) -> FeedForward:
    text, family = part.text, part.family
    width = _expert_width(part)
    latent = text.whole(*LATENT_WIDTH, high=MOST_WIDTH) or 0
    beside = _has_dense_beside(part)
    return FeedForward(
        hidden=base.hidden,
        dense_width=base.dense_width,
        is_gated=base.is_gated,
        has_bias=base.has_bias,
        activation_params=base.activation_params,
        experts=experts,
        active=_active(text, experts),
        expert_width=width,
        latent_width=latent,
        latent_norms=family.latent_norms if latent else 0,
        shared_width=_shared_width(part, width),
        has_shared_gate=family.shared_gate,
        has_correction=_has_correction(part),
        has_router_bias=family.router_bias,
        has_expert_bias=family.expert_bias,
        has_dense_beside=beside,
        vectors_beside=4 * base.hidden + experts if text.flag("enable_moe_block") else 0,
    )


def _active(text: Fields, experts: int) -> int:
    nested = text.part("ffn_config")
    own, names = (text, ACTIVE) if nested is None else (nested, ("moe_top_k", *ACTIVE))
    active = own.need(*names, high=MOST_EXPERTS)
    if active > experts:
        raise own.refusal(own.first(names), f"is more than the {experts} experts of a layer")
    return active


def _expert_width(part: TextPart) -> int:
    text = part.text
    nested = text.part("ffn_config")
    if nested is not None and nested.has("ffn_hidden_size"):
        return nested.need("ffn_hidden_size", high=MOST_WIDTH)
    stated = text.whole(*EXPERT_WIDTH, *part.family.expert_width_fields, low=1, high=MOST_WIDTH)
    if stated is not None:
        return stated
    if part.family.is_known or not text.has("intermediate_size"):
        raise text.refusal(EXPERT_WIDTH[0], "is missing, and the experts cannot be counted")
    width = text.need("intermediate_size", high=MOST_WIDTH)
    text.log.note_assumed(text.path(EXPERT_WIDTH[0]), width, "the width of the feed-forward")
    return width


def _shared_width(part: TextPart, expert_width: int) -> int:
    text, family = part.text, part.family
    stated = text.whole(*SHARED_WIDTH, high=10_000_000)
    if stated is not None:
        return stated
    count = text.whole(*SHARED_COUNT, high=1_000)
    if count is None and family.shared_experts:
        text.log.note_assumed(
            "shared experts", family.shared_experts, f"what {family.title} always has"
        )
    return (family.shared_experts if count is None else count) * expert_width


def _has_correction(part: TextPart) -> bool:
    """A bias per expert that corrects the routing: a few numbers a layer."""
    stated = part.text.flag("use_routing_bias")
    if stated is not None:
        return stated
    return part.family.correction_bias or part.text.value("topk_method") == "noaux_tc"


def _has_dense_beside(part: TextPart) -> bool:
    """Grok-2 and Gemma 4 26B add the experts to a dense feed-forward."""
    flags = (part.text.flag("residual_moe"), part.text.flag("enable_moe_block"))
    return part.family.dense_beside_experts if flags == (None, None) else any(flags)
