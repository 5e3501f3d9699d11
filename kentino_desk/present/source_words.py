"""Sources in words: documents of the method by their name, claims by their id."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.present.language import later, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DOCUMENTS: Mapping[str, str] = MappingProxyType(
    {
        "decision_rules": later("decision rules"),
        "engine_fit_notes": later("fit of the serving model"),
        "engine_method": later("method of the serving model"),
        "memory_fit_notes": later("fit of the memory model"),
        "training_fit_notes": later("fit of the training model"),
    }
)


@lru_cache(maxsize=1024)
def source_in_words(source: str, language: str) -> str:
    """One source: translated as a whole where it can be, else the documents in it named."""
    words = text(language)
    source = words.gettext(source) if source else ""
    for name, title in DOCUMENTS.items():
        source = source.replace(name, words.gettext(title))
    return source


def sources_in_words(sources: Iterable[str], language: str) -> str:
    """Several sources in a row."""
    return ", ".join(source_in_words(source, language) for source in sources if source)
