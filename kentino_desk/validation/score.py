"""Scores of predictions against measurements: errors, ranges, outcomes."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FITS, TIGHT, NO = "fits", "tight", "no"
RAN, FAILED = "ok", "oom"
CLEAR_RATIO = 1.1
"""Two measurements that differ by more than this have a clear order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """One figure of one row; ``skipped`` says why it has no prediction, else it is empty."""

    id: str
    figure: str
    measured: float | None = None
    predicted: float | None = None
    low: float | None = None
    high: float | None = None
    skipped: str = ""

    @property
    def error_pct(self) -> float | None:
        """Predicted against measured, in per cent."""
        if self.skipped or self.predicted is None or not self.measured:
            return None
        return 100.0 * (self.predicted / self.measured - 1.0)

    @property
    def inside(self) -> bool:
        """Whether the measurement lies in the predicted range."""
        assert self.measured is not None
        assert self.low is not None
        assert self.high is not None
        return self.low <= self.measured <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The three-valued word for one row, and what really happened."""

    id: str
    predicted: str
    measured: str
    explained: str = ""
    """Why the measured end does not speak about the predicted one: listed, and no false "fits"."""

    @property
    def is_right(self) -> bool:
        """Whether a decided word agrees with what happened."""
        return (self.predicted == FITS) == (self.measured == RAN)

    @property
    def is_false_fit(self) -> bool:
        """The worst error: said to fit, and it did not."""
        return self.predicted == FITS and self.measured == FAILED and not self.explained


@dataclass(frozen=True, slots=True, kw_only=True)
class RowScore:
    """What was predicted of one row; ``groups`` name the tables it counts in, such as engine."""

    id: str
    details: tuple[Detail, ...]
    skipped: str = ""
    verdict: Verdict | None = None
    groups: dict[str, str] = field(default_factory=dict)
    unit: str = ""
    """One source and one model: rows that share hidden settings."""
    peers: str = ""
    """Rows whose order may be compared: one source, one model."""
    inputs: Mapping[str, float] = field(default_factory=dict)
    """Inputs of the graph behind the prediction, where constants may be refitted to the row."""

    @property
    def scored(self) -> tuple[Detail, ...]:
        """Figures with a prediction."""
        return tuple(item for item in self.details if not item.skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureScore:
    """Errors of one figure over all rows that state it."""

    n: int
    median_abs_pct: float
    p90_abs_pct: float
    bias_pct: float
    inside_range_pct: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderScore:
    """Pairs of rows that differ by more than a tenth, and how many we rank right."""

    pairs: int
    right_pct: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeScore:
    """How often the word was right: of decided rows, and how many were left open."""

    n: int
    right_pct: float | None
    tight_pct: float | None
    false_fits: int


def figure_score(details: Sequence[Detail]) -> FigureScore:
    """Median, 90th percentile, bias (median of the signed error) and share inside the range."""
    errors = np.array([item.error_pct for item in details], dtype=float)
    inside = np.array([item.inside for item in details])
    return FigureScore(
        n=len(details),
        median_abs_pct=float(np.median(np.abs(errors))),
        p90_abs_pct=float(np.percentile(np.abs(errors), 90)),
        bias_pct=float(np.median(errors)),
        inside_range_pct=float(100.0 * inside.mean()),
    )


def figure_scores(rows: Iterable[RowScore], names: Iterable[str]) -> dict[str, FigureScore]:
    """Scores of all figures that at least one row states."""
    details = [item for row in rows for item in row.scored]
    found = {name: [item for item in details if item.figure == name] for name in names}
    return {name: figure_score(items) for name, items in found.items() if items}


def unit_median_abs_pct(rows: Iterable[RowScore], figure: str) -> float | None:
    """Median over the units of each unit's median error."""
    units: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        for item in row.scored:
            if item.figure == figure and row.unit:
                units[row.unit].append(abs(item.error_pct or 0.0))
    if not units:
        return None
    return float(np.median([np.median(errors) for errors in units.values()]))


def order_score(rows: Iterable[RowScore], figure: str) -> OrderScore:
    """How often the larger of two measurements is predicted as the larger one."""
    peers: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        for item in row.scored:
            if item.figure == figure and row.peers and item.measured and item.predicted:
                peers[row.peers].append((item.measured, item.predicted))
    pairs = right = 0
    for values in peers.values():
        logs = np.log(np.array(values))
        measured, predicted = (logs[:, None, side] - logs[None, :, side] for side in (0, 1))
        clear = measured > np.log(CLEAR_RATIO)
        pairs += int(clear.sum())
        right += int((clear & (predicted > 0)).sum())
    return OrderScore(pairs=pairs, right_pct=100.0 * right / pairs if pairs else None)


def verdicts_of(rows: Iterable[RowScore]) -> list[Verdict]:
    """Words that can be compared with what happened."""
    return [row.verdict for row in rows if row.verdict]


def outcome_score(rows: Iterable[RowScore]) -> OutcomeScore:
    """Right words of the decided rows; a false "fits" without an explanation is counted apart."""
    verdicts = verdicts_of(rows)
    decided = [item for item in verdicts if item.predicted != TIGHT]
    right = sum(item.is_right for item in decided)
    return OutcomeScore(
        n=len(verdicts),
        right_pct=100.0 * right / len(decided) if decided else None,
        tight_pct=100.0 * (len(verdicts) - len(decided)) / len(verdicts) if verdicts else None,
        false_fits=sum(item.is_false_fit for item in verdicts),
    )


def skipped_counts(rows: Iterable[RowScore]) -> dict[str, int]:
    """Rows without any scored figure, by reason."""
    return dict(sorted(Counter(row.skipped for row in rows if row.skipped).items()))
