"""Rooms of a scene by their floors: from a house's JSON, from floors that Unity lists, or from where one can stand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.simulators.procthor.schema import House
from flowbench.geometry import polygon_area

from ..base import Room, SceneError
from .units import to_world

ROOM_TYPES: Mapping[str, str] = {
    "Kitchen": "kitchen",
    "LivingRoom": "living_room",
    "Bedroom": "bedroom",
    "Bathroom": "bathroom",
}
STOREYS: Mapping[int, str] = {0: "kitchen", 2: "living_room", 3: "bedroom", 4: "bathroom"}
"""Hundreds of an iTHOR room's number -> what it is."""
AROUND = 0.25
"""Metres between the outermost places to stand and the walls, where nothing else says where those are: the radius of
AI2-THOR's agent and half a step of its grid."""
HEIGHT = 2.5
"""Metres, where nothing says how high a room is."""
SAME = 1e-4
MOST_TRIANGLES = 500
"""Of a floor's mesh; finer ones are cut off."""
Triangles = list[list[tuple[float, float]]]


def rooms_of_house(house: House) -> tuple[Room, ...]:
    """The rooms of a house file, whose floor outlines are the walls' inner faces."""
    tops = [corner.y for wall in house.walls if not wall.empty for corner in wall.polygon]
    height = max(tops, default=0.0) or HEIGHT
    return tuple(
        Room(
            room.id,
            ROOM_TYPES.get(room.room_type, "hallway"),
            outline([(corner.x, corner.z) for corner in room.floor_polygon]),
            height,
        )
        for room in house.rooms
    )


def rooms_of_floors(scene: str, floors: Mapping[str, Triangles], height: float) -> tuple[Room, ...]:
    """Rooms of an iTHOR scene whose floors are listed as objects.

    Args:
        scene: ``FloorPlan7``, ``FloorPlan203``, ...
        floors: name -> triangles of its mesh, (x, y), metres.
        height: metres.
    """
    kind = _kind(scene)
    found: list[Room] = []
    for triangles in floors.values():
        loop = largest_loop(triangles)
        if len(loop) >= 3:
            found.append(Room(f"room-{len(found) + 1}", kind, outline(loop), height))
    return tuple(found)


def room_of_positions(scene: str, positions: NDArray[np.float64], height: float) -> tuple[Room, ...]:
    """One rectangular room around all places where one can stand: iTHOR tells nothing of its walls."""
    low, high = positions[:, :2].min(axis=0) - AROUND, positions[:, :2].max(axis=0) + AROUND
    (x0, y0), (x1, y1) = low.tolist(), high.tolist()
    return (Room("room-1", _kind(scene), outline([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), height),)


def _kind(scene: str) -> str:
    number = int("".join(filter(str.isdigit, scene.partition("_")[0])) or 0)
    return STOREYS.get(number // 100, "living_room")


def height_of(metadata: Mapping[str, Any]) -> float:
    """Metres from the floor to the top of the scene's bounds."""
    bounds = metadata.get("sceneBounds") or {}
    if not bounds.get("center") or not bounds.get("size"):
        return HEIGHT
    centre, size = to_world(bounds["center"], "scene bounds"), to_world(bounds["size"], "scene bounds")
    top = round(centre[2] + size[2] / 2.0, 5)
    return top if 1.8 <= top <= 20.0 else HEIGHT


def outline(points: Iterable[tuple[float, float]]) -> NDArray[np.float64]:
    """A floor polygon (n, 2), counter-clockwise, to a tenth of a millimetre, without doubled and idle corners.

    Raises:
        SceneError: nothing is left.
    """
    corners = [(round(x, 4) + 0.0, round(y, 4) + 0.0) for x, y in points]
    corners = [c for k, c in enumerate(corners) if c != corners[k - 1]]
    kept = [c for k, c in enumerate(corners) if not _idle(corners[k - 1], c, corners[(k + 1) % len(corners)])]
    polygon = np.array(kept, dtype=np.float64).reshape(-1, 2)
    area = polygon_area(polygon) if len(polygon) >= 3 else 0.0
    if abs(area) < 0.01:
        raise SceneError("floor unreadable", "AI2-THOR states a room whose floor has no area.")
    return polygon if area > 0.0 else np.ascontiguousarray(polygon[::-1])


def _idle(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Whether a corner lies on the straight line between its neighbours."""
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], c[0] - b[0], c[1] - b[1]
    lengths = math.sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy))
    return abs(ux * vy - uy * vx) <= SAME * max(lengths, SAME) and ux * vx + uy * vy > 0.0


def largest_loop(triangles: Triangles) -> list[tuple[float, float]]:
    """The longest closed line of edges that only one of a floor's triangles has: its outline."""
    corners = [[(round(x, 3) + 0.0, round(y, 3) + 0.0) for x, y in triangle] for triangle in triangles[:MOST_TRIANGLES]]
    flat = [list(reversed(t)) if _turn(t) < 0.0 else t for t in corners if abs(_turn(t)) > 1e-6]
    points = sorted({corner for t in flat for corner in t})
    edges = [piece for t in flat for k in range(3) for piece in _split(t[k], t[(k + 1) % 3], points)]
    inner = set(edges)
    following: dict[tuple[float, float], tuple[float, float]] = {}
    for start, end in edges:
        if (end, start) not in inner:
            following.setdefault(start, end)
    best: list[tuple[float, float]] = []
    while following:
        start = min(following)
        loop = []
        while start in following:
            loop.append(start)
            start = following.pop(start)
        best = max(best, loop, key=len)
    return best


def _split(
    start: tuple[float, float], end: tuple[float, float], points: Sequence[tuple[float, float]]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """An edge cut at the corners that lie on it, so that triangles of other sizes beside it have the same edges."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length2 = dx * dx + dy * dy
    on = []
    for x, y in points:
        along = ((x - start[0]) * dx + (y - start[1]) * dy) / length2
        off = (x - start[0]) * dy - (y - start[1]) * dx
        if 0.0 < along < 1.0 and off * off <= SAME * SAME * length2:
            on.append((along, (x, y)))
    stops = [start, *(point for _, point in sorted(on)), end]
    return list(itertools.pairwise(stops))


def _turn(t: Sequence[tuple[float, float]]) -> float:
    """Twice a triangle's area, positive counter-clockwise."""
    (ax, ay), (bx, by), (cx, cy) = t
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


def triangulated(polygon: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Triangles (3, 2) of a simple counter-clockwise polygon, by cutting ears."""
    left: list[tuple[float, float]] = [(float(x), float(y)) for x, y in polygon]
    found = []
    while len(left) > 3:
        count = len(left)
        ears = (k for k in range(count) if _is_ear(left[k - 1], left[k], left[(k + 1) % count], left))
        ear = next(ears, 0)
        found.append(np.array([left[ear - 1], left[ear], left[(ear + 1) % count]]))
        del left[ear]
    return [*found, np.array(left)]


def _is_ear(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], corners: Sequence[tuple[float, float]]
) -> bool:
    """Whether the corner b is convex and its triangle holds no other corner."""
    if _turn((a, b, c)) <= 0.0:
        return False
    others = (p for p in corners if p not in (a, b, c))
    return not any(_turn((a, b, p)) >= 0.0 and _turn((b, c, p)) >= 0.0 and _turn((c, a, p)) >= 0.0 for p in others)
