"""Querying: carry a selected item out in the simulator with full rendering, and read its label again."""

from __future__ import annotations

from dataclasses import dataclass

from flowbench.builders.simulators.base import Simulator
from flowbench.rendering import Frame

from .candidates import Candidate
from .categories import CATEGORIES
from .executing import execute
from .items import Item, Reject
from .presets import Preset
from .scene import Shapes
from .trial import refuse_unseen
from .verifying import refuse_against_engine
from .view import Sight

MARGIN_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class Shot:
    """One moment, fully rendered: what is seen, and the picture with depth."""

    sight: Sight
    frame: Frame


@dataclass(frozen=True, eq=False)
class Outcome:
    """A selected item, carried out.

    Attributes:
        candidate: what was selected.
        before, after: both moments.
    """

    candidate: Candidate
    before: Shot
    after: Shot


def shoot(simulator: Simulator, candidate: Candidate, width: int, height: int, shapes: Shapes) -> Shot:
    """Look with every pass from a candidate's view at the scene as it stands now."""
    camera = candidate.pose.camera(width, height)
    simulator.set_camera(camera)
    frame = simulator.observe(rgb=True, depth=True, ids=True)
    return Shot(Sight.of(simulator, camera, frame, shapes), frame)


def carry_out(simulator: Simulator, candidate: Candidate, before: Shot, preset: Preset) -> Outcome | Reject:
    """Move, look, read the label again, and put everything back.

    Returns:
        the outcome, or a reject when the label is not what was proposed: it is never published then.
    """
    item = candidate.item
    camera = before.sight.camera
    against = refuse_against_engine(simulator, item, item.before, camera)
    if against is not None:
        return against
    try:
        refused = execute(simulator, item.mover, item.move, camera)
        if refused is not None:
            return Reject("not reproduced: " + refused.reason)
        against = refuse_against_engine(simulator, item, item.answer, camera)
        if against is not None:
            return against
        after = shoot(simulator, candidate, camera.width, camera.height, before.sight.arrangement.shapes)
    finally:
        simulator.restore(before.sight.arrangement.snapshot)
    mover = before.sight.arrangement.object(item.mover)
    unseen = refuse_unseen(before.sight, after.sight, mover, preset)
    if unseen is not None:
        return Reject("not reproduced: " + unseen.reason)
    if not _same_labels(item, before.sight, after.sight):
        return Reject("not reproduced: label differs")
    return Outcome(candidate, before, after)


def _same_labels(item: Item, before: Sight, after: Sight) -> bool:
    """Whether both moments give the labels that were proposed."""
    category = CATEGORIES[item.category]
    labels = category.labels(before, after, item.question)
    if isinstance(labels, Reject):
        return False
    was, now = labels
    return (None if was is None else was.answer, now.answer) == (item.before, item.answer) and (
        abs(now.margin - item.margin) <= MARGIN_TOLERANCE
    )
