"""Rows of the form: which fields stand in which group, and which have a slider."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.workload_fields import FIELD_BY_KEY

if TYPE_CHECKING:
    from kentino_desk.domain.choices import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRow:
    """One row: field, short name, slider range (logarithmic), folded away or not."""

    key: str
    label: str
    short: str = ""
    """Name in the compact form, where it differs."""
    slider: tuple[float, float] | None = None
    folded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FormGroup:
    """A group of rows under one heading."""

    title: str
    rows: tuple[FormRow, ...]

    def rows_for(self, kind: Kind) -> tuple[FormRow, ...]:
        """Rows that this kind of work uses."""
        return tuple(row for row in self.rows if kind in FIELD_BY_KEY[row.key].used_by)


HOW_MANY = FormGroup(
    title="How many",
    rows=(
        FormRow(
            key="serving.concurrent_users", label="Users at once", short="Users", slider=(1, 10_000)
        ),
        FormRow(key="serving.growth", label="Growth, 12 months", short="Growth"),
        FormRow(
            key="serving.context_tokens",
            label="Context per user",
            short="Context",
            slider=(512, 262_144),
        ),
        FormRow(key="serving.output_tokens", label="Answer"),
        FormRow(key="serving.input_tokens", label="Prompt", folded=True),
        FormRow(key="serving.demand_value", label="Demand instead", folded=True),
        FormRow(key="serving.demand_unit", label="Demand counts", folded=True),
        FormRow(key="batch.input_tokens_total", label="Corpus to read", short="Corpus"),
        FormRow(key="batch.output_tokens_total", label="Text to write", short="Text out"),
        FormRow(key="batch.input_tokens", label="Per request in", short="Request in"),
        FormRow(key="batch.output_tokens", label="Per request out", short="Request out"),
        FormRow(key="training.tokens", label="Training tokens", short="Tokens"),
        FormRow(key="training.sequence_length", label="Sequence length", short="Sequence"),
        FormRow(key="training.micro_batch", label="Micro-batch"),
        FormRow(key="training.global_batch_tokens", label="Global batch"),
        FormRow(key="training.lora_rank", label="LoRA rank"),
    ),
)
HOW_FAST = FormGroup(
    title="How fast",
    rows=(
        FormRow(
            key="serving.tokens_per_s_per_user",
            label="Speed per user",
            short="Speed",
            slider=(1, 200),
        ),
        FormRow(key="serving.ttft_s", label="First word within", short="First word"),
        FormRow(key="serving.think_s", label="Pause", folded=True),
        FormRow(key="serving.prompt_reuse", label="Prompt reuse", short="Reuse"),
        FormRow(key="batch.deadline_days", label="Deadline"),
        FormRow(key="training.deadline_days", label="Deadline"),
        FormRow(key="training.availability", label="Availability"),
        FormRow(key="training.optimizer", label="Optimizer", folded=True),
        FormRow(key="training.checkpointing", label="Checkpointing", folded=True),
        FormRow(key="training.loss", label="Loss", folded=True),
        FormRow(key="training.packing", label="Packed sequences", folded=True),
        FormRow(key="training.packing_fill", label="Sequence filled", folded=True),
        FormRow(key="training.context_parallel", label="Context parallel", folded=True),
        FormRow(key="training.offload", label="In host memory", folded=True),
        FormRow(key="training.experts_quantised", label="Experts in 4 bit", folded=True),
        FormRow(key="training.stack", label="Framework", folded=True),
        FormRow(key="training.throughput_value", label="Stated speed", folded=True),
        FormRow(key="training.throughput_unit", label="Speed counts", folded=True),
    ),
)
CONSTRAINTS = FormGroup(
    title="Constraints",
    rows=(
        FormRow(key="constraints.site_kw_max", label="Site power"),
        FormRow(key="constraints.rack_u_max", label="Rack space"),
        FormRow(key="constraints.budget_eur", label="Budget"),
        FormRow(key="constraints.own_builds_only", label="Own builds alone", short="Own builds"),
        FormRow(key="constraints.nodes_max", label="Most nodes", folded=True),
        FormRow(key="constraints.gpus_per_node", label="GPUs per node", folded=True),
        FormRow(key="constraints.gpus", label="GPUs allowed", folded=True),
        FormRow(key="constraints.power_limit_w", label="Power limit", folded=True),
        FormRow(key="constraints.host", label="Host", folded=True),
        FormRow(key="constraints.nics_per_node", label="NICs per node", folded=True),
        FormRow(key="constraints.air_rise_k", label="Rise of the air", folded=True),
        FormRow(key="constraints.altitude_m", label="Altitude", folded=True),
        FormRow(key="constraints.energy_eur_per_kwh", label="Energy price", folded=True),
        FormRow(key="constraints.reserved_gib", label="Kept memory", folded=True),
        FormRow(key="constraints.reserved_gpus", label="Kept GPUs", folded=True),
        FormRow(key="constraints.customer_gpu", label="Own card", folded=True),
        FormRow(key="constraints.customer_gpus", label="Own GPUs", folded=True),
        FormRow(key="constraints.customer_host", label="Own host", folded=True),
        FormRow(key="workload.kv_cache", label="KV cache", folded=True),
        FormRow(key="serving.engine", label="Engine", folded=True),
        FormRow(key="serving.engine_release", label="Engine release", folded=True),
        FormRow(key="serving.max_num_seqs", label="Most sequences", folded=True),
        FormRow(key="serving.draft_tokens", label="Draft tokens", folded=True),
        FormRow(key="serving.draft_acceptance", label="Right guesses", folded=True),
        FormRow(key="serving.dp_attention", label="Attention groups", folded=True),
        FormRow(key="serving.context_parallel", label="Context parallel", folded=True),
        FormRow(key="serving.utilisation", label="Memory share", folded=True),
        FormRow(key="ranking.delivered", label="Weigh work", folded=True),
        FormRow(key="ranking.price", label="Weigh price", folded=True),
        FormRow(key="ranking.power", label="Weigh power", folded=True),
        FormRow(key="ranking.operation", label="Weigh operation", folded=True),
    ),
)
GROUPS = (HOW_MANY, HOW_FAST, CONSTRAINTS)
WEIGHT_SEGMENTS = (
    ("auto", "Auto"),
    ("fp8", "FP8"),
    ("int4", "INT4"),
    ("bf16", "BF16"),
)
NONE_WHERE_EMPTY = frozenset(
    {
        "constraints.site_kw_max",
        "constraints.rack_u_max",
        "constraints.budget_eur",
        "constraints.energy_eur_per_kwh",
        "constraints.power_limit_w",
        "constraints.gpus_per_node",
        "constraints.gpus",
        "constraints.customer_gpu",
        "constraints.customer_host",
        "batch.deadline_days",
        "training.deadline_days",
        "serving.demand_value",
        "training.throughput_value",
    }
)
"""Fields where nothing means no limit."""
