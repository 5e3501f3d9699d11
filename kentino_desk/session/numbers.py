"""Numbers as people type them: comma or point, spaces, ``8k``, ``70B``, ``1.5M``, per cent.

What can be read in two ways is refused with a sentence, never guessed. Whole-number fields take
``1,000``, ``1 000`` and ``1.000`` as one thousand, because a fraction would be refused there
anyway; other fields cannot know.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import InputError

if TYPE_CHECKING:
    from kentino_desk.domain.workload_fields import FieldSpec

_FACTORS = {"k": 10**3, "m": 10**6, "b": 10**9, "g": 10**9, "t": 10**12}
_MAX_LETTERS = 40
_SPACES = re.compile("[\\s\u00a0\u2009\u202f]+")
_SHAPE = re.compile(r"([+-]?)([0-9][0-9., ]*|[.,][0-9]+) ?([kmbgt]?)", re.IGNORECASE)
_SPACED = re.compile(r"[0-9]{1,3}( [0-9]{3})+([.,][0-9]*)?")
_GROUPED = re.compile(r"[0-9]{1,3}(([.,])[0-9]{3})(\2[0-9]{3})*")
_EXAMPLES = "a number such as 12, 0.5, 8k or 1.5M"


def read_number(spec: FieldSpec, text: str) -> int | float:
    """The number somebody typed into a field; shares are typed in per cent.

    Raises:
        InputError: not a number, or one that can be read in two ways.
    """
    sign, digits, factor = _parts(spec, text)
    number = _decimal(spec, text, digits, whole=spec.kind == "int" and factor == 1) * factor
    if sign == "-":
        number = -number
    if spec.unit == "share":
        number /= 100
    if spec.kind == "int":
        return int(number) if number == number.to_integral_value() else float(number)
    return float(number)


def _parts(spec: FieldSpec, text: str) -> tuple[str, str, int]:
    body = _SPACES.sub(" ", text).strip().replace("\u2212", "-")
    body = _without_unit(spec, body)
    shape = _SHAPE.fullmatch(body)
    if shape is None or len(body) > _MAX_LETTERS:
        raise InputError(spec.key, text, "is not a number", _EXAMPLES)
    sign, digits, suffix = shape.groups()
    return sign, digits.strip(), _FACTORS.get(suffix.lower(), 1)


def _without_unit(spec: FieldSpec, body: str) -> str:
    unit = "%" if spec.unit == "share" else spec.unit
    return body.removesuffix(unit).strip() if unit else body


def _decimal(spec: FieldSpec, text: str, digits: str, *, whole: bool) -> Decimal:
    if " " in digits:
        if not _SPACED.fullmatch(digits):
            raise InputError(spec.key, text, "has spaces in odd places", "groups of three digits")
        return Decimal(digits.replace(" ", "").replace(",", "."))
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        return _with_both(spec, text, digits)
    if points + commas > 1:
        return _grouped(spec, text, digits)
    if _GROUPED.fullmatch(digits) and not digits.startswith("0"):
        if whole:
            return _grouped(spec, text, digits)
        if _is_legal(spec, _grouped(spec, text, digits)) or spec.kind == "int":
            raise _two_ways(spec, text, digits)
    return Decimal(digits.replace(",", "."))


def _with_both(spec: FieldSpec, text: str, digits: str) -> Decimal:
    mark = digits[max(digits.rfind("."), digits.rfind(","))]
    head, _, tail = digits.rpartition(mark)
    if mark in head:
        raise InputError(spec.key, text, "has its marks in odd places", _EXAMPLES)
    return _grouped(spec, text, head) + Decimal(f"0.{tail or 0}")


def _grouped(spec: FieldSpec, text: str, digits: str) -> Decimal:
    if not _GROUPED.fullmatch(digits):
        raise InputError(spec.key, text, "has its marks in odd places", _EXAMPLES)
    return Decimal(digits.replace(",", "").replace(".", ""))


def _is_legal(spec: FieldSpec, number: Decimal) -> bool:
    scale = 100 if spec.unit == "share" else 1
    return spec.high is None or number <= Decimal(spec.high) * scale


def _two_ways(spec: FieldSpec, text: str, digits: str) -> InputError:
    small = digits.replace(",", ".")
    large = digits.replace(",", "").replace(".", "")
    # Four decimals cannot be a group of thousands, so that form is read as it is meant.
    short = f"{small}0" if small[-1] != "0" else small.rstrip("0").rstrip(".")
    return InputError(
        spec.key,
        text,
        f"can mean {short} or {large}",
        "the one or the other",
        f"type {short} or {large}",
    )
