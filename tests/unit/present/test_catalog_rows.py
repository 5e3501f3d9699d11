from __future__ import annotations

from dataclasses import replace

import pytest

from kentino_desk.catalog.model_config.importing import read_config
from kentino_desk.catalog.records import read_records, record_of_card
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.choices import Evidence
from kentino_desk.present.catalog_detail import row_detail
from kentino_desk.present.catalog_rows import catalog_list, filtered, nothing_found
from kentino_desk.present.catalog_values import Values, short_source
from kentino_desk.present.catalog_words import FIELD_WORDS, TABLE_TITLES, UNSIZED_WORDS
from kentino_desk.present.import_words import import_findings, import_lines, size_words
from kentino_desk.present.views import Tone

RECORDS = read_records()
ENGLISH, CZECH = Values("en"), Values("cs")
OWN = replace(load_snapshot().models["llama-3.1-8b"], id="zebra-8b", name="Zebra 8B")
SCOUT = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 100,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
}


def shown(table, values=ENGLISH, more=()):
    return catalog_list(table, (*RECORDS[table], *more), values)


def detail(table, row_id, values=ENGLISH):
    found = next(record for record in RECORDS[table] if record.id == row_id)
    return row_detail(found, values)


def line(table, row_id, title, values=ENGLISH):
    lines = detail(table, row_id, values).lines
    return next(item for item in lines if item.title == title)


@pytest.mark.parametrize("values", [ENGLISH, CZECH], ids=["en", "cs"])
@pytest.mark.parametrize("table", list(TABLE_TITLES))
def test_every_row_has_a_cell_for_each_column_and_a_detail(table, values):
    found = shown(table, values)
    assert len(found.rows) == len(RECORDS[table])
    for row in found.rows:
        assert len(row.cells) == len(row.tones) == len(found.columns)
        assert all(row.cells)
    for record in RECORDS[table]:
        made = row_detail(record, values)
        assert made.lines
        assert all(item.value for item in made.lines)
        assert all(bool(item.grade) == bool(item.note) for item in made.lines)


@pytest.mark.parametrize("table", list(TABLE_TITLES))
def test_titles_are_given_for_columns_that_exist(table):
    assert set(FIELD_WORDS[table]) <= set(RECORDS[table][0].values)


def test_numbers_carry_their_units_in_the_language_of_the_reader():
    english = next(row for row in shown("gpus").rows if row.id == "h100-sxm")
    assert english.cells[1:3] == ("80\u00a0GB", "3,350\u00a0GB/s")
    assert english.cells[6:] == ("900\u00a0GB/s", "vendor")
    czech = next(row for row in shown("gpus", CZECH).rows if row.id == "h100-sxm")
    assert czech.cells[2] == "3\u00a0350\u00a0GB/s"
    assert czech.cells[7] == "výrobce"
    assert line("models", "llama-3.1-8b", "Parameters").value == "8,030,261,248"
    assert line("gpus", "a10", "Launched").value == "2021"


def test_a_recalled_field_is_an_estimate_that_nobody_verified():
    recalled = line("gpus", "a10", "Launched")
    assert (recalled.grade, recalled.evidence) == ("estimate, unverified", Evidence.ESTIMATE)
    read = line("gpus", "a10", "Memory as sold")
    assert (read.grade, read.evidence) == ("vendor", Evidence.VENDOR)
    assert read.full_note == "https://github.com/VladislavDuma/gpu_specs · 2026-12-02"
    assert line("gpus", "a10", "Uvedeno", CZECH).grade == "odhad, neověřeno"


def test_what_nobody_knows_is_said_for_hardware_and_left_out_for_models():
    unknown = line("gpus", "a10", "FP8 dense")
    assert (unknown.value, unknown.grade, unknown.tone) == ("not known", "", Tone.MUTED)
    titles = {item.title for item in detail("models", "llama-3.1-8b").lines}
    assert "Layers" in titles
    assert titles.isdisjoint({"Mamba layers", "Expert width", "Input width of an expert"})


def test_models_that_cannot_be_sized_say_why_in_list_and_detail():
    unsized = [record for record in RECORDS["models"] if record.text("unsized_reason")]
    assert {record.text("unsized_reason") for record in unsized} <= set(UNSIZED_WORDS)
    rows = {row.id: row for row in shown("models").rows}
    for record in unsized:
        row = rows[record.id]
        assert "can be sized" not in row.cells
        assert Tone.WARN in row.tones
        assert row_detail(record, ENGLISH).warning.startswith("Cannot be sized yet: ")
    assert Tone.WARN not in rows["llama-3.1-8b"].tones


def test_own_models_stand_first_are_marked_and_counted_apart():
    found = shown("models", more=(record_of_card(OWN),))
    assert found.rows[0].cells[0] == "Zebra 8B · own"
    assert found.own_count == 1
    assert found.count_words("en") == f"{len(RECORDS['models'])} + 1 own"
    assert row_detail(record_of_card(OWN), ENGLISH).subtitle == "zebra-8b · one of your models"
    assert shown("models").count_words("en") == str(len(RECORDS["models"]))


def test_prices_keep_the_order_of_their_list_and_say_sample():
    prices = shown("price_lines")
    assert [row.id for row in prices.rows] == [record.id for record in RECORDS["price_lines"]]
    price = line("price_lines", "nic:ib200", "Price without VAT")
    assert price.value == "1,500.00\u00a0EUR"
    assert price.note == "price list SAMPLE · 2026-12-01"
    assert price.grade == "SAMPLE"
    assert "must not be sent" in detail("price_lines", "nic:ib200").warning


def test_a_node_names_its_cards_or_any():
    assert line("nodes", "own-l4-8", "Cards it can hold").value == "l4"
    assert line("nodes", "generic-host-8", "Cards it can hold").value == "any card"


def test_the_filter_wants_every_word_in_id_or_name():
    rows = shown("gpus").rows
    assert filtered(rows, "  ") == rows
    assert {row.id for row in filtered(rows, "SXM h100")} == {"h100-sxm", "h100-sxm-96-500w"}
    assert filtered(rows, "geforce 5090")[0].id == "rtx-5090"
    assert filtered(rows, "zzz") == ()


def test_an_empty_list_says_what_to_do_and_shows_what_was_typed_as_it_is():
    said = nothing_found(shown("gpus"), " {table} ", "en")
    assert said == "Nothing in GPUs is called “{table}”. Esc clears the filter."
    assert "config.json" in nothing_found(shown("models", CZECH), "x", "cs")


@pytest.mark.parametrize(
    ("address", "short"),
    [
        ("https://www.acme.com/specs/", "acme.com/specs"),
        ("https://a.org/x ; https://b.org", "a.org/x +1"),
        ("recalled, no source read", "recalled, no source read"),
    ],
)
def test_sources_are_shortened_to_their_first_address(address, short):
    assert short_source(address) == short


def test_an_import_shows_figures_then_assumed_derived_and_read():
    bare = {key: value for key, value in SCOUT.items() if key != "torch_dtype"}
    model = read_config(bare, "Scout", "2026-12-02")
    lines = import_lines(model, "en")
    sections = [item.title for item in lines if item.is_section]
    assert sections == ["Assumed", "Derived", "Read"]
    assert lines[1].title == "Parameters"
    assert lines[1].value == f"{model.params_total:,}"
    assumed = next(item for item in lines if item.grade)
    assert (assumed.title, assumed.grade, assumed.evidence) == ("dtype", "assumed", "estimate")
    assert assumed.note
    (tone, sentence), *_ = import_findings(model, "en")
    assert (tone, sentence.partition(",")[0]) == (Tone.WARN, "Assumed: dtype is bfloat16")


def test_an_import_without_assumptions_says_so_before_its_warnings():
    model = read_config(SCOUT | {"num_nextn_predict_layers": 1}, "Scout", "2026-12-02")
    first, *others = import_findings(model, "cs")
    assert first == (Tone.GOOD, "Nic nebylo třeba předpokládat.")
    assert others == [(Tone.WARN, sentence) for sentence in model.warnings]
    assert any("MTP" in sentence for _, sentence in others)


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0\u00a0B"), (999, "999\u00a0B"), (1_250, "1.3\u00a0kB"), (4_900_000, "4.9\u00a0MB")],
)
def test_sizes_are_said_as_files_are_spoken_of(size, words):
    assert size_words(size, "en") == words
