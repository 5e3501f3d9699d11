from __future__ import annotations

import subprocess
import sys

IMPORT_ALL = """
import importlib, pkgutil, sys

class NoWindow:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "pyqtgraph"}:
            raise ImportError(f"{name} is not here")
        return None

sys.meta_path.insert(0, NoWindow())
try:
    import PySide6
except ImportError:
    pass
else:
    sys.exit("the hook does not work")

import kentino_desk

above = ("kentino_desk.ui", "kentino_desk.app")
names = [
    item.name
    for item in pkgutil.walk_packages(kentino_desk.__path__, "kentino_desk.", lambda name: None)
    if not item.name.startswith(above)
]
for name in names:
    importlib.import_module(name)
print(len(names))
"""


def test_everything_below_the_window_imports_without_qt() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_ALL],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 40
