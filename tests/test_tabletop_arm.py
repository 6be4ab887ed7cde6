"""The arm: its links are where Bullet has them, and its tip goes where it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowbench.builders.simulators.bullet.bindings import pybullet
from flowbench.builders.simulators.tabletop import panda as arm
from flowbench.builders.simulators.tabletop.path import Path as Way
from flowbench.builders.simulators.tabletop.path import UnreachableError, eased
from flowbench.builders.simulators.tabletop.reaching import REST, pointing, reach, tip_frame
from flowbench.builders.simulators.tabletop.wavefront import read_mesh
from flowbench.errors import UsageError
from flowbench.geometry import Pose

BULLET_LINKS = (*range(7), 8, 9, 10)
"""Bullet's numbers of links 1 to 7, hand and fingers."""


@pytest.fixture(scope="module")
def bullet() -> Iterator[tuple[int, int]]:
    """A client with the arm in it, and the arm's number."""
    client = pybullet.connect(pybullet.DIRECT)
    body = pybullet.loadURDF(str(arm.data_folder() / "panda.urdf"), useFixedBase=1, physicsClientId=client)
    yield client, body
    pybullet.disconnect(client)


@pytest.mark.parametrize(
    ("joints", "opening"),
    [
        ((0.0,) * 7, 0.0),
        ((0.3, -0.5, 0.2, -2.1, 0.4, 1.7, 0.6), 0.05),
        ((-1.1, 0.9, -0.7, -1.3, 1.2, 2.4, -1.9), 0.08),
    ],
)
def test_links_are_where_bullet_has_them(bullet: tuple[int, int], joints: tuple[float, ...], opening: float) -> None:
    client, body = bullet
    for number, angle in enumerate(joints):
        pybullet.resetJointState(body, number, angle, physicsClientId=client)
    for number in (9, 10):
        pybullet.resetJointState(body, number, opening / 2.0, physicsClientId=client)
    ours = arm.panda().poses(joints, opening)
    assert len(ours) == len(arm.DRAWN)
    for number, pose in zip(BULLET_LINKS, ours[1:], strict=True):
        state = pybullet.getLinkState(body, number, computeForwardKinematics=1, physicsClientId=client)
        theirs = Pose(state[4], state[5])
        assert np.abs(theirs.matrix - pose.matrix).max() < 3e-5


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.floats(0.38, 0.64), st.floats(-0.22, 0.22), st.floats(0.02, 0.3), st.floats(-2.0, -1.1))
def test_the_tip_goes_where_it_is_sent(x: float, y: float, z: float, closing: float) -> None:
    target = pointing((x, y, z), closing)
    joints = reach(target, REST)
    assert joints is not None
    assert np.abs(tip_frame(joints) - target).max() < 5e-4
    assert np.abs(tip_frame(joints)[:3, 3] - target[:3, 3]).max() < 3e-5
    assert all(low < angle < high for angle, (low, high) in zip(joints, arm.panda().limits, strict=True))


def test_what_is_too_far_is_not_reached() -> None:
    assert reach(pointing((1.4, 0.0, 0.1), -1.57), REST) is None


@pytest.mark.parametrize("tilt", [0.0, 0.5, -0.6])
def test_a_tip_points_down_or_leans(tilt: float) -> None:
    frame = pointing((0.5, 0.1, 0.2), 0.7, tilt)[:3, :3]
    assert frame.T @ frame == pytest.approx(np.eye(3), abs=1e-12)
    assert float(np.linalg.det(frame)) == pytest.approx(1.0)
    assert frame[:, 1] == pytest.approx([np.cos(0.7), np.sin(0.7), 0.0])
    ahead = np.array([np.sin(0.7), -np.cos(0.7), 0.0])
    assert frame[:, 2] == pytest.approx(np.sin(tilt) * ahead + [0.0, 0.0, -np.cos(tilt)])


def test_a_way_is_slow_at_both_ends() -> None:
    shares = eased(10)
    steps = np.diff([0.0, *shares])
    assert shares[-1] == 1.0
    assert (steps > 0.0).all()
    assert steps.argmax() in (4, 5)


def test_a_way_that_leaves_the_arms_reach_is_refused() -> None:
    way = Way([REST], [0.04])
    with pytest.raises(UnreachableError):
        way.line(pointing((1.3, 0.0, 0.3), -1.57), 40)


@pytest.mark.parametrize("text", ["", "v 0 0 0\nf 1//1 2//1 9//1\n", "v a b c\n"])
def test_a_broken_mesh_is_told_in_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "link.obj"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"link\.obj cannot be read as a mesh"):
        read_mesh(path)
