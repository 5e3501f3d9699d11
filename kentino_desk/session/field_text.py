"""Between a field's text and its value: read what was typed, write what is shown."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import InputError
from kentino_desk.domain.workload_reading import check_value
from kentino_desk.session.numbers import read_number

if TYPE_CHECKING:
    from kentino_desk.domain.workload import Value
    from kentino_desk.domain.workload_fields import FieldSpec

_YES = frozenset({"yes", "true", "1"})
_NO = frozenset({"no", "false", "0"})
_SHORT = ((10**12, "T"), (10**9, "B"), (10**6, "M"))
_SHORT_FROM = 10**7
_GROUP_FROM = 10_000
UNIT_SIGNS = {"share": "%"}


def read_field(spec: FieldSpec, text: str) -> Value:
    """The value that ``text`` means in this field.

    Raises:
        InputError: the text is no value of this field, or outside its range.
    """
    stripped = text.strip()
    if not stripped:
        raise InputError(spec.key, text, "is empty", spec.allowed)
    if spec.kind in {"int", "float"}:
        return check_value(spec, read_number(spec, stripped))
    if spec.kind == "bool":
        return _read_yes_or_no(spec, stripped)
    if spec.kind == "strs":
        names = [part.strip() for part in stripped.split(",") if part.strip()]
        return check_value(spec, names)
    return check_value(spec, stripped)


def show_value(spec: FieldSpec, value: Value | None) -> str:
    """A value as its field shows it, in a form that reads back as the same value."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, str):
        return str(value)
    if spec.kind == "int":
        return _show_whole(int(value))
    return _show_float(float(value) * 100 if spec.unit == "share" else float(value))


def unit_of(spec: FieldSpec) -> str:
    """The unit beside the field."""
    return UNIT_SIGNS.get(spec.unit, spec.unit)


def message_of(spec: FieldSpec, error: InputError) -> str:
    """What the field says about a refused entry: the problem, what is legal, what to do."""
    allowed = _allowed(spec) if error.allowed == spec.allowed else error.allowed
    parts = [error.problem[:1].upper() + error.problem[1:]]
    if error.near:
        parts.append("nearest: " + ", ".join(error.near))
    elif error.hint:
        parts.append(error.hint)
    elif allowed:
        parts.append(f"allowed: {allowed}")
    return "; ".join(parts)


def _allowed(spec: FieldSpec) -> str:
    if spec.low is None or spec.high is None:
        return spec.allowed
    unit = f" {unit_of(spec)}" if spec.unit else ""
    return f"{show_value(spec, spec.low)} to {show_value(spec, spec.high)}{unit}"


def _read_yes_or_no(spec: FieldSpec, text: str) -> bool:
    lowered = text.lower()
    if lowered not in _YES | _NO:
        raise InputError(spec.key, text, "is neither yes nor no", "yes, no")
    return lowered in _YES


def _show_whole(value: int) -> str:
    grouped = f"{value:,}"
    if value < _SHORT_FROM:
        return grouped
    factor, letter = next((pair for pair in _SHORT if value >= pair[0]), _SHORT[-1])
    short = f"{(Decimal(value) / factor).normalize():f}{letter}"
    # The short form is exact, so it is used where it is no longer than what it stands for.
    return short if len(short) < len(grouped) else grouped


def _show_float(value: float) -> str:
    # Spaces group, because one comma would read in two ways in a field with fractions.
    plain = f"{value:,.12g}" if abs(value) >= _GROUP_FROM else f"{value:.10g}"
    if "e" in plain:
        plain = f"{value:.12f}".rstrip("0").rstrip(".")
    _, _, fraction = plain.partition(".")
    # A fourth decimal, because three could be a group of thousands.
    return plain.replace(",", "\u00a0") + ("0" if len(fraction) == len("125") else "")
