"""Houses as ProcTHOR writes them (schema 1.0.0), from rectangles: walls split where rooms meet, objects by asset.

    python tests/support/thor_houses.py tests/data/three_rooms.json

writes the furnished house of three rooms that the tests and ``docs/procthor.md`` use.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flowbench.builders.simulators.procthor.assets import assets

HEIGHT = 2.7
Json = dict[str, Any]
Point = tuple[float, float]


@dataclass
class Drawing:
    """A house while it is drawn; lengths are metres on Unity's floor, (x, z).

    Attributes:
        rooms: id -> (type, (x0, z0, x1, z1)).
    """

    rooms: Mapping[int, tuple[str, tuple[float, float, float, float]]]
    doors: list[Json] = field(default_factory=list)
    windows: list[Json] = field(default_factory=list)
    objects: list[Json] = field(default_factory=list)
    open_between: set[frozenset[int]] = field(default_factory=set)

    def door(self, asset: str, a: int, b: int | None, at: Point, *, openness: float | None = 1.0) -> None:
        """A door whose middle lies at a point of a wall of room ``a``; ``b`` is behind it, None for the outside."""
        self.doors.append(self._opening("door", asset, a, b, at, 0.0) | {"openable": b is not None})
        if openness is not None:
            self.doors[-1]["openness"] = openness

    def window(self, asset: str, a: int, at: Point, sill: float = 1.0) -> None:
        """A window in an outer wall of room ``a``."""
        self.windows.append(self._opening("window", asset, a, None, at, sill))

    def house(self) -> Json:
        """The house as JSON."""
        walls = [wall for room in self.rooms for wall in self._walls(room)]
        return {
            "rooms": [self._room(room) for room in self.rooms],
            "walls": walls,
            "doors": self.doors,
            "windows": self.windows,
            "objects": self.objects,
            "proceduralParameters": {
                "ceilingMaterial": {"name": "SmallTiles"},
                "floorColliderThickness": 1.0,
                "receptacleHeight": 0.7,
                "lights": [_sun(), *(self._lamp(room) for room in self.rooms)],
                "reflections": [],
                "skyboxId": "SkySFGarden",
            },
            "metadata": {
                "agent": {
                    "position": {"x": 1.0, "y": 0.95, "z": 1.0},
                    "rotation": _vector(0, 90, 0),
                    "standing": True,
                    "horizon": 30,
                },
                "roomSpecId": "drawn",
                "schema": "1.0.0",
                "warnings": {},
            },
        }

    def _corners(self, room: int) -> list[Point]:
        """Corners, clockwise seen from above as ProcTHOR has them, those of neighbours along the sides among them."""
        x0, z0, x1, z1 = self.rooms[room][1]
        others = [(x, z) for k, (_, (a, b, c, d)) in self.rooms.items() if k != room for x in (a, c) for z in (b, d)]
        sides = [((x0, z0), (x0, z1)), ((x0, z1), (x1, z1)), ((x1, z1), (x1, z0)), ((x1, z0), (x0, z0))]
        corners: list[Point] = []
        for start, end in sides:
            between = [p for p in others if _inside(p, start, end)]
            corners += [start, *sorted(set(between), reverse=start > end)]
        return corners

    def _room(self, room: int) -> Json:
        return {
            "id": f"room|{room}",
            "roomType": self.rooms[room][0],
            "floorPolygon": [_vector(x, 0, z) for x, z in self._corners(room)],
            "floorMaterial": {"name": "DarkWoodFloors" if self.rooms[room][0] != "Kitchen" else "WhiteTileFloor"},
            "ceilings": [],
            "children": [],
        }

    def _walls(self, room: int) -> list[Json]:
        corners = self._corners(room)
        found = []
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            beyond = self._beyond(room, a, b)
            wall = _wall(f"wall|{room}|{_key(a, b)}", room, a, b)
            if beyond is not None and frozenset((room, beyond)) in self.open_between:
                wall["empty"] = True
            found.append(wall)
            if beyond is None:
                found.append(_wall(f"wall|exterior|{_key(a, b)}", room, b, a))
        return found

    def _beyond(self, room: int, a: Point, b: Point) -> int | None:
        """The other room at a stretch of wall."""
        mx, mz = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        for other, (_, (x0, z0, x1, z1)) in self.rooms.items():
            if other != room and x0 - 1e-6 <= mx <= x1 + 1e-6 and z0 - 1e-6 <= mz <= z1 + 1e-6:
                return other
        return None

    def _opening(self, kind: str, asset: str, a: int, b: int | None, at: Point, low: float) -> Json:
        corners = self._corners(a)
        start, end = next((p, q) for p, q in zip(corners, [*corners[1:], corners[0]], strict=True) if _inside(at, p, q))
        width, _, height = assets()[asset].size
        middle = abs(at[0] - start[0]) + abs(at[1] - start[1])
        second = f"room|{a if b is None else b}"
        return {
            "id": f"{kind}|{a}|{1 if b is None else b}|{len(self.doors) + len(self.windows)}",
            "assetId": asset,
            "room0": f"room|{a}",
            "room1": second,
            "wall0": f"wall|{a}|{_key(start, end)}",
            "wall1": f"wall|{'exterior' if b is None else b}|{_key(start, end)}",
            "holePolygon": [_vector(middle - width / 2, low, 0), _vector(middle + width / 2, low + height, 0)],
            "assetPosition": _vector(middle, low + height / 2, 0),
        }

    def _lamp(self, room: int) -> Json:
        x0, z0, x1, z1 = self.rooms[room][1]
        return {
            "id": f"light_{room}",
            "type": "point",
            "position": _vector((x0 + x1) / 2, HEIGHT - 0.2, (z0 + z1) / 2),
            "intensity": 0.45,
            "range": 15,
            "rgb": {"r": 1.0, "g": 0.855, "b": 0.722},
        }


def thing(
    asset: str, x: float, z: float, turn: float = 0.0, *, low: float = 0.0, on: Sequence[Json] = (), fixed: bool = True
) -> Json:
    """An object whose lowest point is at ``low``; ``on`` are its children, ``fixed`` says kinematic."""
    entry = {
        "id": f"{assets()[asset].object_type}|{asset}|{x:g}|{z:g}",
        "assetId": asset,
        "position": _vector(x, low + assets()[asset].size[2] / 2, z),
        "rotation": _vector(0, turn, 0),
        "kinematic": fixed,
    }
    return entry | ({"children": list(on)} if on else {})


def loose(asset: str, x: float, z: float, low: float, turn: float = 0.0) -> Json:
    """A small thing that physics may move."""
    return thing(asset, x, z, turn, low=low, fixed=False)


def three_rooms() -> Json:
    """A kitchen, a living room and a bedroom, furnished."""
    kitchen, living, bedroom = (0.0, 0.0, 4.0, 4.0), (4.0, 0.0, 9.5, 4.0), (0.0, 4.0, 7.0, 8.5)
    drawing = Drawing({1: ("Kitchen", kitchen), 2: ("LivingRoom", living), 3: ("Bedroom", bedroom)})
    drawing.door("Doorframe_4", 1, 2, (4.0, 2.9), openness=None)
    drawing.door("Doorway_10", 2, 3, (6.2, 4.0))
    drawing.door("Doorway_4", 2, None, (9.5, 3.0), openness=0.0)
    drawing.window("Window_Hung_48x32", 1, (2.6, 0.0), 1.2)
    drawing.window("Window_Slider_60x48", 2, (6.5, 0.0), 1.1)
    drawing.window("Window_Hung_48x44", 3, (2.0, 8.5), 1.1)
    drawing.objects += [*_kitchen(), *_living_room(), *_bedroom()]
    return drawing.house()


def _kitchen() -> list[Json]:
    top = assets()["Countertop_L_8x6"].size[2]
    table = assets()["Dining_Table_21_1"].size[2]
    return [
        thing(
            "Countertop_L_8x6",
            2.76,
            0.935,
            on=[
                loose("Toaster_3", 1.85, 0.32, top),
                loose("Pot_1", 2.45, 0.35, top, 90.0),
                loose("Bread_1", 3.1, 0.4, top, 30.0),
                loose("Mug_2", 3.75, 0.75, top, 90.0),
                loose("Bowl_18", 3.7, 1.15, top),
                loose("Tomato_20", 3.62, 1.55, top),
            ],
        ),
        thing("Fridge_5", 0.38, 0.6, 90.0, on=[loose("Apple_27", 0.4, 0.6, 1.2)]),
        thing("bin_1", 0.3, 1.6, 90.0, fixed=False),
        thing(
            "Dining_Table_21_1",
            1.5,
            3.0,
            on=[
                loose("Plate_3", 1.3, 2.9, table),
                loose("Cup_5", 1.6, 2.85, table),
                loose("Apple_27", 1.72, 3.1, table),
                loose("Vase_Medium_3", 1.4, 3.2, table),
            ],
        ),
        thing("Chair_205_2", 0.75, 3.0, 90.0),
        thing("Chair_205_2", 2.3, 3.0, 270.0),
        thing("Wall_Decor_Painting_4", 0.02, 3.0, 90.0, low=1.3),
    ]


def _living_room() -> list[Json]:
    stand, table = assets()["TV_Stand_212_1"].size[2], assets()["Coffee_Table_202_1"].size[2]
    return [
        thing("Sofa_223_3", 7.0, 0.5, on=[loose("pillow_26", 6.2, 0.6, 0.5), loose("Remote_1", 7.4, 0.6, 0.5)]),
        thing("TV_Stand_212_1", 7.2, 3.75, 180.0, on=[thing("Television_13", 7.2, 3.75, 180.0, low=stand)]),
        thing(
            "Coffee_Table_202_1",
            7.0,
            1.7,
            on=[
                loose("Book_1", 6.8, 1.7, table, 20.0),
                loose("Mug_2", 7.2, 1.6, table),
                loose("Bowl_18", 7.35, 1.85, table),
            ],
        ),
        thing("Armchair_207_1", 4.9, 1.2, 60.0),
        thing("Floor_Lamp_5", 9.1, 0.4, fixed=False),
        thing("Houseplant_18", 8.6, 3.7, fixed=False),
        thing("Box_1", 5.9, 2.6, 10.0, fixed=False),
        thing("Basketball_1", 8.3, 2.4, fixed=False),
        thing("Wall_Decor_Painting_1", 4.03, 1.2, 90.0, low=1.3),
    ]


def _bedroom() -> list[Json]:
    desk, side = assets()["Desk_204_1"].size[2], assets()["RoboTHOR_side_table_hol"].size[2]
    dresser = assets()["Dresser_323_1"].size[2]
    return [
        thing("Bed_19", 3.6, 7.3, 180.0, on=[loose("pillow_26", 3.6, 7.9, 0.6), loose("Teddy_Bear_1", 3.5, 6.9, 0.6)]),
        thing(
            "RoboTHOR_side_table_hol",
            4.9,
            8.2,
            180.0,
            on=[
                loose("Desk_Lamp_1", 4.85, 8.25, side),
                loose("Alarm_Clock_1", 5.02, 8.1, side, 180.0),
            ],
        ),
        thing(
            "Dresser_323_1",
            0.25,
            6.6,
            90.0,
            on=[
                loose("Vase_Medium_3", 0.25, 6.4, dresser),
                loose("Candle_1", 0.25, 6.85, dresser),
            ],
        ),
        thing(
            "Desk_204_1",
            2.2,
            4.45,
            on=[
                loose("Laptop_22", 2.2, 4.45, desk),
                loose("Book_1", 1.55, 4.5, desk, 80.0),
                loose("Pencil_5", 2.55, 4.6, desk),
                loose("Cellphone_8", 2.85, 4.5, desk),
            ],
        ),
        thing("Chair_205_2", 2.2, 5.2, 180.0),
        thing("Box_26", 1.0, 5.9, 15.0, fixed=False),
        thing("Laundry_Hamper_1_1", 6.6, 6.2, 270.0, fixed=False),
        thing("Wall_Decor_Painting_5", 0.02, 5.2, 90.0, low=1.4),
    ]


def _inside(point: Point, a: Point, b: Point) -> bool:
    """Whether a point lies on a side, its ends excluded."""
    (x, z), (ax, az), (bx, bz) = point, a, b
    if ax == bx:
        return abs(x - ax) < 1e-9 and min(az, bz) + 1e-9 < z < max(az, bz) - 1e-9
    return abs(z - az) < 1e-9 and min(ax, bx) + 1e-9 < x < max(ax, bx) - 1e-9


def _wall(name: str, room: int, a: Point, b: Point) -> Json:
    corners = [_vector(x, y, z) for y in (0, HEIGHT) for x, z in (a, b)]
    return {"id": name, "roomId": f"room|{room}", "polygon": corners, "material": {"name": "BrownDrywall"}}


def _key(a: Point, b: Point) -> str:
    (x0, x1), (z0, z1) = sorted((a[0], b[0])), sorted((a[1], b[1]))
    return f"{x0:.2f}|{z0:.2f}|{x1:.2f}|{z1:.2f}"


def _sun() -> Json:
    return {
        "id": "DirectionalLight",
        "type": "directional",
        "position": _vector(0.84, 0.1855, -1.09),
        "rotation": _vector(66, 75, 0),
        "intensity": 1,
        "rgb": {"r": 1.0, "g": 1.0, "b": 1.0},
    }


def _vector(x: float, y: float, z: float) -> Json:
    return {"x": round(x, 6), "y": round(y, 6), "z": round(z, 6)}


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(three_rooms(), indent=1) + "\n", "utf-8")
