"""config.json as a mapping: small, strict JSON, or a sentence that says why not."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from kentino_desk.catalog.model_config.reading_log import printable
from kentino_desk.domain.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

LIMIT_BYTES = 5_000_000
"""Published configurations stay below 100 kB; above this the file is something else."""
_INFINITIES = {"Infinity": float("inf"), "-Infinity": float("-inf")}


class _RefusedError(ValueError):
    """A rule of this reader that the JSON module does not have."""


def parse_config(data: bytes, source: str) -> Mapping[str, object]:
    """The object in the text of a config.json.

    Infinity is let through, since published files use it for time limits of state-space layers;
    a field that is counted refuses it.

    Raises:
        InputError: too large, not UTF-8, not JSON, not an object, nested too deeply, a key that
            stands twice, or a NaN.
    """
    if len(data) > LIMIT_BYTES:
        raise _refusal("the file is too large", source, f"up to {LIMIT_BYTES:,} bytes")
    try:
        content = json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_constant
        )
    except RecursionError as error:
        raise _refusal("the file is nested too deeply", source) from error
    except UnicodeDecodeError as error:
        raise _refusal("the file is not UTF-8 text", source) from error
    except ValueError as error:
        raise _refusal(f"the file is not valid JSON: {_short(error)}", source) from error
    if not isinstance(content, dict):
        raise _refusal("the file holds no JSON object", source)
    return content


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        counted = Counter(name for name, _ in pairs)
        twice = counted.most_common(1)[0][0]
        raise _RefusedError(f"the key {printable(twice[:60])} stands there twice")
    return content


def _constant(name: str) -> float:
    if name not in _INFINITIES:
        raise _RefusedError(f"{name} is not a number")
    return _INFINITIES[name]


def _short(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} in line {error.lineno}"
    return str(error) if isinstance(error, _RefusedError) else "a number is too long"


def _refusal(problem: str, source: str, allowed: str = "") -> InputError:
    return InputError("", "", problem, allowed, source=source)
