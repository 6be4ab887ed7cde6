"""From a house of a file to a home that stands in the embedded engine."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from typing import Any

from flowbench.geometry import Pose, transform
from flowbench.seeding import generator

from ..bullet.free_space import FreeSpace
from ..bullet.house import Body, House, Register
from ..bullet.physics import World
from ..bullet.rects import Rect
from ..bullet.styles import Style
from .assets import StandIn, stand_ins
from .lights import light_of
from .materials import Painter
from .placing import Placed, Placer
from .plans import plan_of
from .reading import FileHouse
from .schema import HouseError
from .structure import pieces_of

_OVERHEAD = 1.9
"""What hangs higher does not stand in people's way, metres."""


@dataclasses.dataclass(frozen=True, eq=False)
class Imported:
    """A house that stands.

    Attributes:
        house: the home; its ``left_out`` counts by reason what of the file is not in it.
        facts: what is published of where it comes from: file, number in it, assets, and what stands for them.
    """

    house: House
    facts: Mapping[str, Any]


def build_imported(source: FileHouse, seed: int, pool: str, scene: int, style: Style, world: World) -> Imported:
    """Build a house into an empty physics world; models, finishes and strength of light are drawn in the pool's style.

    Raises:
        HouseError: it cannot be built; the message is a sentence that names it.
    """
    try:
        return _built(source, seed, pool, scene, style, world)
    except HouseError as error:
        raise HouseError(f"{source.name} {error}: it is left out.") from error


def _built(source: FileHouse, seed: int, pool: str, scene: int, style: Style, world: World) -> Imported:
    planned = plan_of(source.house)
    plan = planned.plan
    pieces = pieces_of(planned, Painter(style, seed, pool, scene))
    register = Register(world)
    for piece in pieces:
        register.structure(piece, world.add(piece.parts, Pose((0.0, 0.0, 0.0))))
    placer = Placer(world, register, plan, (seed, pool, scene, style.name))
    placer.place(source.house.objects)
    floor = FreeSpace(plan)
    for placed in placer.placed:
        for rect in _in_the_way(placed.body):
            floor.block(rect)
    rng = generator(seed, pool, scene, "eyes")
    eye_height = min(round(float(rng.uniform(*style.proportions.eye_height)), 3), round(plan.height - 0.2, 3))
    lighting = light_of(source.house, style, plan, pieces, (seed, pool, scene))
    left_out: Counter[str] = planned.left_out + placer.left_out
    house = House(style, plan, tuple(register.bodies), lighting, eye_height, floor, left_out)
    return Imported(house, _facts(source, placer, left_out))


def _in_the_way(body: Body) -> list[Rect]:
    """The floor rectangles under a body's parts that people cannot walk through."""
    found = []
    for part in body.parts:
        points = transform(body.pose.matrix, part)
        (x0, y0, z0), (x1, y1, _) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        if z0 < _OVERHEAD:
            found.append(Rect(x0, y0, x1, y1))
    return found


def _facts(source: FileHouse, placer: Placer, left_out: Mapping[str, int]) -> Mapping[str, Any]:
    """Plain JSON values."""
    used = sorted({placed.asset.object_type for placed in placer.placed})
    return {
        "file_sha256": source.file_sha256,
        "index": source.index,
        "assets": [_asset(placed) for placed in placer.placed],
        "stand_ins": {name: _look(stand_ins()[name]) for name in used if _look(stand_ins()[name]) != name},
        "left_out": {reason: left_out[reason] for reason in sorted(left_out)},
        "unknown_assets": {asset: placer.unknown[asset] for asset in sorted(placer.unknown)},
    }


def _asset(placed: Placed) -> Mapping[str, Any]:
    return {
        "object": placed.body.object_id,
        "asset": placed.asset.asset_id,
        "kinematic": placed.thing.kinematic,
        "openness": placed.thing.openness,
    }


def _look(stand_in: StandIn) -> str:
    """What a type looks like: a row of our catalogue, or a plain form."""
    return stand_in.form or stand_in.kind.name
