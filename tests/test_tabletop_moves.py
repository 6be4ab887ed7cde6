"""Moves look and are possible: nothing enters anything, only the mover moves, fingers touch what they move."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from support.tabletop import EPISODES, episode

from flowbench.builders.simulators.bullet.bindings import pybullet
from flowbench.builders.simulators.tabletop.drawing import draw
from flowbench.builders.simulators.tabletop.judging import arm_at, in_picture
from flowbench.builders.simulators.tabletop.moving import SKIN, grasp_of, until_touch
from flowbench.builders.simulators.tabletop.panda import FINGERS, HAND, panda
from flowbench.builders.simulators.tabletop.scene import POOL, camera_of
from flowbench.builders.simulators.tabletop.truth import ARM_ID, Truth, as_text
from flowbench.builders.simulators.tabletop.wording import direction
from flowbench.errors import UsageError
from flowbench.geometry import ConvexParts, Pose


@pytest.fixture(params=EPISODES, ids=[f"{setup}-{index}" for index, setup in EPISODES])
def truth(request: pytest.FixtureRequest) -> Truth:
    return episode(*request.param)


def link_pose(truth: Truth, frame: int, link: int) -> Pose:
    x, y, z, qx, qy, qz, qw = truth.links[frame, link].tolist()
    return Pose((x, y, z), (qx, qy, qz, qw))


def hull(truth: Truth, frame: int, link: int) -> ConvexParts:
    return panda().links[link].hull.placed(link_pose(truth, frame, link).matrix)


def cube(x: float, y: float, side: float, height: float) -> ConvexParts:
    corners = [(x + a * side / 2, y + b * side / 2, c) for a in (-1, 1) for b in (-1, 1) for c in (0.0, height)]
    return ConvexParts.of([np.array(corners)])


def test_the_cases_cover_both_moves() -> None:
    moves = {(setup, bool(episode(index, setup).holding.any())) for index, setup in EPISODES}
    assert moves == {("bridge", True), ("bridge", False), ("topdown", True), ("topdown", False)}


def test_only_the_mover_moves(truth: Truth) -> None:
    still = np.delete(truth.poses, truth.mover, axis=1)
    assert (still == still[0]).all()
    way = truth.poses[-1, truth.mover, :2] - truth.poses[0, truth.mover, :2]
    assert 0.05 < float(np.sqrt((way * way).sum())) < 0.31


def test_things_stand_on_the_table_upright(truth: Truth) -> None:
    for frame in (0, len(truth) - 1):
        assert (truth.poses[frame, :, 2] == 0.0).all()
        assert (truth.poses[frame, :, 3:5] == 0.0).all()
    assert (truth.poses[..., 2] >= 0.0).all()
    for k in range(len(truth.objects)):
        assert float(truth.parts(k, 0).vertices[:, 2].min()) == pytest.approx(0.0, abs=1.1e-5)


def test_nothing_enters_anything_at_any_frame(truth: Truth) -> None:
    for frame in range(len(truth)):
        arm = arm_at([link_pose(truth, frame, n) for n in range(11)])
        assert float(arm.vertices[:, 2].min()) > 0.0
        for k in range(len(truth.objects)):
            least = 0.0 if k == truth.mover else 0.0019
            assert arm.distance(truth.parts(k, frame), limit=0.01) > least
            if k != truth.mover:
                assert truth.parts(truth.mover, frame).distance(truth.parts(k, frame), limit=0.01) > 0.0029


def test_fingers_touch_what_they_move(truth: Truth) -> None:
    held = truth.holding
    assert (truth.contact | ~held).all()
    for frame in np.flatnonzero(truth.contact).tolist():
        mover = truth.parts(truth.mover, frame)
        gaps = sorted(hull(truth, frame, n).distance(mover) for n in FINGERS)
        assert 0.0 < gaps[0] < 3.0 * SKIN
        assert gaps[1] < (3.0 * SKIN if held[frame] else 0.0018)


def test_what_is_held_goes_with_the_hand(truth: Truth) -> None:
    frames = np.flatnonzero(truth.holding)
    apart = truth.poses[frames, truth.mover, :3] - truth.links[frames, HAND, :3]
    assert not len(frames) or np.abs(apart - apart[0]).max() < 1e-4
    free = np.flatnonzero(~truth.contact)
    steps = np.diff(truth.poses[:, truth.mover, :3], axis=0)
    assert np.abs(steps[free[free > 0] - 1]).max() < 1e-4


def test_the_arm_does_not_jump_and_ends_where_it_began(truth: Truth) -> None:
    assert np.abs(np.diff(truth.joints, axis=0)).max() < 0.45
    assert np.abs(truth.joints[-1] - truth.joints[0]).max() < 1e-6
    for joints, links in zip(truth.joints[::20].tolist(), truth.links[::20], strict=True):
        again = panda().poses(joints, 0.04)[HAND]
        assert (*again.position, *again.quaternion) == tuple(links[HAND].tolist())


def test_the_arm_covers_nothing_at_both_ends_and_all_is_in_the_picture(truth: Truth) -> None:
    for frame in (0, len(truth) - 1):
        ids = truth.instance_ids(frame)
        for k in range(len(truth.objects)):
            whole = truth.whole(k, frame)
            assert np.count_nonzero(whole & (ids == ARM_ID)) <= 0.05 * np.count_nonzero(whole)
            assert in_picture(truth.camera, truth.parts(k, frame))
    assert any((truth.instance_ids(frame) == ARM_ID).sum() > 2000 for frame in range(0, len(truth), 10))


def test_the_task_names_the_mover_alone(truth: Truth) -> None:
    names = [each.name for each in truth.objects]
    assert len(set(names)) == len(names)
    verb, _, rest = truth.task.partition(" the ")
    assert verb in ("push", "slide", "put", "move", "place")
    assert rest.startswith(f"{names[truth.mover]} ")
    assert (verb in ("push", "slide")) == (not truth.holding.any())


@pytest.fixture
def client() -> Iterator[int]:
    number = pybullet.connect(pybullet.DIRECT)
    yield number
    pybullet.disconnect(number)


def test_things_stay_where_they_stand_in_bullet(truth: Truth, client: int) -> None:
    pybullet.setGravity(0.0, 0.0, -9.81, physicsClientId=client)
    slab = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=(2.0, 2.0, 0.5), physicsClientId=client)
    pybullet.createMultiBody(0.0, slab, basePosition=(0.0, 0.0, -0.5), physicsClientId=client)
    bodies = []
    for k in range(len(truth.objects)):
        pose = truth.pose(k, len(truth) - 1)
        corners = [corner for part in truth.objects[k].parts for corner in part]
        shape = pybullet.createCollisionShape(pybullet.GEOM_MESH, vertices=corners, physicsClientId=client)
        x, y, z = pose.position
        body = pybullet.createMultiBody(0.2, shape, -1, (x, y, z), pose.quaternion, physicsClientId=client)
        pybullet.changeDynamics(body, -1, lateralFriction=0.6, rollingFriction=1e-3, physicsClientId=client)
        bodies.append((body, (x, y, z)))
    for _ in range(120):
        pybullet.stepSimulation(physicsClientId=client)
    for body, before in bodies:
        place, _ = pybullet.getBasePositionAndOrientation(body, physicsClientId=client)
        assert max(abs(a - b) for a, b in zip(place, before, strict=True)) < 0.006


def test_an_episode_depends_on_its_name_alone() -> None:
    """Whatever was drawn before it, and its place on the renderer's stage."""
    index, setup = EPISODES[3]
    first, other = episode(index, setup), episode(*EPISODES[0])
    picture = first.rgb(20)
    other.rgb(20)
    again = draw(0, POOL, index, setup)
    assert as_text(again) == as_text(first)
    assert (again.rgb(20) == picture).all()
    assert as_text(first) != as_text(other)


@pytest.mark.parametrize(("index", "setup", "match"), [(0, "bridgee", "did you mean 'bridge'"), (-1, "bridge", "-1")])
def test_what_is_no_scene_is_refused(index: int, setup: str, match: str) -> None:
    with pytest.raises(UsageError, match=match):
        draw(0, POOL, index, setup)  # type: ignore[arg-type]


def test_a_body_goes_until_it_touches() -> None:
    gone = until_touch(cube(0.0, 0.0, 0.02, 0.1), cube(0.2, 0.0, 0.04, 0.05), (1.0, 0.0, 0.0), 1.0)
    assert gone == pytest.approx(0.17, abs=2.0 * SKIN)
    assert gone < 0.17
    assert until_touch(cube(0.0, 0.0, 0.02, 0.1), cube(0.2, 0.3, 0.04, 0.05), (1.0, 0.0, 0.0), 1.0) is None


@pytest.mark.parametrize(("side", "held"), [(0.04, True), (0.07, True), (0.085, False)])
def test_fingers_close_on_what_fits_between_them(side: float, held: bool) -> None:
    grasp = grasp_of(cube(0.5, 0.1, side, 0.06), (0.5, 0.1), -0.5 * np.pi)
    assert (grasp is not None) == held
    if grasp is not None:
        assert grasp.opening == pytest.approx(side, abs=6.0 * SKIN)


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ((-0.1, 0.0), "away from the camera"),
        ((0.1, 0.01), "towards the camera"),
        ((0.0, 0.1), "to the right"),
        ((0.02, -0.1), "to the left"),
        ((-0.1, 0.1), "to the right and away from the camera"),
    ],
)
def test_directions_are_the_cameras(way: tuple[float, float], words: str) -> None:
    view = episode(*EPISODES[0]).scene.view.model_copy(update={"yaw": 3.141592653589793})
    assert direction(camera_of(view), way) == words
