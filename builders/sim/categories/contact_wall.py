"""``contact_wall``: after the move, does the mover touch a wall of its room?

The gap between the mover and the nearest piece of wall decides. All four cells of contact before and after are asked
about: slides to a wall and off it, along it, and toward it without reaching it (sim.md, "What balanced promises").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, final

import numpy as np

from flowbench.builders.simulators.base import SceneObject

from ..generic import generic_moves
from ..items import LEAST_MARGIN, Because, Item, Label, Question, Reject
from ..move import Move
from ..presets import Preset
from ..trial import Trial
from ..view import Sight
from ..walls import WallSide, wall_gap, wall_sides
from .base import Category, yes_no_cell

TOUCHING = 0.03
FREE = 0.15
"""Metres: at most the first is contact, at least the second is none, and nothing is asked between (sim.md)."""
AIM = 0.015
"""Gap that slides to a wall aim at, metres: the middle of what is contact."""
ALONG_A_MOVER = 2
CLEAR = 0.20
"""Metres from a wall at which a viewer sees that it is not touched."""
LEAST_APPROACH = 0.10
FARTHEST = 1.3
"""A motion that starts and ends free of walls leads at least so much nearer to one, and starts no farther from it."""


def label(gap: float) -> Label | Reject:
    """Read the answer off the gap to the nearest wall of the room, metres; the margin is in metres."""
    margin = max(TOUCHING - gap, gap - FREE)
    if margin <= LEAST_MARGIN:
        return Reject("contact_wall: neither in contact nor clear of the wall")
    return Label("yes" if gap < TOUCHING else "no", margin)


@final
class ContactWall(Category):
    """See the module."""

    name = "contact_wall"
    label_version = 1
    unit = "m"
    measures_gaps = False
    choices = 2
    questions: ClassVar[Sequence[str]] = (
        "After this move, will {mover} be touching a wall, no more than 0.03 m from it?",
        "Does {mover} end up in contact with a wall of the room, within 0.03 m of it?",
        "Once it has moved, is there a wall within 0.03 m of {mover}?",
        "Will {mover} then stand against a wall, with a gap of at most 0.03 m?",
        "Would {mover} be touching one of the walls after moving, with 0.03 m or less between the two?",
    )
    static_questions: ClassVar[Sequence[str]] = (
        "Is {mover} touching a wall, no more than 0.03 m from it?",
        "Is {mover} in contact with a wall of the room, within 0.03 m of it?",
        "Is there a wall within 0.03 m of {mover}?",
        "Does {mover} stand against a wall, with a gap of at most 0.03 m?",
        "Is {mover} touching one of the walls, with 0.03 m or less between the two?",
    )

    def moves(self, sight: Sight, mover: SceneObject, preset: Preset, rng: np.random.Generator) -> Iterator[Move]:
        """Slides to the nearer walls, short of them, off and along them (paper A.2, both ways), then generic ones."""
        shortest, longest = preset.length_bands[0][0], preset.length_bands[-1][1]
        near = [side for side in wall_sides(sight.arrangement, mover) if side.gap < longest + FREE]
        for side in near[:2]:
            if side.gap > FREE:
                lengths = [side.gap - AIM, float(rng.uniform(shortest, max(shortest, side.gap - FREE - 0.03)))]
            else:
                lengths = [-float(rng.uniform(max(shortest, FREE + 0.03 - side.gap), longest))]
            for length in lengths:
                if shortest <= abs(length) <= longest:
                    yield _toward(sight, side, length)
        for side in near[:1]:
            if side.gap < TOUCHING:
                for _ in range(ALONG_A_MOVER):
                    yield _along(
                        sight, side, float(rng.uniform(shortest, longest)) * (1.0 if rng.integers(2) else -1.0)
                    )
        yield from generic_moves(preset, rng, 2)

    def items(self, trial: Trial, rng: np.random.Generator) -> Iterator[Item | Reject]:
        """The one question of a motion that starts or ends near a wall."""
        question = Question(trial.mover.object_id, ())
        before, after = (wall_gap(sight.arrangement, trial.mover) for sight in (trial.before, trial.after))
        if TOUCHING < before < CLEAR or TOUCHING < after < CLEAR:
            yield Reject("contact_wall: hard to see")
            return
        if min(before, after) > FREE and not LEAST_APPROACH < before - after < before < FARTHEST:
            yield Reject("contact_wall: no wall near the motion's end")
            return
        labels = self.labels(trial.before, trial.after, question)
        yield (
            labels
            if isinstance(labels, Reject)
            else Item.of(self.name, trial.move, question, *labels, yes_no_cell(*labels))
        )

    def read(self, sight: Sight, question: Question) -> Label | Reject:
        """Measure the gap to the nearest wall."""
        return label(wall_gap(sight.arrangement, sight.arrangement.object(question.mover)))

    def because(self, item: Item, before: Sight, after: Sight, mover: str, names: Sequence[str]) -> Because:
        """At a wall or not, before and after."""
        gaps = [wall_gap(sight.arrangement, sight.arrangement.object(item.mover)) for sight in (before, after)]
        gaps = [max(gap, 0.0) for gap in gaps]  # the physics lets things overlap by a hair
        stands = {"yes": "touches a wall", "no": "is clear of every wall"}
        changes = {
            ("yes", "yes"): "leaves it touching a wall",
            ("yes", "no"): "takes it off the wall",
            ("no", "yes"): "takes it all the way to a wall",
            ("no", "no"): "does not take it as far as a wall",
        }
        assert item.before is not None
        return Because(
            start=f"{mover} {stands[item.before]}",
            change=f"moving {mover} {item.move.way} {changes[item.before, item.answer]}",
            result=f"{mover} {stands[item.answer]}",
            measured=f"the gap between {mover} and the nearest wall goes from {gaps[0]:.2f} m to {gaps[1]:.2f} m",
        )


def _toward(sight: Sight, side: WallSide, length: float) -> Move:
    """A motion straight toward a wall (negative: off it)."""
    nx, ny = side.normal
    return Move.across(sight.camera, -length * nx, -length * ny)


def _along(sight: Sight, side: WallSide, length: float) -> Move:
    """A motion along a wall."""
    nx, ny = side.normal
    return Move.across(sight.camera, -length * ny, length * nx)
