"""AI2-THOR behind the simulator contract."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from flowbench._version import __version__
from flowbench.errors import UsageError, unknown_name
from flowbench.geometry import Camera, points_in_polygon
from flowbench.geometry.polygons import distance_to_edges
from flowbench.rendering import Frame

from ..base import MoveResult, ObjectState, RayHit, Room, SceneObject, Simulator, Snapshot
from .client import Client
from .loading import Loaded, load_scene
from .looking import Eye
from .pools import choose, rooms_of_pool
from .settings import Settings
from .units import vertical_view

NO_ROOM_TO_STAND = 0.2
"""Places to stand keep so far from their room's walls, metres."""


@final
class ThorSimulator(Simulator):
    """iTHOR rooms and ProcTHOR houses in a Unity process of AI2-THOR's.

    The promise of determinism is weaker than the embedded engine's. A scene is the same whenever it is loaded, objects
    are frozen but while one settles, and what is put back is put back exactly; but Unity's physics and its pictures
    may differ between machines, drivers and builds. What does not come out the same when a sample is written is
    dropped as "not reproduced".

    A Unity that crashes, hangs or sends nonsense loses the scene with a :class:`..base.SceneError`; the next
    :meth:`load` starts another one.
    """

    name = "thor"
    version = f"{__version__}+ai2thor{importlib.metadata.version('ai2thor')}"

    def __init__(self, *, width: int = 800, height: int = 600, houses: str | None = None) -> None:
        """Unity is started by the first :meth:`load`.

        Args:
            width, height: of its window, pixels.
            houses: path of a file of ProcTHOR houses for the training pool.
        """
        self._houses = houses
        camera = Camera.standing((0.0, 0.0, 0.0), 0.0, width=width, height=height)
        self._client = Client(
            Settings.of(),
            width=width,
            height=height,
            fieldOfView=vertical_view(camera),
            renderDepthImage=True,
            renderInstanceSegmentation=True,
            makeAgentsVisible=False,
            gridSize=0.25,
            snapToGrid=False,
        )
        self._eye = Eye(self._client)
        self._loaded: Loaded | None = None
        self._camera: Camera | None = None
        self._frame: Frame | None = None

    @classmethod
    def most_scenes(cls, pool: str, houses: int | None) -> int | None:
        """The houses of a file, or iTHOR's rooms."""
        rooms = rooms_of_pool(pool, houses is not None)
        return len(rooms) if rooms else houses

    def load(self, seed: int, pool: str, scene: int) -> None:
        """Load a room or house; the seed chooses nothing, since scenes are numbered.

        Raises:
            UsageError: unknown pool, no such scene, or Unity cannot be started.
            SceneError: this scene cannot be had.
        """
        chosen = choose(pool, scene, self._houses)
        self._loaded, self._camera = None, None
        loaded = load_scene(self._client, self._eye, chosen)
        self._states = dict(loaded.states)
        self._loaded = loaded
        self._touch()

    @property
    def rooms(self) -> Sequence[Room]:
        """The scene's rooms."""
        return self._here().scene.rooms

    @property
    def objects(self) -> Sequence[SceneObject]:
        """Structure first, then everything that Unity lists, by name."""
        return self._here().scene.objects

    def state(self, object_id: str) -> ObjectState:
        """Pose and supporter of an object."""
        return self._states[self._known(object_id)]

    def reachable_positions(self) -> NDArray[np.float64]:
        """What AI2-THOR's agent reaches, inside exactly one room and clear of its walls, at its standing eye height."""
        here = self._here()
        flat = here.standing[:, :2]
        inside = np.array([points_in_polygon(flat, room.polygon) for room in here.scene.rooms])
        clear = np.array([distance_to_edges(flat, room.polygon) >= NO_ROOM_TO_STAND for room in here.scene.rooms])
        kept: NDArray[np.float64] = here.standing[(inside.sum(axis=0) == 1) & (inside & clear).any(axis=0)]
        return kept

    def set_camera(self, camera: Camera) -> None:
        """Look from here; a camera of any size, upright."""
        self._camera = camera
        self._touch()

    def observe(self, *, rgb: bool = False, depth: bool = False, ids: bool = False) -> Frame:
        """The picture; Unity makes all passes at once, and they are kept until something changes."""
        here = self._here()
        if self._camera is None:
            raise UsageError("no camera is set in this scene; call set_camera first.")
        if self._frame is None:
            self._frame = self._eye.look(self._camera, here.numbers(), here.scene.building)
        seen = self._frame
        return Frame(seen.rgb if rgb else None, seen.depth if depth else None, seen.ids if ids else None)

    def raycast(self, u: float, v: float) -> RayHit | None:
        """What the pixel nearest to (u, v) shows: Unity's own ray always hits something, outside the picture too."""
        frame, camera = self.observe(depth=True, ids=True), self._camera
        assert camera is not None
        assert frame.depth is not None
        assert frame.ids is not None
        column, row = round(u), round(v)
        if not (0 <= column < camera.width and 0 <= row < camera.height) or frame.ids[row, column] == 0:
            return None
        depth = float(frame.depth[row, column])
        x, y, z = camera.unproject(np.array([float(column), float(row)]), np.array(depth)).tolist()
        return RayHit((x, y, z), depth, int(frame.ids[row, column]))

    def teleport(self, object_id: str, position: tuple[float, float, float], *, settle: bool) -> MoveResult:
        """Move an object, see the contract; what Unity cannot move is refused as ``unsupported``."""
        here = self._here()
        before = self._states[self._known(object_id)]
        if any(state.supporter == object_id for state in self._states.values()):
            return MoveResult(False, "collision")
        key = here.movable.get(object_id)
        if key is None:
            return MoveResult(False, "unsupported")
        poses = {name: state.pose for name, state in self._states.items()}
        self._touch()
        outcome = here.mover.move(key, poses, position, settle=settle)
        if outcome.place is None:
            return MoveResult(False, outcome.reason)
        after = outcome.place.pose
        self._states[object_id] = ObjectState(after, outcome.supporter)
        moved = [round(b - a, 5) for a, b in zip(before.pose.position, after.position, strict=True)]
        return MoveResult(True, None, (moved[0], moved[1], moved[2]), here.turned(before.pose, after))

    def way_is_free(self, object_id: str, displacement: tuple[float, float, float]) -> bool | None:
        """By Unity's collision checks along the way; its parts are only near what it collides."""
        here = self._here()
        self._touch()
        return here.mover.way_is_free(here.movable[self._known(object_id)], displacement)

    def snapshot(self) -> Snapshot:
        """All states, by instance id."""
        return Snapshot(tuple(self._states[item.object_id] for item in self._here().scene.objects))

    def restore(self, snapshot: Snapshot) -> None:
        """Put back whatever differs."""
        here = self._here()
        if len(snapshot.states) != len(here.scene.objects):
            raise UsageError("the snapshot was taken of another scene; restore it while that scene is loaded.")
        wanted = {item.object_id: state for item, state in zip(here.scene.objects, snapshot.states, strict=True)}
        changed = [name for name, state in wanted.items() if state.pose != self._states[name].pose]
        if changed:
            here.put_back({name: wanted[name].pose for name in changed})
            self._touch()
        self._states = wanted

    def metadata(self) -> dict[str, Any]:
        """Versions, eye height, the scene's name, every room's walls, and what parts are worth here."""
        here = self._here()
        return {
            "style": here.style,
            "simulator": self.name,
            "version": self.version,
            "scene": here.name,
            "eye_height": here.eye_height,
            "parts": "hulls of the drawn meshes, or bounding boxes",
            "feasibility": "simulator_verified",
            "walls": here.walls(),
        }

    def close(self) -> None:
        """End Unity; load makes the simulator usable again."""
        self._loaded = None
        self._client.close()

    def _touch(self) -> None:
        """Forget the picture."""
        self._frame = None

    def _here(self) -> Loaded:
        if self._loaded is None:
            raise UsageError("no scene is loaded; call load(seed, pool, scene) first.")
        return self._loaded

    def _known(self, object_id: str) -> str:
        if object_id not in self._here().names:
            raise unknown_name("object", object_id, self._here().names)
        return object_id
