from __future__ import annotations

import time
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.assess import assess
from kentino_desk.decision.confidence import with_confidence
from kentino_desk.domain.errors import InputError, StorageError
from kentino_desk.quote.totals import DocumentDiscount
from kentino_desk.report.context import ProposalDetails, context_of
from kentino_desk.report.document import document_of
from kentino_desk.report.pages.summary import summary_blocks
from kentino_desk.report.proposal import proposal_pdf, texts_of, words_of, write_proposal
from kentino_desk.store.workload_file import load_workload

CASES = Path(__file__).resolve().parents[1] / "worked_cases"
NBSP = "\u00a0"


@lru_cache(maxsize=16)
def case(name):
    return with_confidence(assess(load_workload(CASES / f"{name}.toml"), load_snapshot()))


def details(**more):
    told = {
        "customer": "Příklad Data a.s.",
        "project": "Inferenční platforma, Brno",
        "number": "Q-2026-KA-0014",
        "issued_on": date(2026, 12, 2),
        "invariant": True,
    }
    return ProposalDetails(**{**told, **more})


@lru_cache(maxsize=32)
def pages(name, language):
    content = proposal_pdf(case(name), load_snapshot(), language, details())
    return tuple(
        " ".join(page.extract_text().replace(NBSP, " ").split())
        for page in PdfReader(BytesIO(content)).pages
    )


def whole(name, language):
    return " ".join(pages(name, language))


def tree(name, language, **more):
    return document_of(context_of(case(name), load_snapshot(), language, details(**more)))


def test_the_czech_proposal_holds_what_the_reader_needs():
    text = whole("W01", "cs")
    for word in (
        "Souhrn nabídky",
        "Jeden server, 8 GPU, FP8",
        "Vejde se na jeden server v 8 bitech s rezervou?",
        "Jde o předtrénink modelu 70B a většího?",
        "nejvýše 70 %",
        "BTU/h",
        "kW",
        "m³/h",
        "A na přívod",
        "230/400 V, tři fáze",
        "VZOROVÉ CENY",
        "DPH 21 %",
        "předpoklad",
    ):
        assert word in text, word


def test_the_english_proposal_says_the_same_in_english():
    text = whole("W01", "en")
    for word in (
        "Summary of the proposal",
        "One node, 8 GPUs, FP8",
        "Fits one node at 8 bit?",
        "SAMPLE PRICES",
        "BTU/h",
        "A per feed",
        "2 December 2026",
    ):
        assert word in text, word


def test_all_five_questions_stand_with_their_numbers():
    text = whole("W01", "cs")
    assert (
        "1 Vejde se na jeden server v 8 bitech s rezervou? ano váhy 36 % paměti nejvýše 70 %"
        in text
    )
    assert "5 Jde o předtrénink modelu 70B a většího? netřeba" in text


@pytest.mark.parametrize("name", ["W01", "W11", "W14"])
def test_one_price_stands_everywhere_it_is_printed(name):
    net = case(name).verdict.chosen.price.amount
    shown = f"{net:,.2f}"
    assert whole(name, "en").count(shown) >= 3
    assert f"{net:,.0f} EUR" in whole(name, "en")


def test_sums_are_those_of_the_written_rules():
    document = tree("W01", "en", discount=DocumentDiscount(share=Decimal("0.03")))
    text = words_of(document)
    assert "\N{MINUS SIGN}3,000.00" in text
    assert "97,000.00" in text
    assert "20,370.00" in text
    assert "117,370.00" in text


def test_replicas_have_a_load_balancer_and_no_fabric_in_the_bill():
    page = next(page for page in pages("W14", "en") if "6 Bill of material" in page)
    assert "Load balancer" in page
    assert "InfiniBand" not in page.split("6 Bill of material")[1]


def test_a_cluster_lists_network_cards_and_cables():
    text = whole("W11", "en")
    assert "Network card InfiniBand 200" in text
    assert "Cable InfiniBand 200" in text
    assert "Training state in all" in text


@pytest.mark.parametrize("language", ["en", "cs"])
def test_nothing_fits_is_said_plainly_and_has_no_bill(language):
    text = whole("W18", language)
    wanted = {
        "en": ("Nothing fits as asked", "What would help", "no price"),
        "cs": ("V tomto zadání nic nevyhoví", "Co by pomohlo", "cena chybí"),
    }[language]
    for word in wanted:
        assert word in text, word
    assert "Unit price" not in text
    assert "Jedn. cena" not in text


def test_what_would_help_names_the_partner_platform_with_its_price():
    text = whole("W06b", "en")
    assert "A partner platform meets the request" in text


@pytest.mark.parametrize("name", ["W01", "W05", "W11", "W12", "W14", "W18"])
def test_every_part_has_a_bookmark_in_order(name):
    content = proposal_pdf(case(name), load_snapshot(), "en", details())
    titles = [item.title for item in PdfReader(BytesIO(content)).outline]
    numbers = [int(title.split()[0]) for title in titles]
    assert numbers == sorted(numbers)
    assert numbers[0] == 1
    assert numbers[-1] == 10


def test_text_in_the_file_is_the_text_of_the_tree():
    text = whole("W01", "cs").replace(" ", "")
    bookmark = "1 Souhrn"
    for said in texts_of(tree("W01", "cs").sections[0]):
        assert said == bookmark or "".join(said.replace(NBSP, " ").split()) in text, said


def test_markup_in_a_name_prints_as_typed():
    name = 'Řeřicha & Žluťoučký <AI> <img src="file:///etc/passwd"/>'
    content = proposal_pdf(case("W01"), load_snapshot(), "cs", details(customer=name))
    reader = PdfReader(BytesIO(content))
    text = " ".join(reader.pages[0].extract_text().split())
    assert name in text
    assert name in reader.metadata.title


def test_a_very_long_name_is_cut_and_the_file_is_made_quickly():
    started = time.perf_counter()
    content = proposal_pdf(
        case("W01"), load_snapshot(), "cs", details(customer="Ž" * 200_000, seller="Š" * 500)
    )
    assert time.perf_counter() - started < 5
    assert len(PdfReader(BytesIO(content)).pages) < 20


def test_a_character_without_a_glyph_is_named():
    with pytest.raises(InputError, match="glyph"):
        proposal_pdf(case("W01"), load_snapshot(), "cs", details(customer="漢字 a.s."))


def test_two_runs_give_the_same_bytes_with_a_fixed_clock():
    first = proposal_pdf(case("W01"), load_snapshot(), "cs", details())
    assert proposal_pdf(case("W01"), load_snapshot(), "cs", details()) == first


def test_nothing_of_the_machine_is_in_the_file(tmp_path):
    target = tmp_path / "offer.pdf"
    write_proposal(case("W01"), load_snapshot(), target, "cs", details())
    content = target.read_bytes()
    assert str(tmp_path).encode() not in content
    assert len(content) < 3_000_000


def test_an_old_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path):
    target = tmp_path / "offer.pdf"
    target.write_bytes(b"old")
    write_proposal(case("W01"), load_snapshot(), target, "en", details())
    assert target.read_bytes().startswith(b"%PDF")
    assert [path.name for path in tmp_path.iterdir()] == ["offer.pdf"]


def test_a_folder_that_is_not_there_is_storage_trouble(tmp_path):
    with pytest.raises(StorageError):
        write_proposal(case("W01"), load_snapshot(), tmp_path / "no" / "offer.pdf", "en", details())


def test_a_refused_character_leaves_the_old_file_as_it_was(tmp_path):
    target = tmp_path / "offer.pdf"
    target.write_bytes(b"old")
    with pytest.raises(InputError):
        write_proposal(case("W01"), load_snapshot(), target, "en", details(customer="漢字"))
    assert target.read_bytes() == b"old"


def test_validity_counts_from_the_day_of_issue():
    assert "16 December 2026" in whole("W01", "en")


@pytest.mark.parametrize("name", ["W01", "W06", "W14"])
@pytest.mark.parametrize(
    ("language", "first", "last"),
    [
        ("cs", "Kontrolní list místa", "Vyplnil, funkce"),
        ("en", "Site checklist", "Filled in by, function"),
    ],
)
def test_the_facility_manager_gets_one_page_that_can_be_signed(name, language, first, last):
    held = [first in page and last in page for page in pages(name, language)]
    assert held.count(True) == 1


def test_a_target_inside_a_range_is_on_the_first_page_though_the_outcome_is_sure():
    assessment = assess(load_workload(CASES / "W14.toml"), load_snapshot())
    crossed = assessment.verdict.close_call_reasons
    sure = replace(assessment.verdict, close_call=False)
    context = context_of(
        replace(assessment, verdict=sure), load_snapshot(), "en", ProposalDetails()
    )
    told = "\n".join(texts_of(summary_blocks(context)))
    assert crossed
    assert "A limit lies inside the range of the estimate" in told
