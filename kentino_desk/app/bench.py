"""``make bench``: how fast the promises are kept; results as JSON under ``build/``.

Times are percentiles over many runs on this machine, never a test.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from kentino_desk.app.bench_search import search_figures
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.assess import assess
from kentino_desk.decision.decision_map import COARSE, map_of
from kentino_desk.decision.outlook import outlook_of
from kentino_desk.store.workload_file import load_workload

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import WorkloadInputs
    from kentino_desk.ui.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "resources" / "sample" / "sample-chat.toml"
RESULT = ROOT / "build" / "bench.json"
SCREEN = (1920, 1080)
RUNS, KEYS = 60, 60
LIMITS = {
    "evaluate_ms_p95": 8.0,
    "keystroke_ms_p95": 20.0,
    "evaluate_full_ms_p95": 60.0,
    "map_ms": 150.0,
    "map_coarse_ms": 30.0,
    "start_s": 1.2,
    "pdf_s": 2.0,
    "search_ms": 250.0,
    "compare_ms": 16.0,
    "search_20000_mb": 250.0,
    "search_growth": 1.25,
}
"""Largest values that keep the promises.

Growth is the cost of one candidate among 100,000 over that of one among 10,000.
"""
LEAST = {
    "search_candidates": 20_000,
    "estimates_per_s": 100_000,
    "training_layouts_per_s": 50_000,
}
"""Smallest values that keep them."""
FORTY = {
    "workload.weights": "fp8",
    "workload.kv_cache": "bf16",
    "constraints.gpus": ("rtx-pro-6000-bw-server", "rtx-5090", "l40s", "l4"),
    "constraints.own_builds_only": True,
    "constraints.nodes_max": 1,
}
"""Changes to the sample that leave about forty candidates."""


def percentile(values: list[float], share: float) -> float:
    """The value that a share of the runs stays under."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def timed(work: Callable[[int], object], runs: int) -> list[float]:
    """Milliseconds of each run; ``work`` gets the number of the run."""
    times = []
    for run in range(runs):
        start = time.perf_counter()
        work(run)
        times.append((time.perf_counter() - start) * 1e3)
    return times


def _evaluation(inputs: WorkloadInputs, snapshot: CatalogSnapshot, name: str) -> dict[str, float]:
    """One changed number at a time: the users, and the reuse of prompts, which moves every load."""
    count = len(assess(inputs, snapshot).candidates)
    users = timed(
        lambda run: assess(inputs.with_value("serving.concurrent_users", 20 + run % 40), snapshot),
        RUNS,
    )
    reuse = timed(
        lambda run: assess(inputs.with_value("serving.prompt_reuse", 0.2 + run / 100), snapshot),
        RUNS,
    )
    return {
        f"{name}_candidates": count,
        f"{name}_ms_p50": statistics.median(users),
        f"{name}_ms_p95": percentile(users, 0.95),
        f"{name}_reuse_ms_p50": statistics.median(reuse),
        f"{name}_reuse_ms_p95": percentile(reuse, 0.95),
    }


def _evaluations(snapshot: CatalogSnapshot) -> dict[str, float]:
    whole = load_workload(SAMPLE)
    forty = whole
    for key, value in FORTY.items():
        forty = forty.with_value(key, value)  # type: ignore[arg-type]
    return _evaluation(forty, snapshot, "evaluate") | _evaluation(whole, snapshot, "evaluate_whole")


def _after_the_verdict(snapshot: CatalogSnapshot) -> dict[str, float]:
    """Verdict with flips and confidence, and the maps, of the sample."""
    inputs = load_workload(SAMPLE)

    def full(run: int) -> None:
        users = inputs.with_value("serving.concurrent_users", 20 + run % 40)
        outlook_of(assess(users, snapshot))

    full(0)
    assessment = assess(inputs, snapshot)
    coarse = timed(lambda _run: map_of(assessment, count=COARSE), 10)
    fine = timed(lambda _run: map_of(assessment), 10)
    return {
        "evaluate_full_ms_p95": percentile(timed(full, 20), 0.95),
        "map_coarse_ms": statistics.median(coarse),
        "map_ms": statistics.median(fine),
    }


def _keystrokes() -> dict[str, float]:
    """From a change of the users field to painted charts, in a window of 1920 by 1080."""
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415 - offscreen is set before

    from kentino_desk.session.actions import SetField  # noqa: PLC0415 - the same
    from kentino_desk.ui.start import (  # noqa: PLC0415 - the same
        make_application,
        make_services,
        make_window,
    )

    make_application()
    with tempfile.TemporaryDirectory() as folder:
        window = make_window(make_services(Path(folder)), SAMPLE)
        window.resize(*SCREEN)
        window.show()
        QApplication.processEvents()

        def press(run: int) -> None:
            window.bridge.dispatch(SetField("serving.concurrent_users", str(20 + run % 40)))
            QApplication.processEvents()

        timed(press, 5)
        times = timed(press, KEYS)
        compared = _comparison(window)
        window.close()
        QApplication.processEvents()
    return {
        "compare_ms": statistics.median(compared),
        "compare_ms_p95": percentile(compared, 0.95),
        "keystroke_ms_p50": statistics.median(times),
        "keystroke_ms_p95": percentile(times, 0.95),
    }


def _comparison(window: MainWindow) -> list[float]:
    """From a pin to the painted comparison: five builds, and four of them, by turns."""
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415 - offscreen is set before

    from kentino_desk.session.actions import PinCandidate, ShowScreen  # noqa: PLC0415 - the same
    from kentino_desk.session.state import Screen  # noqa: PLC0415 - the same

    window.bridge.dispatch(ShowScreen(Screen.COMPARE))
    window.compare.pin_best.click()
    last = window.bridge.session.state.pins[-1]

    def pin(_run: int) -> None:
        window.bridge.dispatch(PinCandidate(last))
        QApplication.processEvents()

    timed(pin, 6)
    return timed(pin, KEYS)


_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
_START = (
    "import sys, time\n"
    "from pathlib import Path\n"
    "from PySide6.QtWidgets import QApplication\n"
    "from kentino_desk.ui.start import make_application, make_services, make_window\n"
    "make_application()\n"
    "window = make_window(make_services(Path(sys.argv[1])), Path(sys.argv[2]))\n"
    "window.resize(1440, 900)\n"
    "window.show()\n"
    "QApplication.processEvents()\n"
)


def _start() -> dict[str, float]:
    """Process start to first paint, the median of five.

    The first start writes bytecode, as an installation has it, and does not count.
    """
    times = []
    surroundings = {key: value for key, value in os.environ.items() if key != _NO_BYTECODE}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(6):
            start = time.perf_counter()
            subprocess.run(  # noqa: S603 - our own interpreter and text
                [sys.executable, "-c", _START, folder, str(SAMPLE)],
                check=True,
                capture_output=True,
                env=surroundings,
            )
            times.append(time.perf_counter() - start)
    return {"start_s": statistics.median(times[1:])}


def _paper(snapshot: CatalogSnapshot) -> dict[str, float]:
    from kentino_desk.report.proposal import write_proposal  # noqa: PLC0415 - slow to import

    assessment = assess(load_workload(SAMPLE), snapshot)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.pdf"
        times = timed(lambda _run: write_proposal(assessment, snapshot, path, "cs"), 5)
    return {"pdf_s": statistics.median(times) / 1e3, "pdf_first_s": times[0] / 1e3}


def main() -> None:
    """Run everything, write the JSON and print it."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    snapshot = load_snapshot()
    figures = search_figures(load_workload(SAMPLE), snapshot)
    figures |= (
        _evaluations(snapshot)
        | _after_the_verdict(snapshot)
        | _paper(snapshot)
        | _start()
        | _keystrokes()
    )
    kept = {name: figures[name] <= limit for name, limit in LIMITS.items()}
    kept |= {name: figures[name] >= limit for name, limit in LEAST.items()}
    document = {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "figures": {name: round(value, 3) for name, value in figures.items()},
        "limits": LIMITS,
        "least": LEAST,
        "kept": kept,
    }
    RESULT.parent.mkdir(exist_ok=True)
    text = json.dumps(document, indent=1)
    RESULT.write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
