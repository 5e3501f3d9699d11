"""The tables of the catalog: one declaration drives text, database, hash and display."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.catalog.columns import Column, flag, real, text, whole
from kentino_desk.domain.choices import Attention, Evidence, Fabric, Format

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kentino_desk.catalog.columns import SqlValue

APPLICATION_ID = 0x4B44_4341
"""The letters KDCA, so that another program's file is told from ours."""
SCHEMA_VERSION = 1 * 65_536
"""major x 65,536 + minor."""
ANY_GPU = "*"
"""Stands in the text for any card; such a node has no rows in node_gpus."""

SOURCE_COLUMNS: tuple[Column, ...] = (
    text("source"),
    text("evidence", words=tuple(Evidence)),
    text("unverified", ""),
)
"""Address, grade, and the unconfirmed fields, blank-separated ("all": the row)."""

_FABRICS = tuple(word for word in Fabric if word not in {Fabric.NONE, Fabric.NVLINK})
_FORMATS = tuple(word for word in Format if word is not Format.AUTO)


def _same_as(name: str) -> Callable[[Mapping[str, SqlValue]], SqlValue]:
    return lambda row: row[name]


def _hidden_per_head(row: Mapping[str, SqlValue]) -> SqlValue:
    hidden, heads = row["hidden"], row["heads"]
    return hidden // heads if isinstance(hidden, int) and isinstance(heads, int) and heads else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table. ``keys`` are its primary key and the order of its rows."""

    name: str
    keys: tuple[str, ...]
    columns: tuple[Column, ...]
    has_source: bool = False

    @property
    def all_columns(self) -> tuple[Column, ...]:
        """Own columns and those of the source."""
        return self.columns + (SOURCE_COLUMNS if self.has_source else ())

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(column.name for column in self.all_columns)

    @property
    def create_sql(self) -> str:
        """The CREATE TABLE statement."""
        lines = [column.sql for column in self.all_columns]
        lines.append(f"PRIMARY KEY ({_quoted_list(self.keys)})")
        return f'CREATE TABLE "{self.name}" (\n  ' + ",\n  ".join(lines) + "\n) STRICT"

    @property
    def select_sql(self) -> str:
        """All columns of all rows, in the order of the keys."""
        columns, keys = _quoted_list(self.names), _quoted_list(self.keys)
        return f'SELECT {columns} FROM "{self.name}" ORDER BY {keys}'  # noqa: S608


def _quoted_list(names: tuple[str, ...]) -> str:
    return ", ".join(f'"{name}"' for name in names)


CATALOG = Table(
    name="catalog",
    keys=("version",),
    columns=(text("version"), text("read_on"), text("note", "")),
)

GPUS = Table(
    name="gpus",
    keys=("id",),
    has_source=True,
    columns=(
        text("id"),
        text("name"),
        text("vendor"),
        text("architecture"),
        text("form_factor"),
        real("memory_gb", 1, 4_096),
        real("memory_mib", 1_000, 4_000_000, None),
        flag("memory_is_engine_view", 0),
        real("memory_bandwidth_gb_per_s", 10, 100_000, None),
        real("tflops_bf16", 1, 100_000, None),
        real("tflops_fp8", 1, 100_000, None),
        real("tops_int8", 1, 100_000, None),
        real("tflops_fp4", 1, 100_000, None),
        real("nvlink_gb_per_s_bidir", 0, 20_000, 0.0),
        real("tdp_w", 10, 5_000, None),
        real("min_power_limit_w", 10, 5_000, None),
        whole("pcie_gen", 1, 8, None),
        whole("pcie_lanes", 1, 32, None),
        real("slot_width", 1, 4, None),
        text("cooling", ""),
        text("power_connector", ""),
        whole("launch_year", 2_010, 2_040, None),
        flag("sold"),
        text("notes", ""),
    ),
)

NODES = Table(
    name="nodes",
    keys=("id",),
    has_source=True,
    columns=(
        text("id"),
        text("name"),
        text("vendor"),
        flag("own_build"),
        flag("offered"),
        flag("any_gpu", 0),
        whole("gpu_count", 1, 576),
        whole("rack_u", 1, 60, None),
        whole("cpu_sockets", 1, 144),
        real("cpu_tdp_w", 10, 1_000, None),
        text("cpu_name", ""),
        whole("dimm_slots", 0, 256),
        text("pcie_topology", ""),
        flag("nvlink"),
        whole("psu_count", 1, 64, None),
        real("psu_w", 100, 50_000, None),
        text("psu_redundancy", ""),
        real("max_input_kw", 0.1, 1_000, None),
        real("airflow_cfm", 1, 100_000, None),
        real("depth_mm", 100, 3_000, None),
        real("weight_kg", 1, 10_000, None),
        real("inlet_c_max", 10, 60, None),
        text("cooling", ""),
        text("notes", ""),
    ),
)

NODE_GPUS = Table(
    name="node_gpus",
    keys=("node_id", "position"),
    columns=(
        text("node_id", references="nodes.id"),
        whole("position", 0, 100),
        text("gpu_id", references="gpus.id"),
    ),
)

LINKS = Table(
    name="links",
    keys=("id",),
    has_source=True,
    columns=(
        text("id"),
        text("kind", words=("link", "network", "collective", "guideline")),
        text("fabric"),
        text("generation"),
        real("nominal_gb_per_s", 0.1, 10_000, None),
        real("measured_gb_per_s", 0.1, 10_000, None),
        real("latency_us", 0.01, 10_000, None),
        text("notes", ""),
    ),
)

FABRICS = Table(
    name="fabrics",
    keys=("id",),
    has_source=True,
    columns=(
        text("id", words=_FABRICS),
        text("name"),
        real("nic_gbit_per_s", 1, 10_000),
        text("network_class", words=("infiniband", "roce", "tcp")),
        text("link_id", references="links.id"),
    ),
)

MODELS = Table(
    name="models",
    keys=("id",),
    has_source=True,
    columns=(
        text("id"),
        text("name"),
        text("vendor"),
        text("family"),
        text("modality", "text"),
        text("released", ""),
        text("licence", ""),
        real("params_total", 0, 1e14),
        real("params_active", 0, 1e14, _same_as("params_total")),
        real("vision_params", 0, 1e12, 0.0),
        whole("hidden", 0, 1_000_000, 0),
        whole("layers", 0, 10_000, 0),
        whole("heads", 0, 10_000, 0),
        whole("kv_heads", 0, 10_000, _same_as("heads")),
        whole("head_dim", 0, 100_000, _hidden_per_head),
        whole("ffn", 0, 10_000_000, 0),
        flag("gated_ffn", 1),
        whole("vocab", 0, 10_000_000, 0),
        flag("tied_embeddings", 0),
        whole("max_context", 1, 100_000_000, None),
        text("attention", Attention.GQA.value, words=tuple(Attention)),
        whole("experts", 0, 100_000, 0),
        whole("experts_per_token", 0, 10_000, 0),
        whole("expert_ffn", 0, 1_000_000, 0),
        whole("expert_width", 0, 1_000_000, _same_as("hidden")),
        whole("shared_ffn", 0, 10_000_000, 0),
        whole("moe_layers", 0, 10_000, 0),
        whole("full_layers", 0, 10_000, 0),
        whole("sliding_layers", 0, 10_000, 0),
        whole("linear_layers", 0, 10_000, 0),
        whole("mamba_layers", 0, 10_000, 0),
        whole("window_tokens", 0, 100_000_000, 0),
        real("kv_elements_full", 0, 10_000_000, 0.0),
        real("kv_elements_sliding", 0, 10_000_000, 0.0),
        real("state_elements", 0, 1e12, 0.0),
        real("conv_elements", 0, 1e12, 0.0),
        flag("state_is_fp32", 0),
        real("index_key_elements", 0, 100_000, 0.0),
        whole("index_layers", 0, 10_000, 0),
        whole("kv_shared_layers", 0, 10_000, 0),
        whole("ratio_4_layers", 0, 10_000, 0),
        whole("ratio_128_layers", 0, 10_000, 0),
        whole("q_lora_rank", 0, 1_000_000, 0),
        whole("kv_lora_rank", 0, 1_000_000, 0),
        whole("rope_head_dim", 0, 100_000, 0),
        whole("nope_head_dim", 0, 100_000, 0),
        whole("v_head_dim", 0, 100_000, 0),
        text("native_format", Format.BF16.value, words=_FORMATS),
        text("native_expert_format", _same_as("native_format"), words=_FORMATS),
        text("native_format_note", ""),
        whole("mtp_layers", 0, 100, 0),
        text("unsized_reason", ""),
        text("notes", ""),
    ),
)

PRICE_LISTS = Table(
    name="price_lists",
    keys=("id",),
    columns=(
        text("id"),
        text("name"),
        text("currency"),
        text("valid_from"),
        flag("is_sample"),
        whole("position", 0, 1_000),
    ),
)

PRICE_LINES = Table(
    name="price_lines",
    keys=("list_id", "position"),
    columns=(
        text("list_id", references="price_lists.id"),
        whole("position", 0, 100_000),
        text("item"),
        text("description"),
        text("price"),
    ),
)

TABLES: tuple[Table, ...] = (
    CATALOG,
    GPUS,
    NODES,
    NODE_GPUS,
    LINKS,
    FABRICS,
    MODELS,
    PRICE_LISTS,
    PRICE_LINES,
)
"""All tables, those that are referred to first."""

TABLE_BY_NAME: Mapping[str, Table] = MappingProxyType({table.name: table for table in TABLES})
