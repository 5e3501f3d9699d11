from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.decision.assess import assess
from kentino_desk.domain.workload_reading import read_workload

CASES = Path(__file__).resolve().parents[2] / "worked_cases"


@pytest.fixture(scope="session")
def snapshot():
    return load_snapshot()


@pytest.fixture(scope="session")
def case_inputs():
    def read(case, **changes):
        inputs = read_workload(tomllib.loads((CASES / f"{case}.toml").read_text(encoding="utf-8")))
        for key, value in changes.items():
            inputs = inputs.with_value(key.replace("__", "."), value)
        return inputs

    return read


@pytest.fixture(scope="session")
def assessed(snapshot, case_inputs):
    def run(case, **changes):
        return assess(case_inputs(case, **changes), snapshot)

    return run
