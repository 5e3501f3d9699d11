"""Words for a key that nobody has written words for yet."""

from __future__ import annotations


def key_in_words(key: str) -> str:
    """Such as ``liquid_cooling`` as "Liquid cooling"."""
    return key.replace("_", " ").capitalize()
