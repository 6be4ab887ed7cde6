"""Pictures of an episode, and the truth that needs pictures: ids, depth, tracks.

The rasterizer's shadows are made for rooms. Here everything is drawn four times as large, so that they are as fine as
things on a table need; a power of two, so that depths come out in metres without rounding.
"""

from __future__ import annotations

from functools import cache
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import Camera, Pose
from flowbench.geometry.frames import Matrix
from flowbench.rendering import Frame, Instance, Mesh, Renderer, forward_flow, occluded
from flowbench.rendering.placing import stretched
from flowbench.rendering.textures import make_textures

from . import surroundings
from .catalogue import model_of
from .panda import panda
from .truth import ARM_ID, LINKS, Truth

SCALE: Final = 4.0

Ids = NDArray[np.uint16]
Depth = NDArray[np.float32]


@final
class Film:
    """The pictures of one episode, drawn when they are asked for; one episode is on stage at a time."""

    def __init__(self, truth: Truth) -> None:
        """Of this episode; nothing is drawn yet."""
        self._truth = truth
        self._large = _enlarged(truth.camera)

    def rgb(self, frame: int) -> NDArray[np.uint8]:
        """(480, 640, 3) uint8 sRGB."""
        picture = self._draw(frame, rgb=True).rgb
        assert picture is not None
        return picture

    def ids(self, frame: int) -> Ids:
        """(480, 640) uint16; see :meth:`~.truth.Truth.instance_ids`."""
        ids = self._draw(frame, ids=True).ids
        assert ids is not None
        return _public(ids)

    def depth(self, frame: int) -> Depth:
        """(480, 640) float32 metres, planar; 0 where there is nothing."""
        depth = self._draw(frame, depth=True).depth
        assert depth is not None
        return _metres(depth)

    def whole(self, k: int, frame: int) -> NDArray[np.bool_]:
        """(480, 640) bool; see :meth:`~.truth.Truth.whole`."""
        alone = _alone()
        alone.load(
            [Instance(k + 1, _large(k, self._truth), _large_pose(self._truth.pose(k, frame)))],
            surroundings.lighting_of(self._truth.scene.surroundings, SCALE),
        )
        ids = alone.render(self._large, ids=True).ids
        assert ids is not None
        return np.asarray(ids == k + 1)

    def tracks(self, from_frame: int, to_frame: int) -> tuple[Depth, NDArray[np.bool_]]:
        """See :meth:`~.truth.Truth.tracks`."""
        depth, ids = self._measured(from_frame)
        depth_then, ids_then = self._measured(to_frame)
        motions = {key: self._pose(key, from_frame).relative(self._pose(key, to_frame)) for key in self._moving()}
        camera = self._truth.camera
        flow, valid = forward_flow(depth, ids, camera, motions)
        hidden = occluded(depth, ids, depth_then, ids_then, camera, motions)
        rows, columns = np.indices(depth.shape, dtype=np.float32)
        positions = np.stack([columns, rows], axis=-1) + flow
        positions[~valid] = np.nan
        return positions, np.asarray(valid & ~hidden)

    def _measured(self, frame: int) -> tuple[Depth, Ids]:
        """Depth in metres, and ids that tell the arm's links apart."""
        drawn = self._draw(frame, depth=True, ids=True)
        assert drawn.depth is not None
        assert drawn.ids is not None
        return _metres(drawn.depth), drawn.ids

    def _moving(self) -> list[int]:
        """Instance ids of what may move."""
        return [*range(1, len(self._truth.objects) + 1), *range(ARM_ID, ARM_ID + LINKS)]

    def _pose(self, key: int, frame: int) -> Pose:
        """World from object or link by instance id."""
        if key < ARM_ID:
            return self._truth.pose(key - 1, frame)
        x, y, z, qx, qy, qz, qw = self._truth.links[frame, key - ARM_ID].tolist()
        return Pose((x, y, z), (qx, qy, qz, qw))

    def _draw(self, frame: int, *, rgb: bool = False, depth: bool = False, ids: bool = False) -> Frame:
        if not 0 <= frame < len(self._truth):
            raise IndexError(f"frame {frame} of an episode of {len(self._truth)}.")
        stage = _stage()
        if stage.film is not self:
            stage.show(self, self._instances())
        for key in self._moving():
            pose = self._pose(key, frame)
            if stage.placed.get(key) != pose:
                stage.placed[key] = pose
                stage.renderer.move(key, _large_pose(pose))
        return stage.renderer.render(self._large, rgb=rgb, depth=depth, ids=ids)

    def _instances(self) -> list[Instance]:
        """Everything at frame 0 of no matter: all poses are set before a picture is drawn."""
        truth = self._truth
        out = [Instance(k + 1, _large(k, truth)) for k in range(len(truth.objects))]
        out += [Instance(ARM_ID + n, mesh) for n, mesh in enumerate(_links())]
        round_about = truth.scene.surroundings
        mat = surroundings.mat_of(round_about)
        for still in (*surroundings.instances_of(round_about), *(() if mat is None else (mat,))):
            out.append(Instance(still.instance_id, _enlarge(still.mesh), casts_shadow=still.casts_shadow))
        return out


class _Stage:
    """The renderer, and whose episode it shows."""

    def __init__(self) -> None:
        self.renderer = Renderer(make_textures(0, surroundings.TEXTURES))
        self.film: Film | None = None
        self.placed: dict[int, Pose] = {}

    def show(self, film: Film, instances: list[Instance]) -> None:
        """Load what an episode shows."""
        self.renderer.load(instances, surroundings.lighting_of(film._truth.scene.surroundings, SCALE))
        self.film, self.placed = film, {}


@cache
def _stage() -> _Stage:
    return _Stage()


@cache
def _alone() -> Renderer:
    return Renderer(make_textures(0, surroundings.TEXTURES))


@cache
def _links() -> tuple[Mesh, ...]:
    """The arm's meshes, enlarged."""
    return tuple(_enlarge(link.mesh) for link in panda().links)


def _large(k: int, truth: Truth) -> Mesh:
    return _enlarge(model_of(truth.objects[k].recipe).mesh)


def _enlarge(mesh: Mesh) -> Mesh:
    return stretched(mesh, (SCALE, SCALE, SCALE))


def _large_pose(pose: Pose) -> Matrix:
    matrix = pose.matrix
    matrix[:3, 3] *= SCALE
    return matrix


def _enlarged(camera: Camera) -> Camera:
    matrix = camera.camera_from_world.copy()
    matrix[:3, 3] *= SCALE
    return Camera(camera.width, camera.height, camera.focal, matrix)


def _metres(depth: Depth) -> Depth:
    return np.asarray(depth * np.float32(1.0 / SCALE))


def _public(ids: Ids) -> Ids:
    """The arm's links as one, all that stands round as nothing."""
    ids[ids >= surroundings.ID] = 0
    ids[ids > ARM_ID] = ARM_ID
    return ids
