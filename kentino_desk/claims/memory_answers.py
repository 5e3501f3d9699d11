"""Claims about memory: weights, shares of the card, caches, grades of the ceiling table."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.claims.desk import GB, HYPOTHETICAL, one_node
from kentino_desk.claims.judging import Found, above, at_least, fact, fit, number
from kentino_desk.claims.workloads import CONSUMER, REFERENCE
from kentino_desk.decision.grades import serving_grades
from kentino_desk.domain.choices import Format, Grade
from kentino_desk.domain.units import GIB
from kentino_desk.engine import policy
from kentino_desk.engine.card_inputs import card_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kentino_desk.claims.desk import Desk
    from kentino_desk.claims.judging import Answer

_CARDS = 8
_PRESETS = "best layout at the presets of a chat (20 users, 8k)"
_EIGHTH = "8 bit"
_FOURTH = "4 bit"


def _pool(card: str, count: int) -> Callable[[Desk], Found]:
    def find(desk: Desk) -> Found:
        gpu = desk.gpu(card)
        return Found(count * gpu.memory_gb, f"{count} x {gpu.memory_gb:g} GB of the label")

    return find


def _weights(model: str, weights: Format) -> Callable[[Desk], Found]:
    def find(desk: Desk) -> Found:
        params = desk.model(model).params_total / GB
        why = f"{params:.1f} G parameters stored as {weights}, scales and unquantised parts counted"
        return Found(desk.weights_gb(model, weights), why)

    return find


def _share(model: str, weights: Format, card: str) -> Callable[[Desk], Found]:
    def find(desk: Desk) -> Found:
        stored = desk.weights_gb(model, weights)
        label = _CARDS * desk.gpu(card).memory_gb
        return Found(100.0 * stored / label, f"{stored:.1f} GB of {label:g} GB of the label")

    return find


def _grades(model: str, card: str) -> Callable[[Desk], Mapping[str, Grade]]:
    """Grades at the 8-bit and the 4-bit step."""

    def find(desk: Desk) -> Mapping[str, Grade]:
        four = Format.NVFP4 if desk.gpu(card).tflops_fp4 else Format.INT4
        return {
            _EIGHTH: desk.grade(model, card, _CARDS, Format.FP8),
            _FOURTH: desk.grade(model, card, _CARDS, four),
        }

    return find


def _house_rule(_desk: Desk) -> Found:
    low, high = policy.value("weights_share_comfortable"), policy.value("weights_share_fits")
    return Found(
        (100.0 * low, 100.0 * high), "largest share for comfortable and for fits, settings"
    )


def _full_card(desk: Desk) -> tuple[bool, Found]:
    """A card whose weights take 95 %, at the utilisation of the preset."""
    card = card_bytes(desk.gpu(REFERENCE))
    pool = (desk.assessed("chat_70b").workload.serving.utilisation - 0.95) * card
    grade = Grade(int(serving_grades(pool, 1.0, 1.0, 0.95, card)))
    return grade < Grade.FITS, Found(grade.word, "grade of a card with 95 % weights: never fits")


def _cliff(desk: Desk) -> Found:
    card = card_bytes(desk.gpu(REFERENCE)) / GB
    params = policy.value("weights_share_fits") * card * _CARDS
    smaller = desk.grade("llama-3.1-405b", REFERENCE, _CARDS, Format.FP8).word
    larger = desk.grade("deepseek-v3", REFERENCE, _CARDS, Format.FP8).word
    why = f"8-bit weights at 70 % of the cards; 405B {smaller}, 671B {larger} at 8 bit"
    return Found(params, why)


def request_gb(desk: Desk, context: int, cache: Format) -> float:
    """Cache of one request of Llama 3.3 70B at a context, in GB."""
    found = desk.tried(
        {
            **one_node("llama-3.3-70b", REFERENCE, _CARDS, Format.FP8),
            "workload.kv_cache": cache.value,
            "serving.context_tokens": context,
        }
    )
    row = next(item for item in found.candidates if item.candidate.tp == 1)
    return found.evaluation.value("request_bytes", row.row) / GB


def _stream(context: int) -> Callable[[Desk], Found]:
    def find(desk: Desk) -> Found:
        eight = request_gb(desk, context, Format.FP8)
        why = f"16-bit cache, the preset; {eight:.2f} GB with an FP8 cache, which the claim matches"
        return Found(request_gb(desk, context, Format.BF16), why)

    return find


_PLAN_GB = (20.0, 40.0)
_STREAMS = (10, 20)


def _streams(desk: Desk) -> Found:
    each = request_gb(desk, 8192, Format.BF16)
    low, high = (planned / each for planned in _PLAN_GB)
    return Found((low, high), f"the 20 to 40 GB of C105 over {each:.2f} GB a stream at 8k")


def _plan(desk: Desk) -> Found:
    each = request_gb(desk, 8192, Format.BF16)
    low, high = (count * each for count in _STREAMS)
    return Found((low, high), f"the 10 to 20 streams of C103 at {each:.2f} GB each")


def node_ram(desk: Desk, case: str) -> Found:
    """RAM that the note on start-up asks of a node of the proposed build, in GB."""
    asked = next(item for item in desk.assessed(case).notes if item.key == "load_time")
    ram = float(asked.numbers["ram_gib"]) * GIB / GB
    return Found(ram, f"at least the memory in use on {desk.best(case).candidate.id}")


def _ram(desk: Desk) -> Found:
    found = desk.tried(one_node("llama-3.3-70b", "l40s", 4, Format.INT4))
    best = next(item for item in found.candidates if item.grade >= Grade.FITS)
    used = best.figures["used_gib"].value or 0.0
    ram = 4 * used * GIB / GB
    return Found(ram, "RAM at least the memory in use on 4 cards of 48 GB (70B INT4, presets)")


def _ram_excess(desk: Desk) -> tuple[bool, Found]:
    found = _ram(desk)
    asked = found.value if isinstance(found.value, float) else 0.0
    return asked * 2.0 < 1024.0, Found(
        asked, f"{found.why}; 1,024 GB is {1024.0 / asked:.1f} x that"
    )


def _one_card(desk: Desk) -> Mapping[str, Grade]:
    found = desk.tried(
        {
            "workload.kind": "chat",
            "workload.model": "llama-3.3-70b",
            "constraints.gpus": ("rtx-pro-6000-bw-ws",),
            "constraints.gpus_per_node": 1,
            "constraints.nodes_max": 1,
            "serving.concurrent_users": 4,
        }
    )
    eight = [item.grade for item in found.candidates if item.candidate.weights.bits_class == 8]
    four = [item.grade for item in found.candidates if item.candidate.weights.bits_class == 4]
    return {_EIGHTH: max(eight), _FOURTH: max(four)}


def _adapters_on(card: str, kind: str, gpus: int) -> Callable[[Desk], Grade]:
    def find(desk: Desk) -> Grade:
        found = desk.tried(
            {
                "workload.kind": kind,
                "workload.model": "llama-3.1-70b",
                "constraints.gpus": (card,),
                "constraints.gpus_per_node": gpus,
                "constraints.nodes_max": 1,
            }
        )
        return max(item.grade for item in found.candidates)

    return find


def _lora_on_four(desk: Desk) -> Mapping[str, Grade]:
    return {
        "LoRA on 4 x RTX PRO 6000": _adapters_on(REFERENCE, "lora", 4)(desk),
        "QLoRA on 4 x RTX PRO 6000": _adapters_on(REFERENCE, "qlora", 4)(desk),
        "LoRA on 4 x RTX 5090": _adapters_on(CONSUMER, "lora", 4)(desk),
        "QLoRA on 4 x RTX 5090": _adapters_on(CONSUMER, "qlora", 4)(desk),
    }


def _copy_cards(desk: Desk) -> Found:
    tp = desk.best("chat_70b").candidate.gpus_per_copy
    return Found(float(tp), "cards of one copy in the proposed layout of 70B, 60 users")


def _lora_nodes(desk: Desk) -> tuple[bool, Found]:
    grades = {count: _adapters_on(REFERENCE, "lora", count)(desk) for count in (4, 8)}
    small = _adapters_on(CONSUMER, "lora", 4)(desk)
    smallest = desk.best("lora_70b").candidate.id
    words = ", ".join(f"{count} x 96 GB {grade.word}" for count, grade in grades.items())
    why = f"{words}; 4 x 32 GB {small.word}; smallest own node that holds it: {smallest}"
    fits = tuple(float(count) for count, grade in grades.items() if grade >= Grade.FITS)
    return len(fits) == len(grades), Found((min(fits), max(fits)), why)


def _qlora_405b(desk: Desk) -> Mapping[str, Grade]:
    found = desk.tried(
        {
            "workload.kind": "qlora",
            "workload.model": "llama-3.1-405b",
            "training.sequence_length": 6144,
            "constraints.gpus": (REFERENCE,),
            "constraints.gpus_per_node": _CARDS,
            "constraints.nodes_max": 1,
        }
    )
    return {"state": max(item.grade for item in found.candidates)}


def _users_of_reference(desk: Desk) -> Found:
    carried = desk.assessed("chat_70b_reference").figures["x_node_users"].value or 0.0
    return Found(carried, "requests of 8k that the node carries within 12 tok/s and 3 s")


def _rate_of_reference(desk: Desk) -> Found:
    found = desk.assessed("chat_70b_reference").candidates[0].figures["tokens_per_s_total"]
    return Found(found.value or 0.0, "64 requests of 8k in flight, FP8, best layout")


_TABLE = (
    ("C006", "llama-3.3-70b", Format.FP8), ("C007", "llama-3.3-70b", Format.INT4),
    ("C010", "qwen2.5-72b", Format.FP8), ("C011", "qwen2.5-72b", Format.INT4),
    ("C014", "mixtral-8x22b", Format.FP8), ("C015", "mixtral-8x22b", Format.INT4),
    ("C018", "llama-3.1-405b", Format.FP8), ("C019", "llama-3.1-405b", Format.INT4),
    ("C022", "deepseek-v3", Format.FP8), ("C023", "deepseek-v3", Format.INT4),
    ("C026", HYPOTHETICAL, Format.FP8), ("C027", HYPOTHETICAL, Format.INT4),
    ("C098", "llama-3.1-70b", Format.BF16), ("C099", "llama-3.1-70b", Format.INT8),
    ("C100", "llama-3.1-70b", Format.INT4), ("C104", "llama-3.1-70b", Format.INT4),
    ("C184", "llama-3.1-70b", Format.BF16),
)  # fmt: skip
_CEILINGS = (
    ("C008", "llama-3.3-70b", CONSUMER), ("C009", "llama-3.3-70b", REFERENCE),
    ("C012", "qwen2.5-72b", CONSUMER), ("C013", "qwen2.5-72b", REFERENCE),
    ("C016", "mixtral-8x22b", CONSUMER), ("C017", "mixtral-8x22b", REFERENCE),
    ("C020", "llama-3.1-405b", CONSUMER), ("C021", "llama-3.1-405b", REFERENCE),
    ("C024", "deepseek-v3", CONSUMER), ("C025", "deepseek-v3", REFERENCE),
    ("C028", HYPOTHETICAL, CONSUMER), ("C029", HYPOTHETICAL, REFERENCE),
    ("C121", "llama-3.1-405b", REFERENCE),
)  # fmt: skip
_SHARES = (
    ("C031", "llama-3.3-70b", Format.FP8, CONSUMER), ("C032", "qwen2.5-72b", Format.FP8, CONSUMER),
    ("C033", "mixtral-8x22b", Format.FP8, CONSUMER),
    ("C034", "mixtral-8x22b", Format.INT4, CONSUMER),
    ("C035", "llama-3.1-405b", Format.INT4, CONSUMER),
    ("C036", "llama-3.3-70b", Format.FP8, REFERENCE),
    ("C037", "mixtral-8x22b", Format.FP8, REFERENCE),
    ("C038", "llama-3.1-405b", Format.FP8, REFERENCE),
    ("C039", "llama-3.1-405b", Format.INT4, REFERENCE),
    ("C040", "deepseek-v3", Format.FP8, REFERENCE),
    ("C041", "deepseek-v3", Format.INT4, REFERENCE),
    ("C042", HYPOTHETICAL, Format.INT4, REFERENCE),
)  # fmt: skip
_ROUNDED = 0.10
"""Shares that the seller derived from approximate weights are approximate too."""

ANSWERS: Mapping[str, Answer] = MappingProxyType(
    {
        "C001": number(_pool(REFERENCE, 8)),
        "C002": number(_pool(CONSUMER, 8)),
        "C164": number(_pool("a100-sxm-80", 8)),
        "C003": number(_house_rule),
        "C004": fact(_full_card),
        "C005": number(_cliff),
        **{claim: number(_weights(model, weights)) for claim, model, weights in _TABLE},
        **{claim: fit(_grades(model, card), _PRESETS) for claim, model, card in _CEILINGS},
        **{
            claim: number(_share(model, weights, card), tolerance=_ROUNDED)
            for claim, model, weights, card in _SHARES
        },
        "C030": fit(
            lambda desk: {_EIGHTH: desk.grade("llama-3.1-405b", REFERENCE, _CARDS, Format.FP8)},
            f"{_PRESETS}; the claim contradicts C003 and C038 of the same article",
        ),
        "C050": at_least(_users_of_reference),
        "C051": number(_rate_of_reference),
        "C055": fact(_lora_nodes),
        "C056": fit(_qlora_405b, "peak of the best layout, sequences of 6,144"),
        "C101": number(_stream(8192)),
        "C102": number(_stream(32_768)),
        "C103": number(_streams),
        "C105": number(_plan),
        "C108": above(_ram),
        "C109": fact(_ram_excess),
        "C110": fit(
            _lora_on_four, "peak at the presets; the BF16 base alone is larger than 4 x 32 GB"
        ),
        "C120": fit(_one_card, "one card of 96 GB, 4 users of 8k"),
        "C198": number(_copy_cards),
    }
)
