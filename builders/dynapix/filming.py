"""Pictures of a run, and the truth that needs pictures: who is seen, and how much of whom.

What stands still is built once a scene; a frame moves the bodies that moved and draws.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.simulators.collisions.physics import Run
from flowbench.builders.simulators.collisions.setup import RADIUS, Setup
from flowbench.geometry import Pose
from flowbench.rendering import Frame, Instance, Renderer

from .appearance import GROUND_ID, ground_of, lighting_of, mesh_of, textures
from .oracle import FRAMES, HEIGHT, WIDTH, Oracle

Pictures = NDArray[np.uint8]
Ids = NDArray[np.uint16]

_REACH = {"cube": math.sqrt(3.0) * RADIUS, "cylinder": math.sqrt(2.0) * RADIUS, "sphere": RADIUS}
"""Radius of the sphere about a body, metres."""


@final
class Studio:
    """Films one scene after another; textures and buffers are kept between them."""

    def __init__(self) -> None:
        """Prepare the textures."""
        self._renderer = Renderer(textures())

    def film(self, setup: Setup, run: Run, frames: Sequence[int] | None = None) -> tuple[Pictures, Ids]:
        """Pictures and ids.

        Args:
            setup: the scene.
            run: how it moves; a body left out is not drawn.
            frames: which frames, all by default.

        Returns:
            pictures: (n, HEIGHT, WIDTH, 3) uint8 sRGB.
            ids: (n, HEIGHT, WIDTH) uint16; body ``k`` is ``k + 1``, all else 0.
        """
        chosen = range(FRAMES) if frames is None else frames
        pictures = np.empty((len(chosen), HEIGHT, WIDTH, 3), dtype=np.uint8)
        ids = np.empty((len(chosen), HEIGHT, WIDTH), dtype=np.uint16)
        for n, frame in enumerate(self._draw(setup, run, chosen, rgb=True)):
            assert frame.rgb is not None
            assert frame.ids is not None
            pictures[n], ids[n] = frame.rgb, frame.ids
        ids[ids == GROUND_ID] = 0
        return pictures, ids

    def oracle(self, setup: Setup, run: Run, ids: Ids | None = None) -> Oracle:
        """The whole truth of a run.

        Args:
            setup: the scene.
            run: how it moves.
            ids: of all its frames, as :meth:`film` gave them; drawn anew by default.
        """
        count = len(setup.bodies)
        visible = np.zeros((FRAMES, count), dtype=np.int64)
        drawn = (frame.ids for frame in self._draw(setup, run, range(FRAMES), rgb=False)) if ids is None else iter(ids)
        for f, image in enumerate(drawn):
            assert image is not None
            visible[f] = np.bincount(image.ravel(), minlength=count + 1)[1 : count + 1]
        pixels, boxes = _outlines(setup, run)
        whole = visible.copy()
        for k in range(count):
            hidden = np.flatnonzero(_overlapped(boxes, k))
            for f, frame in zip(hidden, self._draw(setup, run, hidden.tolist(), rgb=False, alone=k), strict=True):
                assert frame.ids is not None
                whole[f, k] = np.count_nonzero(frame.ids == k + 1)
        return Oracle(
            setup.scene, setup.bodies, run.poses, run.velocities, run.spins, visible, whole, pixels, run.collisions
        )

    def _draw(
        self, setup: Setup, run: Run, frames: Sequence[int], *, rgb: bool, alone: int | None = None
    ) -> Iterator[Frame]:
        """The frames one after another; with ``alone`` only that body."""
        if not len(frames):
            return
        present = [k for k in range(len(setup.bodies)) if not math.isnan(run.poses[0, k, 0]) and alone in (None, k)]
        instances = [Instance(k + 1, mesh_of(setup.bodies[k])) for k in present]
        if alone is None:
            instances.append(ground_of(setup.ground))
        self._renderer.load(instances, lighting_of(setup.light))
        camera = setup.view.camera
        placed: dict[int, Pose] = {}
        for f in frames:
            for k in present:
                pose = pose_of(run.poses[f, k])
                if placed.get(k) != pose:
                    placed[k] = pose
                    self._renderer.move(k + 1, pose.matrix)
            yield self._renderer.render(camera, rgb=rgb, ids=True)


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
