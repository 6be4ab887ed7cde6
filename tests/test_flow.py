"""Flow against projection, and against itself backwards."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.flows import round_trip
from support.shots import SIZE, checks, eye, room

from flowbench.geometry import Camera, Pose, compose, invert, transform
from flowbench.rendering import Frame, Instance, Lighting, Renderer, forward_flow, occluded
from flowbench.rendering.placing import translation
from flowbench.rendering.shapes import box

MOVER = 301


def seen(instances: list[Instance], camera: Camera) -> tuple[NDArray[np.float32], NDArray[np.uint16]]:
    renderer = Renderer(checks())
    renderer.load(instances, Lighting())
    return arrays(renderer.render(camera, depth=True, ids=True))


def arrays(frame: Frame) -> tuple[NDArray[np.float32], NDArray[np.uint16]]:
    assert frame.depth is not None
    assert frame.ids is not None
    return frame.depth, frame.ids


def before_and_after(
    camera: Camera, before: NDArray[np.float64], after: NDArray[np.float64]
) -> tuple[list[NDArray[np.float32]], list[NDArray[np.uint16]], NDArray[np.float64]]:
    """Depths and ids of a room whose ball has become a box that moves, and its motion."""
    instances, _ = room()
    solid = box((0.5, 0.4, 0.3))
    depths, ids = [], []
    for pose in (before, after):
        replaced = [
            dataclasses.replace(i, mesh=solid, world_from_object=pose) if i.instance_id == MOVER else i
            for i in instances
        ]
        depth, names = seen(replaced, camera)
        depths.append(depth)
        ids.append(names)
    return depths, ids, compose(after, invert(before))


START = Pose.upright(-0.1, -0.4, 0.2, 0.3).matrix
shift = st.floats(-0.5, 0.5)


@settings(max_examples=25, deadline=None)
@given(dx=shift, dy=shift, dz=st.floats(0.0, 0.4), turn=st.floats(-1.0, 1.0))
def test_flow_is_the_projection_of_the_motion(dx: float, dy: float, dz: float, turn: float) -> None:
    camera = eye()
    after = Pose.upright(-0.1 + dx, -0.4 + dy, 0.2 + dz, 0.3 + turn).matrix
    depth, ids = seen([Instance(MOVER, box((0.5, 0.4, 0.3)), START), *room()[0][:3]], camera)
    motion = compose(after, invert(START))
    flow, valid = forward_flow(depth, ids, camera, {MOVER: motion})
    assert flow.dtype == np.float32
    assert (valid == (depth > 0.0)).all()
    moving = ids == MOVER
    assert moving.sum() > 100
    assert (flow[~moving] == 0.0).all()
    v, u = np.nonzero(moving)
    pixels = np.stack([u, v], axis=-1).astype(np.float64)
    points = camera.unproject(pixels, depth[moving].astype(np.float64))
    expected, _ = camera.project(transform(motion, points))
    assert np.abs(flow[moving] - (expected - pixels)).max() < 1e-4


@settings(max_examples=15, deadline=None)
@given(dx=shift, dy=shift, turn=st.floats(-0.5, 0.5))
def test_flow_forth_and_back_returns(dx: float, dy: float, turn: float) -> None:
    camera = eye(width=320, height=240)
    after = Pose.upright(-0.1 + dx, -0.4 + dy, 0.25, 0.3 + turn).matrix
    depths, ids, motion = before_and_after(camera, START, after)
    errors, unoccluded = round_trip((depths[0], ids[0]), (depths[1], ids[1]), camera, MOVER, motion)
    assert len(errors) > 200
    assert len(errors) > 0.8 * unoccluded
    assert np.quantile(errors, 0.99) < 0.01


def test_a_motion_of_nothing_is_exactly_no_flow() -> None:
    camera = eye()
    depth, ids = seen(room()[0], camera)
    flow, valid = forward_flow(depth, ids, camera, {MOVER: np.eye(4), 40000: translation(1.0, 0.0, 0.0)})
    assert (flow == 0.0).all()
    assert (valid == (depth > 0.0)).all()


def test_what_leaves_the_image_is_valid_and_what_ends_behind_the_camera_is_not() -> None:
    camera = Camera.standing((0.0, 0.0, 0.0), 0.0, **SIZE)
    depth, ids = seen([Instance(MOVER, box((0.4, 0.4, 0.4)), translation(2.0, 0.0, 0.0))], camera)
    moving = ids == MOVER
    flow, valid = forward_flow(depth, ids, camera, {MOVER: translation(0.0, 9.0, 0.0)})
    assert valid[moving].all()
    assert (flow[moving, 0] < -160.0).all()
    flow, valid = forward_flow(depth, ids, camera, {MOVER: translation(-5.0, 0.0, 0.0)})
    assert not valid.any()
    assert (flow == 0.0).all()


def test_occlusion_by_another_object_by_the_image_border_and_by_itself() -> None:
    camera = Camera.standing((0.0, 0.0, 0.0), 0.0, **SIZE)
    wall = Instance(2, box((0.1, 1.0, 2.0)), translation(1.5, 1.0, 0.0))
    start = translation(3.0, -0.6, 0.0)
    mesh = box((0.3, 0.5, 0.5))
    before = seen([wall, Instance(MOVER, mesh, start)], camera)
    cases = {
        "free": (translation(0.2, 0.2, 0.1), 0.0),
        "hidden by the wall": (translation(0.0, 2.6, 0.0), 1.0),
        "out of the image": (translation(0.0, -6.0, 0.0), 1.0),
        "turned away": (compose(start, compose(Pose.upright(0, 0, 0, 3.14159).matrix, invert(start))), 1.0),
    }
    for name, (motion, share) in cases.items():
        after = seen([wall, Instance(MOVER, mesh, compose(motion, start))], camera)
        hidden = occluded(*before, *after, camera, {MOVER: motion})
        moving = before[1] == MOVER
        assert abs(hidden[moving].mean() - share) < 0.12, name
        stay = (before[1] == 2) & (after[1] == 2)
        assert not hidden[stay].any(), name
        assert not hidden[before[0] == 0.0].any(), name


def test_read_only_arrays_are_welcome_and_other_sizes_are_not() -> None:
    camera = eye()
    depth, ids = seen(room()[0], camera)
    expected, _ = forward_flow(depth, ids, camera, {MOVER: translation(0.1, 0.0, 0.0)})
    depth.flags.writeable = False
    flow, _ = forward_flow(depth, ids[::-1][::-1], camera, {MOVER: translation(0.1, 0.0, 0.0)})
    assert (flow == expected).all()
    with pytest.raises(ValueError, match="size"):
        forward_flow(depth[:-1], ids[:-1], camera, {})
