from __future__ import annotations

import pytest

from kentino_desk.domain.errors import InputError, StorageError
from kentino_desk.domain.workload import WorkloadInputs
from kentino_desk.store.last_state import load_last, save_last

INPUTS = WorkloadInputs.of({"workload.kind": "chat", "workload.model": "llama-3.1-8b"})


def test_nothing_was_open_before_the_first_start(tmp_path):
    assert load_last(tmp_path / "none") is None


def test_the_last_workload_comes_back(tmp_path):
    save_last(tmp_path / "new" / "folder", INPUTS)
    assert load_last(tmp_path / "new" / "folder") == INPUTS


def test_a_damaged_file_is_kept_aside_and_told_once(tmp_path):
    (tmp_path / "last.toml").write_bytes(b"\0\0")
    with pytest.raises(InputError, match=r"kept as last\.toml\.bad"):
        load_last(tmp_path)
    assert (tmp_path / "last.toml.bad").read_bytes() == b"\0\0"
    assert load_last(tmp_path) is None


def test_a_file_where_the_folder_should_be_is_file_trouble(tmp_path):
    (tmp_path / "x").touch()
    with pytest.raises(StorageError):
        save_last(tmp_path / "x", INPUTS)
