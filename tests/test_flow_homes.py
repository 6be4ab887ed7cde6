"""Flow of real objects moved in furnished homes of both styles: forth and back, and zero where nothing moved."""

from __future__ import annotations

import numpy as np
import pytest
from support.flows import Seen, round_trip
from support.homes import POOLS, Home, home, renderer

from flowbench.geometry import Camera, Pose, compose, invert, transform
from flowbench.rendering import Renderer, forward_flow

LEAST = 1 / 150
"""Share of the picture that a mover takes at least."""


def seen(ours: Renderer, camera: Camera) -> Seen:
    frame = ours.render(camera, depth=True, ids=True)
    assert frame.depth is not None
    assert frame.ids is not None
    return frame.depth, frame.ids


def view_of_a_mover(place: Home, ours: Renderer, rng: np.random.Generator, **size: int) -> tuple[Camera, int]:
    """A view in which some object that is no structure takes a good part."""
    objects = [item.instance_id for item in place.objects if not item.structural]
    while True:
        camera = place.camera(rng, **size)
        ids, pixels = np.unique(seen(ours, camera)[1], return_counts=True)
        large = ids[np.isin(ids, objects) & (pixels > LEAST * camera.width * camera.height)]
        if len(large):
            return camera, int(rng.choice(large))


def check_moves(pool: str, scene: int, moves: int, **size: int) -> None:
    """Some objects shifted, and shifted and turned, each seen by a camera that stands still."""
    place = home(pool, scene)
    rng = np.random.Generator(np.random.PCG64(scene))
    ours = renderer(place)
    poses = {instance.instance_id: instance.world_from_object for instance in place.instances}
    errors, unoccluded = [], 0
    for step in range(moves):
        camera, mover = view_of_a_mover(place, ours, rng, **size)
        start = poses[mover]
        yaw = float(rng.uniform(-0.6, 0.6)) if step % 2 else 0.0
        dx, dy, dz = rng.uniform((-0.3, -0.3, 0.0), (0.3, 0.3, 0.1)).tolist()
        x, y, z = start[:3, 3].tolist()
        turned = compose(Pose.upright(x + dx, y + dy, z + dz, yaw).matrix, Pose((-x, -y, -z)).matrix)
        after_pose = compose(turned, start)
        motion = compose(after_pose, invert(start))
        before = seen(ours, camera)
        ours.move(mover, after_pose)
        after = seen(ours, camera)
        ours.move(mover, start)
        flow, valid = forward_flow(*before, camera, {mover: motion})
        moving = before[1] == mover
        assert (flow[~moving] == 0.0).all()
        assert (valid == (before[0] > 0.0)).all()
        v, u = np.nonzero(moving)
        pixels = np.stack([u, v], axis=-1).astype(np.float64)
        ends, _ = camera.project(transform(motion, camera.unproject(pixels, before[0][moving].astype(np.float64))))
        assert np.abs(flow[moving] - (ends - pixels)).max() < 1e-3
        still, _ = forward_flow(*seen(ours, camera), camera, {mover: np.eye(4)})
        assert (still == 0.0).all()
        returned, count = round_trip(before, after, camera, mover, motion)
        errors.append(returned)
        unoccluded += count
    compared = np.concatenate(errors)
    assert np.quantile(compared, 0.99) < 0.01
    assert len(compared) > max(0.3 * unoccluded, 100)


def test_moves_in_a_furnished_home() -> None:
    check_moves("homes_train", 0, 6, width=320, height=240)


@pytest.mark.slow
@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("scene", [0, 1, 2])
def test_moves_in_furnished_homes(pool: str, scene: int) -> None:
    check_moves(pool, scene, 10, width=320, height=240)
    check_moves(pool, scene, 4, width=800, height=600)
