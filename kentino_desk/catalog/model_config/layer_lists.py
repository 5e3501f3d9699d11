"""Lists with one entry a layer, in whichever form a configuration gives them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kentino_desk.catalog.model_config.fields import Fields

Item = TypeVar("Item")

PATTERN_LETTERS: Mapping[str, str] = MappingProxyType(
    {"M": "mamba", "*": "attention", "-": "mlp", "E": "moe"}
)


def cut(text: Fields, name: str, items: Sequence[Item], layers: int) -> tuple[Item, ...]:
    """One entry a layer; entries behind the last layer belong to prediction blocks.

    Raises:
        InputError: fewer entries than layers.
    """
    if len(items) < layers:
        raise text.refusal(name, f"has {len(items)} entries for {layers} layers")
    return tuple(items[:layers])


def word_list(text: Fields, name: str, layers: int) -> tuple[str, ...] | None:
    """A list of words with one entry a layer, or None.

    Raises:
        InputError: not such a list.
    """
    words = text.words(name)
    return None if words is None else cut(text, name, words, layers)


def number_list(text: Fields, name: str, layers: int) -> tuple[int, ...] | None:
    """A list of whole numbers with one entry a layer, or None.

    Raises:
        InputError: not such a list.
    """
    if not isinstance(text.value(name), list):
        return None
    numbers = text.wholes(name)
    return None if numbers is None else cut(text, name, numbers, layers)


def block_words(text: Fields, layers: int) -> tuple[str, ...] | None:
    """Kinds of layers that are one block each (Nemotron-H): mixer, MLP or experts.

    Raises:
        InputError: a letter of the pattern that is not known, or too few blocks.
    """
    listed = word_list(text, "layers_block_type", layers)
    if listed is not None:
        return listed
    pattern = text.word("hybrid_override_pattern")
    if not pattern:
        return None
    unknown = set(pattern) - set(PATTERN_LETTERS)
    if unknown:
        problem = f"has the unknown letter {min(unknown)}"
        raise text.refusal("hybrid_override_pattern", problem, ", ".join(PATTERN_LETTERS))
    words = tuple(PATTERN_LETTERS[letter] for letter in pattern)
    return cut(text, "hybrid_override_pattern", words, layers)
