"""Values of a model as JSON and back, each checked for its type and range."""

from __future__ import annotations

import math
import re
from enum import StrEnum
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Attention, Evidence, Format
from kentino_desk.domain.errors import InputError
from kentino_desk.domain.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.domain.model_card import ModelCard

_ID = re.compile(r"[a-z0-9][a-z0-9.\-]*")
_LARGEST = 1e14
_SIZED = ("params_total", "hidden", "layers", "heads", "kv_heads", "head_dim", "vocab")


def write_value(value: object) -> object:
    """A value of a card as JSON holds it."""
    if isinstance(value, Source):
        return {
            "address": value.address,
            "read_on": value.read_on,
            "evidence": value.evidence.value,
            "unverified": sorted(value.unverified),
        }
    return value.value if isinstance(value, StrEnum) else value


def read_value(name: str, kind: str, raw: object) -> object:
    """A value of a field of that annotation.

    Raises:
        InputError: the wrong type, or out of range.
    """
    return _READERS[kind](name, raw)


def _text(name: str, raw: object) -> str:
    if not isinstance(raw, str) or len(raw) > 2_000:
        raise _refused(name, raw, "is not a short text")
    return raw


def _whole(name: str, raw: object) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not 0 <= raw <= _LARGEST:
        raise _refused(name, raw, "is not a whole number from 0")
    return raw


def _whole_or_none(name: str, raw: object) -> int | None:
    return None if raw is None else _whole(name, raw)


def _real(name: str, raw: object) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise _refused(name, raw, "is not a number")
    if not 0 <= raw <= _LARGEST or not math.isfinite(raw):
        raise _refused(name, raw, "is out of range")
    return float(raw)


def _flag(name: str, raw: object) -> bool:
    if not isinstance(raw, bool):
        raise _refused(name, raw, "is neither true nor false")
    return raw


def _attention(name: str, raw: object) -> Attention:
    if not isinstance(raw, str) or raw not in set(Attention):
        raise _refused(name, raw, "is not known", ", ".join(Attention))
    return Attention(raw)


def _format(name: str, raw: object) -> Format:
    if not isinstance(raw, str) or raw not in set(Format) - {Format.AUTO}:
        raise _refused(name, raw, "is not known", ", ".join(set(Format) - {Format.AUTO}))
    return Format(raw)


def _source(name: str, raw: object) -> Source:
    if not isinstance(raw, dict):
        raise _refused(name, raw, "is not an object")
    evidence = raw.get("evidence")
    if not isinstance(evidence, str) or evidence not in set(Evidence):
        raise _refused(f"{name}.evidence", evidence, "is not known", ", ".join(Evidence))
    unverified = raw.get("unverified", [])
    if not isinstance(unverified, list) or not all(isinstance(item, str) for item in unverified):
        raise _refused(f"{name}.unverified", unverified, "is not a list of texts")
    address = _text(f"{name}.address", raw.get("address"))
    read_on = _text(f"{name}.read_on", raw.get("read_on"))
    return Source(address, read_on, Evidence(evidence), frozenset(unverified))


_READERS: dict[str, Callable[[str, object], object]] = {
    "str": _text,
    "int": _whole,
    "int | None": _whole_or_none,
    "float": _real,
    "bool": _flag,
    "Attention": _attention,
    "Format": _format,
    "Source": _source,
}


def check_card(where: str, card: ModelCard) -> None:
    """Check what reaches beyond one value, as the catalog does for its own rows.

    Raises:
        InputError: the first rule that is broken.
    """
    if not _ID.fullmatch(card.id):
        raise _refused(f"{where}.id", card.id, "is no id", "a-z, 0-9, point, hyphen")
    missing = next((name for name in _SIZED if not getattr(card, name)), "")
    if missing and not card.unsized_reason:
        raise InputError(f"{where}.{missing}", 0, "is missing")
    by_kind = (card.full_layers, card.sliding_layers, card.linear_layers, card.mamba_layers)
    if sum(by_kind) > card.layers:
        raise InputError(f"{where}.layers", card.layers, "is fewer than the layers of all kinds")
    if card.params_active > card.params_total:
        raise InputError(f"{where}.params_active", card.params_active, "is more than all")
    if card.experts and not (card.moe_layers and card.experts_per_token):
        raise InputError(f"{where}.experts", card.experts, "come without layers that hold them")


def _refused(name: str, raw: object, problem: str, allowed: str = "") -> InputError:
    """Nested values are not shown: they may be of any size and depth."""
    shown = raw if isinstance(raw, str | float | bool) or raw is None else type(raw).__name__
    return InputError(name, shown, problem, allowed)
