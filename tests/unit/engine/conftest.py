from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kentino_desk.catalog.measured_models import shapes
from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.choices import Engine, Format, Host
from kentino_desk.engine import policy
from kentino_desk.engine.quantity import compute
from kentino_desk.engine.serving_inputs import ServingLayout, ServingSetup, serving_inputs

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot

BASIS = {
    "users_per_copy": 1.0,
    "input_tokens": 1024.0,
    "output_tokens": 1024.0,
    "prompt_reuse": 0.0,
    "context_tokens": 2048.0,
    "replicas": 1.0,
}


@pytest.fixture(scope="session")
def snapshot() -> CatalogSnapshot:
    return load_snapshot()


@pytest.fixture(scope="session")
def model_named(snapshot: CatalogSnapshot) -> Callable[[str], ModelCard]:
    def find(name: str) -> ModelCard:
        return shapes()[name] if name in shapes() else snapshot.models[name]

    return find


@pytest.fixture(scope="session")
def serve(snapshot, model_named):
    """Quantities of one serving candidate, as plain numbers by name."""

    def run(model, gpu, weights, kv="bf16", tp=1, wanted=(), **given):
        card = snapshot.gpus[gpu]
        if "card_gib" in given:
            mib = given.pop("card_gib") * 1024.0
            card = replace(card, memory_mib=mib, memory_is_engine_view=True)
        setup = ServingSetup(
            engine=Engine(given.pop("engine", "vllm")),
            release=given.pop("release", "0.30"),
            max_num_seqs=given.pop("seqs", None),
            utilisation=given.pop("utilisation", None),
            host=Host.DEFAULT,
        )
        layout = ServingLayout(
            gpu=card, weights=Format(weights), kv_cache=Format(kv), tp=tp,
            pp=given.pop("pp", 1), nvlink=card.has_nvlink,
        )  # fmt: skip
        inputs = serving_inputs(model_named(model), layout, setup) | policy.values() | BASIS
        values = compute(wanted, inputs | given)
        return {name: float(values[name]) for name in wanted}

    return run
