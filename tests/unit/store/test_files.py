from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from kentino_desk.domain.errors import StorageError
from kentino_desk.store.files import write_whole


def test_a_write_replaces_the_old_content_and_leaves_no_other_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_rights_of_any_new_file(tmp_path):
    plain = tmp_path / "plain"
    plain.touch()
    write_whole(tmp_path / "whole", b"x")
    assert stat.S_IMODE((tmp_path / "whole").stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failing_disk_leaves_the_old_file_and_no_rubbish(tmp_path, monkeypatch, step):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def fail(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if step == "fsync" else Path, step, fail)
    with pytest.raises(StorageError, match="No space left"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_as_target_and_a_missing_folder_are_refused(tmp_path):
    with pytest.raises(StorageError, match="is a folder"):
        write_whole(tmp_path, b"x")
    with pytest.raises(StorageError, match="cannot be written"):
        write_whole(tmp_path / "none" / "a.txt", b"x")


def test_a_folder_that_cannot_be_synced_does_not_fail_the_write(tmp_path, monkeypatch):
    real_open = os.open

    def refuse_folders(path, flags, *rest, **options):
        if Path(path).is_dir():
            raise PermissionError
        return real_open(path, flags, *rest, **options)

    monkeypatch.setattr(os, "open", refuse_folders)
    write_whole(tmp_path / "a.txt", b"new")
    assert (tmp_path / "a.txt").read_bytes() == b"new"
