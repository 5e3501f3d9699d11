from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import kentino_desk
from kentino_desk.present.language import TRANSLATIONS, fill, languages, later, later_plural, text

KEYWORDS = {
    "later": None,
    "later_plural": (1, 2),
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
PLACES = re.compile(r"\{(\w*)")
TRANSLATED = [name for name in languages() if name != "en"]


def messages_in_code():
    folder = Path(kentino_desk.__file__).parent
    found = extract_from_dir(folder, method_map=[("**.py", "python")], keywords=KEYWORDS)
    return {(context, message) for _, _, message, _, context in found}


def catalog(language):
    with (TRANSLATIONS / language / "kentino_desk.po").open("rb") as file:
        return read_po(file)


def entries(language):
    return [item for item in catalog(language) if item.id]


def test_english_and_czech_can_be_chosen():
    assert {"en", "cs"} <= set(languages())


def test_an_unknown_language_is_refused():
    with pytest.raises(KeyError):
        text("xx")


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_in_code_is_translated(language):
    known = {(item.context, item.id) for item in entries(language)}
    missing = sorted(str(message) for message in messages_in_code() - known)
    assert missing == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_empty_or_lacks_a_plural_form(language):
    forms = catalog(language).num_plurals
    for item in entries(language):
        strings = item.string if isinstance(item.string, tuple) else (item.string,)
        assert len(strings) == (forms if isinstance(item.id, tuple) else 1), item.id
        assert all(strings), item.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_no_place_that_english_lacks_and_drops_none(language):
    for item in entries(language):
        english = item.id if isinstance(item.id, tuple) else (item.id,)
        strings = item.string if isinstance(item.string, tuple) else (item.string,)
        wanted = set(PLACES.findall(english[-1]))
        for index, string in enumerate(strings):
            places = set(PLACES.findall(string))
            assert places <= wanted, item.id
            counted_out = index == 0 and len(strings) > 1
            assert counted_out or places == wanted, item.id


def test_a_place_is_filled_by_name_and_nothing_else_is_looked_at():
    assert fill("{name} of {0.__class__} {other}", {"name": "x"}) == "x of {0.__class__} {other}"


def test_a_value_with_a_place_in_it_is_not_filled_again():
    assert fill("{a} {b}", {"a": "{b}", "b": "1"}) == "{b} 1"


def test_czech_has_three_plural_forms():
    words = text("cs")
    forms = {words.ngettext("{count} replica", "{count} replicas", n, count=n) for n in (1, 3, 5)}
    assert forms == {"1 replika", "3 repliky", "5 replik"}


def test_marks_give_their_message_back():
    assert later("free") == "free"
    assert later_plural("one", "many") == ("one", "many")


def test_a_context_tells_two_meanings_apart():
    shown = text("cs").pgettext("fraction", "{number}\u00a0days", number="2,5")
    assert shown == "2,5\u00a0dne"
