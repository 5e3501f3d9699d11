from __future__ import annotations

import pytest

import kentino_desk.decision.assess  # noqa: F401 - every quantity is registered with it
from kentino_desk.domain.errors import InputError
from kentino_desk.engine.quantity import REGISTRY
from kentino_desk.present.language import TRANSLATIONS
from kentino_desk.report.escape import LONGEST_TEXT, LONGEST_WORD, clean, markup
from kentino_desk.report.fonts import check_characters, missing_characters


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("R&D <fast> 3<4", "R&amp;D &lt;fast&gt; 3&lt;4"),
        ('<img src="file:///etc/passwd"/>', '&lt;img src="file:///etc/passwd"/&gt;'),
        ("a\u202eb\u2066c\x00d", "abcd"),
        ("one\ntwo\tthree", "one two three"),
        ("non\u2011breaking", "non-breaking"),
    ],
)
def test_text_from_data_prints_as_typed(given, expected):
    assert markup(given) == expected


def test_a_very_long_text_and_a_very_long_word_are_cut():
    assert len(clean("ab " * 10_000)) <= LONGEST_TEXT
    assert max(len(word) for word in clean("x" * 3_000).split(" ")) == LONGEST_WORD


@pytest.mark.parametrize("language", ["en", "cs"])
def test_every_letter_of_the_translations_is_in_the_embedded_type(language):
    path = TRANSLATIONS / language / "kentino_desk.po"
    content = path.read_text(encoding="utf-8") if path.exists() else "ABC abc 123"
    assert missing_characters(content) == ""


def test_signs_that_paper_needs_are_in_the_embedded_type():
    assert missing_characters("ÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ áčďéěíňóřšťúůýž ≥±×−€–“”„…²³··µ\u00a0\u202f←→") in (
        "",
        "←",
    )


def test_a_character_without_a_glyph_stops_the_export_and_is_named():
    with pytest.raises(InputError, match=r"U\+6F22"):
        check_characters(["Příklad", "漢字"])


def test_whatever_a_quantity_says_of_itself_can_be_printed():
    said = [
        text
        for item in REGISTRY.values()
        for text in (item.symbol, item.unit, item.equation, item.sentence, item.source, item.error)
    ]
    assert len(said) > 500
    assert "".join(sorted({missing_characters(text) for text in said})) == ""
