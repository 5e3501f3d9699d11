"""The command line as a script sees it: exit codes, sentences, one JSON document."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from kentino_desk.app import main as command_line
from kentino_desk.catalog import places, snapshot

CASES = Path(__file__).resolve().parents[2] / "worked_cases"
CHAT = """schema = 1

[workload]
kind = "chat"
model = "llama-3.1-8b"
"""


@pytest.fixture
def evaluate(capsys):
    def run(path, *options):
        code = command_line.main(["evaluate", str(path), *options])
        out = capsys.readouterr()
        return code, out.out, out.err

    return run


@pytest.fixture
def workload(tmp_path):
    def write(text):
        path = tmp_path / "customer.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return path

    return write


def test_json_is_one_document_with_the_promised_keys(evaluate):
    code, out, err = evaluate(CASES / "W02.toml", "--json")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert {"verdict", "partner", "questions", "candidates", "notes", "assumed"} <= set(document)
    assert {"outcome", "build", "replicas", "nodes", "sentence", "binding_constraint",
            "close_call"} <= set(document["verdict"])  # fmt: skip
    figures = document["candidates"][0]["figures"]
    for key in ("weights_gib", "kv_gib", "activation_gib", "overhead_gib", "used_gib",
                "capacity_gib", "users_held", "ttft_s", "tpot_ms", "tokens_per_s_per_user",
                "tokens_per_s_total", "train_days", "efficiency", "power_max_w", "heat_btu_h",
                "price_eur"):  # fmt: skip
        assert set(figures[key]) == {"value", "unit", "low", "high", "evidence"}, key


def test_the_readable_form_says_the_answer_first(evaluate):
    code, out, _ = evaluate(CASES / "W02.toml")
    assert code == 0
    assert out.replace("\u00a0", " ").startswith("One node, 1 GPU")


def test_a_figure_is_explained_by_its_equation(evaluate):
    _, out, _ = evaluate(CASES / "W02.toml", "--explain", "kv_gib")
    assert "K_1" in out


def test_an_unknown_figure_offers_the_nearest(evaluate):
    code, _, err = evaluate(CASES / "W02.toml", "--explain", "kv_gb")
    assert code == 3
    assert "kv_gib" in err


def test_one_build_can_be_asked_for(evaluate):
    _, out, _ = evaluate(CASES / "W01.toml", "--json", "--build", "1x4-rtx-pro-6000-bw-server")
    assert {item["id"] for item in json.loads(out)["candidates"]} == {"1x4-rtx-pro-6000-bw-server"}


REFUSED = [
    pytest.param("", "empty", id="empty"),
    pytest.param(b"\x00\x01\xff\xfe" * 40, "text", id="binary"),
    pytest.param(CHAT.replace("schema = 1", "schema = 2"), "schema", id="schema-2"),
    pytest.param(CHAT.replace("llama-3.1-8b", "llama-3.1-8"), "llama-3.1-8b", id="unknown-model"),
    pytest.param(CHAT + '[constraints]\ngpus = ["rtx-509"]\n', "rtx-5090", id="unknown-gpu"),
    pytest.param(CHAT + "[serving]\nconcurent_users = 4\n", "concurrent_users", id="unknown-key"),
    pytest.param(CHAT + "[serving]\nconcurrent_users = 0\n", "from 1 to", id="zero"),
    pytest.param(CHAT + "[serving]\nconcurrent_users = -4\n", "from 1 to", id="negative"),
    pytest.param(CHAT + "[serving]\nttft_s = nan\n", "finite", id="nan"),
    pytest.param(CHAT + "[serving]\nttft_s = 1e309\n", "finite", id="1e309"),
    pytest.param(CHAT + "[serving]\ncontext_tokens = 10000000\n", "2,000,000", id="10-M-context"),
    pytest.param(CHAT + "[serving]\ncontext_tokens = 200000\n", "131072", id="above-the-model"),
    pytest.param(CHAT + '[serving]\nconcurrent_users = "4"\n', "whole number", id="wrong-type"),
    pytest.param(CHAT + "[serving]\nconcurrent_users = true\n", "whole number", id="bool"),
    pytest.param(CHAT.replace('kind = "chat"', 'kind = "chatt"'), "chat", id="unknown-kind"),
    pytest.param(CHAT.replace('kind = "chat"\n', ""), "is required", id="no-kind"),
    pytest.param("schema = 1\nworkload = 3\n", "section", id="section-is-a-value"),
    pytest.param("schema = \n", "customer.toml", id="no-toml"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), REFUSED)
def test_bad_input_ends_with_three_and_one_sentence(evaluate, workload, text, says):
    code, out, err = evaluate(workload(text))
    assert code == 3
    assert out == ""
    assert says in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("case", ["W17b", "W19", "W20"])
def test_refused_combinations_end_with_three(evaluate, case):
    code, _, err = evaluate(CASES / f"{case}.toml")
    assert code == 3
    assert f"{case}.toml" in err


def test_a_directory_is_file_trouble(evaluate, tmp_path):
    assert evaluate(tmp_path)[0] == 4


def test_a_missing_file_is_file_trouble(evaluate, tmp_path):
    code, _, err = evaluate(tmp_path / "nothing.toml")
    assert code == 4
    assert "nothing.toml" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_file_trouble(evaluate, workload):
    path = workload(CHAT)
    path.chmod(0)
    assert evaluate(path)[0] == 4


def test_an_unknown_command_is_a_usage_error():
    with pytest.raises(SystemExit) as ended:
        command_line.main(["evaluate"])
    assert ended.value.code == 2


@pytest.fixture
def changed_catalog(tmp_path, monkeypatch):
    path = tmp_path / "catalog.db"
    shutil.copy(places.CATALOG_PATH, path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    monkeypatch.setattr(snapshot, "CATALOG_PATH", path)
    return path


def test_a_changed_catalog_stops_every_figure(evaluate, changed_catalog, tmp_path):
    code, out, err = evaluate(CASES / "W02.toml", "--json")
    assert (code, out) == (4, "")
    assert "catalog build" in err
    pdf = tmp_path / "x.pdf"
    assert command_line.main(["quote", str(CASES / "W02.toml"), "--pdf", str(pdf)]) == 4
    assert not pdf.exists()
    assert changed_catalog.exists()


def test_a_quote_is_written_and_named(capsys, tmp_path):
    path = tmp_path / "nabidka.pdf"
    code = command_line.main(["quote", str(CASES / "W02.toml"), "--pdf", str(path), "--lang", "cs"])
    assert code == 0
    assert capsys.readouterr().out.strip() == str(path)
    assert path.read_bytes().startswith(b"%PDF")


def test_a_map_names_its_axes_and_a_verdict_for_every_cell(evaluate):
    code, out, _ = evaluate(CASES / "W02.toml", "--json", "--map")
    drawn = json.loads(out)["map"]
    assert code == 0
    assert drawn["x"]["input"] == "serving.concurrent_users"
    assert len(drawn["outcome"]) == len(drawn["y"]["values"])
    assert {len(row) for row in drawn["build"]} == {len(drawn["x"]["values"])}
    assert drawn["boundaries"]


def test_a_map_over_something_else_is_refused(evaluate):
    code, _, err = evaluate(CASES / "W02.toml", "--json", "--map", "serving.growth,training.tokens")
    assert code == 3
    assert "--map" in err


def test_flips_and_confidence_are_part_of_the_document(evaluate):
    _, out, _ = evaluate(CASES / "W01.toml", "--json")
    document = json.loads(out)
    assert {"input", "value", "outcome", "build", "replicas"} <= set(document["flips"][0])
    assert document["verdict"]["close_call"] == document["confidence"]["close_call"]
    assert sum(document["confidence"]["outcomes"].values()) == pytest.approx(1.0)


@pytest.mark.parametrize("case", ["W01", "W06", "W10b", "W11"])
def test_the_words_and_the_document_call_the_same_verdicts_close(case, evaluate):
    path = CASES / f"{case}.toml"
    close = json.loads(evaluate(path, "--json")[1])["verdict"]["close_call"]
    assert ("Close call:" in evaluate(path)[1]) == close
