"""How often labels are wrong: against the simulator's truth, and against the same formulas with perfect perception.

*Definition* error is what spherical radii and median pixels cost although perception makes no mistake; *perception*
error is what mistakes of perception change in what the same formulas say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from flowbench.builders.sim.items import Reject
from flowbench.geometry import transform
from flowbench.schema.real_meta import Sighting

from .asking import ask
from .categories import Draft
from .categories.occlusion import BLOCKED, VISIBLE
from .facts import Facts
from .measuring.landmarks import gap
from .measuring.masks import part
from .measuring.measure import Percepts, measure, metric
from .measuring.sighting import dilated, sight
from .pair import ImagePair
from .perception.base import Depths, Perception, Segmentation, Tracks
from .perception.prompts import Prompt
from .presets import Preset
from .recordings import Shot

HIDDEN = 0.05
"""Share of an object that must be hidden for it to count as partly blocked in truth."""
Placed = tuple[tuple[float, ...], tuple[float, ...], float]
"""Position before, position after, radius."""


@dataclass(frozen=True)
class Judged:
    """A kept item.

    Attributes:
        key: its category and the true objects that it is about, mover first.
        wrong: whether the answer is wrong in truth.
        misperceived: whether the same formula says something else of perfectly perceived objects; None where they
            cannot be measured.
    """

    key: tuple[str, tuple[int, ...]]
    wrong: bool
    misperceived: bool | None


@final
class Remembered(Perception):
    """What another provider said once, so that knobs can be turned over it without drawing again."""

    name = "remembered"
    knobs: Mapping[str, float | int | str] = {}

    def __init__(self, percepts: Percepts) -> None:
        """``percepts`` are given back whatever is asked."""
        self._percepts = percepts

    def segment(self, pair: ImagePair, prompts: Sequence[Prompt]) -> Segmentation:
        """As remembered."""
        return self._percepts.segmentation

    def depth(self, pair: ImagePair) -> Depths:
        """As remembered."""
        return self._percepts.depths

    def track(self, pair: ImagePair) -> Tracks:
        """As remembered."""
        return self._percepts.tracks


@dataclass(frozen=True, eq=False)
class Known:
    """An episode of the embedded tabletop, and what is true of it.

    Attributes:
        shot: the pair with its truth.
        exact: what perfect perception says.
    """

    shot: Shot
    exact: Percepts

    @cached_property
    def placed(self) -> Mapping[int, Placed]:
        """True object -> where perfect perception measures it."""
        optics, pair = self.shot.optics, self.shot.pair
        found: list[dict[int, Sighting]] = []
        for masks, depth in (
            (self.exact.segmentation.before, self.exact.depths.before),
            (self.exact.segmentation.after, self.exact.depths.after),
        ):
            layer, millimetres = part(masks), metric(depth, pair.profile.scale)
            near = dilated(layer.arm)
            seen: dict[int, Sighting] = {}
            for index in range(len(layer.masks)):
                sighting = sight(layer.mask(index), millimetres, near, optics)
                if sighting is not None:
                    seen[self._object(layer.mask(index), len(found))] = sighting
            found.append(seen)
        both = {}
        for k in sorted(found[0].keys() & found[1].keys()):
            before, after = found[0][k], found[1][k]
            both[k] = (tuple(before.position), tuple(after.position), optics.radius(before))
        return both

    def judge(self, percepts: Percepts, preset: Preset, testing: bool = True) -> list[Judged] | Reject:
        """Measure and ask as a build would, and judge what is kept: to the margins of the test split, or all."""
        measured = measure(self.shot.pair, percepts, self.shot.optics)
        if isinstance(measured, Reject):
            return measured
        asked = ask(measured, preset)
        if isinstance(asked, Reject):
            return asked
        facts, drafts = asked
        assert self.shot.truth is not None
        objects = self.shot.truth.objects_of(measured)
        judged = []
        for draft in _once(drafts):
            about = (facts.measured.roles.mover, *draft.landmarks)
            if (draft.clear or not testing) and all(k in objects for k in about):
                real = tuple(objects[k] for k in about)
                formula = self._by_formula(facts, draft, real)
                judged.append(
                    Judged(
                        (draft.category, real),
                        self._in_truth(draft, real) != draft.answer,
                        None if formula is None else formula != draft.answer,
                    )
                )
        return judged

    def _object(self, mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], moment: int) -> int:
        """The true object that a perfect mask shows."""
        assert self.shot.truth is not None
        shots = self.shot.pair.shots
        ids = self.shot.truth.truth.instance_ids(shots.after_index if moment else shots.before_index)
        return int(ids[mask][0]) - 1

    def _in_truth(self, draft: Draft, objects: Sequence[int]) -> str:
        """The right answer, from true surfaces, middles and silhouettes."""
        assert self.shot.truth is not None
        truth, end = self.shot.truth.truth, self.shot.pair.shots.after_index
        mover, *others = objects
        if draft.category == "occlusion":
            whole = int(np.count_nonzero(truth.whole(others[0], end)))
            seen = int(np.count_nonzero(truth.instance_ids(end) == others[0] + 1))
            return BLOCKED if whole - seen > HIDDEN * whole else VISIBLE
        if draft.category in ("left_right", "depth_order"):
            pose = truth.camera.camera_from_world
            middles = [transform(pose, truth.centre(k, end)) for k in (mover, others[0])]
            return _ordered(draft, *(tuple(float(part) for part in middle) for middle in middles))
        return _by_gaps(draft, [truth.surface_distance(mover, k, end) for k in others])

    def _by_formula(self, facts: Facts, draft: Draft, objects: Sequence[int]) -> str | None:
        """What the draft's own formula says of perfectly perceived objects."""
        if draft.category == "occlusion":
            return self._in_truth(draft, objects)
        placed = self.placed
        if any(k not in placed for k in objects):
            return None
        _, now, radius = placed[objects[0]]
        others = [placed[k] for k in objects[1:]]
        if draft.category in ("left_right", "depth_order"):
            return _ordered(draft, now, others[0][0])
        return _by_gaps(draft, [gap(now, before, radius + r) for before, _, r in others])


def _once(drafts: Sequence[Draft]) -> list[Draft]:
    """Drafts without those that differ from others in the choices that they offer alone."""
    return list({(each.category, each.landmarks, each.relation, each.threshold): each for each in drafts}.values())


def _ordered(draft: Draft, mover: Sequence[float], landmark: Sequence[float]) -> str:
    axis = 0 if draft.category == "left_right" else 2
    less = mover[axis] < landmark[axis]
    return "yes" if less == (draft.relation in ("left", "closer")) else "no"


def _by_gaps(draft: Draft, gaps: Sequence[float]) -> str:
    """The answer of a question about distances."""
    t = draft.threshold or 0.0
    if draft.category == "near_object":
        return "yes" if (gaps[0] < t) == (draft.relation == "within") else "no"
    if draft.category == "count_near":
        return str(len([each for each in gaps if each < t]))
    order = sorted(range(len(gaps)), key=lambda k: (gaps[k], k))
    wanted = 1 if draft.category == "closer_to" else 3
    return "+".join(str(k) for k in sorted(order[:wanted]))
