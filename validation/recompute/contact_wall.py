"""``contact_wall``: does the mover touch a wall of its room after the move?

The least gap between the mover and the pieces of wall of its room decides: up to 0.03 m is contact, from 0.15 m on
there is none, and between the two a label is ambiguous, as it is for a mover more than 0.02 m inside a wall (sim.md,
"Categories").
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flowbench.errors import ReleaseError

from .common import Evidence, Question
from .distance import Vertices, union_gap
from .meta import ObjectMeta
from .verdict import Recomputed, Verdict

CONTACT = 0.03
CLEAR = 0.15
DEEPEST = 0.02
"""Metres that a mover may stand inside a wall."""
TOUCH = 1e-6


def recompute(evidence: Evidence) -> Recomputed:
    """Judge both states by the gap to the nearest wall."""
    question = evidence.question
    if question.landmarks:
        raise ReleaseError(f"contact_wall names {len(question.landmarks)} landmarks, expected none: build it again")
    mover = evidence.with_parts(question.mover)
    walls = walls_of_room(evidence, mover)
    before, after = (_judge(mover.placed_parts(state), walls, question) for state in (mover.before, mover.after))
    return Recomputed.of(before=before, after=after, margin_unit="m")


def walls_of_room(evidence: Evidence, mover: ObjectMeta) -> list[ObjectMeta]:
    """The walls of the mover's room that have a shape.

    Raises:
        ReleaseError: the metadata lists none.
    """
    walls = [each for each in evidence.meta.objects if each.type == "Wall" and each.room == mover.room and each.parts]
    if mover.room is None or not walls:
        raise ReleaseError(f"meta.txt lists no wall of the room of {mover.object}: build the sample again")
    return walls


def _judge(body: Sequence[Vertices], walls: Sequence[ObjectMeta], question: Question) -> Verdict:
    gaps = {wall.id: union_gap(body, wall.placed_parts(wall.after)) for wall in walls}
    if any(gaps[wall.id] <= TOUCH and _is_inside(body, wall) for wall in walls):
        return Verdict(None, None, f"it stands more than {DEEPEST:g} m inside a wall")
    gap = min(gaps.values())
    beyond = CONTACT - gap if gap < (CONTACT + CLEAR) / 2.0 else gap - CLEAR
    return Verdict(question.letter(gap <= CONTACT), beyond, f"{gap:.4f} m from the nearest wall")


def _is_inside(body: Sequence[Vertices], wall: ObjectMeta) -> bool:
    """Whether no push of ``DEEPEST`` across or along the wall brings a body out of it."""
    axes = (wall.after.world_from_object @ np.array(wall.box.frame))[:3, :2].T
    pushes = [sign * (DEEPEST + TOUCH) * axis for axis in axes for sign in (1.0, -1.0)]
    parts = wall.placed_parts(wall.after)
    return all(union_gap([part + push for part in body], parts, 2.0 * TOUCH) <= TOUCH for push in pushes)
