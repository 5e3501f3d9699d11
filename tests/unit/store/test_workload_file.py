from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kentino_desk.domain.errors import InputError, StorageError
from kentino_desk.domain.workload import WorkloadInputs
from kentino_desk.domain.workload_fields import FIELDS
from kentino_desk.store.workload_file import load_workload, save_workload, workload_text

SAMPLE = Path(__file__).parents[3] / "resources" / "sample" / "sample-chat.toml"
GOOD = 'schema = 1\n[workload]\nkind = "chat"\nmodel = "llama-3.3-70b"\n'


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "w.toml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_the_sample_opens_and_keeps_its_values():
    inputs = load_workload(SAMPLE)
    assert inputs.get("workload.model") == "llama-3.3-70b"
    assert inputs.get("serving.concurrent_users") == 48
    assert inputs.get("constraints.own_builds_only") is False


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "empty"),
        (b"\x00\x01\x02SQLite", "binary"),
        (b"\xff\xfe\xfa", "UTF-8"),
        ("schema = ", "not TOML"),
        ("a = " + "[" * 5000, "not TOML"),
        ("schema = 1\nx = " + "9" * 5000, "not TOML"),
        (GOOD.replace("schema = 1", "schema = 2"), "does not read that schema"),
        (GOOD + 'modle = "x"\n', "unknown key"),
        (GOOD + "[serving]\nconcurrent_users = 0\n", "too small"),
        (GOOD + "[serving]\ngrowth = nan\n", "finite"),
        (GOOD + "[serving]\ngrowth = 1e309\n", "finite"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence_that_names_it(tmp_path, content, words):
    with pytest.raises(InputError) as caught:
        load_workload(write(tmp_path, content))
    assert words in str(caught.value)
    assert str(caught.value).startswith("w.toml: ")
    assert caught.value.exit_code == 3


def test_a_file_above_one_megabyte_is_refused_without_parsing(tmp_path):
    with pytest.raises(InputError, match="too large"):
        load_workload(write(tmp_path, GOOD + "# " + "x" * 1_000_000))


def test_a_folder_and_a_missing_file_are_file_trouble(tmp_path):
    for path in (tmp_path, tmp_path / "none.toml"):
        with pytest.raises(StorageError) as caught:
            load_workload(path)
        assert caught.value.exit_code == 4


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_file_trouble(tmp_path):
    path = write(tmp_path, GOOD)
    path.chmod(0)
    with pytest.raises(StorageError, match="cannot be read"):
        load_workload(path)


def test_an_unreadable_file_says_why(tmp_path, monkeypatch):
    path = write(tmp_path, GOOD)

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(StorageError, match="Permission denied"):
        load_workload(path)


def legal_value(spec):
    if spec.kind == "bool":
        return st.booleans()
    if spec.kind == "choice":
        return st.sampled_from(spec.choices)
    if spec.kind == "int":
        return st.integers(int(spec.low), int(spec.high))
    if spec.kind == "float":
        return st.floats(spec.low, spec.high)
    names = st.text("abcdefghij-.0123456789", min_size=1, max_size=12)
    return names if spec.kind == "str" else st.lists(names, min_size=1, max_size=3).map(tuple)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_saved_workload_reads_back_as_it_was(tmp_path_factory, data):
    optional = data.draw(st.sets(st.sampled_from(FIELDS)))
    needed = {spec for spec in FIELDS if spec.key in {"workload.kind", "workload.model"}}
    inputs = WorkloadInputs.of(
        {spec.key: data.draw(legal_value(spec)) for spec in optional | needed}
    )
    path = tmp_path_factory.mktemp("w") / "w.toml"
    save_workload(path, inputs)
    assert load_workload(path) == inputs


def test_the_text_has_the_sections_in_the_order_of_the_table():
    text = workload_text(load_workload(SAMPLE))
    assert text.startswith("schema = 1")
    assert text.index("[workload]") < text.index("[serving]") < text.index("[constraints]")
