from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfReader

from kentino_desk.present.charts import Bar, Dash, EfficiencyChart, Line, Mark, MemoryChart, Segment
from kentino_desk.present.views import Tone
from kentino_desk.report.blocks import (
    Column,
    Document,
    Figure,
    Formula,
    Heading,
    KeyFigure,
    KeyFigures,
    Pairs,
    Paragraph,
    Remark,
    Role,
    Row,
    Section,
    Signatures,
    Table,
    Ticks,
)
from kentino_desk.report.pdf import draw_pdf

HOSTILE = 'Řeřicha & Žluťoučký <AI> s.r.o. <img src="file:///etc/passwd"/> ≥ 8× GPU · ±5 % · m³/h'


def memory_chart():
    names = ("weights", "kv", "activations", "overhead", "free")
    segments = tuple(
        Segment(key=key, label=key, value=value, text=f"{value:.1f}")
        for key, value in zip(names, (33.8, 18.7, 4.8, 1.0, 37.3), strict=True)
    )
    bars = tuple(
        Bar(label=str(index), group=f"Replica {index // 2 + 1}", segments=segments)
        for index in range(8)
    )
    return MemoryChart(
        title="Memory per GPU",
        unit="GiB per GPU",
        bars=bars,
        capacity=95.6,
        capacity_text="capacity 95.6",
        band_low=57.4,
        band_high=66.9,
        band_text="60–70 %",
        group_word="Replica",
        twin=(("Part", "GiB"),),
    )


def efficiency_chart():
    return EfficiencyChart(
        title="Scaling",
        unit="% of one GPU",
        x_label="GPUs in one job",
        lines=(
            Line(key="dp", label="DP replicas", xs=(1, 8, 64), ys=(100, 99, 98), series=1),
            Line(
                key="tp_node",
                label="TP in the node",
                xs=(1, 2, 4, 8),
                ys=(100, 97, 88, 73),
                series=0,
            ),
            Line(key="pp", label="PP across", xs=(8, 64), ys=(72, 22), series=0, dash=Dash.PARTNER),
        ),
        marks=(Mark(x=8, y=73, label="0.73 · 1 × 8"), Mark(x=8, y=65, label="0.65 · 2 × 4")),
        mark_word="seller's figure",
        limit=60,
        limit_text="below 60 %: re-architect",
        twin=(("GPUs", "1"),),
    )


def document(blocks, *, customer="Příklad Data a.s.", stamp="VZOROVÉ CENY"):
    return Document(
        title=f"Nabídka, {customer}",
        author="Vzor Systems s.r.o.",
        subject="Jeden server",
        language_tag="cs-CZ",
        seller="Vzor Systems s.r.o.",
        stamp=stamp,
        footer="Nabídka Q-2026-KA-0014, revize 1",
        day="2. 12. 2026",
        page_words="Strana {page} / {pages}",
        sections=(
            Section(title="Souhrn", blocks=(Heading(text="1 Souhrn R&D"), *blocks)),
            Section(title="Místo", blocks=(Heading(text="2 Místo"), Paragraph(text="Konec"))),
        ),
    )


def everything():
    columns = (
        Column(title="Popis", share=0.6),
        Column(title="Cena", share=0.4, numeric=True),
    )
    return (
        Paragraph(text=HOSTILE, role=Role.ANSWER),
        KeyFigures(items=(KeyFigure(value="6,6 kW", label="nejvýše"),) * 4),
        Table(columns=columns, rows=(Row(cells=(HOSTILE, "2 651 620,00"), chosen=True),)),
        Pairs(items=(("Příkon", "6 614 W"), ("Teplo", "22 567 BTU/h"), ("Místo", "5 U"))),
        Figure(title="Paměť", chart=memory_chart(), caption="Obrázek 1"),
        Figure(title="Škálování", chart=efficiency_chart(), caption="Obrázek 2"),
        Ticks(columns=("ano", "ne"), rows=("Dva přívody",)),
        Remark(text=HOSTILE, tone=Tone.BAD, sources="C074"),
        Remark(text="Pozor", tone=Tone.WARN, sources=""),
        Remark(text="Informace", tone=Tone.PLAIN, sources=""),
        Formula(name="Paměť", value="3 GiB", lines=("K = u·M − W",), notes=("Zdroj",)),
        Signatures(labels=("Vyplnil", "Datum")),
    )


def pages_of(content):
    return [
        page.extract_text().replace("\u00a0", " ") for page in PdfReader(BytesIO(content)).pages
    ]


@pytest.fixture(scope="module")
def whole():
    return draw_pdf(document(everything()), invariant=True)


def fonts_in(reader):
    for page in reader.pages:
        for font in page["/Resources"]["/Font"].values():
            yield font.get_object()


def test_every_font_is_embedded_and_ours(whole):
    fonts = list(fonts_in(PdfReader(BytesIO(whole))))
    assert fonts
    for font in fonts:
        assert "SourceSansPro" in font["/BaseFont"], font["/BaseFont"]
        assert "/FontFile2" in font["/FontDescriptor"].get_object()
    assert b"Helvetica" not in whole


def test_text_of_data_comes_out_as_it_was_typed(whole):
    text = " ".join("".join(pages_of(whole)).split())
    for word in ("Řeřicha & Žluťoučký <AI> s.r.o.", "<img", "22 567 BTU/h", "2 651 620,00", "±5 %"):
        assert word in text, word


def test_title_author_language_and_bookmarks_are_set(whole):
    reader = PdfReader(BytesIO(whole))
    assert reader.metadata.title == "Nabídka, Příklad Data a.s."
    assert reader.metadata.author == "Vzor Systems s.r.o."
    assert reader.metadata.subject == "Jeden server"
    assert reader.root_object["/Lang"] == "cs-CZ"
    assert reader.root_object["/ViewerPreferences"]["/DisplayDocTitle"]
    assert [item.title for item in reader.outline] == ["1 Souhrn R&D", "2 Místo"]


def test_every_page_has_its_section_stamp_number_day_and_page_of_pages(whole):
    pages = pages_of(whole)
    for number, page in enumerate(pages, start=1):
        for word in (
            "VZOROVÉ CENY",
            "Nabídka Q-2026-KA-0014, revize 1",
            "2. 12. 2026",
            f"Strana {number} / {len(pages)}",
        ):
            assert word in page
    assert "· Souhrn" in pages[0]
    assert "· Místo" in pages[-1]


def test_a_real_price_list_prints_without_a_stamp():
    content = draw_pdf(document((), stamp=""), invariant=True)
    assert all("VZOROVÉ" not in page for page in pages_of(content))


def test_charts_write_their_names_as_text(whole):
    text = "".join(pages_of(whole))
    for word in ("capacity 95.6", "Replica 4", "TP in the node", "below 60 %", "0.65 · 2 × 4"):
        assert word in text


def test_two_runs_give_the_same_bytes(whole):
    assert draw_pdf(document(everything()), invariant=True) == whole


def test_a_table_longer_than_a_page_repeats_its_head_and_keeps_its_totals_together():
    columns = (
        Column(title="Popis položky", share=0.7),
        Column(title="Cena", share=0.3, numeric=True),
    )
    rows = tuple(Row(cells=(f"položka {n}", "1,00")) for n in range(60))
    sums = (Row(cells=("Bez DPH", "60,00")), Row(cells=("Celkem", "72,60"), strong=True))
    block = Table(columns=columns, rows=(*rows, *sums), totals=2)
    pages = pages_of(draw_pdf(document((block,)), invariant=True))
    holding = [page for page in pages if "Popis položky" in page]
    assert len(holding) > 1
    assert all("Cena" in page for page in holding)
    last = next(page for page in pages if "Celkem" in page)
    assert "položka 59" in last
    assert "Bez DPH" in last


def test_a_row_taller_than_a_page_is_split():
    columns = (Column(title="Popis", share=1.0),)
    text = "slovo " * 700
    block = Table(columns=columns, rows=tuple(Row(cells=(text,)) for _ in range(3)))
    pages = pages_of(draw_pdf(document((block,)), invariant=True))
    assert sum(page.count("slovo") for page in pages) >= 3 * 600


def test_a_heading_is_never_alone_at_the_foot_of_a_page():
    for lines in range(40, 52):
        filler = tuple(Paragraph(text=f"řádek {n}") for n in range(lines))
        tail = (Heading(text="Nadpis", level=2), Paragraph(text="Text pod nadpisem"))
        pages = pages_of(draw_pdf(document((*filler, *tail)), invariant=True))
        page = next(page for page in pages if "Nadpis" in page)
        assert "Text pod nadpisem" in page


def test_the_file_stays_small(whole):
    assert len(whole) < 3_000_000


def test_a_heading_stays_with_a_small_table_and_with_a_figure():
    columns = (Column(title="Popis", share=1.0),)
    small = Table(columns=columns, rows=tuple(Row(cells=(f"řada {n}",)) for n in range(6)))
    figure = Figure(title="Paměť", chart=memory_chart(), caption="Obrázek 1")
    for block, inside in ((small, "řada 5"), (figure, "Obrázek 1")):
        for lines in range(24, 44, 2):
            filler = tuple(Paragraph(text=f"řádek {n}") for n in range(lines))
            story = (*filler, Heading(text="Nadpis", level=2), block)
            pages = pages_of(draw_pdf(document(story), invariant=True))
            assert inside in next(page for page in pages if "Nadpis" in page)
