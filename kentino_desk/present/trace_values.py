"""Values of a trace: bytes, seconds and operations in units a person reads."""

from __future__ import annotations

import math

from kentino_desk.domain.units import GIB, KIB, MIB
from kentino_desk.present.counted import COUNTED, measured
from kentino_desk.present.numbers import NO_BREAK_SPACE, UNIT_SYMBOLS, WORD_UNITS, numbers

_PREFIXES = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"))
_BYTES = ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB"))
_SECONDS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_SCALED_BY_PREFIX = frozenset({"FLOP", "FLOP/s", "B/s", "parameters", "1", "OP/s"})


def trace_value(value: object, unit: str, language: str) -> str:
    """A value of a trace with its unit; a text stays as it is."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, int | float):
        return str(value)
    number = float(value)
    if unit in COUNTED or unit == "share" or not math.isfinite(number) or not number:
        return measured(number, unit, language)
    scaled, symbol = _scaled(number, unit)
    return _shown(scaled, symbol, language)


def _scaled(value: float, unit: str) -> tuple[float, str]:
    size = abs(value)
    if unit == "B":
        return next(
            ((value / factor, name) for factor, name in _BYTES if size >= factor), (value, "B")
        )
    if unit in {"s", "us", "ms"}:
        seconds = value * {"s": 1.0, "ms": 1e-3, "us": 1e-6}[unit]
        return _in_seconds(seconds)
    if unit in _SCALED_BY_PREFIX or unit not in UNIT_SYMBOLS:
        for factor, prefix in _PREFIXES:
            if size >= factor and unit in _SCALED_BY_PREFIX - {"1", "parameters"}:
                return value / factor, prefix + unit
    return value, unit


def _in_seconds(seconds: float) -> tuple[float, str]:
    for factor, name in _SECONDS:
        if abs(seconds) >= factor:
            return seconds / factor, name
    return seconds * 1e6, "µs"


def _shown(value: float, unit: str, language: str) -> str:
    shown = numbers(language)
    size = abs(value)
    places = (
        0 if size >= 1_000 or value.is_integer() else 1 if size >= 100 else 2 if size >= 1 else 4
    )
    symbol = UNIT_SYMBOLS.get(unit, unit)
    number = shown.plain(value, places)
    return number if unit in WORD_UNITS else f"{number}{NO_BREAK_SPACE}{symbol}"
