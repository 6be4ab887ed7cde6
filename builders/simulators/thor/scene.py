"""A loaded scene as the contract has it, read from Unity's metadata and meshes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import ConvexParts, OrientedBox, Pose, distance_to_edges, point_in_polygon

from ..base import Part, Room, SceneError, SceneObject
from .shapes import bounds_of, parts_of
from .structure import THICKNESS, Building, Face, faces_of, slab_of
from .units import pose_of

STRUCTURE: Mapping[str, str] = {
    "Floor": "Floor",
    "Wall": "Wall",
    "Ceiling": "Ceiling",
    "Door": "Door",
    "Doorway": "Door",
    "Doorframe": "Door",
    "Window": "Window",
}
"""AI2-THOR's types of the building -> ours."""
FLAT = ("AreaRug",)
"""Types that lie so flat that nothing collides with them."""
MOST_OBJECTS = 5000
ORIGIN = Pose((0.0, 0.0, 0.0))
Entry = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Scene:
    """What never changes of a scene.

    Attributes:
        rooms: its rooms.
        objects: by instance id, 1, 2, ...; structure first.
        keys: Unity's lasting name of each listed object -> our object id.
        poses: object id -> where it first stands.
        building: the ids of the building's surfaces.
    """

    rooms: tuple[Room, ...]
    objects: tuple[SceneObject, ...]
    keys: Mapping[str, str]
    poses: Mapping[str, Pose]
    building: Building


def entries_of(metadata: Mapping[str, Any]) -> list[Entry]:
    """The metadata's objects.

    Raises:
        SceneError: there are none, too many, or some without names.
    """
    entries = metadata.get("objects")
    if not isinstance(entries, list) or not 0 < len(entries) <= MOST_OBJECTS:
        raise SceneError("metadata unreadable", "AI2-THOR's metadata lists no objects, or too many.")
    for entry in entries:
        if not all(isinstance(entry.get(key), str) and entry[key] for key in ("objectId", "name", "objectType")):
            raise SceneError("metadata unreadable", f"AI2-THOR lists an object without a name: {str(entry)[:120]}.")
    return entries


def keyed(entries: Sequence[Entry]) -> dict[str, Entry]:
    """Entries by what does not change: object ids are given anew whenever poses are set, names are not."""
    names = Counter(entry["name"] for entry in entries)
    found = {(entry["name"] if names[entry["name"]] == 1 else entry["objectId"]): entry for entry in entries}
    doubled = sorted({e["name"] for e in entries if names[e["name"]] > 1 and moves(e)})
    if doubled:
        raise SceneError("names doubled", f"AI2-THOR lists several movable objects called {doubled[0]!r}.")
    return found


def moves(entry: Entry) -> bool:
    """Whether Unity lets the object be moved."""
    return bool(entry.get("pickupable") or entry.get("moveable"))


def called(entry: Entry) -> str:
    """Our object id: Unity's at first sight, begun with the type."""
    kind = STRUCTURE.get(entry["objectType"], entry["objectType"])
    name: str = entry["objectId"]
    return name if name.startswith(f"{kind}|") else f"{kind}|{name}"


def label_of(kind: str) -> str:
    """How a text calls a type: ``DiningTable`` is a dining table, ``TVStand`` a TV stand."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|[a-z]+|\d+", kind)
    return " ".join(word if len(word) > 1 and word.isupper() else word.lower() for word in words) or kind


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Sorts numbers in names by their value."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", name) if part]


@dataclass(frozen=True, eq=False)
class _Listed:
    """An object that Unity lists, as far as it is read."""

    key: str
    entry: Entry
    kind: str
    name: str
    pose: Pose
    parts: tuple[Part, ...]

    @property
    def points(self) -> NDArray[np.float64]:
        """(n, 3) vertices of all parts, world frame."""
        return ConvexParts.of(self.parts).placed(self.pose.matrix).vertices


def read_scene(
    entries: Sequence[Entry], meshes: Mapping[str, Sequence[NDArray[np.float64]]], rooms: tuple[Room, ...]
) -> Scene:
    """Number and describe what there is.

    Args:
        entries: the metadata's objects.
        meshes: key -> vertices (n, 3) of each mesh, world frame.
        rooms: the scene's rooms.
    """
    listed = [
        _Listed(key, entry, STRUCTURE.get(entry["objectType"], ""), called(entry), pose, parts)
        for key, entry in keyed(entries).items()
        for pose in [pose_of(entry)]
        for parts in [parts_of(entry, meshes.get(key, ()), pose)]
    ]
    names = Counter(each.name for each in listed)
    if max(names.values()) > 1:
        raise SceneError("names doubled", f"AI2-THOR lists {names.most_common(1)[0][0]!r} more than once.")
    listed.sort(
        key=lambda each: (not each.kind, list(STRUCTURE.values()).index(each.kind or "Window"), _natural(each.name))
    )
    own = [each for each in listed if each.kind]
    floors, ceilings = (_by_outline(own, kind, rooms) for kind in ("Floor", "Ceiling"))
    faces = faces_of(rooms)
    walls = {k: each.name for k, face in enumerate(faces) if (each := _behind(own, face)) is not None}
    home = {name: rooms[k].room_id for found in (floors, ceilings) for k, name in found.items()}
    home.update({name: rooms[faces[k].room].room_id for k, name in reversed(walls.items())})
    objects = [_building_piece(each, home.get(each.name)) for each in own]
    objects += _made_up(rooms, faces, floors, ceilings, walls)
    objects += [_thing(each, rooms) for each in listed if not each.kind]
    numbered = tuple(_numbered(item, number) for number, item in enumerate(objects, start=1))
    ids = {item.object_id: item.instance_id for item in numbered}
    building = Building(
        rooms,
        tuple(ids[floors[k]] for k in range(len(rooms))),
        tuple(ids[ceilings[k]] for k in range(len(rooms))),
        tuple((face, ids[walls[k]]) for k, face in enumerate(faces)),
    )
    poses = dict.fromkeys(ids, ORIGIN) | {each.name: each.pose for each in listed}
    return Scene(rooms, numbered, {each.key: each.name for each in listed}, poses, building)


def _by_outline(own: Sequence[_Listed], kind: str, rooms: Sequence[Room]) -> dict[int, str]:
    """Index of a room -> the listed floor or ceiling that fills its outline best."""
    found: dict[int, tuple[float, str]] = {}
    for each in own:
        if each.kind != kind:
            continue
        off = [float(distance_to_edges(each.points[:, :2], room.polygon).max()) for room in rooms]
        best = min(range(len(rooms)), key=off.__getitem__)
        found[best] = min(found.get(best, (np.inf, "")), (off[best], each.name))
    return {room: name for room, (_, name) in found.items()}


def _behind(own: Sequence[_Listed], face: Face) -> _Listed | None:
    """The listed wall that stands behind a face."""
    walls = (each for each in own if each.kind == "Wall")
    return next((w for w in walls if face.carries(w.points.min(axis=0), w.points.max(axis=0))), None)


def _made_up(
    rooms: Sequence[Room],
    faces: Sequence[Face],
    floors: dict[int, str],
    ceilings: dict[int, str],
    walls: dict[int, str],
) -> list[SceneObject]:
    """What is not listed of the building; names are added to the three tables."""
    made: list[SceneObject] = []

    def add(table: dict[int, str], index: int, kind: str, room: Room, parts: tuple[Part, ...]) -> None:
        if index not in table:
            table[index] = f"{kind}|{room.room_id}|{index + 1}"
            made.append(_object(table[index], kind, room.room_id, parts, structural=True))

    for k, room in enumerate(rooms):
        add(floors, k, "Floor", room, slab_of(room.polygon, -THICKNESS, 0.0))
    for k, room in enumerate(rooms):
        add(ceilings, k, "Ceiling", room, slab_of(room.polygon, room.height, room.height + THICKNESS))
    for k, face in enumerate(faces):
        add(walls, k, "Wall", rooms[face.room], (face.slab(rooms[face.room].height),))
    return made


def _building_piece(each: _Listed, room_id: str | None) -> SceneObject:
    return _object(each.name, each.kind, room_id, each.parts, structural=True)


def _thing(each: _Listed, rooms: Sequence[Room]) -> SceneObject:
    """Furniture and small objects; the room is the one their middle lies in."""
    entry = each.entry
    low, high = bounds_of(entry)
    middle = ((low + high) / 2.0)[:2]
    room = next((room.room_id for room in rooms if point_in_polygon(middle, room.polygon)), None)
    flags = {key: bool(entry.get(key)) for key in ("pickupable", "moveable", "receptacle")}
    return _object(each.name, entry["objectType"], room, each.parts, structural=False, **flags)


def _object(
    name: str,
    kind: str,
    room_id: str | None,
    parts: tuple[Part, ...],
    *,
    structural: bool,
    pickupable: bool = False,
    moveable: bool = False,
    receptacle: bool = False,
) -> SceneObject:
    box = OrientedBox.around(np.concatenate(parts))
    solid = () if kind in FLAT else parts
    return SceneObject(1, name, kind, label_of(kind), room_id, pickupable, moveable, receptacle, structural, solid, box)


def _numbered(item: SceneObject, number: int) -> SceneObject:
    """The same object with its instance id."""
    values = {name: getattr(item, name) for name in item.__dataclass_fields__}
    return SceneObject(**{**values, "instance_id": number})
