"""Single words and names: kinds, formats, grades, constraints, fabrics, builds, layouts."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Binding, Evidence, Fabric, Format, Grade, Kind
from kentino_desk.present.language import later

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import CandidateResult
    from kentino_desk.domain.candidate import Build, Candidate
    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.present.language import Text

KIND_WORDS: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.CHAT: later("Chat and API serving"),
        Kind.BATCH: later("Batch inference"),
        Kind.LORA: later("LoRA fine-tuning"),
        Kind.QLORA: later("QLoRA fine-tuning"),
        Kind.FULL: later("Full fine-tuning"),
        Kind.PRETRAIN: later("Pretraining"),
    }
)

FORMAT_WORDS: Mapping[Format, str] = MappingProxyType(
    {
        Format.AUTO: later("automatic"),
        Format.BF16: "BF16",
        Format.FP8: "FP8",
        Format.INT8: "INT8",
        Format.INT4: "INT4",
        Format.NVFP4: "NVFP4",
        Format.MXFP4: "MXFP4",
    }
)

GRADE_WORDS: Mapping[Grade, str] = MappingProxyType(
    {
        Grade.COMFORTABLE: later("comfortable"),
        Grade.FITS: later("fits"),
        Grade.TIGHT: later("tight"),
        Grade.WEIGHTS_ONLY: later("weights only"),
        Grade.NO: later("does not fit"),
    }
)

BINDING_WORDS: Mapping[Binding, str] = MappingProxyType(
    {
        Binding.MEMORY: later("memory"),
        Binding.LATENCY: later("speed per user"),
        Binding.THROUGHPUT: later("throughput"),
        Binding.DEADLINE: later("deadline"),
        Binding.TRAINING_STATE: later("training state"),
        Binding.POWER: later("power"),
        Binding.SPACE: later("rack space"),
        Binding.BUDGET: later("budget"),
    }
)

EVIDENCE_WORDS: Mapping[Evidence, str] = MappingProxyType(
    {
        Evidence.MEASURED: later("measured"),
        Evidence.VENDOR: later("vendor"),
        Evidence.ESTIMATE: later("estimate"),
    }
)

FABRIC_WORDS: Mapping[Fabric, str] = MappingProxyType(
    {
        Fabric.NONE: later("no fabric"),
        Fabric.IB200: "InfiniBand 200",
        Fabric.IB400: "InfiniBand 400",
        Fabric.ROCE100: "RoCE 100",
        Fabric.ROCE200: "RoCE 200",
        Fabric.ROCE400: "RoCE 400",
        Fabric.TCP25: "25 GbE",
        Fabric.TCP100: "100 GbE",
        Fabric.NVLINK: "NVLink",
    }
)

_LEFT_OUT_OF_NAMES = ("GeForce ", " Generation", " Edition", " Blackwell")


def short_gpu(gpu: Gpu) -> str:
    """A card as it is spoken of: the series name without its brand words."""
    return short_card_name(gpu.name)


def short_card_name(name: str) -> str:
    """The name of a card without its brand words."""
    for words in _LEFT_OUT_OF_NAMES:
        name = name.replace(words, "")
    return name.strip()


def build_name(build: Build) -> str:
    """Such as ``2 × 4 RTX PRO 6000 Server``."""
    return f"{build.nodes}\u00a0×\u00a0{build.node.gpu_count} {short_gpu(build.gpu)}"


def build_with_fabric(build: Build, words: Text) -> str:
    """A build with its fabric behind the name, where it has one."""
    name = build_name(build)
    if build.fabric is Fabric.NONE:
        return name
    return f"{name}, {words.gettext(FABRIC_WORDS[build.fabric])}"


def layout_name(candidate: Candidate) -> str:
    """Such as ``TP2 × PP2``: the degrees above one; ``1 GPU`` where nothing is split."""
    degrees = (
        ("TP", candidate.tp),
        ("DPA", candidate.dp_attention),
        ("PP", candidate.pp),
        ("CP", candidate.cp),
        ("EP", candidate.ep),
    )
    parts = [f"{name}{degree}" for name, degree in degrees if degree > 1]
    if candidate.dp > 1:
        parts.append(f"DP{candidate.dp}")
    return "\u00a0×\u00a0".join(parts) or "1\u00a0GPU"


def copies(candidate: Candidate, words: Text) -> str:
    """How many copies of the model run."""
    count = candidate.replicas
    return words.ngettext("{count} replica", "{count} replicas", count, count=count)


def format_names(candidate: Candidate, words: Text, *, serving: bool) -> str:
    """Formats of the weights and, for serving, of the KV cache."""
    weights = words.gettext(FORMAT_WORDS[candidate.weights])
    if not serving:
        return weights
    cache = words.gettext(FORMAT_WORDS[candidate.kv_cache])
    return words.gettext("{weights}, KV cache {cache}", weights=weights, cache=cache)


def grade_word(result: CandidateResult, words: Text) -> str:
    """The grade in a word, with the doubt where the range gives a lower one."""
    if result.may_be_tight and result.grade >= Grade.FITS:
        return words.gettext("fits, may be tight")
    return words.gettext(GRADE_WORDS[result.grade])
