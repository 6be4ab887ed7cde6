"""What questions are made from: the landmarks by their numbers, their distances, the profile's thresholds (B.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flowbench.builders.sim.items import Reject
from flowbench.builders.sources.profiles import Profile

from .measuring.certifying import scale_ratio
from .measuring.landmarks import Distances, distances
from .measuring.measure import Measured
from .measuring.roles import Thing
from .measuring.sighting import length
from .measuring.stated import Stated
from .measuring.surfaces import seen_gaps
from .measuring.table import stands, table_under

MOST_LISTED = 6
EXTENT_SHARE = 0.85
"""A threshold over this share of the scene's extent is not asked about (B.5)."""
UNCHANGED_THRESHOLDS = (0.10, 0.15, 0.20, 0.30, 0.50)
"""T of questions that the move does not change (B.4.8), metres."""


@dataclass(frozen=True)
class Scale:
    """The scale reference: index of the thing, stated size, longer side in pixels, and the check's ratio."""

    thing: int
    width_cm: int
    pixels: float
    ratio: float | None


@dataclass(frozen=True, eq=False)
class Facts:
    """One measured pair, ready to be asked about.

    Attributes:
        measured: the pair.
        numbers: index of a marked thing -> its badge.
        scale: the scale reference.
        others: index of another moving thing -> its move as told.
        paper: whether counts are offered as in the paper.
    """

    measured: Measured
    numbers: Mapping[int, int]
    scale: Scale
    others: Mapping[int, Stated]
    paper: bool

    @property
    def profile(self) -> Profile:
        """Whose constants hold."""
        return self.measured.pair.profile

    @property
    def mover(self) -> Thing:
        """What moves."""
        return self.measured.mover

    @cached_property
    def landmarks(self) -> tuple[int, ...]:
        """Indices of the landmarks in the order of their numbers."""
        return tuple(sorted(self.measured.landmarks, key=lambda k: self.numbers[k]))

    @cached_property
    def gaps(self) -> Mapping[int, Distances]:
        """d0 and d1 of every landmark."""
        return {k: distances(self.mover, self.thing(k)) for k in self.landmarks}

    @cached_property
    def seen(self) -> Mapping[int, float]:
        """Landmark -> metres between its seen surface and the mover's after the move, where both are seen."""
        return seen_gaps(self.measured)

    @cached_property
    def extent(self) -> float:
        """The farthest that two marked things are apart, the mover's end included, metres."""
        places = [self.thing(k).before.position for k in self.numbers] + [self.mover.after.position]
        return max(length([b - a for a, b in zip(p, q, strict=True)]) for p in places for q in places)

    @cached_property
    def on_table(self) -> bool:
        """Whether the mover rests on the table before and after, as far as still things show where that is."""
        measured = self.measured
        table = table_under([measured.things[k].before for k in measured.roles.still], measured.optics)
        if table is None:
            return False
        return all(stands(each, table, measured.optics) for each in (self.mover.before, self.mover.after))

    def thing(self, k: int) -> Thing:
        """A matched object."""
        return self.measured.things[k]

    def fits(self, threshold: float) -> bool:
        """Whether a threshold is not absurdly large for the scene."""
        return threshold <= EXTENT_SHARE * self.extent


def gather(measured: Measured, paper: bool, rng: np.random.Generator) -> Facts | Reject:
    """Number the marks, find the scale reference, and put other moves into words; or why the pair is not asked about.

    Args:
        measured: the pair.
        paper: see :class:`Facts`.
        rng: shuffles the numbers.
    """
    others: dict[int, Stated] = {}
    for k in measured.roles.others:
        others[k] = Stated.of(measured.things[k].moved)
        if not others[k].words:
            return Reject("mover: another one's move cannot be told")
    scale = _scale(measured)
    if isinstance(scale, Reject):
        return scale
    marked = (measured.roles.mover, *measured.roles.others, *measured.landmarks)
    numbers = {k: int(number) + 1 for k, number in zip(marked, rng.permutation(len(marked)), strict=True)}
    return Facts(measured, numbers, scale, others, paper)


def _scale(measured: Measured) -> Scale | Reject:
    """The largest landmark of a believable size, if sizes and move agree (B.3)."""
    low, high = measured.pair.profile.reference_range
    optics = measured.optics
    sizes = {k: optics.extent(measured.things[k].before) for k in measured.landmarks}
    fitting: Sequence[int] = [k for k in measured.landmarks if low <= sizes[k] <= high]
    if not fitting:
        return Reject("scale: no landmark of a usual size")
    chosen = max(fitting, key=lambda k: (measured.things[k].before.area, -k))
    bbox = measured.things[chosen].before.bbox
    pixels = bbox[2] if optics.plane_from_pixel is not None else max(bbox[2:])
    width_cm = max(1, round(100.0 * sizes[chosen]))
    ratio = scale_ratio(pixels, width_cm, length(measured.image), 100.0 * measured.stated.metres)
    return ratio if isinstance(ratio, Reject) else Scale(chosen, width_cm, pixels, ratio)
