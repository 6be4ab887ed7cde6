"""What happens in a filmed scene: bodies that meet, that start to move, that land (paper, appendix E: A1, A2, A3).

An event's *moment* is the first frame that shows it done; nothing counts that the first frame already shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from flowbench.builders.dynapix.happenings import seen_bodies
from flowbench.builders.sources.filmed import FilmedScene
from flowbench.collisions.oracle import Body, Collision, Oracle

APART = 5
"""Frames that two bodies do not touch before they meet: shorter breaks are bounces."""
RESTING = 0.05
"""m/s below which a body rests (paper, appendix G)."""
LASTS = 3
"""Frames through which a body that starts to move keeps moving at least."""
STOOD = 10
"""Frames that it rested before."""
FALL = 0.05
"""Metres that a body has come down when it lands."""
FELL = 10
"""Frames in which it has."""


@dataclass(frozen=True, order=True)
class Event:
    """Something that happens.

    Attributes:
        moment: the first frame that shows it done.
        bodies: to whom.
    """

    moment: int
    bodies: tuple[int, ...]


def oracle_of(scene: FilmedScene, index: int) -> Oracle:
    """As planning takes a scene; how large bodies would be uncovered is not known, nor how hard they meet."""
    return Oracle(
        scene=index,
        bodies=tuple(Body(name, "", "") for name in scene.bodies),
        poses=scene.poses,
        velocities=scene.velocities,
        spins=scene.spins,
        visible=scene.visible,
        whole=scene.visible,
        pixels=scene.pixels,
        collisions=[
            Collision(each.moment - 1, 0, (each.bodies[0], each.bodies[1]), math.nan, math.nan, (math.nan,) * 3)
            for each in contacts(scene)
        ],
    )


def contacts(scene: FilmedScene) -> list[Event]:
    """Two bodies touch that did not for a while."""
    ends: dict[tuple[int, ...], int] = {}
    found = []
    for spell in sorted(scene.touches):
        if len(spell.bodies) == 2:
            before = ends.get(spell.bodies)
            if spell.first > 0 and (before is None or spell.first - before > APART):
                found.append(Event(spell.first, spell.bodies))
            ends[spell.bodies] = spell.last
    return sorted(found)


def motions(scene: FilmedScene) -> list[Event]:
    """A body that rested starts to move, and keeps moving."""
    return sorted(_motions(scene))


def _motions(scene: FilmedScene) -> Iterator[Event]:
    x, y, z = (scene.velocities[..., axis] for axis in range(3))
    moving = (x * x + y * y + z * z >= RESTING * RESTING).T.tolist()
    for body, own in enumerate(moving):
        for frame in range(STOOD, len(own) - LASTS + 1):
            if all(own[frame : frame + LASTS]) and not any(own[frame - STOOD : frame]):
                yield Event(frame, (body,))


def landings(scene: FilmedScene) -> list[Event]:
    """A body that came down touches the ground for the first time."""
    first: dict[int, int] = {}
    for spell in sorted(scene.touches):
        if len(spell.bodies) == 1:
            first.setdefault(spell.bodies[0], spell.first)
    return sorted(
        Event(frame, (body,))
        for body, frame in first.items()
        if frame >= FELL and scene.poses[frame - FELL, body, 2] - scene.poses[frame, body, 2] >= FALL
    )


EVENTS: Mapping[str, Callable[[FilmedScene], list[Event]]] = {
    "contact": contacts,
    "motion": motions,
    "landing": landings,
}
"""Kind -> its events in a scene, by time."""


def moves_by_itself(scene: FilmedScene, oracle: Oracle, cut: int, target: int) -> bool:
    """Whether a body in sight starts to move after the cut, up to the target, while no other one touches it."""
    inside = set(seen_bodies(oracle, cut)) | set(seen_bodies(oracle, target))
    return any(
        not _touched(scene, event)
        for event in motions(scene)
        if cut < event.moment <= target and event.bodies[0] in inside
    )


def _touched(scene: FilmedScene, event: Event) -> bool:
    """Whether another body touches one that starts to move, in the frames about that moment."""
    return any(
        spell.first <= event.moment and spell.last >= event.moment - 1
        for spell in scene.touches
        if len(spell.bodies) == 2 and event.bodies[0] in spell.bodies
    )
