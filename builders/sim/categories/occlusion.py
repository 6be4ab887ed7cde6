"""``occlusion``: does the mover hide a third or more of a smaller thing that was in full view?

The thing's pixels before and after decide. There is no before-answer: before, nothing hides it. For every motion that
hides it there are controlled misses that end beside it, so that the ray's direction does not tell the answer
(paper A.2, "Occlusion"; sim.md, "Categories").
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import cv2
import numpy as np

from flowbench.builders.simulators.base import SceneObject
from flowbench.geometry import Camera

from ..items import LEAST_MARGIN, Because, Item, Label, Question, Reject
from ..measuring import MaskFacts
from ..move import Move
from ..presets import Preset
from ..silhouette import outline_in_picture
from ..sliding import refuse_overhang, refuse_way
from ..trial import Trial
from ..view import Sight
from .base import Category, yes_no_cell

HIDES = 0.35
CLEAR = 0.02
"""Shares of its pixels: at least the first is hidden, at most the second is not, and nothing is asked between."""
MOST_HIDDEN_BEFORE = 0.04
"""Of the thing's outline that something hides before the move: sim.md asks for 0.05, the rest is room for its check."""
IN_FRONT = 0.05
"""Metres between the two when the mover stands in front (sim.md, "Planning")."""
MISSES = (0.14, 0.22, 0.35, 0.50)
"""Sideways offsets of controlled misses, metres; the paper's is 0.22."""
PULLS = (0.0, 0.08, 0.15, 0.25, 0.40, 0.55, 0.70, 0.85, 1.00, 1.20)
OFFSETS = (0.0, 0.05, -0.05, 0.10, -0.10, 0.15, -0.15)
"""The cover grid, metres: pulls from the thing toward the camera (the first six are the paper's), ways off the ray."""
SCOUTS = (0.0, 0.25, 0.55, 1.0)
HOPE = 0.2
"""Pulls tried first, and the predicted share that makes the rest worth trying."""
AIM = 0.42
"""Predicted share of a thing's pixels that a motion must cover to be worth trying."""
SHORTEST, LONGEST = 0.20, 1.50
"""Of a motion, metres; the longer ones are the paper's."""
TARGETS_A_MOVER = 8
NEAR_MISS = 0.10
"""Of the picture's width: what passes farther from the thing asks for no imagination."""


def label(before: int, after: int) -> Label | Reject:
    """Read the answer off the thing's visible pixels in both pictures; the margin is a share of the pixels."""
    hidden = 1.0 - after / before
    margin = max(hidden - HIDES, CLEAR - hidden)
    if margin <= LEAST_MARGIN:
        return Reject("occlusion: hidden a little")
    return Label("yes" if hidden >= HIDES else "no", margin)


@final
class Occlusion(Category):
    """See the module."""

    name = "occlusion"
    label_version = 1
    unit = "share"
    measures_gaps = False
    choices = 2
    keeps_dots = True
    questions: ClassVar[Sequence[str]] = (
        "After this move, will {mover} hide a third or more of {a} from the camera?",
        "Does {mover} end up hiding at least a third of {a} from view?",
        "Once it has moved, does {mover} stand in front of a third or more of what can now be seen of {a}?",
        "Seen from the camera, will at least a third of {a} then be covered by {mover}?",
        "In the resulting picture, would {mover} block the view of a third or more of {a}?",
    )
    static_questions: ClassVar[Sequence[str]] = (
        "Does {mover} hide a third or more of {a} from the camera?",
        "Is at least a third of {a} hidden from view by {mover}?",
        "Does {mover} stand in front of a third or more of {a}, as seen from here?",
        "Seen from the camera, is at least a third of {a} covered by {mover}?",
        "In this picture, does {mover} block the view of a third or more of {a}?",
    )

    def moves(self, sight: Sight, mover: SceneObject, preset: Preset, rng: np.random.Generator) -> Iterator[Move]:
        """The ray plan with a controlled miss, over the pulls of the cover grid (paper A.2)."""
        targets = [item for item in sight.nameable if _may_be_hidden(sight, mover, item)]
        for index in rng.permutation(len(targets))[:TARGETS_A_MOVER].tolist():
            yield from _plans(sight, mover, targets[index], rng)

    def items(self, trial: Trial, rng: np.random.Generator) -> Iterator[Item | Reject]:
        """Every smaller thing in full view that the motion hides, or ends beside."""
        mover = trial.mover
        end = trial.after.masks[mover.instance_id]
        carriers = {sight.arrangement.supporter(mover.object_id) for sight in (trial.before, trial.after)}
        for item in trial.before.nameable:
            if item.object_id in carriers or not _may_be_hidden(trial.before, mover, item):
                continue
            if trial.after.camera_distance(mover.object_id) >= trial.before.camera_distance(item.object_id):
                continue  # what ends up behind a thing hides nothing of it: no question
            start = trial.before.masks[item.instance_id]
            if _apart(end, start) > NEAR_MISS * trial.before.camera.width:
                continue
            question = Question(mover.object_id, (item.object_id,))
            labels = self.labels(trial.before, trial.after, question)
            yield (
                labels
                if isinstance(labels, Reject)
                else Item.of(self.name, trial.move, question, *labels, yes_no_cell(*labels))
            )

    def read(self, sight: Sight, question: Question) -> Label | Reject:
        """Nothing can be read off one moment."""
        return Reject("occlusion: needs both moments")

    def labels(self, before: Sight, after: Sight, question: Question) -> tuple[Label | None, Label] | Reject:
        """Compare the thing's pixels; before, it must be in full view."""
        thing = question.landmarks[0]
        start = before.mask(thing)
        if start is None or hidden_share(before, thing) > MOST_HIDDEN_BEFORE:
            return Reject("occlusion: not in full view before")
        end = after.mask(thing)
        now = label(start.area, 0 if end is None else end.area)
        return now if isinstance(now, Reject) else (None, now)

    def because(self, item: Item, before: Sight, after: Sight, mover: str, names: Sequence[str]) -> Because:
        """In full view, then behind the mover or beside it."""
        areas = [0 if (mask := sight.mask(item.landmarks[0])) is None else mask.area for sight in (before, after)]
        hides = item.answer == "yes"
        return Because(
            start=f"{names[0]} is in full view",
            change=f"moving {mover} {item.move.way} "
            + (f"brings it in front of {names[0]}" if hides else f"leaves the view of {names[0]} free"),
            result=f"{mover} hides a large part of {names[0]}" if hides else f"{mover} does not hide {names[0]}",
            measured=f"{names[0]} shows {areas[0]} pixels before the move and {areas[1]} after it",
        )


def hidden_share(sight: Sight, object_id: str) -> float:
    """Share of an object's outline (a pixel off its rim) in which something nearer is seen instead of it."""
    item = sight.arrangement.object(object_id)
    found = outline_in_picture(sight.arrangement.placed(object_id), sight.camera)
    if found is None:
        return 1.0
    outline, left, top = found
    inner = cv2.erode(outline, np.ones((3, 3), dtype=np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0
    height, width = inner.shape
    ids, depth = (part[top : top + height, left : left + width] for part in (sight.ids, sight.depth))
    own = ids == item.instance_id
    if not own.any() or not inner.any():
        return 1.0
    nearer = ~own & inner & (depth < depth[own].max())
    return int(np.count_nonzero(nearer)) / int(np.count_nonzero(inner))


def _may_be_hidden(sight: Sight, mover: SceneObject, item: SceneObject) -> bool:
    """Whether a mover may hide a thing: another one, unrelated, of its room, smaller, and not nearer to the camera."""
    return (
        item.object_id != mover.object_id
        and item.room_id == mover.room_id
        and item.box.half.max() < mover.box.half.max()
        and sight.arrangement.supporter(mover.object_id) != item.object_id
    )


def _apart(a: MaskFacts, b: MaskFacts) -> float:
    """Pixels between two bounding boxes, along the axis where they are farther apart; 0 where they overlap."""
    across = max(a.left - b.right, b.left - a.right, 0)
    down = max(a.top - b.bottom, b.top - a.bottom, 0)
    return float(max(across, down))


def _plans(sight: Sight, mover: SceneObject, thing: SceneObject, rng: np.random.Generator) -> Iterator[Move]:
    """The shortest motion into the camera's rays to the thing that is predicted to hide it, and one that misses it."""
    ray = _Ray.to(sight, mover, thing)
    if ray is None:
        return
    if not any(predicted_cover(sight, mover, thing, ray.displacement(p, 0.0)) >= HOPE for p in (*SCOUTS, ray.sideways)):
        return
    grid = [(pull, offset) for pull in PULLS for offset in OFFSETS]
    jitter = rng.uniform(-0.03, 0.03, (len(grid), 2)).tolist()
    places = [(pull + dp, offset + do) for (pull, offset), (dp, do) in zip(grid, jitter, strict=True)]
    near = [(length, *place) for place in places if SHORTEST <= (length := ray.move(*place).length) <= LONGEST]
    hits = (place for _, *place in sorted(near) if _would_cover(sight, mover, thing, ray.displacement(*place)))
    best = next(hits, None)
    if best is None:
        return
    pull, offset = best
    yield ray.move(pull, offset)
    side = 1.0 if rng.integers(2) else -1.0
    for miss in MISSES:
        aside = offset + side * (miss + float(rng.uniform(0.0, 0.08)))
        move = ray.move(pull, aside)
        if predicted_cover(sight, mover, thing, ray.displacement(pull, aside)) == 0.0 and move.length >= SHORTEST:
            yield move
            return


@dataclass(frozen=True)
class _Ray:
    """The way from the eye to a thing on the floor plane, and where the mover starts.

    Attributes:
        camera: whose ray.
        eye, start, along: (x, y) of the eye, of the mover's centre, and the ray's unit direction.
        reach: metres from the eye at which the mover would stand right before the thing.
    """

    camera: Camera
    eye: tuple[float, float]
    start: tuple[float, float]
    along: tuple[float, float]
    reach: float

    @classmethod
    def to(cls, sight: Sight, mover: SceneObject, thing: SceneObject) -> _Ray | None:
        """The ray to a thing; None where the mover has no room before it."""
        eye = sight.camera.eye
        start, target = (sight.arrangement.centre(item.object_id) for item in (mover, thing))
        dx, dy = float(target[0] - eye[0]), float(target[1] - eye[1])
        level = math.sqrt(dx * dx + dy * dy)
        reach = level - float(mover.box.half[:2].max() + thing.box.half[:2].max()) - IN_FRONT
        if reach <= 0.0:
            return None
        return cls(
            sight.camera,
            (float(eye[0]), float(eye[1])),
            (float(start[0]), float(start[1])),
            (dx / level, dy / level),
            reach,
        )

    @property
    def sideways(self) -> float:
        """The pull, metres, for which the mover goes straight across to the ray; negative behind the thing."""
        ahead = [(s - e) * u for s, e, u in zip(self.start, self.eye, self.along, strict=True)]
        return self.reach - math.fsum(ahead)

    def displacement(self, pull: float, offset: float) -> tuple[float, float]:
        """(dx, dy) to ``pull`` metres nearer than right before the thing, and ``offset`` metres to the right of it."""
        t, (ux, uy) = self.reach - pull, self.along
        return (
            self.eye[0] + t * ux + offset * uy - self.start[0],
            self.eye[1] + t * uy - offset * ux - self.start[1],
        )

    def move(self, pull: float, offset: float) -> Move:
        """The same in the camera's axes."""
        return Move.across(self.camera, *self.displacement(pull, offset))


def _would_cover(sight: Sight, mover: SceneObject, thing: SceneObject, displacement: tuple[float, float]) -> bool:
    """Whether a motion is predicted to cover enough of a thing and leads through nothing and over no edge."""
    name = mover.object_id
    return (
        predicted_cover(sight, mover, thing, displacement) >= AIM
        and refuse_way(sight.arrangement, name, displacement) is None
        and refuse_overhang(sight.arrangement, name, displacement) is None
    )


def predicted_cover(sight: Sight, mover: SceneObject, thing: SceneObject, displacement: tuple[float, float]) -> float:
    """Share of a thing's pixels that the mover's outline would cover if it stood elsewhere at its height, in front."""
    mask = sight.mask(thing.object_id)
    placed = sight.arrangement.placed(mover.object_id).moved((*displacement, 0.0))
    found = outline_in_picture(placed, sight.camera)
    if found is None or mask is None:
        return 0.0
    outline, left, top = found
    height, width = outline.shape
    ids = sight.ids[top : top + height, left : left + width]
    return int(np.count_nonzero((ids == thing.instance_id) & (outline > 0))) / mask.area
