"""What a build costs beside its price: energy at the price that the customer stated."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from kentino_desk.domain.money import Money

if TYPE_CHECKING:
    from kentino_desk.decision.results import CandidateResult
    from kentino_desk.domain.workload import Workload

YEARS = 3
"""Years of energy that are held beside the price."""
MONTHS = 12


def energy_cost(result: CandidateResult, workload: Workload) -> Money | None:
    """Energy of one year at the typical draw, without cooling of the room.

    None where nobody stated a price of energy, or the power is not known.
    """
    tariff = workload.constraints.energy_eur_per_kwh
    energy_kwh = result.figures["energy_kwh_per_year"].value
    if tariff is None or energy_kwh is None:
        return None
    return Money(Decimal(str(tariff)), "EUR") * Decimal(str(energy_kwh))


def cost_of_years(result: CandidateResult, workload: Workload) -> Money | None:
    """Price and the energy of three years; None where one of them is not known or in EUR."""
    energy = energy_cost(result, workload)
    if energy is None or result.price is None or result.price.currency != energy.currency:
        return None
    return result.price + energy * YEARS
