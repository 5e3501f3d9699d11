"""Power, space and budget of a row against what the site and the purse allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.pricing import build_price
from kentino_desk.decision.run import relative_margin
from kentino_desk.domain.choices import Binding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kentino_desk.domain.candidate import Candidate
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Constraints


@dataclass(frozen=True, slots=True)
class SiteLimits:
    """What a site and a purse allow, None where nothing was said."""

    site_kw_max: Any
    rack_u_max: Any
    budget_eur: Any


SLACK = 1e-9
"""Relative slack in which a limit counts as met: rounding, not physics."""


def site_margins(
    candidates: Sequence[Candidate],
    power_max_w: Any,
    constraints: Constraints,
    snapshot: CatalogSnapshot,
) -> dict[Binding, Any]:
    """Margins of the limits that were given; a build of unknown size or price breaks its limit."""
    limits = SiteLimits(constraints.site_kw_max, constraints.rack_u_max, constraints.budget_eur)
    units = prices = None
    if limits.rack_u_max is not None:
        units = np.array([_rack_units(item) for item in candidates])
    if limits.budget_eur is not None:
        prices = np.array([_price(item, snapshot) for item in candidates])
    return limit_margins(limits, power_max_w, units, prices)


def limit_margins(
    limits: SiteLimits, power_max_w: Any, rack_units: Any, prices: Any
) -> dict[Binding, Any]:
    """The same from arrays; what is not known is NaN or infinite. Limits may differ by point."""
    margins: dict[Binding, Any] = {}
    if limits.site_kw_max is not None:
        margins[Binding.POWER] = _known(relative_margin(power_max_w, limits.site_kw_max * 1e3))
    if limits.rack_u_max is not None:
        margins[Binding.SPACE] = _known(relative_margin(rack_units, limits.rack_u_max * 1.0))
    if limits.budget_eur is not None:
        margins[Binding.BUDGET] = _known(relative_margin(prices, limits.budget_eur))
    return margins


def _known(margins: Any) -> Any:
    return np.where(np.isfinite(margins), margins, -1.0)


def _rack_units(candidate: Candidate) -> float:
    units = candidate.build.node.rack_u
    return float("nan") if units is None else float(units * candidate.build.nodes)


def _price(candidate: Candidate, snapshot: CatalogSnapshot) -> float:
    price = build_price(candidate.build, snapshot)
    return float("nan") if price is None else float(price.amount)


def within_site(margins: Mapping[Binding, Any]) -> Any:
    """Whether rows stay within every site limit."""
    good: Any = True
    for margin in margins.values():
        good = good & (margin >= -SLACK)
    return good
