"""What the words of a measured server row mean: formats, engines, releases, limits."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.catalog.measured_models import aliases
from kentino_desk.domain.choices import Attention, Format
from kentino_desk.domain.units import GB, GIB
from kentino_desk.engine import policy
from kentino_desk.engine.card_inputs import card_bytes
from kentino_desk.engine.policy_memory import (
    FIRST_KNOWN_RELEASE,
    MTP_TOKENS_UNKNOWN,
    release_key,
    release_of_date,
    release_row,
)
from kentino_desk.engine.server_memory_inputs import ServerMemory
from kentino_desk.engine.serving_inputs import PADDING_CLASSES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.validation.rows import Row

KIND = "memory-inference"
"""The word of the kind of rows, by which names of models are looked up."""

ENGINES: Mapping[str, str] = MappingProxyType(
    {
        "vllm": "vllm",
        "nim-vllm": "vllm",
        "sglang": "sglang",
        "trtllm": "trtllm",
        "llama.cpp": "llama.cpp",
        "transformers": "transformers",
    }
)
"""Engines whose budget is known; TGI is not one of them."""
LAYERS_OVER_CARDS = frozenset({"transformers", "llama.cpp"})
"""Engines that spread whole layers over cards where no parallelism is stated."""

FORMATS: Mapping[str, tuple[Format, str]] = MappingProxyType(
    {
        "bf16": (Format.BF16, ""),
        "fp16": (Format.BF16, ""),
        "f16": (Format.BF16, ""),
        "fp8": (Format.FP8, ""),
        "w8a8": (Format.INT8, ""),
        "int8": (Format.INT8, ""),
        "gptq-int8": (Format.INT8, "gptq_int8"),
        "int4": (Format.INT4, ""),
        "awq": (Format.INT4, "gptq"),
        "gptq": (Format.INT4, "gptq"),
        "gptq-int4": (Format.INT4, "gptq"),
        "w4a16": (Format.INT4, "gptq"),
        "q4": (Format.INT4, "gptq"),
        "int4-autoround": (Format.INT4, "autoround"),
        "bnb": (Format.INT4, "nf4"),
        "bnb-4bit": (Format.INT4, "nf4"),
        "bnb-int4": (Format.INT4, "nf4"),
        "bnb-nf4": (Format.INT4, "nf4"),
        "int4-bnb": (Format.INT4, "nf4"),
        "bitsandbytes": (Format.INT4, "nf4"),
        "bitsandbytes-4bit": (Format.INT4, "nf4"),
        "nf4": (Format.INT4, "nf4"),
        "nvfp4": (Format.NVFP4, ""),
        "fp4": (Format.NVFP4, ""),
        "mxfp4": (Format.MXFP4, ""),
    }
)
"""Weights by the word of a row: format, and the layout of the checkpoint where it matters."""

CACHES: Mapping[str, Format] = MappingProxyType(
    {
        "bf16": Format.BF16,
        "fp16": Format.BF16,
        "f16": Format.BF16,
        "auto": Format.BF16,
        "": Format.BF16,
        "fp8": Format.FP8,
        "fp8_e4m3": Format.FP8,
        "int8": Format.INT8,
    }
)

_CLASS = re.compile(r"(\d+)GB(?:-class|$| \()")
_SIZE = re.compile(r"\((?:about )?([\d.]+) (GB|GiB)(?: variant)?\)")
_COUNT = re.compile(r"\b(\d+(?:\.\d+)?)B\b")
_PROMPT = re.compile(r"input (\d+) \+ \d+ generated")


def weights_of(row: Row, model: ModelCard) -> tuple[Format, str] | None:
    """Format and layout of the weights; None where only the size of the file could tell.

    A row without a format runs the model as it was released.
    The "fp8" files of a model that was released with 4-bit experts are those native files.
    """
    if not row["weight_format"]:
        return model.native_format, ""
    found = FORMATS.get(row["weight_format"])
    native = model.native_expert_format
    mixed = model.attention is Attention.COMPRESSED and native.bits_class == 4
    if found is not None and found[0] is Format.FP8 and mixed:
        return native, ""
    return found


def release_of(row: Row) -> str:
    """The release as printed, else the one current at the row's date."""
    return row["engine_release"] or release_of_date(row["date"])


def release_is_known(row: Row) -> bool:
    """Whether the engine divides the card by rules that we know."""
    if ENGINES[row["engine"]] != "vllm":
        return True
    return release_key(release_of(row)) >= FIRST_KNOWN_RELEASE


def utilisation_of(row: Row) -> float | None:
    """Share of the card as stated, or the release's where the row says that it is the default."""
    stated = row.number("gpu_memory_utilization")
    if stated is None and "default util" in row["note"]:
        return release_row(release_of(row)).utilisation
    return stated


def stated_card_gib(row: Row) -> float | None:
    """Memory of one card as stated, or by the class that the row names ("80GB-class")."""
    stated = row.number("gpu_mem_gib")
    found = _CLASS.match(row["gpu"])
    if stated is not None or found is None:
        return stated
    return float(found[1]) * policy.value("gib_per_marketing_gb")


def card_gib(row: Row, snapshot: CatalogSnapshot) -> float | None:
    """The same, else the memory of the catalog's card."""
    stated, gpu = stated_card_gib(row), snapshot.gpus.get(row["gpu_id"])
    return stated if stated or gpu is None else card_bytes(gpu) / GIB


def checkpoint_bytes(row: Row) -> float | None:
    """Size of the files where the model's name states it."""
    found = _SIZE.search(row["model"])
    if found is None:
        return None
    return float(found[1]) * (GB if found[2] == "GB" else GIB)


def parameter_count(row: Row, kind: str, snapshot: CatalogSnapshot) -> float | None:
    """Parameters of a model without a shape: by the catalog, else by the model's name ("3.9B")."""
    alias = aliases().get((row["model"], kind))
    card = snapshot.models.get(alias.model_id if alias else row["model"])
    if card is not None and card.params_total > 0:
        return card.params_total
    found = _COUNT.search(row["model"])
    return float(found[1]) * 1e9 if found else None


def server_of(row: Row, model: ModelCard | None, memory_gib: float) -> ServerMemory:
    """The server a row describes, from its inputs alone."""
    engine = ENGINES[row["engine"]]
    weights, layout = (weights_of(row, model) if model else None) or (Format.BF16, "")
    tp, pp = _split(row, engine)
    mtp = row["mtp"]
    return ServerMemory(
        card_bytes=memory_gib * GIB,
        weights=weights,
        kv_cache=CACHES.get(row["kv_dtype"], Format.BF16),
        engine=engine,
        release=release_of(row),
        tp=tp,
        pp=pp,
        ep=row.count("ep") or 1,
        utilisation=utilisation_of(row),
        max_num_seqs=row.count("max_num_seqs"),
        profile_tokens=_profile_tokens(row, engine),
        max_model_len=row.count("max_model_len"),
        eager=row["enforce_eager"] == "true",
        padded_experts=row["gpu_id"].split("-")[0] in PADDING_CLASSES,
        checkpoint=layout,
        checkpoint_bytes=checkpoint_bytes(row),
        draft_tokens=_draft_tokens(mtp),
        draft_model=mtp == "draft",
        context_parallel=row.count("dcp") or 1,
        scaled_kv=row["kv_dtype"] == "int8",
    )


def _split(row: Row, engine: str) -> tuple[int, int]:
    """Tensor ranks and stages; cards without a stated degree hold layers, or split tensors."""
    tp, pp, cards = row.count("tp"), row.count("pp") or 1, row.count("n_gpus") or 1
    if engine in LAYERS_OVER_CARDS:
        return tp or 1, max(pp, cards // (tp or 1))
    return tp or max(cards // pp, 1), pp


def _draft_tokens(mtp: str) -> int:
    if mtp == "on":
        return MTP_TOKENS_UNKNOWN
    return int(mtp) if mtp.isdigit() else 0


def _profile_tokens(row: Row, engine: str) -> int | None:
    stated = row.count("max_num_batched_tokens")
    if engine != "transformers":
        return stated
    prompt = _PROMPT.search(row["note"])
    return int(prompt[1]) if prompt else stated or row.count("max_model_len")
