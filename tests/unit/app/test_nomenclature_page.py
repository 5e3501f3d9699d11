from __future__ import annotations

from kentino_desk.app.nomenclature_page import PAGE
from kentino_desk.present.nomenclature import nomenclature


def test_the_nomenclature_page_is_what_the_engine_says_today():
    assert PAGE.read_text(encoding="utf-8") == nomenclature()
