"""Inputs of a serving candidate that depend on card, layout, formats, engine and host."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kentino_desk.domain.choices import Engine, Format
from kentino_desk.domain.units import GB, TERA
from kentino_desk.engine import policy
from kentino_desk.engine.card_inputs import (
    Link,
    bus_class,
    card_bytes,
    card_class,
    dense_kernel,
    expert_kernel,
    is_blackwell_sxm,
    network_link,
    serving_link,
)
from kentino_desk.engine.columns import Axis, Part, columns_of
from kentino_desk.engine.model_inputs import computed_bits, model_inputs
from kentino_desk.engine.policy_tables import FIRST_TOKEN, OVERHEADS, SERIAL_READ_S, SHARES
from kentino_desk.engine.server_memory_inputs import MEMORY_PARTS, ServerMemory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.choices import Host
    from kentino_desk.domain.hardware import FabricType, Gpu
    from kentino_desk.domain.model_card import ModelCard


PADDING_CLASSES = frozenset({"h100", "h200"})
"""Cards whose kernels pad the rows of narrow MXFP4 experts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingSetup:
    """What all candidates of a workload share: engine, release, limits and host."""

    engine: Engine
    release: str
    max_num_seqs: int | None
    utilisation: float | None
    host: Host
    draft_tokens: int = 0
    """Tokens per step of the model's own draft head; 0 is off."""
    draft_acceptance: float | None = None
    """Share of the guesses that are right; None: no gain is promised, and no time counted."""
    context_parallel: int = 1
    """Ranks that share the cached tokens of every request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingLayout:
    """Card, formats and degrees of one candidate; ``fabric`` joins pipeline stages over nodes."""

    gpu: Gpu
    weights: Format
    kv_cache: Format
    tp: int
    pp: int = 1
    dp_attention: int = 1
    """Attention groups inside the tensor group, each with its own requests."""
    nvlink: bool = False
    fabric: FabricType | None = None
    nics_per_node: int = 1
    """Cards of the fabric in one node."""


def serving_inputs(
    model: ModelCard, layout: ServingLayout, setup: ServingSetup
) -> dict[str, float]:
    """Every input of one serving candidate but the load."""
    inputs: dict[str, float] = {}
    for part in SERVING_PARTS:
        inputs |= part.inputs(model, layout, setup)
    return inputs


def serving_columns(
    model: ModelCard, axes: Mapping[str, Axis], setup: ServingSetup
) -> dict[str, Any]:
    """The same for many candidates, as columns; every field of the layout is an axis."""
    first = ServingLayout(**{name: axis.values[axis.codes[0]] for name, axis in axes.items()})

    def inputs_of(part: Part, values: Mapping[str, Any]) -> Mapping[str, float]:
        return part.inputs(model, replace(first, **values), setup)

    return columns_of(SERVING_PARTS, axes, inputs_of)


def _server_memory(layout: ServingLayout, setup: ServingSetup) -> ServerMemory:
    # The utilisation that a workload states is vLLM's; the others take their own share.
    asked = setup.utilisation if setup.engine is Engine.VLLM else None
    return ServerMemory(
        card_bytes=card_bytes(layout.gpu),
        weights=layout.weights,
        kv_cache=layout.kv_cache,
        engine=setup.engine,
        release=setup.release,
        tp=layout.tp,
        pp=layout.pp,
        dp_attention=layout.dp_attention,
        utilisation=asked,
        max_num_seqs=setup.max_num_seqs,
        draft_tokens=setup.draft_tokens,
        context_parallel=setup.context_parallel,
        padded_experts=card_class(layout.gpu) in PADDING_CLASSES,
    )


def _dense_bits(model: ModelCard, layout: ServingLayout, _setup: ServingSetup) -> dict[str, float]:
    return {"dense_bits": computed_bits(model, layout.weights)}


def _card_inputs(model: ModelCard, layout: ServingLayout, setup: ServingSetup) -> dict[str, float]:
    gpu, shares = layout.gpu, SHARES[card_class(layout.gpu)]
    bandwidth = (gpu.memory_bandwidth_gb_per_s or 0.0) * GB
    f16 = (gpu.tflops_bf16 or 0.0) * TERA
    latent = model_inputs(model)["latent_decode_flops"]
    return {
        "bandwidth_bytes_per_s": bandwidth,
        "bf16_bandwidth_share": shares.bf16[0],
        "kv_bandwidth": shares.kv * bandwidth,
        "attention_flops": shares.attention * f16,
        "latent_decode_s_per_token": latent / (policy.value("latent_decode_share") * f16),
        "serial_read_s_per_token": _serial_read_s(layout, setup),
        **_engine_inputs(layout, setup),
    }


def _kernel_inputs(
    model: ModelCard, layout: ServingLayout, _setup: ServingSetup
) -> dict[str, float]:
    bandwidth = (layout.gpu.memory_bandwidth_gb_per_s or 0.0) * GB
    dense = dense_kernel(layout.gpu, model, layout.weights)
    expert = expert_kernel(layout.gpu, layout.weights)
    return {
        "dense_bandwidth_share": dense.bandwidth_share,
        "dense_flops": dense.flops,
        "expert_bandwidth": expert.bandwidth_share * bandwidth,
        "expert_flops": expert.flops,
    }


def _engine_inputs(layout: ServingLayout, setup: ServingSetup) -> dict[str, float]:
    key = (setup.engine, is_blackwell_sxm(layout.gpu))
    overheads, (share, constant) = OVERHEADS[key], FIRST_TOKEN[key]
    return {
        "layer_overhead_s": overheads.layer_us * 1e-6,
        "step_overhead_s": overheads.step_ms * 1e-3,
        "sequence_overhead_s": overheads.sequence_us * 1e-6,
        "moe_layer_s": overheads.moe_layer_us * 1e-6,
        "first_token_share": share,
        "first_token_constant_s": constant,
        "drafted_tokens": 0.0 if setup.draft_acceptance is None else float(setup.draft_tokens),
        "draft_acceptance": setup.draft_acceptance or 0.0,
    }


def _serial_read_s(layout: ServingLayout, setup: ServingSetup) -> float:
    """Time per cached token and layer of a kernel that gives one request too few blocks."""
    return SERIAL_READ_S.get(setup.engine, 0.0) if card_class(layout.gpu) == "rtx6000" else 0.0


def _link(layout: ServingLayout, setup: ServingSetup) -> Link:
    name = card_class(layout.gpu) if layout.nvlink else bus_class(layout.gpu)
    return serving_link(
        name, setup.host, layout.tp, nvlink=layout.nvlink, hopper=not is_blackwell_sxm(layout.gpu)
    )


def _link_inputs(_model: ModelCard, layout: ServingLayout, setup: ServingSetup) -> dict[str, float]:
    link = _link(layout, setup)
    return {"serving_start_s": link.start_s, "serving_bus_bytes_per_s": link.best}


def _network_inputs(
    _model: ModelCard, layout: ServingLayout, _setup: ServingSetup
) -> dict[str, float]:
    """Network between pipeline stages, 0 inside one node."""
    network = network_link(layout.fabric, layout.nics_per_node).best if layout.fabric else 0.0
    return {"stage_network_bytes_per_s": network}


def link_columns(axes: Mapping[str, Axis], setup: ServingSetup, side: int) -> dict[str, Any]:
    """Bus and network of many candidates at the low (0), best (1) or high (2) end."""
    first = ServingLayout(**{name: axis.values[axis.codes[0]] for name, axis in axes.items()})

    def bus(layout: ServingLayout) -> dict[str, float]:
        link = _link(layout, setup)
        return {"serving_bus_bytes_per_s": (link.low, link.best, link.high)[side]}

    def network(layout: ServingLayout) -> dict[str, float]:
        if layout.fabric is None:
            return {"stage_network_bytes_per_s": 0.0}
        link = network_link(layout.fabric, layout.nics_per_node)
        return {"stage_network_bytes_per_s": (link.low, link.best, link.high)[side]}

    def inputs_of(part: Part, values: Mapping[str, Any]) -> Mapping[str, float]:
        return part.inputs(replace(first, **values))

    parts = (Part(("gpu", "nvlink", "tp"), bus), Part(("fabric", "nics_per_node"), network))
    return columns_of(parts, axes, inputs_of)


def _of_memory(part: Part) -> Part:
    """A part of the memory inputs as a part of the serving inputs."""

    def inputs(model: ModelCard, layout: ServingLayout, setup: ServingSetup) -> Mapping[str, float]:
        return part.inputs(model, _server_memory(layout, setup))

    return Part(part.axes, inputs)


SERVING_PARTS: tuple[Part, ...] = (
    *(_of_memory(part) for part in MEMORY_PARTS),
    Part((), lambda _model, _layout, _setup: {"ep": 1.0, "speed_at_limit": 1.0}),
    Part(("weights",), _dense_bits),
    Part(("gpu",), _card_inputs),
    Part(("gpu", "weights"), _kernel_inputs),
    Part(("gpu", "nvlink", "tp"), _link_inputs),
    Part(("fabric", "nics_per_node"), _network_inputs),
)
"""Axes of a layout that each group of inputs depends on."""
