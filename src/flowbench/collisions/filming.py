"""Pictures of a run, and the truth that needs pictures: who is seen, and how much of whom.

What stands still is built once a scene; a frame moves the bodies that moved and draws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import Pose
from flowbench.rendering import Frame, Instance, Renderer

from .appearance import GROUND_ID, ground_of, lighting_of, mesh_of, textures
from .oracle import FRAMES, HEIGHT, WIDTH, Oracle
from .run import Run
from .setup import RADIUS, Setup

Pictures = NDArray[np.uint8]
Ids = NDArray[np.uint16]

_REACH = {"cube": math.sqrt(3.0) * RADIUS, "cylinder": math.sqrt(2.0) * RADIUS, "sphere": RADIUS}
"""Radius of the sphere about a body, metres."""
_BURIED = 1.0
"""How deep under the ground bodies wait until they enter, metres: metal would mirror their shadows."""


@final
class Reel:
    """The pictures of one run, drawn when they are asked for."""

    def __init__(
        self, studio: Studio, setup: Setup, run: Run, present: tuple[int, ...], *, ground: bool = True
    ) -> None:
        """Made by :meth:`Studio.reel`."""
        self.setup, self.run, self.present, self.ground = setup, run, present, ground
        self._studio = studio

    def picture(self, frame: int) -> Pictures:
        """(HEIGHT, WIDTH, 3) uint8 sRGB of a frame."""
        drawn = self._studio.draw(self, frame, rgb=True)
        assert drawn.rgb is not None
        return drawn.rgb

    def ids(self, frame: int) -> Ids:
        """(HEIGHT, WIDTH) uint16 of a frame; body ``k`` is ``k + 1``, all else 0."""
        return _ids(self._studio.draw(self, frame))


@final
class Studio:
    """Films one run after another; textures are made once."""

    def __init__(self) -> None:
        """Prepare the textures."""
        self._renderer = Renderer(textures())
        self._on_stage: Reel | None = None
        self._placed: dict[int, Pose] = {}

    def reel(self, setup: Setup, run: Run, erased: int | None = None) -> Reel:
        """The pictures of a run.

        Args:
            setup: the scene.
            run: how it moves; a body left out of it is not drawn.
            erased: a body that is not drawn though it moves in the run.
        """
        left_out = np.isnan(run.poses[0, :, 0])
        present = tuple(k for k in range(len(setup.bodies)) if not left_out[k] and k != erased)
        return Reel(self, setup, run, present)

    def film(
        self, setup: Setup, run: Run, frames: Sequence[int] | None = None, erased: int | None = None
    ) -> tuple[Pictures, Ids]:
        """Pictures and ids.

        Args:
            setup, run, erased: see :meth:`reel`.
            frames: which frames, all by default.

        Returns:
            pictures: (n, HEIGHT, WIDTH, 3) uint8 sRGB.
            ids: (n, HEIGHT, WIDTH) uint16; body ``k`` is ``k + 1``, all else 0.
        """
        chosen = range(FRAMES) if frames is None else frames
        pictures = np.empty((len(chosen), HEIGHT, WIDTH, 3), dtype=np.uint8)
        ids = np.empty((len(chosen), HEIGHT, WIDTH), dtype=np.uint16)
        reel = self.reel(setup, run, erased)
        for n, f in enumerate(chosen):
            frame = self.draw(reel, f, rgb=True)
            assert frame.rgb is not None
            pictures[n], ids[n] = frame.rgb, _ids(frame)
        return pictures, ids

    def oracle(self, setup: Setup, run: Run, ids: Ids | None = None) -> Oracle:
        """The whole truth of a run; of a body left out, poses and pixels are NaN and no pixel shows it.

        Args:
            setup, run: see :meth:`reel`.
            ids: of all its frames, as :meth:`film` gave them; drawn anew by default.
        """
        count = len(setup.bodies)
        visible = np.zeros((FRAMES, count), dtype=np.int64)
        reel = self.reel(setup, run)
        for f in range(FRAMES):
            image = reel.ids(f) if ids is None else ids[f]
            visible[f] = np.bincount(image.ravel(), minlength=count + 1)[1:]
        pixels, bounds = _outlines(setup, run)
        whole = visible.copy()
        for k in reel.present:
            alone = Reel(self, setup, run, (k,), ground=False)
            for f in np.flatnonzero(_overlapped(bounds, k)).tolist():
                if f >= (setup.bodies[k].enters or 0):
                    whole[f, k] = np.count_nonzero(alone.ids(f))
        motion = (run.poses, run.velocities, run.spins)
        return Oracle(setup.scene, setup.bodies, *motion, visible, whole, pixels, run.collisions)

    def draw(self, reel: Reel, frame: int, *, rgb: bool = False) -> Frame:
        """A frame of a reel, its ids and, if asked for, its colours; the ground has :data:`GROUND_ID`."""
        if self._on_stage is not reel:
            self._load(reel)
        for k in reel.present:
            pose = pose_of(reel.run.poses[frame, k])
            if frame < (reel.setup.bodies[k].enters or 0):
                pose = pose.moved(0.0, 0.0, -_BURIED)
            if self._placed.get(k) != pose:
                self._placed[k] = pose
                self._renderer.move(k + 1, pose.matrix)
        return self._renderer.render(reel.setup.view.camera, rgb=rgb, ids=True)

    def _load(self, reel: Reel) -> None:
        """Build what stands still."""
        instances = [Instance(k + 1, mesh_of(reel.setup.bodies[k])) for k in reel.present]
        if reel.ground:
            instances.append(ground_of(reel.setup.ground))
        self._renderer.load(instances, lighting_of(reel.setup.light))
        self._on_stage, self._placed = reel, {}


def _ids(frame: Frame) -> Ids:
    """A frame's ids, the ground's become 0."""
    assert frame.ids is not None
    frame.ids[frame.ids == GROUND_ID] = 0
    return frame.ids


def pose_of(row: NDArray[np.float64]) -> Pose:
    """Row (7,) of a run's poses, rounded as all poses are."""
    x, y, z, qx, qy, qz, qw = row.tolist()
    return Pose((x, y, z), (qx, qy, qz, qw))


def _outlines(setup: Setup, run: Run) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pixel (u, v) of every centre, (FRAMES, K, 2); bounds u0, v0, u1, v1 of what a body may cover, (FRAMES, K, 4)."""
    camera = setup.view.camera
    pixels, depths = camera.project(run.poses[..., :3])
    reach = np.array([_REACH[body.shape] for body in setup.bodies])
    # A sphere of radius r about depth z covers less than f r / (z - 2 r) pixels either way in a picture this narrow.
    slack = camera.focal * reach / np.maximum(depths - 2.0 * reach, 0.01)
    return pixels, np.concatenate([pixels - slack[..., None], pixels + slack[..., None]], axis=-1)


def _overlapped(boxes: NDArray[np.float64], k: int) -> NDArray[np.bool_]:
    """(FRAMES,) whether another body's bounds meet those of body ``k`` in the picture; False where it lies outside."""
    own = boxes[:, k]
    inside = (own[:, 0] < WIDTH) & (own[:, 2] > -1.0) & (own[:, 1] < HEIGHT) & (own[:, 3] > -1.0)
    others = np.delete(boxes, k, axis=1)
    meet = (
        (others[..., 0] <= own[:, None, 2])
        & (others[..., 2] >= own[:, None, 0])
        & (others[..., 1] <= own[:, None, 3])
        & (others[..., 3] >= own[:, None, 1])
    )
    hidden: NDArray[np.bool_] = inside & meet.any(axis=1)
    return hidden
