"""The whole truth of an episode: what stood where at every frame, and from it masks, depth, tracks and distances.

A dataset that :mod:`.recording` wrote has one file an episode, ``truth/episode_000000.json``; it holds numbers only,
and pictures of ids and depth are drawn again from them when they are asked for.

``read_truth(root, episode)`` reads one, ``episodes_of(root)`` lists them, ``pair_of`` of :mod:`.pairs` makes one
without a dataset or a video.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from flowbench.errors import UsageError
from flowbench.files import write_text
from flowbench.geometry import Camera, ConvexParts, Pose
from flowbench.schema.frozen import Frozen

from .scene import FPS, HEIGHT, WIDTH, Scene, TableObject

if TYPE_CHECKING:
    from .filming import Film

FORMAT: Final = "flowbench-tabletop-1"
FOLDER: Final = "truth"
ARM_ID: Final = 1000
"""Instance id of the whole arm, gripper included; object ``k`` has ``k + 1``; all else, the table too, is 0."""
LINKS: Final = 11
"""Links of the arm that are drawn: base, seven links, hand, left and right finger."""
MOST_BYTES: Final = 1 << 24
"""A larger truth file is refused before it is read."""
MOST_FRAMES: Final = 1024

Ids = NDArray[np.uint16]
Depth = NDArray[np.float32]
Float = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Truth:
    """One episode.

    Attributes:
        scene: what stands there, who looks, what the arm was told; see :class:`~.scene.Scene`.
        poses: (F, K, 7) float64; position x, y, z in metres, then quaternion x, y, z, w, world from object, of every
            object at every frame. An object's origin is the middle of its footprint, so z is 0 while it stands on the
            table.
        links: (F, 11, 7) float64; the same of the arm's links: base, seven links, hand, left finger, right finger.
        joints: (F, 7) float64, the arm's joint angles, radians.
        opening: (F,) float64, metres between the fingers' pads.
        holding: (F,) bool: the mover hangs in the gripper (it is never true of a push).
        contact: (F,) bool: the gripper touches the mover, be it that it holds or that it pushes.
        fps: frames a second.
    """

    scene: Scene
    poses: Float
    links: Float
    joints: Float
    opening: Float
    holding: NDArray[np.bool_]
    contact: NDArray[np.bool_]
    fps: int = FPS

    def __len__(self) -> int:
        """Its frames."""
        return len(self.poses)

    @property
    def objects(self) -> tuple[TableObject, ...]:
        """What stands on the table; object ``k`` has instance id ``k + 1``."""
        return self.scene.objects

    @property
    def mover(self) -> int:
        """Index of the object that is moved."""
        return self.scene.mover

    @property
    def task(self) -> str:
        """What the arm was told."""
        return self.scene.task

    @property
    def camera(self) -> Camera:
        """640x480, focal length 610 px, ``camera.intrinsics`` is K and ``camera.camera_from_world`` its pose."""
        return self.scene.camera

    def pose(self, k: int, frame: int) -> Pose:
        """World from object ``k`` at a frame."""
        x, y, z, qx, qy, qz, qw = self.poses[frame, k].tolist()
        return Pose((x, y, z), (qx, qy, qz, qw))

    def centre(self, k: int, frame: int) -> Float:
        """(3,) the middle of object ``k``'s box at a frame, world, metres."""
        low, high = self._parts[k].boxes
        middle = (low.min(axis=0) + high.max(axis=0)) / 2.0
        centre: Float = ConvexParts.of([middle[None]]).placed(self.pose(k, frame).matrix).vertices[0]
        return centre

    def parts(self, k: int, frame: int) -> ConvexParts:
        """The convex parts of object ``k`` at a frame, world, metres."""
        return self._parts[k].placed(self.pose(k, frame).matrix)

    def surface_distance(self, a: int, b: int, frame: int) -> float:
        """Metres between the surfaces of objects ``a`` and ``b`` at a frame (between their convex parts); 0: touch."""
        return self.parts(a, frame).distance(self.parts(b, frame))

    def instance_ids(self, frame: int) -> Ids:
        """(480, 640) uint16 at pixel centres: object ``k`` is ``k + 1``, the arm :data:`ARM_ID`, all else 0."""
        return self._film.ids(frame)

    def depth(self, frame: int) -> Depth:
        """(480, 640) float32 planar depth of everything, metres, at pixel centres; 0 where there is nothing."""
        return self._film.depth(frame)

    def rgb(self, frame: int) -> NDArray[np.uint8]:
        """(480, 640, 3) uint8 sRGB: the picture as it was before the video was encoded."""
        return self._film.rgb(frame)

    def whole(self, k: int, frame: int) -> NDArray[np.bool_]:
        """(480, 640) bool: pixels that would show object ``k`` if nothing else, not even the arm, stood there."""
        return self._film.whole(k, frame)

    def tracks(self, from_frame: int, to_frame: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Where the point that each pixel of one frame shows is in another.

        Args:
            from_frame, to_frame: 0 .. len - 1, in any order.

        Returns:
            positions: (480, 640, 2) float32, pixel (u, v) in ``to_frame``; may lie outside the picture. NaN where the
                pixel shows nothing.
            visible: (480, 640) bool: ``to_frame`` shows the point: it lies inside, and nothing is before it.
        """
        return self._film.tracks(from_frame, to_frame)

    @cached_property
    def _parts(self) -> tuple[ConvexParts, ...]:
        return tuple(ConvexParts.of([np.array(part, dtype=np.float64) for part in each.parts]) for each in self.objects)

    @cached_property
    def _film(self) -> Film:
        from .filming import Film  # it needs this module

        return Film(self)


Row = tuple[float, float, float, float, float, float, float]
Rows = Annotated[list[list[Row]], Field(max_length=MOST_FRAMES)]


class _File(Frozen):
    """What a truth file holds, key for key."""

    format: Literal["flowbench-tabletop-1"]
    scene: Scene
    fps: Annotated[int, Field(ge=1, le=240)]
    width: Literal[640]
    height: Literal[480]
    intrinsics: list[list[float]]
    camera_from_world: list[list[float]]
    poses: Rows
    links: Rows
    joints: Annotated[list[Row], Field(max_length=MOST_FRAMES)]
    opening: Annotated[list[float], Field(max_length=MOST_FRAMES)]
    holding: Annotated[list[bool], Field(max_length=MOST_FRAMES)]
    contact: Annotated[list[bool], Field(max_length=MOST_FRAMES)]


def truth_path(root: Path, episode: int) -> Path:
    """The truth file of an episode of the dataset at ``root``."""
    return root / FOLDER / f"episode_{episode:06d}.json"


def has_truth(root: Path) -> bool:
    """Whether the dataset at ``root`` has a folder with the truth."""
    return (root / FOLDER).is_dir()


def episodes_of(root: Path) -> list[int]:
    """Numbers of the episodes whose truth lies at ``root``, ascending."""
    names = sorted(path.name for path in (root / FOLDER).glob("episode_*.json"))
    digits = [name.removeprefix("episode_").removesuffix(".json") for name in names]
    return sorted(int(text) for text in digits if text.isascii() and text.isdigit())


def as_text(truth: Truth) -> str:
    """The content of a truth file: JSON, the same characters for the same episode."""
    scene = truth.scene
    plain = {
        "format": FORMAT,
        "scene": scene.model_dump(mode="json"),
        "fps": truth.fps,
        "width": WIDTH,
        "height": HEIGHT,
        "intrinsics": truth.camera.intrinsics.tolist(),
        "camera_from_world": truth.camera.camera_from_world.tolist(),
        "poses": truth.poses.tolist(),
        "links": truth.links.tolist(),
        "joints": truth.joints.tolist(),
        "opening": truth.opening.tolist(),
        "holding": truth.holding.tolist(),
        "contact": truth.contact.tolist(),
    }
    return json.dumps(plain, separators=(",", ":"), allow_nan=False) + "\n"


def write_truth(root: Path, episode: int, truth: Truth) -> Path:
    """Write the truth of an episode of the dataset at ``root``; the file's path."""
    path = truth_path(root, episode)
    write_text(path, as_text(truth))
    return path


def read_truth(root: Path, episode: int) -> Truth:
    """The truth of an episode of the dataset at ``root``.

    Raises:
        UsageError: the file is missing, too large, cut short, or holds what no episode can have.
    """
    path = truth_path(root, episode)
    if not path.is_file() or path.is_symlink():
        raise UsageError(f"{path} is missing, expected the truth of episode {episode}: record the dataset again.")
    if path.stat().st_size > MOST_BYTES:
        raise UsageError(f"{path} has over {MOST_BYTES:,} bytes, which no truth file has: record the dataset again.")
    return from_text(path.read_bytes(), str(path))


def from_text(data: bytes | str, name: str) -> Truth:
    """The episode that :func:`as_text` wrote.

    Raises:
        UsageError: it holds something else; the sentence calls it ``name``.
    """
    try:
        return _checked(_File.model_validate_json(data))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][:4]) or "the file"
        reason = f"{where}: {first['msg']}"
    except ValueError as error:
        reason = str(error)
    raise UsageError(f"{name} is no truth file that flowbench wrote ({reason}): record the dataset again.")


def _checked(file: _File) -> Truth:
    """The episode, if its parts fit each other."""
    frames, count = len(file.poses), len(file.scene.objects)
    for name, given, expected in (("poses", file.poses, count), ("links", file.links, LINKS)):
        if len(given) != frames or not frames or any(len(row) != expected for row in given):
            raise ValueError(f"{name} are not {expected} in each of as many frames as there are, one at least")
    poses = np.array(file.poses, dtype=np.float64)
    links = np.array(file.links, dtype=np.float64)
    rows = {len(file.joints), len(file.opening), len(file.holding), len(file.contact)}
    if rows != {frames}:
        raise ValueError(f"columns of {sorted(rows)} frames, expected {frames}")
    if file.scene.mover >= count:
        raise ValueError(f"the mover is object {file.scene.mover} of {count}")
    squares = np.concatenate([poses, links], axis=1)[..., 3:]
    if (np.abs((squares * squares).sum(axis=-1) - 1.0) > 1e-3).any():
        raise ValueError("a quaternion is not of length 1")
    if file.camera_from_world != file.scene.camera.camera_from_world.tolist():
        raise ValueError("the camera is not that of the scene's view")
    return Truth(
        file.scene,
        poses,
        links,
        np.array(file.joints, dtype=np.float64),
        np.array(file.opening, dtype=np.float64),
        np.array(file.holding, dtype=np.bool_),
        np.array(file.contact, dtype=np.bool_),
        file.fps,
    )
