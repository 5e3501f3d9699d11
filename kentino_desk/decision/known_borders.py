"""Borders that a source has found, kept from sweep to sweep of one workload.

Where only some numbers of a workload move, most points ask again what an earlier sweep has found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from kentino_desk.decision.lineup import Group
    from kentino_desk.decision.offer import Offer


class BorderTable:
    """Borders of the rows of an offer; one line for each set of numbers that they depend on.

    Attributes:
        users: largest number of requests per copy, NaN where nobody asked.
        carried: load that one node carries with them.
        searched: whether a line has been searched for at least one row.
    """

    def __init__(self, rows: int) -> None:
        self.users, self.carried = np.empty((0, rows)), np.empty((0, rows))
        self.searched = np.zeros(0, dtype=bool)
        self._lines: dict[bytes, int] = {}

    def lines(self, keys: Any) -> Any:
        """Line of each key, an array of numbers."""
        found = [self._lines.setdefault(key.tobytes(), len(self._lines)) for key in keys]
        missing = len(self._lines) - len(self.users)
        if missing > 0:
            self._grow(max(missing, len(self.users)))
        return np.array(found)

    def _grow(self, more: int) -> None:
        blank = np.full((more, self.users.shape[1]), np.nan)
        self.users = np.concatenate([self.users, blank])
        self.carried = np.concatenate([self.carried, blank])
        self.searched = np.concatenate([self.searched, np.zeros(more, dtype=bool)])


class KnownBorders:
    """Tables of the offers that the sweeps of one workload go through.

    Attributes:
        present: places of the build that the present point takes, by offer and group; they are the
            same in every sweep that begins with it.
    """

    def __init__(self) -> None:
        self._tables: dict[Offer, BorderTable] = {}
        self.present: dict[tuple[Offer, Group], Any] = {}

    def table(self, offer: Offer) -> BorderTable:
        """The table of an offer."""
        if offer not in self._tables:
            self._tables[offer] = BorderTable(offer.space.rows)
        return self._tables[offer]
