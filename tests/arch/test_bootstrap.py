from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "packaging" / "bootstrap.py"


@pytest.fixture
def bootstrap() -> Any:
    spec = importlib.util.spec_from_file_location("bootstrap_under_test", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_unknown_environment_is_a_usage_error(
    bootstrap: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bootstrap.main(["dance"]) == 2
    assert "usage" in capsys.readouterr().err


def test_missing_libraries_are_named_with_the_command_that_brings_them(
    bootstrap: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap.sys, "platform", "linux")
    monkeypatch.setattr(bootstrap, "_can_load", lambda name: name != "libEGL.so.1")
    monkeypatch.setattr(bootstrap, "_may_install", lambda: False)
    assert bootstrap.main(["run"]) == 2
    said = capsys.readouterr().err
    assert "sudo apt-get install -y --no-install-recommends libegl1\n" in said


def test_a_display_asks_for_more_libraries_than_none(
    bootstrap: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap.sys, "platform", "linux")
    monkeypatch.setattr(bootstrap, "_can_load", lambda _name: False)
    monkeypatch.setattr(bootstrap, "_may_install", lambda: False)
    monkeypatch.setenv("DISPLAY", ":0")
    bootstrap.main(["run"])
    assert "libxcb-cursor0" in capsys.readouterr().err
    monkeypatch.delenv("DISPLAY")
    bootstrap.main(["run"])
    assert "libxcb-cursor0" not in capsys.readouterr().err


def test_an_old_python_is_said_before_anything_is_made(
    bootstrap: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "OLDEST_PYTHON", (99, 0))
    assert bootstrap.main(["run"]) == 2
    assert "3.11 or later" in capsys.readouterr().err


def test_the_environment_is_made_anew_only_when_the_lock_changed(
    bootstrap: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed: list[tuple[str, ...]] = []
    lock = tmp_path / "run.txt"
    lock.write_text("one==1\n", encoding="utf-8")
    monkeypatch.setattr(bootstrap, "LOCKS", {"run": lock})
    monkeypatch.setattr(bootstrap, "STAMP", tmp_path / "stamp.json")
    monkeypatch.setattr(bootstrap, "_check_system_libraries", lambda: None)
    monkeypatch.setattr(bootstrap, "_python_works", lambda: True)
    monkeypatch.setattr(bootstrap, "_pip", lambda *words: installed.append(words))
    assert bootstrap.main(["run"]) == 0
    assert len(installed) == 2
    assert "--require-hashes" in installed[0]
    assert bootstrap.main(["run"]) == 0
    assert len(installed) == 2
    lock.write_text("one==2\n", encoding="utf-8")
    assert bootstrap.main(["run"]) == 0
    assert len(installed) == 4


def test_the_lock_of_the_tests_holds_that_of_the_program(bootstrap: Any) -> None:
    assert bootstrap._lines("run") <= bootstrap._lines("test")


def test_locks_carry_hashes_and_no_address(bootstrap: Any) -> None:
    for lock in bootstrap.LOCKS.values():
        content = lock.read_text(encoding="utf-8")
        assert "--hash=sha256:" in content
        assert "://" not in content
