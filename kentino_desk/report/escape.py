"""The one door for text from data into the document."""

from __future__ import annotations

import unicodedata
from xml.sax.saxutils import escape as escape_xml

LONGEST_TEXT = 4_000
LONGEST_WORD = 200
_DROPPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_REPLACED = {"\N{NON-BREAKING HYPHEN}": "-", "\t": " ", "\n": " ", "\r": " "}
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def clean(text: str) -> str:
    r"""``text`` without control and direction characters, cut at a length.

    Example:
        >>> clean("a\u202eb\x00c")
        'abc'
    """
    cut = text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + _ELLIPSIS
    kept = (_REPLACED.get(letter, letter) for letter in cut)
    printable = "".join(
        letter for letter in kept if unicodedata.category(letter) not in _DROPPED_CATEGORIES
    )
    return " ".join(_shortened(word) for word in printable.split(" "))


def markup(text: str) -> str:
    """``text`` cleaned and escaped, so that a paragraph prints it as it was typed.

    Example:
        >>> markup("R&D <fast>")
        'R&amp;D &lt;fast&gt;'
    """
    return escape_xml(clean(text))


def _shortened(word: str) -> str:
    return word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + _ELLIPSIS
