"""Words of one language: English sentences in code, translations read from folders at run time."""

from __future__ import annotations

import gettext as gettext_module
import re
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_LANGUAGE = "en"
TRANSLATIONS = Path(__file__).resolve().parents[2] / "resources" / "i18n"
_DOMAIN = "kentino_desk.po"
_PLACE = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def later(message: str) -> str:
    """Mark a message for translation where it is not shown yet, such as in a table."""
    return message


def later_plural(one: str, many: str) -> tuple[str, str]:
    """Mark a message and its plural for translation where they are not shown yet."""
    return one, many


def fill(sentence: str, values: Mapping[str, object]) -> str:
    """``sentence`` with its named places filled; nothing else in it is looked at."""
    if "{" not in sentence:
        return sentence
    return _PLACE.sub(
        lambda match: str(values[match[1]]) if match[1] in values else match[0], sentence
    )


@cache
def places_of_sentence(sentence: str) -> tuple[str, ...]:
    """Names of the places in a sentence."""
    return tuple(_PLACE.findall(sentence))


class Text:
    """Messages in one language. Places in a sentence are named and filled by keyword."""

    def __init__(self, language: str, catalog: gettext_module.NullTranslations) -> None:
        self.language = language
        self._catalog = catalog

    def gettext(self, message: str, /, **values: object) -> str:
        """The message in this language."""
        return fill(self._catalog.gettext(message), values)

    def ngettext(self, one: str, many: str, count: int, /, **values: object) -> str:
        """The message in the plural form of ``count``."""
        return fill(self._catalog.ngettext(one, many, count), values)

    def pgettext(self, context: str, message: str, /, **values: object) -> str:
        """The message in this language, for words that mean several things."""
        return fill(self._catalog.pgettext(context, message), values)


def languages() -> tuple[str, ...]:
    """Languages that can be chosen: English, and each folder of translations."""
    found = {path.parent.name for path in TRANSLATIONS.glob(f"*/{_DOMAIN}")}
    return (DEFAULT_LANGUAGE, *sorted(found - {DEFAULT_LANGUAGE}))


@cache
def text(language: str) -> Text:
    """The words of ``language``.

    Raises:
        KeyError: there is no such language.
    """
    if language == DEFAULT_LANGUAGE:
        return Text(language, gettext_module.NullTranslations())
    if language not in languages():
        raise KeyError(language)
    return Text(language, _compiled(TRANSLATIONS / language / _DOMAIN))


def _compiled(path: Path) -> gettext_module.GNUTranslations:
    with path.open("rb") as file:
        messages = read_po(file)
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return gettext_module.GNUTranslations(compiled)
