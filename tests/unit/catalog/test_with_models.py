from __future__ import annotations

from dataclasses import replace

import pytest

from kentino_desk.catalog.snapshot import load_snapshot, with_models
from kentino_desk.domain.errors import InputError

SNAPSHOT = load_snapshot()
CARD = replace(SNAPSHOT.models["llama-3.1-8b"], id="acme-8b")


def test_own_models_stand_on_top_of_the_shipped_ones() -> None:
    count = len(SNAPSHOT.models)
    own = with_models(SNAPSHOT, (CARD,))
    assert own.model("acme-8b") is CARD
    assert len(own.models) == count + 1
    assert len(SNAPSHOT.models) == count
    assert own.gpus is SNAPSHOT.gpus


def test_the_hash_tells_a_snapshot_with_own_models_from_the_shipped_one() -> None:
    own = with_models(SNAPSHOT, (CARD,))
    other = with_models(SNAPSHOT, (replace(CARD, params_total=CARD.params_total + 1),))
    assert len({SNAPSHOT.content_hash, own.content_hash, other.content_hash}) == 3
    assert with_models(SNAPSHOT, (CARD,)).content_hash == own.content_hash
    assert with_models(SNAPSHOT, ()) is SNAPSHOT


def test_an_id_that_the_catalog_has_is_refused() -> None:
    with pytest.raises(InputError, match=r"llama-3\.1-8b.*already"):
        with_models(SNAPSHOT, (SNAPSHOT.models["llama-3.1-8b"],))
    with pytest.raises(InputError, match="acme-8b"):
        with_models(SNAPSHOT, (CARD, CARD))
