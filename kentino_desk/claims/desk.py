"""Where claims are tried: the catalog, its links, and workloads assessed once each."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from kentino_desk.catalog.show import show_table
from kentino_desk.catalog.snapshot import load_snapshot, with_models
from kentino_desk.claims.workloads import WORKLOADS
from kentino_desk.decision.assess import assess
from kentino_desk.domain.errors import InputError
from kentino_desk.domain.workload import WorkloadInputs
from kentino_desk.engine.model_inputs import whole_weight_bytes
from kentino_desk.present.language import DEFAULT_LANGUAGE
from kentino_desk.present.note_words import note_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.decision.results import Assessment, CandidateResult, Note
    from kentino_desk.domain.choices import Format, Grade
    from kentino_desk.domain.hardware import Gpu
    from kentino_desk.domain.model_card import ModelCard
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Value

HYPOTHETICAL = "dense-600b"
_PARENT, _PARAMS = "llama-3.1-405b", 600e9
GB = 1e9


class Desk:
    """A catalog with one hypothetical model on top, and what was assessed on it."""

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        self.snapshot = with_models(snapshot, (_hypothetical(snapshot.models[_PARENT]),))
        self._assessed: dict[str, Assessment] = {}
        self._grades: dict[tuple[str, str, int, Format], Grade] = {}

    @classmethod
    def shipped(cls) -> Desk:
        """The desk over the shipped catalog."""
        return cls(load_snapshot())

    @cached_property
    def links(self) -> Mapping[str, Mapping[str, object]]:
        """Rows of the table of links by id."""
        return {str(row["id"]): row for row in show_table("links")}

    def link(self, name: str, column: str) -> float:
        """A number of a link.

        Raises:
            KeyError: no such link, or nobody stated that number.
        """
        value = self.links[name][column]
        if not isinstance(value, int | float):
            raise KeyError(f"{name}.{column}")
        return float(value)

    def gpu(self, name: str) -> Gpu:
        """A card of the catalog."""
        return self.snapshot.gpus[name]

    def model(self, name: str) -> ModelCard:
        """A model of the catalog."""
        return self.snapshot.models[name]

    def weights_gb(self, model: str, weights: Format) -> float:
        """Bytes of all weights, in 10^9."""
        return whole_weight_bytes(self.model(model), weights) / GB

    def assessed(self, case: str) -> Assessment:
        """The assessment of a named workload."""
        if case not in self._assessed:
            self._assessed[case] = self.tried(WORKLOADS[case])
        return self._assessed[case]

    def tried(self, values: Mapping[str, Value]) -> Assessment:
        """The assessment of any workload.

        Raises:
            InputError: it is refused.
        """
        return assess(WorkloadInputs.of(values), self.snapshot)

    def refusal(self, case: str) -> str:
        """Why a named workload is refused; empty when it is not."""
        try:
            self.tried(WORKLOADS[case])
        except InputError as error:
            return str(error)
        return ""

    def sentence(self, case: str, note: Note) -> str:
        """A note in words."""
        return note_sentence(self.assessed(case), note, DEFAULT_LANGUAGE)

    def grade(self, model: str, card: str, count: int, weights: Format) -> Grade:
        """Best memory grade of one node at the presets of a chat."""
        key = (model, card, count, weights)
        if key not in self._grades:
            found = self.tried(one_node(model, card, count, weights))
            self._grades[key] = max(result.grade for result in found.candidates)
        return self._grades[key]

    def best(self, case: str) -> CandidateResult:
        """The proposed candidate of a workload.

        Raises:
            LookupError: nothing is proposed.
        """
        chosen = self.assessed(case).verdict.chosen
        if chosen is None:
            raise LookupError(case)
        return chosen


def one_node(model: str, card: str, count: int, weights: Format) -> dict[str, Value]:
    """A chat of the presets on one node."""
    return {
        "workload.kind": "chat",
        "workload.model": model,
        "workload.weights": weights.value,
        "constraints.gpus": (card,),
        "constraints.gpus_per_node": count,
        "constraints.nodes_max": 1,
    }


def _hypothetical(parent: ModelCard) -> ModelCard:
    """A dense model of 600 G parameters: the largest dense one of the catalog with more layers."""
    layers = round(parent.layers * _PARAMS / parent.params_total)
    return replace(
        parent, id=HYPOTHETICAL, name="Hypothetical dense 600B", layers=layers,
        full_layers=layers, params_total=_PARAMS, params_active=_PARAMS,
    )  # fmt: skip
