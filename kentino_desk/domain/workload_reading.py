"""Raw values, as a file or a form gives them, checked against the table of fields."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import InputError, nearest
from kentino_desk.domain.workload import Value, WorkloadInputs
from kentino_desk.domain.workload_fields import FIELD_BY_KEY, SCHEMA, SECTIONS, FieldSpec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MAX_TEXT = 200
_REQUIRED = ("workload.kind", "workload.model")


def check_value(spec: FieldSpec, raw: object) -> Value:
    """``raw`` as the value of one field.

    Raises:
        InputError: wrong type, not finite, or outside the legal range.
    """
    checker = {
        "int": _check_int,
        "float": _check_float,
        "bool": _check_bool,
        "choice": _check_choice,
        "str": _check_text,
        "strs": _check_texts,
    }[spec.kind]
    return checker(spec, raw)


def read_workload(raw: Mapping[str, object]) -> WorkloadInputs:
    """The inputs in a parsed workload file.

    Raises:
        InputError: an unknown key, an illegal value, another schema, or no kind or model.
    """
    _check_schema(raw)
    values = {spec.key: check_value(spec, value) for spec, value in _known_fields(raw)}
    for key in _REQUIRED:
        if key not in values:
            raise InputError(key, "nothing", "is required", FIELD_BY_KEY[key].allowed)
    return WorkloadInputs.of(values)


def _check_schema(raw: Mapping[str, object]) -> None:
    if not raw:
        raise InputError(
            "", "", "the file is empty", hint=f"start with schema = {SCHEMA} and [workload]"
        )
    schema = raw.get("schema")
    if schema is None:
        raise InputError("schema", "nothing", "is required", str(SCHEMA))
    if schema != SCHEMA or isinstance(schema, bool):
        raise InputError("schema", schema, "this program does not read that schema", str(SCHEMA))


def _known_fields(raw: Mapping[str, object]) -> Iterator[tuple[FieldSpec, object]]:
    for section, table in raw.items():
        if section == "schema":
            continue
        if section not in SECTIONS:
            raise InputError(
                section,
                "…",
                "unknown section",
                ", ".join(SECTIONS),
                near=nearest(section, SECTIONS),
            )
        if not hasattr(table, "items"):
            raise InputError(section, table, "is a section, not a value", f"[{section}]")
        for name, value in table.items():
            key = f"{section}.{name}"
            if key not in FIELD_BY_KEY:
                raise InputError(key, value, "unknown key", near=nearest(key, FIELD_BY_KEY))
            yield FIELD_BY_KEY[key], value


def _refuse(spec: FieldSpec, raw: object, problem: str) -> InputError:
    return InputError(spec.key, raw, problem, spec.allowed)


def _in_range(spec: FieldSpec, raw: object, number: float) -> None:
    if not math.isfinite(number):
        raise _refuse(spec, raw, "is not a finite number")
    if spec.low is not None and number < spec.low:
        raise _refuse(spec, raw, "is too small")
    if spec.high is not None and number > spec.high:
        raise _refuse(spec, raw, "is too large")


def _check_int(spec: FieldSpec, raw: object) -> Value:
    if isinstance(raw, float) and math.isfinite(raw) and raw.is_integer():
        raw = int(raw)
    if isinstance(raw, float) and not math.isfinite(raw):
        raise _refuse(spec, raw, "is not a finite number")
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise _refuse(spec, raw, "is not a whole number")
    if spec.low is not None and raw < spec.low:
        raise _refuse(spec, raw, "is too small")
    if spec.high is not None and raw > spec.high:
        raise _refuse(spec, raw, "is too large")
    return raw


def _check_float(spec: FieldSpec, raw: object) -> Value:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise _refuse(spec, raw, "is not a number")
    if isinstance(raw, int) and abs(raw) > 10**300:
        raise _refuse(spec, raw, "is too large")
    _in_range(spec, raw, float(raw))
    return float(raw)


def _check_bool(spec: FieldSpec, raw: object) -> Value:
    if not isinstance(raw, bool):
        raise _refuse(spec, raw, "is not true or false")
    return raw


def _check_choice(spec: FieldSpec, raw: object) -> Value:
    if not isinstance(raw, str) or raw not in spec.choices:
        near = nearest(raw, spec.choices) if isinstance(raw, str) else ()
        raise InputError(spec.key, raw, "is none of the choices", spec.allowed, near=near)
    return raw


def _check_text(spec: FieldSpec, raw: object) -> Value:
    if not isinstance(raw, str) or not raw.strip():
        raise _refuse(spec, raw, "is not a text")
    if len(raw) > _MAX_TEXT or not raw.isprintable():
        raise InputError(spec.key, raw, "is no name", f"up to {_MAX_TEXT} printable characters")
    return raw.strip()


def _check_texts(spec: FieldSpec, raw: object) -> Value:
    if not isinstance(raw, list | tuple) or not raw:
        raise _refuse(spec, raw, "is not a list of texts")
    if len(raw) > 100:
        raise InputError(spec.key, len(raw), "has too many entries", "up to 100")
    return tuple(str(_check_text(spec, item)) for item in raw)
