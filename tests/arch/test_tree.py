from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "kentino_desk"
SKIPPED_FOLDERS = {".git", ".venv", "build", "dist", "__pycache__", ".hypothesis"}
SKIPPED_ENDS = ("_cache", ".egg-info")
REGISTRY_HOSTS = [
    ".".join(parts).encode()
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("crates", "io"),
        ("anaconda", "org"),
        ("rubygems", "org"),
        ("ghcr", "io"),
        ("docker", "io"),
        ("quay", "io"),
    )
]
MODULES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES_OF_A_MODULE = 700
MOST_LINES_OF_A_FUNCTION = 80


def _is_ours(path: Path) -> bool:
    folders = path.relative_to(ROOT).parts[:-1]
    return not any(part in SKIPPED_FOLDERS or part.endswith(SKIPPED_ENDS) for part in folders)


def _files() -> list[Path]:
    return [path for path in ROOT.rglob("*") if path.is_file() and _is_ours(path)]


def _body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = function.body[0]
    has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    start = first.end_lineno if has_docstring else first.lineno - 1
    return (function.end_lineno or 0) - (start or 0)


def test_no_file_names_the_host_of_a_package_registry() -> None:
    files = _files()
    assert ROOT / "pyproject.toml" in files
    found = [
        f"{path.relative_to(ROOT)}: {host.decode()}"
        for path in files
        for host in REGISTRY_HOSTS
        if host in path.read_bytes()
    ]
    assert found == []


def test_every_module_has_a_job() -> None:
    jobless = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert [path for path in MODULES if path.stem in jobless or path.parent.name in jobless] == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_stay_small(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= MOST_LINES_OF_A_MODULE
    long = [
        f"{node.name}: {_body_lines(node)} lines"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and _body_lines(node) > MOST_LINES_OF_A_FUNCTION
    ]
    assert long == []


def test_no_uv_lock_is_kept_since_it_carries_addresses() -> None:
    assert not (ROOT / "uv.lock").exists()
