"""Columns give, row by row, what the inputs of one candidate give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kentino_desk.catalog.snapshot import load_snapshot
from kentino_desk.domain.choices import Checkpointing, Engine, Format, Host, Kind, Loss, Optimizer
from kentino_desk.engine.card_inputs import supports
from kentino_desk.engine.columns import Axis, Part, columns_of, combinations
from kentino_desk.engine.serving_inputs import (
    ServingLayout,
    ServingSetup,
    serving_columns,
    serving_inputs,
)
from kentino_desk.engine.training_inputs import (
    BEST,
    HIGH,
    LOW,
    Recipe,
    TrainingLayout,
    training_columns,
    training_inputs,
)

SNAPSHOT = load_snapshot()
MODELS = sorted(card.id for card in SNAPSHOT.models.values() if card.can_be_sized)
GPUS = [gpu for gpu in SNAPSHOT.gpus.values() if supports(gpu, Format.BF16)]
FABRICS = [None, *SNAPSHOT.fabrics.values()]
DEGREES = st.sampled_from([1, 2, 4, 8])

serving_layouts = st.builds(
    ServingLayout,
    gpu=st.sampled_from(GPUS),
    weights=st.sampled_from([item for item in Format if item is not Format.AUTO]),
    kv_cache=st.sampled_from([Format.BF16, Format.FP8]),
    tp=DEGREES,
    pp=DEGREES,
    dp_attention=st.sampled_from([1, 2]),
    nvlink=st.booleans(),
    fabric=st.sampled_from(FABRICS),
    nics_per_node=st.sampled_from([1, 4]),
)
training_layouts = st.builds(
    TrainingLayout,
    gpu=st.sampled_from(GPUS),
    tp=DEGREES,
    pp=DEGREES,
    dp=st.sampled_from([1, 2, 8, 64]),
    gpus_per_node=st.sampled_from([4, 8]),
    nodes=DEGREES,
    nvlink=st.booleans(),
    fabric=st.sampled_from(FABRICS),
    nics_per_node=st.sampled_from([1, 4]),
    ep=DEGREES,
    cp=DEGREES,
)
setups = st.builds(
    ServingSetup,
    engine=st.sampled_from(Engine),
    release=st.sampled_from(["0.30", "0.8", "0.6"]),
    max_num_seqs=st.sampled_from([None, 64]),
    context_parallel=st.sampled_from([1, 2]),
    utilisation=st.just(0.92),
    host=st.sampled_from(Host),
    draft_tokens=st.sampled_from([0, 2]),
)
recipes = st.builds(
    Recipe,
    kind=st.sampled_from([Kind.FULL, Kind.LORA, Kind.QLORA, Kind.PRETRAIN]),
    weights=st.sampled_from([Format.AUTO, Format.FP8]),
    optimizer=st.sampled_from(Optimizer),
    checkpointing=st.sampled_from(Checkpointing),
    loss=st.sampled_from(Loss),
    packing_fill=st.sampled_from([0.5, 1.0]),
    stack=st.sampled_from(["torchtitan", "megatron", "peft"]),
    lora_rank=st.just(16),
    host=st.sampled_from(Host),
)


def axes_of(layouts, fields):
    return {name: Axis.of(getattr(layout, name) for layout in layouts) for name in fields}


def same(columns, rows):
    assert columns.keys() == rows[0].keys()
    for name, column in columns.items():
        spread = np.broadcast_to(column, len(rows)).tolist()
        assert spread == [row[name] for row in rows], name


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(MODELS), st.lists(serving_layouts, min_size=1, max_size=8), setups)
def test_serving_columns_are_the_inputs_of_every_layout(model, layouts, setup):
    card = SNAPSHOT.models[model]
    columns = serving_columns(card, axes_of(layouts, ServingLayout.__dataclass_fields__), setup)
    same(columns, [serving_inputs(card, layout, setup) for layout in layouts])


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(MODELS),
    st.lists(training_layouts, min_size=1, max_size=8),
    recipes,
    st.sampled_from([LOW, BEST, HIGH]),
)
def test_training_columns_are_the_inputs_of_every_layout(model, layouts, recipe, side):
    card = SNAPSHOT.models[model]
    axes = axes_of(layouts, TrainingLayout.__dataclass_fields__)
    same(
        training_columns(card, recipe, axes, side),
        [training_inputs(card, recipe, layout, side) for layout in layouts],
    )


def test_a_function_of_inputs_is_asked_once_per_combination_that_occurs():
    asked = []

    def inputs_of(_part, values):
        asked.append((values["a"], values["b"]))
        return {"sum": float(values["a"] + values["b"])}

    axes = {"a": Axis.of([1, 2, 1, 1]), "b": Axis.of([10, 20, 10, 20])}
    columns = columns_of((Part(("a", "b"), inputs_of),), axes, inputs_of)
    assert columns["sum"].tolist() == [11.0, 22.0, 11.0, 21.0]
    assert sorted(asked) == [(1, 10), (1, 20), (2, 20)]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20))
def test_combinations_lead_back_to_every_row(pairs):
    values, places = combinations([Axis.of(a for a, _ in pairs), Axis.of(b for _, b in pairs)])
    assert [values[place] for place in places] == pairs
    assert len(set(values)) == len(values)


def test_a_later_part_wins_as_in_the_inputs_of_one_candidate():
    parts = (Part((), lambda: {"x": 1.0}), Part(("a",), lambda: {"x": 2.0}))
    columns = columns_of(parts, {"a": Axis.of([0, 0])}, lambda part, _values: part.inputs())
    assert columns == {"x": pytest.approx(2.0)}
