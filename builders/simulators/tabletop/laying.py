"""What stands on a table: things of different names, apart from each other, all in the picture."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np

from flowbench.geometry import ConvexParts, Pose

from .catalogue import draw_thing, kinds
from .judging import in_picture
from .looks import draw_park, draw_surroundings, draw_view, uniform
from .panda import Joints
from .scene import Setup, Surroundings, TableObject, View, camera_of

_COUNT = {"bridge": (5, 8), "topdown": (5, 9)}
_REGION = {"bridge": ((0.36, 0.66), (-0.24, 0.24)), "topdown": ((0.39, 0.63), (-0.21, 0.21))}
"""Where things stand: x and y from .. to, metres."""
GAP = {"bridge": 0.022, "topdown": 0.022}
"""Least distance between surfaces at the beginning and at the end, metres."""
_TRIES = 60
_BLOCKS = 0.06
"""Share of blocks among household things."""


@dataclass(frozen=True, eq=False)
class Table:
    """A layout, before anything moves.

    Attributes:
        setup: the set-up.
        objects: what stands there.
        shapes: their parts in their own frames.
        poses: of each.
        standing: their parts where they stand, world.
        view: the camera.
        park: where the arm waits.
        surroundings: table, room and light.
    """

    setup: Setup
    objects: tuple[TableObject, ...]
    shapes: tuple[ConvexParts, ...]
    poses: tuple[Pose, ...]
    standing: tuple[ConvexParts, ...]
    view: View
    park: Joints
    surroundings: Surroundings


def draw_table(rng: np.random.Generator, setup: Setup) -> Table | str:
    """Things with different names, apart from each other and all in the picture."""
    view = draw_view(rng, setup)
    camera = camera_of(view)
    low, high = _COUNT[setup]
    count = int(rng.integers(low, high + 1))
    objects: list[TableObject] = []
    shapes: list[ConvexParts] = []
    poses: list[Pose] = []
    standing: list[ConvexParts] = []
    for thing in _things(rng, setup, count):
        shape = ConvexParts.of([np.array(part, dtype=np.float64) for part in thing.parts])
        (x0, x1), (y0, y1) = _REGION[setup]
        for _ in range(_TRIES):
            x, y = uniform(rng, x0, x1), uniform(rng, y0, y1)
            pose = Pose.upright(x, y, 0.0, uniform(rng, -math.pi, math.pi))
            parts = shape.placed(pose.matrix)
            gap = GAP[setup]
            if in_picture(camera, parts) and all(parts.distance(other, limit=gap) >= gap for other in standing):
                break
        else:
            return "no room for a thing"
        objects.append(thing)
        shapes.append(shape)
        poses.append(pose)
        standing.append(parts)
    return Table(
        setup,
        tuple(objects),
        tuple(shapes),
        tuple(poses),
        tuple(standing),
        view,
        draw_park(rng, view),
        draw_surroundings(rng, setup),
    )


def _things(rng: np.random.Generator, setup: Setup, count: int) -> list[TableObject]:
    """Things whose names differ: household things and now and then a block, or blocks alone; large ones first."""
    rows = list(kinds().values())
    toys, others = [kind for kind in rows if kind.toy], [kind for kind in rows if not kind.toy]
    things: list[TableObject] = []
    used: Counter[str] = Counter()
    while len(things) < count:
        pool = toys if setup == "topdown" or rng.random() < _BLOCKS else others
        kind = pool[int(rng.integers(len(pool)))]
        thing = draw_thing(rng, kind)
        most = 3 if kind.toy else 2
        if used[kind.label] < most and all(thing.name != other.name for other in things):
            used[kind.label] += 1
            things.append(thing)
    order = sorted(range(count), key=lambda n: -things[n].size[0] * things[n].size[1])
    return [things[n] for n in order]
