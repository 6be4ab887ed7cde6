"""Left Right: will the mover end up to the left of a landmark, from the camera's viewpoint? (paper, B.4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, final

import numpy as np

from flowbench.builders.real.facts import Facts
from flowbench.builders.real.measuring.stated import LEAST_COMPONENT
from flowbench.builders.sim.items import YES_NO, Because
from flowbench.schema.real_meta import Sighting

from .base import TEST_MARGIN, Category, Draft, Terms, cm, yes_no

LEAST_COLUMNS = 8.0
"""Pixels between the columns in pictures of :data:`AT_WIDTH`: nearer ones look to be in line."""
AT_WIDTH = 640.0
UNCHANGED = 0.05
"""Metres from the landmark, in both pictures, of questions that the move does not change (B.4.8)."""


@final
class LeftRight(Category):
    """yes iff x_A < x_L, metric; asked only where the picture's columns agree, and are apart (real.md)."""

    name = "left_right"
    profile_name = "left_right"
    questions = (
        "Will {a} end up to the {relation} of {l}, from the camera's viewpoint?",
        "After the move, will {a} be to the {relation} of {l}, as seen from the camera?",
    )
    static_questions = (
        "Is {a} to the {relation} of {l}, from the camera's viewpoint?",
        "Is {a} to the {relation} of {l}, as seen from the camera?",
    )
    RELATIONS: ClassVar = ("left", "right")

    def changed(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """For each landmark that is passed."""
        for k in facts.landmarks:
            before, after = sides(facts, k)
            need = facts.profile.margin
            if facts.profile.left_right_by_width:
                need = max(need, facts.thing(k).radius)
            clear = abs(after) >= need and abs(before) >= facts.profile.before_margin
            if (before < 0.0) != (after < 0.0) and clear and agrees(facts, k):
                yield _draft(k, before, after, self.RELATIONS[int(rng.integers(2))])

    def unchanged(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """For each landmark that the mover stays beside; half of them state the wrong side.

        Ours are moves toward the landmark that stop short of it: those that cross it go the same way.
        """
        for k in facts.landmarks:
            before, after = sides(facts, k)
            relation = self.RELATIONS[int(rng.integers(2))]
            stays = (before < 0.0) == (after < 0.0) and min(abs(before), abs(after)) > UNCHANGED
            approaches = abs(before) - abs(after) >= LEAST_COMPONENT
            if stays and (approaches or facts.paper) and agrees(facts, k):
                yield _draft(k, before, after, relation)

    def because(self, facts: Facts, draft: Draft, terms: Terms) -> Because:
        """Which side before and after."""
        before, after = sides(facts, draft.landmarks[0])
        was, now = ("left" if x < 0.0 else "right" for x in (before, after))
        (landmark,) = terms.landmarks
        change = "the move takes it past that object" if was != now else "the move does not take it past that object"
        return Because(
            start=f"{terms.mover} is to the {was} of {landmark}",
            change=change,
            result=f"{terms.mover} is to the {now} of {landmark}",
            measured=f"{terms.mover} is {cm(abs(before))} to the {was} of {landmark} before and "
            f"{cm(abs(after))} to the {now} of it after",
        )


def sides(facts: Facts, k: int) -> tuple[float, float]:
    """x_A - x_L before and after, metres; negative: left."""
    x = facts.thing(k).before.position[0]
    return facts.mover.before.position[0] - x, facts.mover.after.position[0] - x


def agrees(facts: Facts, k: int) -> bool:
    """Whether the median pixels' columns say the same of both moments, and one can see it.

    A move away from the camera may pass a landmark in metres and end in line with it in the picture. So columns are
    apart, and not each within the other's box.
    """
    still, moves = facts.thing(k).before, (facts.mover.before, facts.mover.after)
    least = LEAST_COLUMNS * facts.measured.pair.shape[1] / AT_WIDTH
    columns = [each.pixel[0] - still.pixel[0] for each in moves]
    apart = all(abs(column) >= least for column in columns)
    return (
        apart
        and all(column * x > 0.0 for column, x in zip(columns, sides(facts, k), strict=True))
        and not any(_within(each, still) and _within(still, each) for each in moves)
    )


def _within(one: Sighting, other: Sighting) -> bool:
    """Whether a thing's median column lies within another's box."""
    return other.bbox[0] <= one.pixel[0] <= other.bbox[0] + other.bbox[2]


def _draft(k: int, before: float, after: float, relation: str) -> Draft:
    was, now = (yes_no((x < 0.0) == (relation == "left")) for x in (before, after))
    margin = round(abs(after), 6)
    return Draft("left_right", (k,), relation, None, was, now, margin, YES_NO, margin >= TEST_MARGIN)
