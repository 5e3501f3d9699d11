"""What flips the verdict: for each number the nearest value, up and down, where it changes.

Outcome, build or number of copies: whichever changes first. Every number is tried at values that
grow apart from the present one, all numbers and both sides in one sweep; then the gap between the
last equal and the first different value is narrowed until it is one whole number, or one part in a
hundred thousand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kentino_desk.decision.known_borders import KnownBorders
from kentino_desk.decision.points import AS_GIVEN, TOGETHER, points_of
from kentino_desk.decision.sweep import verdicts_of
from kentino_desk.decision.tally import Asked
from kentino_desk.domain.choices import Engine, Kind
from kentino_desk.domain.workload_fields import FIELD_BY_KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kentino_desk.decision.results import Assessment
    from kentino_desk.decision.tally import Verdicts
    from kentino_desk.domain.candidate import Candidate
    from kentino_desk.domain.choices import Outcome
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.domain.workload import Workload, WorkloadInputs

_CHAT = (
    "serving.concurrent_users", "serving.growth", "serving.input_tokens", "serving.output_tokens",
    "serving.context_tokens", "serving.prompt_reuse", "serving.ttft_s",
    "serving.tokens_per_s_per_user", "serving.max_num_seqs", "serving.utilisation",
)  # fmt: skip
_DEMAND = tuple("serving.demand_value" if key == _CHAT[0] else key for key in _CHAT)
_BATCH = (
    "batch.output_tokens_total", "batch.deadline_days", "batch.input_tokens",
    "batch.output_tokens", "serving.max_num_seqs", "serving.utilisation",
)  # fmt: skip
_TRAINING = (
    "training.tokens", "training.deadline_days", "training.availability",
    "training.sequence_length", "training.micro_batch", "training.global_batch_tokens",
    "training.throughput_value",
)  # fmt: skip
_LIMITS = (
    "constraints.nodes_max", "constraints.site_kw_max", "constraints.rack_u_max",
    "constraints.budget_eur",
)  # fmt: skip
_HIGHEST: Mapping[str, float] = {
    "serving.concurrent_users": 100_000, "serving.ttft_s": 600.0,
    "serving.tokens_per_s_per_user": 400.0, "constraints.nodes_max": 16,
    "training.micro_batch": 256, "batch.input_tokens": 200_000, "batch.output_tokens": 200_000,
}  # fmt: skip
"""Ends of the search where the legal range goes far beyond any use."""
FACTOR_FURTHEST = 1_000.0
"""A value is looked for up to so many times the present one, and down to as small a part."""
PROBES, CUTS = 18, 9
DENSE_STEP, DENSE_PROBES = 0.0125, 120
"""Numbers that only the load or a limit depends on cost little: they are tried in steps of so much
of the present value before the steps grow, so that a narrow flip is not stepped over."""
LIGHT = frozenset({
    "serving.concurrent_users", "serving.growth", "serving.demand_value",
    "batch.output_tokens_total", "batch.deadline_days", "training.tokens",
    "training.deadline_days", "training.availability", *_LIMITS,
})  # fmt: skip
EXACT = 1e-5
"""Relative gap at which a value that is not a whole number counts as found."""
SHARES = frozenset({"serving.growth", "serving.prompt_reuse", "serving.utilisation",
                    "training.availability"})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """First value of a number at which outcome, build or copies differ, and what they are there.

    ``rises`` says on which side of the present value it lies.
    """

    key: str
    value: float
    now: float
    rises: bool
    outcome: Outcome
    candidate: Candidate | None
    nodes: int
    replicas: int

    @property
    def build(self) -> str | None:
        """Id of the build, None where nothing is proposed."""
        return self.candidate.id if self.candidate else None


def flip_keys(workload: Workload) -> tuple[str, ...]:
    """Numbers of a workload that may flip its verdict: used by its kind, and given or preset."""
    if workload.kind is Kind.CHAT:
        keys = _CHAT if workload.serving.demand_value is None else _DEMAND
    else:
        keys = _BATCH if workload.kind is Kind.BATCH else _TRAINING
    return tuple(key for key in (*keys, *_LIMITS) if present_value(workload, key) is not None)


def present_value(workload: Workload, key: str) -> float | None:
    """The value of a number now; None where there is none, or where it changes nothing."""
    section, _, name = key.partition(".")
    if section == "batch" and name in {"input_tokens", "output_tokens"}:
        section = "serving"
    if key == "serving.utilisation" and workload.serving.engine is not Engine.VLLM:
        return None
    value = getattr(getattr(workload, section), name)
    return None if value is None else float(value)


@dataclass(slots=True, eq=False)
class _Side:
    """One number in one direction: last equal and first different value so far."""

    key: str
    now: float
    end: float
    equal: float
    different: float | None = None

    @property
    def whole(self) -> bool:
        return FIELD_BY_KEY[self.key].kind == "int"

    @property
    def is_found(self) -> bool:
        if self.different is None:
            return True
        gap = abs(self.different - self.equal)
        return gap <= 1.0 if self.whole else gap <= EXACT * abs(self.different)

    def probes(self) -> Any:
        """Values that grow apart from the present one, up to the end."""
        steps = np.arange(1, PROBES + 1) / PROBES
        if self.key in LIGHT:
            near = self._near()
            last = near[-1] if len(near) else self.now
            far = last + (self.end - last) * steps**3
            return self._kept(np.concatenate([near, far]))
        if self.key in SHARES or self.now <= 0:
            values = self.now + (self.end - self.now) * steps**2
        else:
            values = self.now * (self.end / self.now) ** (steps**1.5)
        return self._kept(values)

    def _near(self) -> Any:
        """Values in small steps from the present one, as far as the end allows."""
        rises = self.end > self.now
        steps = np.arange(1, DENSE_PROBES + 1)
        if self.key in SHARES or self.now <= 0:
            return self.now + (self.end - self.now) * steps / (2.0 * DENSE_PROBES)
        least = 1.0 if self.whole else 0.0
        distance = np.maximum(np.abs(self.now) * ((1.0 + DENSE_STEP) ** steps - 1.0), steps * least)
        if not rises:
            distance = np.maximum(self.now * (1.0 - (1.0 - DENSE_STEP) ** steps), steps * least)
        values = self.now + (distance if rises else -distance)
        return values[values < self.end] if rises else values[values > self.end]

    def cuts(self) -> Any:
        """Values that cut the gap into parts."""
        assert self.different is not None
        steps = np.arange(1, CUTS + 1) / (CUTS + 1)
        return self._kept(self.equal + (self.different - self.equal) * steps)

    def _kept(self, values: Any) -> Any:
        if not self.whole:
            return values
        rises = self.end > self.now
        whole = np.floor(values) if rises else np.ceil(values)
        nearest = self.equal + (1.0 if rises else -1.0)
        return np.maximum(whole, nearest) if rises else np.minimum(whole, nearest)

    def narrow(self, values: Any, differs: Any, legal: Any) -> None:
        """Take in what was found at values in the order of their distance."""
        for value, other, allowed in zip(values, differs, legal, strict=True):
            if not allowed:
                return
            if other:
                self.different = float(value)
                return
            self.equal = float(value)


def _sides(workload: Workload) -> list[_Side]:
    sides = []
    for key in flip_keys(workload):
        now = present_value(workload, key)
        assert now is not None
        spec = FIELD_BY_KEY[key]
        low, high = float(spec.low or 0.0), min(float(spec.high or np.inf),
                                                _HIGHEST.get(key, np.inf))  # fmt: skip
        if key not in SHARES:
            low = max(low, now / FACTOR_FURTHEST)
            high = min(high, now * FACTOR_FURTHEST)
        if FIELD_BY_KEY[key].kind == "int":
            low, high = np.ceil(low), np.floor(high)
        sides += [_Side(key, now, end, now) for end in (high, low) if (end > now) == (end == high)
                  and end != now]  # fmt: skip
    return sides


def flips_of(
    assessment: Assessment, stopped: Callable[[], bool] = lambda: False
) -> tuple[Flip, ...]:
    """Nearest flips of an assessment, number by number, the upper side first.

    Args:
        assessment: the verdict of now.
        stopped: asked between passes; the search ends early when it says so.
    """
    sides = _sides(assessment.workload)
    look = _Look(assessment.inputs, assessment.snapshot, sides)
    look.narrow({place: side.probes() for place, side in enumerate(sides)})
    while not stopped():
        gaps = {place: side.cuts() for place, side in enumerate(sides) if not side.is_found}
        if not gaps:
            break
        look.narrow(gaps)
    return look.flips()


class _Look:
    """Sweeps of many numbers at once: in each point one number differs from now."""

    def __init__(
        self, inputs: WorkloadInputs, snapshot: CatalogSnapshot, sides: Sequence[_Side]
    ) -> None:
        self._inputs, self._snapshot, self._sides = inputs, snapshot, sides
        self._together = TOGETHER[Kind(str(inputs.get("workload.kind")))]
        self._known = KnownBorders()

    def narrow(self, values: Mapping[int, Any]) -> None:
        """Narrow the sides at the given values."""
        verdicts, legal, parts = self._sweep(values, changes_only=True)
        codes = verdicts.codes
        for place, here in parts.items():
            self._sides[place].narrow(values[place], codes[here] != codes[0], legal[here])

    def flips(self) -> tuple[Flip, ...]:
        """What the verdict is where the sides that are found differ."""
        found = {place: np.array([side.different]) for place, side in enumerate(self._sides)
                 if side.different is not None and side.is_found}  # fmt: skip
        if not found:
            return ()
        verdicts, _, parts = self._sweep(found, changes_only=False)
        return tuple(_flip(self._sides[place], verdicts, here.start)
                     for place, here in parts.items())  # fmt: skip

    def _sweep(
        self, values: Mapping[int, Any], *, changes_only: bool
    ) -> tuple[Verdicts, Any, dict[int, slice]]:
        """One array pass: verdicts, which points are accepted, and the points of each side.

        The first point is the present one.
        """
        count = 1 + sum(len(tried) for tried in values.values())
        varied: dict[str, Any] = {}
        parts: dict[int, slice] = {}
        start = 1
        for place, tried in values.items():
            side, here = self._sides[place], slice(start, start + len(tried))
            rest = AS_GIVEN if side.key in self._together else side.now
            varied.setdefault(side.key, np.full(count, rest))[here] = tried
            parts[place], start = here, here.stop
        points = points_of(self._inputs, self._snapshot, varied)
        asked = Asked(known=self._known, changes_only=changes_only)
        return verdicts_of(points, self._snapshot, asked), points.legal, parts


def _flip(side: _Side, verdicts: Verdicts, point: int) -> Flip:
    outcome, candidate = verdicts.outcome(point), verdicts.candidate(point)
    assert outcome is not None
    assert side.different is not None
    return Flip(
        key=side.key,
        value=side.different,
        now=side.now,
        rises=side.end > side.now,
        outcome=outcome,
        candidate=candidate,
        nodes=int(verdicts.nodes[point]),
        replicas=int(verdicts.replicas[point]),
    )
