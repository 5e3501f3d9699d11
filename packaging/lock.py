"""Resolves pyproject.toml into packaging/locks/run.txt and test.txt.

The locks carry versions and hashes and no address, so that they work with any mirror.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = {"run": ("build",), "test": ("build", "test")}


def main() -> int:
    """Write both locks; 0 if that went well."""
    uv = shutil.which("uv")
    if uv is None:
        print("make lock needs uv: python3 -m pip install uv, then repeat.", file=sys.stderr)
        return 2
    return max(_lock(uv, name, extras) for name, extras in EXTRAS.items())


def _lock(uv: str, name: str, extras: tuple[str, ...]) -> int:
    command = [uv, "pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.11"]
    command += ["--generate-hashes", "--no-emit-index-url", "--no-annotate", "--no-header"]
    command += [part for extra in extras for part in ("--extra", extra)]
    command += ["--quiet", "--output-file", f"packaging/locks/{name}.txt"]
    return subprocess.run(command, cwd=ROOT, check=False).returncode  # noqa: S603 - own command


if __name__ == "__main__":
    sys.exit(main())
