"""The rows of a comparison: what each says of a build, and which end of it is the better one."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from kentino_desk.decision.running_cost import cost_of_years, energy_cost
from kentino_desk.domain.choices import Fabric, Grade, Kind
from kentino_desk.present.counted import counted, measured, power
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import carried, load_unit, value_of
from kentino_desk.present.numbers import NOTHING, numbers
from kentino_desk.present.site import site_of
from kentino_desk.present.terms import FABRIC_WORDS, copies, format_names, grade_word, layout_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.domain.money import Money
    from kentino_desk.domain.workload import Workload

    Say = Callable[[Assessment, CandidateResult, str], str]
    Value = Callable[[Assessment, CandidateResult], float | None]
    Cost = Callable[[CandidateResult, Workload], Money | None]

LESS, MORE = -1, 1
"""Which end of a row is the better one; 0 for neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSpec:
    """One row: name, how it reads, the number behind it, and which end is better."""

    name: str
    say: Say
    value: Value | None = None
    better: int = 0
    why: str = ""
    wish: str = ""
    """Figure whose target stands in the name and colours the misses."""
    prices: bool = False
    shows_difference: bool = False
    shows_grade: bool = False


def _figure(key: str, unit: str) -> Say:
    def say(_: Assessment, result: CandidateResult, language: str) -> str:
        return measured(value_of(result, key), unit, language)

    return say


def _number(key: str) -> Value:
    return lambda _assessment, result: value_of(result, key)


def _grade(assessment: Assessment, result: CandidateResult, language: str) -> str:
    del assessment
    return grade_word(result, text(language))


def _grade_number(_: Assessment, result: CandidateResult) -> float:
    """The grade as a number; one that may be tight stands below its word."""
    return float(result.grade) if not result.may_be_tight else Grade.FITS - 0.5


def _layout(assessment: Assessment, result: CandidateResult, language: str) -> str:
    layout = layout_name(result.candidate)
    if not assessment.workload.kind.is_serving:
        return layout
    return f"{layout}, {copies(result.candidate, text(language))}"


def _formats(assessment: Assessment, result: CandidateResult, language: str) -> str:
    serving = assessment.workload.kind.is_serving
    return format_names(result.candidate, text(language), serving=serving)


def _memory(_: Assessment, result: CandidateResult, language: str) -> str:
    shown = numbers(language)
    used, room = value_of(result, "used_gib"), value_of(result, "capacity_gib")
    return text(language).gettext(
        "{used} of {capacity}",
        used=shown.value(used, "GiB"),
        capacity=shown.figure(room, "GiB"),
    )


def _weights_share(_: Assessment, result: CandidateResult) -> float | None:
    weights, room = value_of(result, "weights_gib"), value_of(result, "capacity_gib")
    return None if weights is None or not room else weights / room


def _say_share(assessment: Assessment, result: CandidateResult, language: str) -> str:
    return numbers(language).figure(_weights_share(assessment, result), "share")


def _carried(_: Assessment, result: CandidateResult) -> float:
    return carried(result)


def _say_carried(assessment: Assessment, result: CandidateResult, language: str) -> str:
    unit = load_unit(assessment) or "tok/s"
    return measured(carried(result), unit, language)


def _link(_: Assessment, result: CandidateResult, language: str) -> str:
    words, build = text(language), result.candidate.build
    inside = "NVLink" if build.node.nvlink else "PCIe" if build.node.gpu_count > 1 else NOTHING
    if build.nodes == 1 or build.fabric is Fabric.NONE:
        return inside
    fabric = words.gettext(FABRIC_WORDS[build.fabric])
    return words.gettext("{inside}, then {fabric}", inside=inside, fabric=fabric)


def _gpus(_: Assessment, result: CandidateResult) -> float:
    return float(result.candidate.build.gpus)


def _say_gpus(_: Assessment, result: CandidateResult, language: str) -> str:
    return counted(result.candidate.build.gpus, "GPUs", language)


def _say_power(_: Assessment, result: CandidateResult, language: str) -> str:
    return power(value_of(result, "power_max_w"), language)


def _rack(_: Assessment, result: CandidateResult) -> float | None:
    units = site_of(result).rack_u
    return None if units is None else float(units)


def _say_rack(assessment: Assessment, result: CandidateResult, language: str) -> str:
    units = _rack(assessment, result)
    nodes = counted(result.candidate.build.nodes, "nodes", language)
    return NOTHING if units is None else f"{numbers(language).figure(units, 'U')}, {nodes}"


def _price(_: Assessment, result: CandidateResult) -> float | None:
    return None if result.price is None else float(result.price.amount)


def _say_price(_: Assessment, result: CandidateResult, language: str) -> str:
    if result.candidate.build.is_customer:
        return text(language).gettext("nothing to pay")
    return numbers(language).rounded_money(result.price) if result.price else NOTHING


def _energy(_: Assessment, result: CandidateResult) -> float | None:
    energy_kwh = value_of(result, "energy_kwh_per_year")
    return None if energy_kwh is None else energy_kwh / 1e3


def _say_energy(assessment: Assessment, result: CandidateResult, language: str) -> str:
    return numbers(language).figure(_energy(assessment, result), "MWh")


def _amount(find: Cost) -> Value:
    def value(assessment: Assessment, result: CandidateResult) -> float | None:
        cost = find(result, assessment.workload)
        return None if cost is None else float(cost.amount)

    return value


def _say_amount(find: Cost) -> Say:
    def say(assessment: Assessment, result: CandidateResult, language: str) -> str:
        cost = find(result, assessment.workload)
        return numbers(language).rounded_money(cost) if cost else NOTHING

    return say


def _price_per_load(assessment: Assessment, result: CandidateResult) -> float | None:
    price, held = _price(assessment, result), carried(result)
    return None if price is None or not isfinite(held) or held <= 0 else price / held


def _say_price_per_load(assessment: Assessment, result: CandidateResult, language: str) -> str:
    value = _price_per_load(assessment, result)
    if value is None or result.price is None:
        return NOTHING
    currency = numbers(language).currency(result.price.currency)
    return f"{numbers(language).value(value, 'EUR')}\u00a0{currency}"


FIT = (
    RowSpec(
        name=later("Memory grade"),
        say=_grade,
        value=_grade_number,
        better=MORE,
        why="used_gib",
        shows_grade=True,
    ),
    RowSpec(name=later("Layout"), say=_layout),
    RowSpec(name=later("Formats"), say=_formats),
    RowSpec(name=later("Memory per GPU"), say=_memory, why="used_gib"),
    RowSpec(
        name=later("Weights, share of memory"),
        say=_say_share,
        value=_weights_share,
        better=LESS,
        why="weights_gib",
    ),
)
CHAT_SPEED = (
    RowSpec(
        name=later("Speed per user"),
        say=_figure("tokens_per_s_per_user", "tok/s"),
        value=_number("tokens_per_s_per_user"),
        better=MORE,
        why="tokens_per_s_per_user",
        wish="tokens_per_s_per_user",
    ),
    RowSpec(
        name=later("First word"),
        say=_figure("ttft_s", "s"),
        value=_number("ttft_s"),
        better=LESS,
        why="ttft_s",
        wish="ttft_s",
    ),
    RowSpec(
        name=later("All users"),
        say=_figure("tokens_per_s_total", "tok/s"),
        value=_number("tokens_per_s_total"),
        better=MORE,
        why="tokens_per_s_total",
    ),
    RowSpec(
        name=later("Carried within the targets"),
        say=_say_carried,
        value=_carried,
        better=MORE,
        why="users_held",
    ),
)
_RATE = RowSpec(
    name=later("Throughput"),
    say=_figure("tokens_per_s_total", "tok/s"),
    value=_number("tokens_per_s_total"),
    better=MORE,
    why="tokens_per_s_total",
)
BATCH_SPEED = (
    _RATE,
    RowSpec(
        name=later("Duration"),
        say=_figure("batch_days", "days"),
        value=_number("batch_days"),
        better=LESS,
        why="batch_days",
        wish="batch_days",
    ),
)
TRAINING_SPEED = (
    _RATE,
    RowSpec(
        name=later("Duration"),
        say=_figure("train_days", "days"),
        value=_number("train_days"),
        better=LESS,
        why="train_days",
        wish="train_days",
    ),
)
SCALING = (
    RowSpec(
        name=later("Scaling efficiency"),
        say=_figure("efficiency", "share"),
        value=_number("efficiency"),
        better=MORE,
        why="efficiency",
    ),
    RowSpec(name=later("GPUs"), say=_say_gpus, value=_gpus),
    RowSpec(name=later("Link between GPUs"), say=_link),
)
POWER = (
    RowSpec(
        name=later("Power, maximum"),
        say=_say_power,
        value=_number("power_max_w"),
        better=LESS,
        why="power_max_w",
        shows_difference=True,
    ),
    RowSpec(
        name=later("Heat"),
        say=_figure("heat_btu_h", "BTU/h"),
        value=_number("heat_btu_h"),
        better=LESS,
        why="heat_btu_h",
    ),
    RowSpec(
        name=later("Airflow"),
        say=_figure("airflow_m3_h", "m3/h"),
        value=_number("airflow_m3_h"),
        better=LESS,
        why="airflow_m3_h",
    ),
    RowSpec(name=later("Rack units, nodes"), say=_say_rack, value=_rack, better=LESS),
)
PRICE = (
    RowSpec(
        name=later("Price"),
        say=_say_price,
        value=_price,
        better=LESS,
        why="price_eur",
        prices=True,
        shows_difference=True,
    ),
    RowSpec(
        name=later("Price per user or tok/s carried"),
        say=_say_price_per_load,
        value=_price_per_load,
        better=LESS,
        prices=True,
        shows_difference=True,
    ),
    RowSpec(
        name=later("Energy per year"),
        say=_say_energy,
        value=_energy,
        better=LESS,
        why="energy_kwh_per_year",
        shows_difference=True,
    ),
)


RUNNING = (
    RowSpec(
        name=later("Cost of that energy"),
        say=_say_amount(energy_cost),
        value=_amount(energy_cost),
        better=LESS,
        why="energy_kwh_per_year",
        shows_difference=True,
    ),
    RowSpec(
        name=later("Price and energy of three years"),
        say=_say_amount(cost_of_years),
        value=_amount(cost_of_years),
        better=LESS,
        prices=True,
        shows_difference=True,
    ),
)
"""Where the price of energy is stated."""


def groups_for(workload: Workload) -> tuple[tuple[str, tuple[RowSpec, ...]], ...]:
    """Groups with their rows for one workload; notes follow apart."""
    kind, tariff = workload.kind, workload.constraints.energy_eur_per_kwh
    serving = CHAT_SPEED if kind is Kind.CHAT else BATCH_SPEED
    speed = serving if kind.is_serving else TRAINING_SPEED
    return (
        (later("Fit"), FIT),
        (later("Speed"), speed),
        (later("Scaling"), SCALING),
        (later("Power and cooling"), POWER),
        (later("Price and running cost"), PRICE if tariff is None else (*PRICE, *RUNNING)),
    )
