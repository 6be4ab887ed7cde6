"""``occlusion``: after the move, is the landmark fully visible, or partly blocked? (paper, B.4 "Occlusion")

Cover: the mover ends in front of it (z by more than m), what is seen of it shrinks to 0.74 of what was, and the mover's
mask covers a fifth of where it was seen (a tenth of named objects). Reveal: it grows by 1.35, and the mover's box
overlapped a tenth of its own before and at most a twentieth after.
"""

from __future__ import annotations

from ..facts import Asked, Box, Condition, Outcome, changes

VISIBLE, BLOCKED = "fully visible", "partly blocked"
SHRINK, GROW = 0.74, 1.35
COVERED, COVERED_NAMED = 0.20, 0.10
OVERLAP_BEFORE, OVERLAP_AFTER = 0.10, 0.05


def judge(asked: Asked) -> Outcome:
    """Judge by the visible areas; the margin is the share by which the landmark's area passes its limit."""
    landmark = asked.only()
    kept = landmark.area_after / max(landmark.area_before, 1)
    covers = kept < 1.0
    answers = (VISIBLE, BLOCKED) if covers else (BLOCKED, VISIBLE)
    conditions = [*(_cover(asked, kept) if covers else _reveal(asked, kept)), *changes(asked, answers[1], answers[0])]
    margin = SHRINK - kept if covers else kept - GROW
    return Outcome(answers[1], answers[0], margin, "share", conditions)


def _cover(asked: Asked, kept: float) -> list[Condition]:
    landmark, margin = asked.only(), asked.rules.margin
    covered = asked.covered[0] if asked.covered else 0.0
    return [
        Condition("in front of what it covers", landmark.before[2] - asked.end[2], margin),
        Condition("area shrinks", -kept, -SHRINK),
        Condition("covered by the mover", covered, COVERED_NAMED if asked.named else COVERED),
    ]


def _reveal(asked: Asked, kept: float) -> list[Condition]:
    landmark, mover = asked.only(), asked.mover
    after = 0.0 if mover.box_after is None else overlap(landmark.box_after or landmark.box_before, mover.box_after)
    return [
        Condition("area grows", kept, GROW),
        Condition("boxes overlap before", overlap(landmark.box_before, mover.box_before), OVERLAP_BEFORE),
        Condition("boxes apart after", -after, -OVERLAP_AFTER),
    ]


def overlap(box: Box, other: Box) -> float:
    """Share of the first box that the second covers."""
    sides = [
        max(0.0, min(box[axis] + box[axis + 2], other[axis] + other[axis + 2]) - max(box[axis], other[axis]))
        for axis in (0, 1)
    ]
    return sides[0] * sides[1] / max(box[2] * box[3], 1e-9)
