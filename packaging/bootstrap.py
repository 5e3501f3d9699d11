"""Makes the environment in .venv from a lock and says what the system lacks.

Usage: python3 packaging/bootstrap.py run|test

Standard library only; works before anything is installed.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCKS = {name: ROOT / "packaging" / "locks" / f"{name}.txt" for name in ("run", "test")}
ENVIRONMENT = ROOT / ".venv"
STAMP = ENVIRONMENT / "kentino-desk-locks.json"
OLDEST_PYTHON = (3, 11)

ALWAYS_NEEDED = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
}
NEEDED_BY_A_DISPLAY = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


def main(arguments: list[str]) -> int:
    """Prepare the environment named on the command line; 0 if it is ready."""
    if len(arguments) != 1 or arguments[0] not in LOCKS:
        return _fail(f"usage: {Path(__file__).name} {'|'.join(LOCKS)}")
    if sys.version_info < OLDEST_PYTHON:
        return _fail(f"Python 3.11 or later is needed; this is {sys.version.split()[0]}.")
    try:
        _check_system_libraries()
        _prepare(arguments[0])
    except _SetUpError as error:
        return _fail(str(error))
    return 0


class _SetUpError(Exception):
    """Something the reader has to mend; its text says how."""


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 2


def _check_system_libraries() -> None:
    """Qt loads these at run time; without them its import fails with a riddle."""
    if not sys.platform.startswith("linux"):
        return
    needed = ALWAYS_NEEDED | (NEEDED_BY_A_DISPLAY if os.environ.get("DISPLAY") else {})
    missing = [package for library, package in needed.items() if not _can_load(library)]
    if not missing:
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    if not _may_install():
        raise _SetUpError(
            f"Qt needs system libraries that are missing. On Debian or Ubuntu run:\n"
            f"  sudo {' '.join(command)}\n"
            "On other systems install what carries the same libraries, then repeat."
        )
    print(f"Installing the system libraries that Qt needs: {' '.join(missing)}", flush=True)
    _run(["apt-get", "-qq", "update"], "the list of Debian packages could not be read")
    _run(command, "the system libraries could not be installed")


def _can_load(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _may_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def _prepare(name: str) -> None:
    wanted = _fingerprint(name)
    if _python_works() and _stamps().get(name) == wanted:
        return
    if not _python_works():
        _make_environment()
    print(
        f"Installing from packaging/locks/{name}.txt into .venv (about half a minute)", flush=True
    )
    _pip("install", "--require-hashes", "-r", str(LOCKS[name]))
    _pip("install", "--no-deps", "--no-build-isolation", "-e", str(ROOT))
    _write_stamps(name)


def _fingerprint(name: str) -> str:
    """Changes with the lock, with what the package declares, and when the tree is moved."""
    digest = hashlib.sha256(str(ROOT).encode())
    for path in (LOCKS[name], ROOT / "pyproject.toml"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _stamps() -> dict[str, str]:
    try:
        found = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write_stamps(name: str) -> None:
    """The lock of the tests holds that of the program, so it makes both ready."""
    stamps = {name: _fingerprint(name)}
    if name == "test" and _lines("run") <= _lines("test"):
        stamps["run"] = _fingerprint("run")
    STAMP.write_text(json.dumps(stamps), encoding="utf-8")


def _lines(name: str) -> set[str]:
    return set(LOCKS[name].read_text(encoding="utf-8").splitlines())


def _python() -> Path:
    folder = "Scripts" if os.name == "nt" else "bin"
    return ENVIRONMENT / folder / ("python.exe" if os.name == "nt" else "python")


def _python_works() -> bool:
    """False as well where the Python that made the environment has gone, or is too old."""
    test = f"import pip, sys; sys.exit(sys.version_info < {OLDEST_PYTHON})"
    try:
        done = subprocess.run([_python(), "-c", test], check=False)  # noqa: S603 - own command
    except OSError:
        return False
    return done.returncode == 0


def _make_environment() -> None:
    print("Making the environment .venv", flush=True)
    try:
        venv.EnvBuilder(clear=True, with_pip=True).create(ENVIRONMENT)
    except (OSError, subprocess.CalledProcessError) as error:
        raise _SetUpError(
            f"The environment {ENVIRONMENT} cannot be made: {error}\n"
            "On Debian or Ubuntu this needs: sudo apt-get install python3-venv"
        ) from error


def _pip(*arguments: str) -> None:
    options = ["--disable-pip-version-check", "-qq", "--no-input"]
    _run(
        [str(_python()), "-m", "pip", *options, *arguments],
        "the packages could not be installed; is there a network, and a proxy to be named?",
    )


def _run(command: list[str], problem: str) -> None:
    try:
        subprocess.run(command, check=True)  # noqa: S603 - own commands
    except (OSError, subprocess.CalledProcessError) as error:
        raise _SetUpError(f"{problem}\n  ({' '.join(command)}: {error})") from error


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
