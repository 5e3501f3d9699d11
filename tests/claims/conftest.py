"""Claims are judged once a run; their count stands at the end of the output of the tests."""

from __future__ import annotations

import pytest

from kentino_desk.claims.desk import Desk
from kentino_desk.claims.register import counts_in_words, judged_claims

_COUNTED = pytest.StashKey()


@pytest.fixture(scope="session")
def judged(request):
    found = judged_claims(Desk.shipped())
    request.config.stash[_COUNTED] = counts_in_words(found)
    return found


def pytest_terminal_summary(terminalreporter, config):
    if _COUNTED in config.stash:
        terminalreporter.write_line(f"{config.stash[_COUNTED]} (docs/claims.md)")
