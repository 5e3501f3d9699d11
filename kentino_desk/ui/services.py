"""What the window asks the rest of the program for; tests put their own in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import WorkloadInputs
    from kentino_desk.present.charts import MapChart
    from kentino_desk.present.views import WhyView
    from kentino_desk.session.catalog_in_use import CatalogInUse
    from kentino_desk.session.shown import Presenter


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the window knows about a proposal beside the figures."""

    customer: str = ""
    project: str = ""
    pins: tuple[str, ...] = ()
    """Builds that are compared in it."""


class WriteProposal(Protocol):
    """Writes the proposal of one assessment as a PDF."""

    def __call__(self, assessment: Assessment, path: Path, language: str, told: Told) -> None:
        """Write the file.

        Raises:
            StorageError: it cannot be written.
        """


class DrawMap(Protocol):
    """Makes one picture of the decision map; runs beside the window."""

    def __call__(self, assessment: Assessment, axes: tuple[str, str], step: int) -> MapChart:
        """The map over two inputs; each step is closer than the one before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The engine room as the window sees it."""

    catalog: CatalogInUse
    assess: Callable[[WorkloadInputs, CatalogSnapshot], Assessment]
    presenter: Presenter
    why: Callable[[Assessment, CandidateResult | None, str], WhyView]
    write_proposal: WriteProposal
    draw_map: DrawMap
    state_folder: Path

    @property
    def snapshot(self) -> CatalogSnapshot | None:
        """The catalog in force; None while it is refused."""
        return self.catalog.snapshot

    @property
    def blocked(self) -> str:
        """Why the catalog is refused, and what mends it."""
        return self.catalog.blocked
