"""The embedded engine behind the simulator contract: one home, its physics, and the rasterizer."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from flowbench._version import __version__
from flowbench.errors import UsageError, unknown_name
from flowbench.geometry import Camera, OrientedBox, Pose
from flowbench.rendering import Frame, Instance, Renderer
from flowbench.rendering.textures import make_textures

from ..base import MoveResult, ObjectState, RayHit, Room, SceneError, SceneObject, Simulator, Snapshot
from ..procthor.building import build_imported
from ..procthor.reading import houses_of
from ..procthor.schema import HouseError
from .catalogue import CATALOGUE
from .cells import cells_of
from .house import Body, House, build_house
from .moving import Mover
from .physics import World
from .styles import Style, style_of_pool

_SHADOWLESS = ("Wall", "Ceiling", "Window", "Floor", "Door")


@final
class BulletSimulator(Simulator):
    """Parametric homes in PyBullet, drawn by our own rasterizer; deterministic in (seed, pool, scene).

    Houses of a file stand in for them where one is given; their models and finishes are drawn in the pool's style.
    """

    name = "bullet"
    version = f"{__version__}+pybullet{importlib.metadata.version('pybullet')}"

    def __init__(self, *, width: int = 800, height: int = 600, houses: str | None = None) -> None:
        """Nothing depends on ``width`` and ``height``: each camera brings its own size."""
        self._houses = None if houses is None else houses_of(houses)
        self._facts: Mapping[str, Any] = {}
        self._renderer = Renderer(make_textures())
        self._world: World | None = None
        self._camera: Camera | None = None
        self._frame = Frame()

    def load(self, seed: int, pool: str, scene: int) -> None:
        """Build a home; the former one is freed first. The pool decides the style (unknown: UsageError).

        Raises:
            SceneError: the file's house of that number cannot be built; the message names it.
        """
        style = style_of_pool(pool)
        self.close()
        self._world = World()
        house = self._made(seed, pool, scene, style, self._world)
        self._house: House = house
        self._rooms = tuple(
            Room(room.room_id, room.room_type, room.polygon, house.plan.height) for room in house.plan.rooms
        )
        self._objects = tuple(_scene_object(body, self._rooms) for body in house.bodies)
        self._bodies = {body.object_id: body for body in house.bodies}
        self._by_id = {body.instance_id: body for body in house.bodies}
        self._states = {body.object_id: self._first_state(body) for body in house.bodies}
        self._mover = Mover(self._world, house)
        self._renderer.load([_instance(body) for body in house.bodies], house.lighting, cells_of(house.plan))
        self._camera = None
        self._frame = Frame()

    def _made(self, seed: int, pool: str, scene: int, style: Style, world: World) -> House:
        """The home of a scene: the file's, if there is one, else our own."""
        if self._houses is None:
            return build_house(seed, pool, scene, style, CATALOGUE, world)
        try:
            imported = build_imported(self._houses.house(scene), seed, pool, scene, style, world)
        except HouseError as error:
            self.close()
            raise SceneError("house unusable", str(error), final=True) from error
        self._facts = imported.facts
        return imported.house

    def _first_state(self, body: Body) -> ObjectState:
        supporter = self._by_id[body.supporter].object_id if body.supporter is not None else None
        return ObjectState(body.pose, supporter)

    @property
    def rooms(self) -> Sequence[Room]:
        """The home's rooms."""
        self._loaded()
        return self._rooms

    @property
    def objects(self) -> Sequence[SceneObject]:
        """Structure first, then furniture and small objects, by instance id."""
        self._loaded()
        return self._objects

    def state(self, object_id: str) -> ObjectState:
        """Pose and supporter of an object."""
        return self._states[self._body(object_id).object_id]

    def reachable_positions(self) -> NDArray[np.float64]:
        """Free points of a 0.25 m grid for a person of 0.25 m radius, at the home's eye height, room by room.

        They belong to the home as it was loaded; moves do not change them.
        """
        self._loaded()
        floor, eye = self._house.floor, self._house.eye_height
        points = [floor.reachable(index) for index in range(len(self._rooms))]
        flat = np.concatenate(points)
        return np.column_stack([flat, np.full(len(flat), eye)])

    def set_camera(self, camera: Camera) -> None:
        """Look from here; a camera of any size."""
        self._camera = camera
        self._frame = Frame()

    def observe(self, *, rgb: bool = False, depth: bool = False, ids: bool = False) -> Frame:
        """The picture; passes already made for this camera and state are not made again."""
        have = self._frame
        missing = {
            "rgb": rgb and have.rgb is None,
            "depth": depth and have.depth is None,
            "ids": ids and have.ids is None,
        }
        if any(missing.values()):
            new = self._renderer.render(self._viewpoint(), **missing)
            have = Frame(
                new.rgb if have.rgb is None else have.rgb,
                new.depth if have.depth is None else have.depth,
                new.ids if have.ids is None else have.ids,
            )
            self._frame = have
        return Frame(have.rgb if rgb else None, have.depth if depth else None, have.ids if ids else None)

    def raycast(self, u: float, v: float) -> RayHit | None:
        """What the centre of the pixel nearest to (u, v) shows; None for nothing, and outside the picture."""
        camera = self._viewpoint()
        column, row = round(u), round(v)
        if not (0 <= column < camera.width and 0 <= row < camera.height):
            return None
        frame = self.observe(depth=True, ids=True)
        assert frame.depth is not None
        assert frame.ids is not None
        if frame.ids[row, column] == 0:
            return None
        depth = float(frame.depth[row, column])
        x, y, z = camera.unproject(np.array([float(column), float(row)]), np.array(depth)).tolist()
        return RayHit((x, y, z), depth, int(frame.ids[row, column]))

    def teleport(self, object_id: str, position: tuple[float, float, float], *, settle: bool) -> MoveResult:
        """Move an object, see the contract; structure and rugs, which never collide, are refused as ``unsupported``."""
        body = self._body(object_id)
        before = self._states[object_id]
        carrying = any(state.supporter == object_id for state in self._states.values())
        outcome = self._mover.move(body, before.pose, position, settle=settle, carrying=carrying)
        if outcome.reason is not None or outcome.pose is None:
            return MoveResult(False, outcome.reason)
        supporter = self._by_index(outcome.supporter)
        self._states[object_id] = ObjectState(outcome.pose, supporter)
        self._show(body, outcome.pose)
        moved = [round(b - a, 5) for a, b in zip(before.pose.position, outcome.pose.position, strict=True)]
        return MoveResult(True, None, (moved[0], moved[1], moved[2]), outcome.rotation)

    def snapshot(self) -> Snapshot:
        """All states, by instance id."""
        self._loaded()
        return Snapshot(tuple(self._states[body.object_id] for body in self._house.bodies))

    def restore(self, snapshot: Snapshot) -> None:
        """Put back whatever differs."""
        world = self._loaded()
        if len(snapshot.states) != len(self._house.bodies):
            raise UsageError("the snapshot was taken of another scene; restore it while that scene is loaded.")
        for body, state in zip(self._house.bodies, snapshot.states, strict=True):
            now = self._states[body.object_id]
            self._states[body.object_id] = state
            if now.pose != state.pose:
                world.place(body.index, state.pose)
                self._show(body, state.pose)

    def metadata(self) -> dict[str, Any]:
        """Style, versions, eye height, and the inner faces of every room's walls.

        ``walls``: room id -> list of {"object", "start", "end", "normal"}: a face runs from start to end (x, y)
        in metres with the room on its left, where the unit normal points. ``house``, where the home is one of a file:
        what :class:`~..procthor.building.Imported` says of it.
        """
        self._loaded()
        walls: dict[str, list[dict[str, Any]]] = {room.room_id: [] for room in self._rooms}
        for wall in self._house.plan.walls:
            walls[self._rooms[wall.room].room_id].append(
                {
                    "object": f"Wall|{wall.index + 1}",
                    "start": [float(v) for v in wall.start],
                    "end": [float(v) for v in wall.end],
                    "normal": [float(v) for v in wall.inward],
                }
            )
        return {
            "style": self._house.style.name,
            "simulator": self.name,
            "version": self.version,
            "eye_height": self._house.eye_height,
            "walls": walls,
            **({"house": dict(self._facts)} if self._houses is not None else {}),
        }

    def close(self) -> None:
        """Free the home; load makes the simulator usable again."""
        if self._world is not None:
            self._world.close()
            self._world = None

    def _loaded(self) -> World:
        if self._world is None:
            raise UsageError("no scene is loaded; call load(seed, pool, scene) first.")
        return self._world

    def _viewpoint(self) -> Camera:
        self._loaded()
        if self._camera is None:
            raise UsageError("no camera is set in this scene; call set_camera first.")
        return self._camera

    def _body(self, object_id: str) -> Body:
        self._loaded()
        if object_id not in self._bodies:
            raise unknown_name("object", object_id, self._bodies)
        return self._bodies[object_id]

    def _by_index(self, index: int | None) -> str | None:
        return next((body.object_id for body in self._house.bodies if body.index == index), None)

    def _show(self, body: Body, pose: Pose) -> None:
        self._renderer.move(body.instance_id, pose.matrix)
        self._frame = Frame()


def _instance(body: Body) -> Instance:
    placement = body.kind.placement if body.kind is not None else ""
    casts = body.object_type not in _SHADOWLESS and placement not in ("ceiling", "hung")
    return Instance(body.instance_id, body.mesh, body.pose.matrix, casts)


def _scene_object(body: Body, rooms: Sequence[Room]) -> SceneObject:
    kind = body.kind
    points = np.concatenate(body.parts) if body.parts else body.mesh.vertices
    return SceneObject(
        instance_id=body.instance_id,
        object_id=body.object_id,
        object_type=body.object_type,
        label=kind.label if kind is not None else body.object_type.lower(),
        room_id=rooms[body.room].room_id if body.room is not None else None,
        pickupable=kind is not None and kind.pickupable,
        moveable=kind is not None and kind.moveable,
        receptacle=kind is not None and kind.receptacle,
        structural=kind is None,
        parts=body.parts,
        box=OrientedBox.around(points),
    )
