"""Whether the future follows from what was seen: nothing unseen at the cut may touch anything before the target."""

from __future__ import annotations

from flowbench.builders.dynapix.happenings import between, seen
from flowbench.collisions.oracle import Oracle

ENTERS = "an object that enters after the cut touches something before the target"
HIDDEN = "an object hidden at the cut touches something before the target"


def undetermined(oracle: Oracle, cut: int, target: int) -> str | None:
    """Why the frame ``target`` does not follow from the frames up to ``cut``; None where it does.

    What such an object's touch sets in motion may touch others in turn; the first touch alone is reason enough.
    """
    for collision in between(oracle, cut, target):
        for body in collision.pair:
            enters = oracle.bodies[body].enters
            if enters is not None and enters > cut:
                return ENTERS
            if not seen(oracle, cut, body):
                return HIDDEN
    return None
