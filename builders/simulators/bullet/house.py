"""From a seed to a home that stands: plan, structure, furniture, clutter, light, every object resting on something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from flowbench.geometry import Pose
from flowbench.rendering import Lighting, Mesh
from flowbench.seeding import generator

from .amounts import furniture, number_of_objects
from .catalogue import ObjectType
from .clutter import scatter
from .collision import centre_of_mass
from .floor_plan import draw_floor_plan
from .free_space import FreeSpace
from .furnish import furnish
from .lights import light_house
from .model import Part
from .openings import HousePlan
from .physics import World
from .pieces import Piece
from .space import Item, RoomSpace
from .structure import build_structure
from .styles import Style

_FIXED = ("hung", "ceiling", "rug")


@dataclass(frozen=True, eq=False)
class Body:
    """Anything with an instance id.

    Attributes:
        instance_id: 1, 2, ... in order.
        object_id: ``"Type|n"``, n counting within the type.
        kind: its catalogue row; None for structure.
        object_type: AI2-THOR's type name.
        room: index of its room, None for structure between rooms.
        mesh, parts: object frame, metres.
        index: its number in the physics world.
        pose: where it first stands.
        supporter: instance id of what carries it at first; None if it hangs or is fixed.
    """

    instance_id: int
    object_id: str
    kind: ObjectType | None
    object_type: str
    room: int | None
    mesh: Mesh
    parts: tuple[Part, ...]
    index: int
    pose: Pose
    supporter: int | None


@dataclass(frozen=True, eq=False)
class House:
    """A home: its plan, everything in it, its light, how high people's eyes are (metres), and where they can stand.

    ``left_out`` counts, by type and reason, what was drawn and placed but overlapped or did not stand.
    """

    style: Style
    plan: HousePlan
    bodies: tuple[Body, ...]
    lighting: Lighting
    eye_height: float
    floor: FreeSpace
    left_out: Mapping[str, int]


def draw_plan(seed: int, pool: str, scene: int, style: Style, rooms: int | None = None) -> HousePlan:
    """The floor plan of a scene; ``rooms`` overrides how many it has."""
    return draw_floor_plan(generator(seed, pool, scene, "plan"), style.proportions, rooms)


def build_house(
    seed: int, pool: str, scene: int, style: Style, catalogue: Mapping[str, ObjectType], world: World
) -> House:
    """Build a scene's home into an empty physics world.

    An object that would overlap another, or that does not stand upright by itself, is left out.
    """
    plan = draw_plan(seed, pool, scene, style)
    pieces = build_structure(generator(seed, pool, scene, "structure"), style, plan)
    floor = FreeSpace(plan)
    spaces = [RoomSpace.of(plan, index, floor) for index in range(len(plan.rooms))]
    rng = generator(seed, pool, scene, "amounts")
    wanted = number_of_objects(rng, style.proportions.objects, len(spaces))
    for index, counts in enumerate(furniture(rng, plan.rooms, catalogue, style.light.lamps, wanted)):
        furnish(generator(seed, pool, scene, "furniture", index), style.name, spaces[index], counts)
    missing = wanted - sum(len(space.items) for space in spaces)
    scatter(generator(seed, pool, scene, "clutter"), style.name, spaces, catalogue, missing)
    items = [item for space in spaces for item in space.items]
    rng = generator(seed, pool, scene, "light")
    lamps = [item for item in items if item.kind.placement == "ceiling"]
    lighting = light_house(rng, style, plan, lamps, pieces)
    eye_height = round(float(rng.uniform(*style.proportions.eye_height)), 3)
    bodies, left_out = _stand(world, pieces, items)
    return House(style, plan, bodies, lighting, eye_height, floor, left_out)


@final
class Register:
    """Numbers what stays in a world, in the order it comes, and names it by its type."""

    def __init__(self, world: World) -> None:
        """Begin with nothing; ``world`` is where everything stands."""
        self._world = world
        self._names: Counter[str] = Counter()
        self._id_at: dict[int, int] = {}
        self.bodies: list[Body] = []

    def structure(self, piece: Piece, at: int) -> None:
        """A piece of the building, at ``at`` in the world."""
        self.add(None, piece.object_type, piece.room, piece.mesh, piece.parts, at, None)

    def item(self, item: Item, parts: tuple[Part, ...], at: int) -> None:
        """An object that stands, hangs or lies."""
        below = None if item.kind.placement in _FIXED else self._world.supporter(at)
        self.add(item.kind, item.kind.name, item.room, item.model.mesh, parts, at, below)

    def add(
        self,
        kind: ObjectType | None,
        name: str,
        room: int | None,
        mesh: Mesh,
        parts: tuple[Part, ...],
        at: int,
        below: int | None,
    ) -> Body:
        """Anything, at ``at`` in the world, carried by what is at ``below`` there; returned as it is numbered."""
        supporter = self._id_at[below] if below is not None else None
        self._names[name] += 1
        number = len(self.bodies) + 1
        self._id_at[at] = number
        pose = self._world.pose(at)
        label = f"{name}|{self._names[name]}"
        body = Body(number, label, kind, name, room, mesh, parts, at, pose, supporter)
        self.bodies.append(body)
        return body


def _stand(world: World, pieces: list[Piece], items: list[Item]) -> tuple[tuple[Body, ...], Counter[str]]:
    """Put everything into the world, drop what overlaps or falls, and number what stays; count the others."""
    register = Register(world)
    left_out: Counter[str] = Counter()
    for piece in pieces:
        register.structure(piece, world.add(piece.parts, Pose((0.0, 0.0, 0.0))))
    for item in items:
        parts = () if item.kind.placement == "rug" else item.model.parts
        at = world.add(parts, item.pose, item.model.mass, centre_of_mass(item.model.mesh))
        reason = _unfit(world, at, item)
        if reason is None:
            register.item(item, parts, at)
        else:
            world.remove(at)
            left_out[f"{item.kind.name} {reason}"] += 1
    return tuple(register.bodies), left_out


def _unfit(world: World, at: int, item: Item) -> str | None:
    """Why an item may not stay: it overlaps, or it is neither fixed nor stands by itself just as it was put."""
    if item.kind.placement == "rug":
        return None
    if item.kind.placement in _FIXED:
        return "overlaps" if world.overlaps(at) else None
    world.stand(at)
    if world.overlaps(at):
        return "overlaps"
    if not (item.kind.pickupable or item.kind.moveable):
        return None if world.supporter(at) is not None else "hovers"  # screwed to floor and wall
    rest = world.settle(at)
    if rest is None or rest.supporter is None or rest.rotation > 0.0:
        return "falls"
    return "overlaps" if world.overlaps(at) else None
