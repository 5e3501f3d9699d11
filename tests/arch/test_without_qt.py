"""Everything below the window works where no window can be made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample" / "sample-chat.toml"
NO_WINDOW = """
import sys

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
"""
IMPORT_ALL = """
import importlib, pkgutil
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
SAMPLE_TO_PAPER = """
from pathlib import Path
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.assess import assess
from kentino_desk.report.proposal import write_proposal
from kentino_desk.store.workload_file import load_workload

snapshot = load_snapshot()
assessment = assess(load_workload(Path(sys.argv[1])), snapshot)
write_proposal(assessment, snapshot, Path(sys.argv[2]), "cs")
print(assessment.verdict.outcome)
"""


def without_qt(program: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", NO_WINDOW + program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_everything_below_the_window_imports_without_qt() -> None:
    assert int(without_qt(IMPORT_ALL)) > 40


def test_the_sample_is_evaluated_and_printed_without_qt(tmp_path: Path) -> None:
    path = tmp_path / "sample.pdf"
    assert without_qt(SAMPLE_TO_PAPER, str(SAMPLE), str(path)).strip() == "ONE_NODE"
    assert path.read_bytes().startswith(b"%PDF")
