"""A home of the embedded engine as AI2-THOR's Unity tells, moves and draws it; conversions from Unity's side."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from flowbench.builders.simulators.base import ObjectState, SceneObject
from flowbench.builders.simulators.bullet.simulator import BulletSimulator
from flowbench.geometry import Camera, Pose, transform
from flowbench.geometry.frames import quaternion_of

AGENT_HEIGHT = 0.9009992480278015
FAR, NEAR = 20.0, 0.10000000149011612
HIDDEN = ("Wall", "Ceiling")
"""What iTHOR has no objects of."""
ROOM_TYPES = {"kitchen": "Kitchen", "living_room": "LivingRoom", "bedroom": "Bedroom", "bathroom": "Bathroom"}
P = np.array([[1.0, 0, 0], [0, 0, 1], [0, 1, 0]])
Vector = dict[str, float]


def single(value: float) -> float:
    """As Unity's floats have it."""
    return float(np.float32(value))


def vector(point: Any) -> Vector:
    """Our point in Unity's frame."""
    x, y, z = (float(v) for v in point)
    return {"x": single(x), "y": single(z), "z": single(y)}


def ours(value: Mapping[str, float]) -> tuple[float, float, float]:
    return float(value["x"]), float(value["z"]), float(value["y"])


def euler_of(pose: Pose) -> Vector:
    """Unity's angles in degrees, y in [0, 360)."""
    u = P @ pose.matrix[:3, :3] @ P
    x = math.degrees(math.asin(max(-1.0, min(1.0, -u[1, 2]))))
    y = math.degrees(math.atan2(u[0, 2], u[2, 2])) % 360.0
    z = math.degrees(math.atan2(u[1, 0], u[1, 1]))
    return {"x": single(x), "y": single(y), "z": single(z)}


def pose_from(position: Mapping[str, float], euler: Mapping[str, float]) -> Pose:
    a, b, c = (math.radians(euler[k]) for k in "xyz")
    rx = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
    ry = np.array([[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]])
    rz = np.array([[math.cos(c), -math.sin(c), 0], [math.sin(c), math.cos(c), 0], [0, 0, 1]])
    matrix = np.eye(4)
    matrix[:3, :3] = P @ ry @ rx @ rz @ P
    return Pose(ours(position), quaternion_of(matrix))


class UnityHome:
    """The scene of the fake peer."""

    def __init__(self, seed: int, pool: str, scene: int, *, procedural: bool) -> None:
        self.sim = BulletSimulator()
        self.sim.load(seed, pool, scene)
        self.procedural = procedural
        self.listed = [o for o in self.sim.objects if procedural or o.object_type not in HIDDEN]
        self.by_name = {o.object_id: o for o in self.sim.objects}
        self.movable = {o.object_id: o for o in self.listed if o.pickupable or o.moveable}
        self.ids = {o.object_id: o.object_id for o in self.listed}
        self.renumbered = 0
        self.rest = {name: self.sim.state(name).pose for name in self.movable}
        self.restless: set[str] = set()
        self.removed: set[str] = set()
        self.loose = False
        self.agent = self.reachable()[0]
        self.turn, self.horizon = 0.0, 0.0
        self._told: dict[str, tuple[object, str]] = {}
        self._asked: dict[str, object] = {}

    @property
    def eye_offset(self) -> float:
        return float(self.sim.metadata()["eye_height"]) - AGENT_HEIGHT

    def reachable(self) -> list[Vector]:
        return [vector((x, y, AGENT_HEIGHT)) for x, y, _ in self.sim.reachable_positions().tolist()]

    def put(self, name: str, pose: Pose, supporter: str | None = None) -> None:
        body = self.sim._bodies[name]
        self.sim._world.place(body.index, pose)  # type: ignore[union-attr]
        self.sim._states[name] = ObjectState(pose, supporter)
        self.sim._show(body, pose)

    def collides(self, name: str) -> str | None:
        """What an object overlaps as it stands."""
        world = self.sim._world
        assert world is not None
        body = self.sim._bodies[name]
        hit = [c.other for c in world.contacts(body.index, 0.0) if c.distance < -0.002]
        return next((b.object_id for b in self.sim._house.bodies if hit and b.index == hit[0]), None)

    def set_poses(self, poses: list[Mapping[str, Any]], still: bool) -> str | None:
        """What Unity does: unlisted objects vanish, nothing is checked, ids are given anew."""
        wanted = {p["objectName"]: p for p in poses}
        if unknown := wanted.keys() - self.movable.keys():
            return f"No Pickupable or Moveable object of name {min(unknown)} found in scene."
        for name in self.movable:
            if name in wanted:
                raw = (wanted[name]["position"], wanted[name]["rotation"])
                if (raw, self.sim.state(name).pose) == self._asked.get(name):
                    continue
                pose = pose_from(*raw)
                if pose != self.sim.state(name).pose:
                    self.put(name, self._known(name, pose), self.sim.state(name).supporter)
                self._asked[name] = (raw, self.sim.state(name).pose)
            else:
                self.removed.add(name)
                self.put(name, Pose((0.0, 0.0, -400.0)))
        self.loose = not still
        self.restless.clear()
        self.renumbered += 1
        for name, item in self.movable.items():
            self.ids[name] = f"{item.object_type}|{self.renumbered}|{name.split('|')[1]}"
        return None

    def _known(self, name: str, pose: Pose) -> Pose:
        """The rest pose where angles only went through Unity's floats and back."""
        known = self.rest[name]
        near = max(abs(a - b) for a, b in zip(known.quaternion, pose.quaternion, strict=True)) < 1e-6
        return Pose(pose.position, known.quaternion) if near else pose

    def advance(self) -> None:
        """Let everything loose that stands elsewhere than it last rested come to rest."""
        world = self.sim._world
        assert world is not None
        for name in self.movable if self.loose else ():
            if name in self.removed or self.sim.state(name).pose == self.rest[name]:
                continue
            index = self.sim._bodies[name].index
            pose = self.sim.state(name).pose
            upright = pose.matrix[2, 2] > 0.99985
            rest = world.stand(index) if upright and self._on_floor(index) else world.settle(index)
            if rest is None:
                self.restless.add(name)
                self.put(name, world.pose(index))
            else:
                self.rest[name] = rest.pose
                self.put(name, rest.pose, self.sim._by_index(rest.supporter))

    def _on_floor(self, index: int) -> bool:
        assert self.sim._world is not None
        below = self.sim._world.supporter(index, 0.002)
        return any(b.index == below and b.object_type == "Floor" for b in self.sim._house.bodies)

    def present(self) -> Iterator[SceneObject]:
        return (o for o in self.listed if o.object_id not in self.removed)

    def text(self, item: SceneObject) -> str:
        """The entry as JSON, kept as long as nothing of it changes."""
        state, name = self.sim.state(item.object_id), item.object_id
        key = (state, self.ids[name], self.ids.get(state.supporter or ""), name in self.restless)
        if name not in self._told or self._told[name][0] != key:
            self._told[name] = (key, json.dumps(self.entry(item)))
        return self._told[name][1]

    def entry(self, item: SceneObject) -> dict[str, Any]:
        state = self.sim.state(item.object_id)
        low, high, corners = self._bounds(item, state.pose)
        parent = self.ids.get(state.supporter or "")
        return {
            "name": item.object_id,
            "objectId": self.ids[item.object_id],
            "objectType": item.object_type,
            "position": vector(state.pose.position),
            "rotation": euler_of(state.pose),
            "visible": False,
            "pickupable": item.pickupable,
            "moveable": item.moveable,
            "receptacle": item.receptacle,
            "parentReceptacles": None if parent is None else [parent],
            "isMoving": item.object_id in self.restless,
            "axisAlignedBoundingBox": {"center": vector((low + high) / 2.0), "size": vector(high - low)},
            "objectOrientedBoundingBox": {"cornerPoints": corners} if item.object_id in self.movable else None,
        }

    def _bounds(self, item: SceneObject, pose: Pose) -> tuple[Any, Any, list[list[float]]]:
        points = np.concatenate(item.parts) if item.parts else item.box.corners
        world = transform(pose.matrix, points)
        corners = item.box.placed(pose.matrix).corners
        return world.min(axis=0), world.max(axis=0), [[single(x), single(z), single(y)] for x, y, z in corners.tolist()]

    def geometry(self, object_id: str) -> list[dict[str, Any]] | None:
        """Meshes in the world frame: one a part; floors with the triangles of their upper sides."""
        name = next((n for n, i in self.ids.items() if i == object_id), None)
        if name is None:
            return None
        item, pose = self.by_name[name], self.sim.state(name).pose
        meshes = []
        for part in item.parts or (item.box.corners,):
            points = transform(pose.matrix, part)
            order: list[int] = []
            if item.object_type == "Floor":
                top = [k for k in range(len(points)) if points[k, 2] > points[:, 2].max() - 1e-6]
                mx, my = points[top, 0].mean(), points[top, 1].mean()
                top.sort(key=lambda k: math.atan2(points[k, 1] - my, points[k, 0] - mx))
                order = [i for k in range(1, len(top) - 1) for i in (top[0], top[k + 1], top[k])]
            meshes.append({"vertices": [vector(p) for p in points], "triangles": order})
        return meshes

    def colors(self) -> dict[str, list[int]]:
        """A colour for everything that is drawn, listed or not; numbers go with the scene's order."""
        return {
            o.object_id: [(53 * o.instance_id) % 256, (101 * o.instance_id + 7) % 256, o.instance_id % 256]
            for o in self.sim.objects
        }

    def draw(self, width: int, height: int, fov: float) -> tuple[Any, Any, Any]:
        """RGB, depth and instance colours with alpha, top row first."""
        x, y, z = ours(self.agent)
        eye = (x, y, z + self.eye_offset)
        camera = Camera.standing(
            eye, math.radians(90.0 - self.turn), math.radians(self.horizon), width=width, height=height
        )
        focal = height / 2.0 / math.tan(math.radians(fov) / 2.0)
        self.sim.set_camera(replace(camera, focal=focal))
        frame = self.sim.observe(rgb=True, depth=True, ids=True)
        assert frame.rgb is not None
        assert frame.depth is not None
        assert frame.ids is not None
        table = np.zeros((max(o.instance_id for o in self.sim.objects) + 1, 4), np.uint8)
        colors = self.colors()
        for item in self.sim.objects:
            table[item.instance_id] = [*colors[item.object_id], 255]
        masks = table[frame.ids]
        masks[::7, ::5, 3] = 0  # alpha drops out here and there
        return frame.rgb, np.where(frame.ids > 0, frame.depth, np.float32(FAR)), masks

    def house(self) -> dict[str, Any]:
        """The home as a ProcTHOR house file has it: rooms and walls; furniture is the peer's own matter."""
        walls = []
        for room_id, faces in self.sim.metadata()["walls"].items():
            height = next(r.height for r in self.sim.rooms if r.room_id == room_id)
            for face in faces:
                (ax, ay), (bx, by) = face["start"], face["end"]
                corners = [(ax, ay, 0.0), (bx, by, 0.0), (bx, by, height), (ax, ay, height)]
                polygon = [{"x": x, "y": z, "z": y} for x, y, z in corners]
                walls.append({"id": face["object"], "roomId": room_id, "polygon": polygon})
        rooms = [
            {
                "id": room.room_id,
                "roomType": ROOM_TYPES.get(room.room_type, "LivingRoom"),
                "floorPolygon": [{"x": x, "y": 0.0, "z": y} for x, y in room.polygon.tolist()],
            }
            for room in self.sim.rooms
        ]
        parameters = {"ceilingMaterial": {"name": "PureWhite"}, "floorColliderThickness": 1.0, "lights": []}
        return {
            "rooms": rooms, "walls": walls, "doors": [], "windows": [], "objects": [],
            "proceduralParameters": parameters, "metadata": {"schema": "1.0.0"},
        }  # fmt: skip
