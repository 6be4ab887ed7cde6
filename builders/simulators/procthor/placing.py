"""Objects of a house into the world: where the file says, but resting on what our models are, and through nothing."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from flowbench.geometry import Pose, rotate, transform

from ..bullet.catalogue import ObjectType
from ..bullet.collision import centre_of_mass
from ..bullet.house import Body, Register
from ..bullet.model import Model
from ..bullet.openings import HousePlan
from ..bullet.physics import MOST_TILT, World
from .assets import Asset, StandIn, assets, stand_ins
from .fitting import fitted
from .frames import floor_point, is_tilted, turn_of
from .schema import HouseError, Thing

_BELOW = 0.1
"""Metres below the floor or above the ceiling from which on a place is wrong rather than imprecise."""
_ON_FLOOR = 0.05
_GAP = 0.002
_REACH = 0.12
"""A shelf or top of ours at most this far above or below a thing's place is where it is meant to stand, metres."""
_RAISED = tuple(round(0.02 * k, 2) for k in range(1, 16))
_SOFT = frozenset({"ArmChair", "Bed", "Sofa"})
"""What has cushions and pillows of its own, on which things may lie higher than on its surfaces."""
_DRIFT, _DROP, _SOFT_DROP = 0.15, 0.3, 0.5
_TOWARDS = (0.0, 0.25, 0.45)
"""Shares of the way from a thing's place on a bed to the bed's middle: our headboards are thicker."""
_NUDGES = (0.0, 0.03, 0.06, 0.1)
_DEEP = 0.03
"""What is built in may overlap by this much, metres: a sink in its counter, a faucet on its sink."""


@dataclass(frozen=True)
class Placed:
    """An object that stands.

    Attributes:
        body: what it is in the home.
        asset: what it is in the file.
        thing: its entry there.
    """

    body: Body
    asset: Asset
    thing: Thing


@final
class Placer:
    """Puts the objects of one house into a world, and counts what has to stay out by reason."""

    def __init__(self, world: World, register: Register, plan: HousePlan, at: tuple[int, str, int, str]):
        """``at`` is (seed, pool, scene, style): what models are drawn from."""
        self._world, self._register, self._rooms, self._height = world, register, plan.rooms, plan.height
        self._at = at
        self._models: dict[str, Model] = {}
        self.placed: list[Placed] = []
        self.left_out: Counter[str] = Counter()
        self.unknown: Counter[str] = Counter()

    def place(self, things: Sequence[Thing], parent: Placed | None = None) -> None:
        """Put things, and then what stands on each of them, into the world.

        Raises:
            HouseError: one lies below the floor.
        """
        for thing in things:
            asset = assets().get(thing.asset_id)
            stand_in = stand_ins().get(asset.object_type) if asset else None
            if asset is None or stand_in is None:
                self.unknown[thing.asset_id] += 1
                self.left_out["object: its asset is not known"] += 1
                self.place(thing.children)
                continue
            placed = self._put(thing, asset, stand_in, parent)
            self.place(thing.children, placed or parent)

    def _put(self, thing: Thing, asset: Asset, stand_in: StandIn, parent: Placed | None) -> Placed | None:
        """One object; None where it has to stay out."""
        pose = _pose(thing, asset)
        half = 0.0 if is_tilted(thing.rotation) else asset.size[2] / 2.0
        if thing.position.y - half < -_BELOW:
            raise HouseError(f"has {thing.id} below the floor")
        if thing.position.y + half > self._height + _BELOW:
            self.left_out["object: it reaches above the ceiling"] += 1
            return None
        room = next((k for k, room in enumerate(self._rooms) if room.has(*floor_point(thing.position))), None)
        if room is None:
            self.left_out["object: it lies outside all rooms"] += 1
            return None
        model = self._model(asset)
        kind = _kind(asset, stand_in)
        at = self._world.add(model.parts, pose, model.mass, centre_of_mass(model.mesh))
        built_in = stand_in.fixed or (thing.kinematic and parent is None and pose.position[2] > _ON_FLOOR)
        if built_in:
            kind = dataclasses.replace(kind, placement="hung")
            fits = self._nudged(at, pose, kind)
        elif thing.kinematic and parent is None:
            x, y, _ = pose.position
            fits = self._nudged(at, Pose((x, y, 0.0), pose.quaternion), kind)
        else:
            fits = self._rests(at, pose, parent, kinematic=thing.kinematic)
        if not fits:
            self._world.remove(at)
            self.left_out[_why(pose, parent)] += 1
            return None
        below = None if built_in else self._world.supporter(at)
        body = self._register.add(kind, kind.name, room, model.mesh, model.parts, at, below)
        self.placed.append(Placed(body, asset, thing))
        return self.placed[-1]

    def _model(self, asset: Asset) -> Model:
        """The model of an asset in this house."""
        if asset.asset_id not in self._models:
            self._models[asset.asset_id] = fitted(asset, stand_ins()[asset.object_type], *self._at)
        return self._models[asset.asset_id]

    def _nudged(self, at: int, pose: Pose, kind: ObjectType) -> bool:
        """Put a piece that others do not carry where it is meant to be, or a few centimetres from there."""
        for target in _around(pose):
            self._world.place(at, target)
            if not self._world.overlaps(at):
                return True
        self._world.place(at, pose)
        built_in = not (kind.moveable or kind.pickupable)
        return built_in and all(contact.distance > -_DEEP for contact in self._world.contacts(at, 0.0))

    def _rests(self, at: int, pose: Pose, parent: Placed | None, *, kinematic: bool) -> bool:
        """Let a thing come to rest near where it is meant to stand; on a bed also nearer to its middle."""
        if parent is None or parent.asset.object_type not in _SOFT:
            return self._rests_here(at, pose, parent, _DROP, kinematic=kinematic)
        (x, y, z), (px, py, _) = pose.position, parent.body.pose.position
        places = [Pose((x + k * (px - x), y + k * (py - y), z), pose.quaternion) for k in _TOWARDS]
        return any(self._rests_here(at, place, parent, _SOFT_DROP, kinematic=kinematic) for place in places)

    def _rests_here(self, at: int, pose: Pose, parent: Placed | None, drop: float, *, kinematic: bool) -> bool:
        """Let a thing come to rest where it is put, at most ``drop`` metres lower or higher."""
        x, y, z = pose.position
        landed = False
        for height, raised in self._heights(z, (x, y), parent):
            if raised and landed:
                return False
            start = Pose((x, y, height + _GAP), pose.quaternion)
            self._world.place(at, start)
            if self._world.overlaps(at):
                continue
            landed = True
            rest = self._world.stand(at) if kinematic else self._world.settle(at)
            if rest is None or rest.supporter is None or rest.tilt > MOST_TILT:
                continue
            moved = [abs(a - b) for a, b in zip(rest.pose.position, pose.position, strict=True)]
            if max(moved[:2]) < _DRIFT and moved[2] < drop and not self._world.overlaps(at):
                return True
        return False

    def _heights(self, z: float, at: tuple[float, float], parent: Placed | None) -> Iterator[tuple[float, bool]]:
        """Heights of a thing's lowest point to try, and whether they are higher than meant.

        First on what our models offer, then as the file says, then above; nothing is let down through a closed top.
        """
        if parent is None:
            yield from ((height, False) for height in sorted({0.0, max(z, 0.0)}, key=lambda height: abs(height - z)))
            return
        tops = [top for top in _tops(parent, self._model(parent.asset), at) if abs(top - z) < _REACH]
        yield from ((top, False) for top in sorted(tops, key=lambda top: abs(top - z)))
        yield z, False
        if not tops or parent.asset.object_type in _SOFT:
            yield from ((z + step, True) for step in _RAISED)


def _why(pose: Pose, parent: Placed | None) -> str:
    """What an object that finds no place is counted as."""
    if parent is not None and parent.asset.object_type not in _SOFT:
        top = parent.body.pose.position[2] + parent.asset.size[2]
        if pose.position[2] < top - _REACH:
            return "object: it lies inside furniture that is closed here"
    return "object: it finds no place as our models are shaped"


def _tops(parent: Placed, model: Model, at: tuple[float, float]) -> list[float]:
    """Heights of the surfaces of a carrier that lie under a point, metres."""
    matrix = parent.body.pose.matrix
    found = []
    for surface in model.surfaces:
        corners = np.array([(x, y, surface.z) for x in (surface.x0, surface.x1) for y in (surface.y0, surface.y1)])
        world = transform(matrix, corners)
        low, high = world.min(axis=0), world.max(axis=0)
        if all(low[k] - 0.02 <= at[k] <= high[k] + 0.02 for k in (0, 1)):
            found.append(float(world[0, 2]))
    return found


def _pose(thing: Thing, asset: Asset) -> Pose:
    """Where the model's frame goes: its origin in the middle of the box's lower side."""
    turned = Pose((0.0, 0.0, 0.0), turn_of(thing.rotation))
    down = rotate(turned.matrix, np.array([0.0, 0.0, asset.size[2] / 2.0]))
    x, y, z = (float(v) for v in np.array([thing.position.x, thing.position.z, thing.position.y]) - down)
    return Pose((round(x, 4), round(y, 4), round(z, 4)), turned.quaternion)


def _around(pose: Pose) -> Iterator[Pose]:
    """The pose, then poses a few centimetres from it along the axes, nearest first."""
    yield pose
    for step in _NUDGES[1:]:
        for dx, dy in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)):
            yield pose.moved(dx, dy)


def _kind(asset: Asset, stand_in: StandIn) -> ObjectType:
    """The catalogue's row under the asset's type and with its flags."""
    return dataclasses.replace(
        stand_in.kind,
        name=asset.object_type,
        label=stand_in.label,
        pickupable=asset.pickupable and not stand_in.fixed,
        moveable=asset.moveable and not stand_in.fixed,
        receptacle=asset.receptacle,
    )
