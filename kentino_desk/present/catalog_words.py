"""Fields of the catalog in words: title and unit of every column that is shown."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from kentino_desk.present.language import later

if TYPE_CHECKING:
    from collections.abc import Mapping


class FieldWords(NamedTuple):
    """Title of a field, and its unit where it is a number with one."""

    title: str
    unit: str = ""


_GPUS = {
    "vendor": FieldWords(later("Vendor")),
    "architecture": FieldWords(later("Architecture")),
    "form_factor": FieldWords(later("Form factor")),
    "memory_gb": FieldWords(later("Memory as sold"), "GB"),
    "memory_mib": FieldWords(later("Memory, driver"), "MiB"),
    "memory_is_engine_view": FieldWords(later("Memory as an engine saw it")),
    "memory_bandwidth_gb_per_s": FieldWords(later("Memory bandwidth"), "GB/s"),
    "tflops_bf16": FieldWords(later("BF16 dense"), "TFLOP/s"),
    "tflops_fp8": FieldWords(later("FP8 dense"), "TFLOP/s"),
    "tops_int8": FieldWords(later("INT8 dense"), "TOP/s"),
    "tflops_fp4": FieldWords(later("FP4 dense"), "TFLOP/s"),
    "nvlink_gb_per_s_bidir": FieldWords(later("NVLink, both ways"), "GB/s"),
    "tdp_w": FieldWords(later("Power limit"), "W"),
    "min_power_limit_w": FieldWords(later("Lowest power limit"), "W"),
    "pcie_gen": FieldWords(later("PCIe generation")),
    "pcie_lanes": FieldWords(later("PCIe lanes")),
    "slot_width": FieldWords(later("Slots taken")),
    "cooling": FieldWords(later("Cooling")),
    "power_connector": FieldWords(later("Power connector")),
    "launch_year": FieldWords(later("Launched")),
    "sold": FieldWords(later("Sold here")),
}
_NODES = {
    "vendor": FieldWords(later("Vendor")),
    "gpu_ids": FieldWords(later("Cards it can hold")),
    "gpu_count": FieldWords(later("GPUs")),
    "own_build": FieldWords(later("Own build")),
    "offered": FieldWords(later("In every search")),
    "nvlink": FieldWords(later("NVLink")),
    "pcie_topology": FieldWords(later("PCIe topology")),
    "rack_u": FieldWords(later("Height"), "U"),
    "depth_mm": FieldWords(later("Depth"), "mm"),
    "weight_kg": FieldWords(later("Weight"), "kg"),
    "cpu_sockets": FieldWords(later("CPU sockets")),
    "cpu_name": FieldWords(later("CPU")),
    "cpu_tdp_w": FieldWords(later("Power of one CPU"), "W"),
    "dimm_slots": FieldWords(later("Memory slots")),
    "psu_count": FieldWords(later("Power supplies")),
    "psu_w": FieldWords(later("Power of one supply"), "W"),
    "psu_redundancy": FieldWords(later("Redundancy")),
    "max_input_kw": FieldWords(later("Largest input"), "kW"),
    "airflow_cfm": FieldWords(later("Airflow"), "CFM"),
    "inlet_c_max": FieldWords(later("Warmest inlet air"), "°C"),
    "cooling": FieldWords(later("Cooling")),
}
_FABRICS = {
    "nic_gbit_per_s": FieldWords(later("Speed of one NIC"), "Gbit/s"),
    "network_class": FieldWords(later("Class of its constants")),
    "link_id": FieldWords(later("Link that was measured")),
}
_LINKS = {
    "kind": FieldWords(later("Kind")),
    "nominal_gb_per_s": FieldWords(later("Nominal"), "GB/s"),
    "measured_gb_per_s": FieldWords(later("Measured"), "GB/s"),
    "latency_us": FieldWords(later("Latency"), "µs"),
}
_MODELS = {
    "vendor": FieldWords(later("Vendor")),
    "family": FieldWords(later("Family")),
    "modality": FieldWords(later("Reads and writes")),
    "released": FieldWords(later("Released")),
    "licence": FieldWords(later("Licence")),
    "params_total": FieldWords(later("Parameters")),
    "params_active": FieldWords(later("Parameters per token")),
    "vision_params": FieldWords(later("Parameters of the towers")),
    "max_context": FieldWords(later("Longest context"), "tokens"),
    "layers": FieldWords(later("Layers")),
    "hidden": FieldWords(later("Hidden size")),
    "heads": FieldWords(later("Attention heads")),
    "kv_heads": FieldWords(later("KV heads")),
    "head_dim": FieldWords(later("Head size")),
    "ffn": FieldWords(later("Feed-forward width")),
    "gated_ffn": FieldWords(later("Gated feed-forward")),
    "vocab": FieldWords(later("Vocabulary")),
    "tied_embeddings": FieldWords(later("Head shares the embedding")),
    "attention": FieldWords(later("Attention")),
    "experts": FieldWords(later("Routed experts per layer")),
    "experts_per_token": FieldWords(later("Experts per token")),
    "expert_ffn": FieldWords(later("Expert width")),
    "expert_width": FieldWords(later("Input width of an expert")),
    "shared_ffn": FieldWords(later("Width of the shared experts")),
    "moe_layers": FieldWords(later("Layers with experts")),
    "full_layers": FieldWords(later("Layers with a full cache")),
    "sliding_layers": FieldWords(later("Layers with a window")),
    "linear_layers": FieldWords(later("Linear layers")),
    "mamba_layers": FieldWords(later("Mamba layers")),
    "window_tokens": FieldWords(later("Window"), "tokens"),
    "kv_elements_full": FieldWords(later("Cached elements, full layer")),
    "kv_elements_sliding": FieldWords(later("Cached elements, window layer")),
    "state_elements": FieldWords(later("State elements of a layer")),
    "conv_elements": FieldWords(later("Convolution elements of a layer")),
    "state_is_fp32": FieldWords(later("State in 32 bit")),
    "index_key_elements": FieldWords(later("Elements of an index key")),
    "index_layers": FieldWords(later("Layers with a sparse index")),
    "kv_shared_layers": FieldWords(later("Layers that share a cache")),
    "ratio_4_layers": FieldWords(later("Layers with 1 entry per 4 tokens")),
    "ratio_128_layers": FieldWords(later("Layers with 1 entry per 128 tokens")),
    "q_lora_rank": FieldWords(later("Rank of the query latent")),
    "kv_lora_rank": FieldWords(later("Rank of the cache latent")),
    "rope_head_dim": FieldWords(later("Head size with position")),
    "nope_head_dim": FieldWords(later("Head size without position")),
    "v_head_dim": FieldWords(later("Head size of values")),
    "native_format": FieldWords(later("Published format")),
    "native_expert_format": FieldWords(later("Published format of experts")),
    "native_format_note": FieldWords(later("Stored as")),
    "mtp_layers": FieldWords(later("Prediction blocks (MTP)")),
}
_PRICES = {
    "price": FieldWords(later("Price without VAT")),
    "list_id": FieldWords(later("Price list")),
}

FIELD_WORDS: Mapping[str, Mapping[str, FieldWords]] = MappingProxyType(
    {
        "gpus": _GPUS,
        "nodes": _NODES,
        "fabrics": _FABRICS,
        "links": _LINKS,
        "models": _MODELS,
        "price_lines": _PRICES,
    }
)
"""Fields of each table in the order of the detail; names, notes and sources stand elsewhere."""

TABLE_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "gpus": later("GPUs"),
        "nodes": later("Nodes"),
        "fabrics": later("Fabrics"),
        "links": later("Links"),
        "models": later("Models"),
        "price_lines": later("Prices"),
    }
)
"""Tables that are shown, in their order."""

SOURCE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "recalled, no source read": later("recalled, no source read"),
        "own estimate, no source": later("own estimate, no source"),
    }
)

UNSIZED_SHORT: Mapping[str, str] = MappingProxyType(
    {
        "not a language model": later("not a language model"),
        "only the parameter count is known": later("no layers known"),
        "layer kinds are not known": later("layer kinds not known"),
    }
)
"""The same reasons where a column has to hold them."""

UNSIZED_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "not a language model": later("not a language model"),
        "only the parameter count is known": later("only the parameter count is known"),
        "layer kinds are not known": later("layer kinds are not known"),
    }
)
