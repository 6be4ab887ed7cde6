"""``left_right``: after the move, is the mover left (or right) of a landmark in the picture?

Only motions that *approach* the landmark's image column are asked about, half of which cross it and half of which
stop short, so that neither the direction nor the wording tells the answer (sim.md, "What balanced promises").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from flowbench.builders.simulators.base import SceneObject

from ..items import LEAST_MARGIN, Because, Item, Label, Question, Reject
from ..measuring import MaskFacts
from ..move import Move
from ..presets import Preset
from ..trial import Trial
from ..view import Sight
from .base import Category, yes_no_cell

MARGIN_PX = 20.0
"""Least distance of the two mask centroids, in pixels of an 800 px wide image (sim.md, "Categories")."""
CROSSING = (0.25, 0.9)
STOPPING = (1.15, 2.5)
"""Where the landmark's column may lie on (or beyond) the mover's way, as a share of it: a landmark far beyond what the
motion can reach asks for no imagination."""
MOVES_A_MOVER = 8


@dataclass(frozen=True)
class Extent:
    """A mask's horizontal centroid and width in pixels."""

    u: float
    width: float

    @classmethod
    def of(cls, mask: MaskFacts) -> Extent:
        """The extent of a mask."""
        return cls(mask.u, float(mask.width))


def label(mover: Extent, landmark: Extent, relation: str, scale: float) -> Label | Reject:
    """Read the answer off two masks of one image.

    Args:
        mover, landmark: their masks' extents.
        relation: ``"left"`` or ``"right"``, as asked.
        scale: image width / 800.

    Returns:
        yes/no with its margin in pixels, or a reject when the centroids are closer than max(20 px, a quarter of the
        sum of both mask widths).
    """
    offset = mover.u - landmark.u
    margin = abs(offset) - max(MARGIN_PX * scale, (mover.width + landmark.width) / 4.0)
    if margin <= LEAST_MARGIN:
        return Reject("left_right: too close to call")
    side = "left" if offset < 0.0 else "right"
    return Label("yes" if side == relation else "no", margin)


def other_side(relation: str) -> str:
    """``left`` for ``right`` and the other way round."""
    return "right" if relation == "left" else "left"


@final
class LeftRight(Category):
    """See the module."""

    name = "left_right"
    label_version = 1
    unit = "px"
    measures_gaps = False
    choices = 2
    questions: ClassVar[Sequence[str]] = (
        "After this move, will {mover} be to the {relation} of {a} in the picture?",
        "Seen from the camera, does {mover} end up to the {relation} of {a}?",
        "Once it has moved, is {mover} {relation} of {a} from the camera's viewpoint?",
        "From where the camera stands, would {mover} then be on the {relation} side of {a}?",
        "In the resulting picture, will {mover} appear to the {relation} of {a}?",
    )
    static_questions: ClassVar[Sequence[str]] = (
        "Is {mover} to the {relation} of {a} in the picture?",
        "Seen from the camera, is {mover} to the {relation} of {a}?",
        "Is {mover} {relation} of {a} from the camera's viewpoint?",
        "From where the camera stands, is {mover} on the {relation} side of {a}?",
        "In this picture, does {mover} appear to the {relation} of {a}?",
    )

    def moves(self, sight: Sight, mover: SceneObject, preset: Preset, rng: np.random.Generator) -> Iterator[Move]:
        """Projected plans (paper A.2): slides whose predicted column crosses a landmark's, and ones that stop short."""
        mask = sight.mask(mover.object_id)
        if mask is None:
            return
        wanted = [bool(cross) for cross in rng.permutation(MOVES_A_MOVER) % 2]
        for cross in wanted:
            shortest, longest = preset.length_bands[int(rng.integers(len(preset.length_bands)))]
            length = float(rng.uniform(shortest, longest))
            sign = 1.0 if rng.integers(2) else -1.0
            move = Move.of(sign * length, 0.0)
            predicted = mask.u + _predicted_shift(sight, mover, move)
            if any(_realises(sight, mask, predicted, item, mover, cross) for item in sight.nameable):
                yield move

    def items(self, trial: Trial, rng: np.random.Generator) -> Iterator[Item | Reject]:
        """Both wordings for every landmark whose column a sideways motion approaches."""
        if trial.move.away_cm != 0:
            return
        start, end = trial.before.mask(trial.mover.object_id), trial.after.mask(trial.mover.object_id)
        assert start is not None
        assert end is not None
        for landmark in trial.landmarks:
            column = trial.before.masks[landmark.instance_id].u
            if not _in_reach(start.u, end.u, column):
                continue
            for relation in ("left", "right"):
                question = Question(trial.mover.object_id, (landmark.object_id,), relation)
                labels = self.labels(trial.before, trial.after, question)
                if isinstance(labels, Reject):
                    yield labels
                    break
                yield Item.of(self.name, trial.move, question, *labels, yes_no_cell(*labels))

    def read(self, sight: Sight, question: Question) -> Label | Reject:
        """Compare the mask centroids."""
        mover, landmark = sight.mask(question.mover), sight.mask(question.landmarks[0])
        if mover is None or landmark is None or question.relation is None:
            return Reject("left_right: not visible")
        return label(Extent.of(mover), Extent.of(landmark), question.relation, sight.scale)

    def because(self, item: Item, before: Sight, after: Sight, mover: str, names: Sequence[str]) -> Because:
        """Which side it starts on, whether it passes, which side it ends on."""
        assert item.relation is not None
        ends = item.relation if item.answer == "yes" else other_side(item.relation)
        starts = item.relation if item.before == "yes" else other_side(item.relation)
        change = "takes it past" if starts != ends else "does not take it past"
        columns = [
            mask.u
            for sight, name in ((before, item.mover), (after, item.mover), (after, item.landmarks[0]))
            if (mask := sight.mask(name)) is not None
        ]
        return Because(
            start=f"{mover} is to the {starts} of {names[0]}",
            change=f"moving {mover} {item.move.way} {change} {names[0]}",
            result=f"{mover} is to the {ends} of {names[0]}",
            measured=f"the mask centre of {mover} goes from column {columns[0]:.1f} to {columns[1]:.1f}, "
            f"and that of {names[0]} lies at column {columns[2]:.1f}",
        )


def _in_reach(start: float, end: float, column: float) -> bool:
    """Whether the way from start to end clearly crosses a column, or stops short of it but not far."""
    if end == start:
        return False
    share = (column - start) / (end - start)
    return any(least <= share <= most for least, most in (CROSSING, STOPPING))


def _predicted_shift(sight: Sight, mover: SceneObject, move: Move) -> float:
    """How far the mover's centre moves to the right in the image, pixels."""
    centre = sight.arrangement.centre(mover.object_id)
    dx, dy = move.world(sight.camera)
    pixels, _ = sight.camera.project(np.stack([centre, centre + np.array([dx, dy, 0.0])]))
    return float(pixels[1, 0] - pixels[0, 0])


def _realises(
    sight: Sight, start: MaskFacts, predicted: float, landmark: SceneObject, mover: SceneObject, cross: bool
) -> bool:
    """Whether a predicted column would cross (or stop short of) a landmark's with the label's margin."""
    if landmark.object_id == mover.object_id:
        return False
    target = Extent.of(sight.masks[landmark.instance_id])
    crosses = (target.u - start.u) * (target.u - predicted) < 0.0
    clear = all(
        isinstance(label(Extent(u, float(start.width)), target, "left", sight.scale), Label)
        for u in (start.u, predicted)
    )
    return clear and crosses == cross and _in_reach(start.u, predicted, target.u)
