"""``contact_wall``: does the mover touch a wall of its room after the move?

The least gap between the mover and the pieces of wall of its room decides: up to 0.03 m is contact, from 0.15 m on
there is none, and between the two a label is ambiguous (sim.md, "Categories").
"""

from __future__ import annotations

from flowbench.errors import ReleaseError

from .common import Evidence, Question
from .distance import Vertices, union_gap
from .meta import ObjectMeta
from .verdict import Recomputed, Verdict

CONTACT = 0.03
CLEAR = 0.15


def recompute(evidence: Evidence) -> Recomputed:
    """Judge both states by the gap to the nearest wall."""
    question = evidence.question
    if question.landmarks:
        raise ReleaseError(f"contact_wall names {len(question.landmarks)} landmarks, expected none: build it again")
    mover = evidence.with_parts(question.mover)
    walls = walls_of_room(evidence, mover)
    before, after = (
        _judge(min(union_gap(mover.placed_parts(state), wall) for wall in walls), question)
        for state in (mover.before, mover.after)
    )
    return Recomputed.of(before=before, after=after, margin_unit="m")


def walls_of_room(evidence: Evidence, mover: ObjectMeta) -> list[list[Vertices]]:
    """The walls of the mover's room, each as its parts in the world frame.

    Raises:
        ReleaseError: the metadata lists none.
    """
    walls = [each for each in evidence.meta.objects if each.type == "Wall" and each.room == mover.room and each.parts]
    if mover.room is None or not walls:
        raise ReleaseError(f"meta.txt lists no wall of the room of {mover.object}: build the sample again")
    return [wall.placed_parts(wall.after) for wall in walls]


def _judge(gap: float, question: Question) -> Verdict:
    beyond = CONTACT - gap if gap < (CONTACT + CLEAR) / 2.0 else gap - CLEAR
    return Verdict(question.letter(gap <= CONTACT), beyond, f"{gap:.4f} m from the nearest wall")
