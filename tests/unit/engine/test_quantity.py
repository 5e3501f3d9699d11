from __future__ import annotations

import re

import pytest

from kentino_desk.domain.choices import Evidence
from kentino_desk.engine.input_titles import INPUT_TITLES
from kentino_desk.engine.policy import CONSTANTS
from kentino_desk.engine.quantity import (
    REGISTRY,
    affected_steps,
    compute,
    plan_for,
    quantity,
    rerun,
    run,
)


def test_a_plan_calls_only_what_the_answer_needs():
    plan = plan_for(("weight_share",), frozenset({"weight_bytes", "card_bytes", "tp"}))
    assert [step.name for step in plan.steps] == ["weight_share"]
    assert plan.inputs == {"weight_bytes", "card_bytes"}


def test_an_unknown_name_is_refused_with_the_way_to_it():
    with pytest.raises(KeyError, match="weight_share"):
        plan_for(("weight_share",), frozenset({"card_bytes"}))


def test_a_name_can_be_defined_only_once():
    with pytest.raises(ValueError, match="twice"):

        @quantity(title="t", unit="B", symbol="x", source="s")
        def weight_share(weight_bytes):
            """One sentence.

            x = y
            """
            return weight_bytes


def test_a_quantity_without_an_equation_is_refused():
    with pytest.raises(ValueError, match="sentence and an equation"):

        @quantity(title="t", unit="B", symbol="x", source="s")
        def no_equation_here(weight_bytes):
            """One sentence only."""
            return weight_bytes


def test_a_rerun_equals_a_run_with_the_changed_inputs():
    inputs = {"weight_bytes": 3.0, "card_bytes": 6.0}
    plan = plan_for(("weight_share",), frozenset(inputs))
    values = run(plan, inputs)
    rerun(plan, values, {"weight_bytes": 1.5})
    assert (
        values["weight_share"]
        == compute(("weight_share",), inputs | {"weight_bytes": 1.5})["weight_share"]
    )


def test_only_what_depends_on_a_change_is_computed_again():
    given = frozenset(
        {"weight_bytes", "card_bytes", "kv_need_bytes", "activation_bytes", "overhead_bytes"}
    )
    plan = plan_for(("weight_share", "used_bytes"), given)
    names = [step.name for step in affected_steps(plan, frozenset({"card_bytes"}))]
    assert names == ["weight_share"]


def test_every_parameter_of_every_quantity_is_a_quantity_a_constant_or_a_titled_input():
    known = REGISTRY.keys() | CONSTANTS.keys() | INPUT_TITLES.keys()
    unknown = {
        f"{item.name}: {parameter}"
        for item in REGISTRY.values()
        for parameter in item.parameters
        if parameter not in known
    }
    assert unknown == set()


def test_every_constant_lies_inside_its_range_and_names_its_source():
    for item in CONSTANTS.values():
        assert item.low <= item.value <= item.high, item.name
        assert item.source, item.name
        assert item.title, item.name


def test_every_measured_constant_names_how_many_rows_it_was_fitted_on_and_their_spread():
    for item in CONSTANTS.values():
        if item.evidence is Evidence.MEASURED:
            assert re.search(r"\d+[^.]* rows", item.source), item.name
            assert item.low < item.high, item.name
