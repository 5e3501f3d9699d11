from __future__ import annotations

import json

import pytest

from kentino_desk.app.validate_command import validate_main
from kentino_desk.app.validation_page import DATA
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.errors import InputError, StorageError
from kentino_desk.validation.kinds import KINDS, validate

KIND = "memory-training"
ROWS = dict(DATA)


@pytest.fixture(scope="module")
def lines():
    return ROWS[KIND].read_text(encoding="utf-8").splitlines()


@pytest.fixture
def refused(tmp_path):
    def run(data):
        path = tmp_path / "rows.csv"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        with pytest.raises(InputError) as caught:
            validate(KIND, (path,), load_snapshot())
        return str(caught.value)

    return run


def test_an_unknown_kind_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match="memory-inference, memory-training"):
        validate_main("memory", (ROWS[KIND],), as_json=True)


def test_no_file_at_all_is_refused():
    with pytest.raises(InputError, match="no file is named"):
        validate(KIND, (), load_snapshot())


def test_an_empty_file_is_refused(refused):
    assert "rows.csv: the file is empty" in refused("")
    assert "the file is empty" in refused("\n\n")


def test_a_header_without_rows_is_refused(refused, lines):
    assert "no rows below its header" in refused(lines[0] + "\n")


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\0\0\0", b"\xff\xfe\x00a", b"\xc3\x28,b\n1,2\n"]
)
def test_a_binary_file_is_refused(refused, data):
    assert "rows.csv: the file is not text" in refused(data)


def test_a_missing_column_is_named(refused, lines):
    text = refused("\n".join([lines[0].replace(",peak_gib_per_gpu", ""), lines[1]]))
    assert 'rows.csv: column = "peak_gib_per_gpu": is missing' in text


def test_an_unknown_column_is_named(refused, lines):
    text = refused(f"{lines[0]},colour\n{lines[1]},red\n")
    assert 'rows.csv: column = "colour": is unknown' in text


def test_a_column_that_stands_twice_is_named(refused, lines):
    text = refused(f"{lines[0]},date\n{lines[1]},2026\n")
    assert 'column = "date": stands twice' in text


def test_a_short_row_is_refused(refused, lines):
    assert "has 2 cells" in refused(f"{lines[0]}\nT1,address\n")


@pytest.mark.parametrize("cell", ["many", "nan", "inf", "1e999", "1,5"])
def test_a_word_in_a_column_of_numbers_is_named_with_its_row(refused, lines, cell):
    row = lines[1].replace(",18.9,ok", f',"{cell}",ok')
    text = refused(f"{lines[0]}\n{row}\n")
    assert "rows.csv: T001.peak_gib_per_gpu" in text
    assert "is not a number" in text


@pytest.mark.parametrize("cell", ["-1", "1.5"])
def test_half_a_gpu_is_refused(refused, lines, cell):
    row = lines[1].replace(",23.6,1,18.9,ok", f",23.6,{cell},18.9,ok")
    assert "T001.n_gpus" in refused(f"{lines[0]}\n{row}\n")


def test_a_broken_quotation_is_refused(refused, lines):
    assert "the file is no CSV file" in refused(f'{lines[0]}\n"T1"x,\n')


def test_folders_and_missing_files_are_file_trouble(tmp_path):
    for path in (tmp_path, tmp_path / "missing.csv"):
        with pytest.raises(StorageError):
            validate(KIND, (path,), load_snapshot())


def test_an_unknown_model_skips_its_row(tmp_path, lines):
    path = tmp_path / "rows.csv"
    path.write_text(f"{lines[0]}\n{lines[1].replace('Llama-3.1-8B', 'Nobody-8B')}\n", "utf-8")
    report = validate(KIND, (path,), load_snapshot())
    assert [row.skipped for row in report.rows] == ["no shape of the model"]


@pytest.mark.parametrize("kind", list(KINDS))
def test_the_command_prints_one_json_document(kind, capsys):
    assert validate_main(kind, (ROWS[kind],), as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    known = [name for name in document if name != "ordering"]
    assert known == ["kind", "rows", "scored", "skipped", "figures", "outcome", "details"]
    assert set(document["details"][0]) == {
        "id", "figure", "measured", "predicted", "low", "high", "error_pct", "skipped",
    }  # fmt: skip


def test_the_command_prints_text_without_json(capsys):
    assert validate_main(KIND, (ROWS[KIND],), as_json=False) == 0
    assert capsys.readouterr().out.startswith("memory-training: 145 rows, 129 scored")
