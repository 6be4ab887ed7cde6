"""The arm: a Franka Panda with its gripper, as PyBullet's data describes it, and where its links are.

Its description (joints, limits, meshes) is read from the installed ``pybullet_data``; angles become places by exact
arithmetic, since Bullet's own turns go through the C library's sine and cosine and differ between CPUs.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import UsageError
from flowbench.geometry import ConvexParts, compose, invert, quaternion_of, sin_cos
from flowbench.geometry.frames import Matrix, Pose
from flowbench.rendering import Mesh
from flowbench.rendering.placing import placed, rotation

from .wavefront import read_mesh, read_vertices

DRAWN: Final = (*(f"panda_link{n}" for n in range(8)), "panda_hand", "panda_leftfinger", "panda_rightfinger")
"""Links that have a mesh, in the order of :attr:`~.truth.Truth.links`."""
HAND: Final = 8
FINGERS: Final = (9, 10)
TIP: Final = 0.1034
"""From the hand's frame to the middle between the fingers' tips, metres along its z."""
MOST_OPEN: Final = 0.08
"""Metres between the pads."""
_FINGER: Final = 0.0584
"""From the hand's frame to the fingers'."""

Joints = tuple[float, ...]
"""Seven angles, radians."""


@dataclass(frozen=True, eq=False)
class Link:
    """A link that is drawn: what it looks like, and its convex hull, in its own frame."""

    mesh: Mesh
    hull: ConvexParts


@dataclass(frozen=True, eq=False)
class Panda:
    """The arm.

    Attributes:
        origins: (4, 4) each, of the seven joints and of the hand in the frame of the link before.
        limits: (lower, upper) of the seven joints, radians.
        links: in the order of :data:`DRAWN`.
    """

    origins: tuple[Matrix, ...]
    limits: tuple[tuple[float, float], ...]
    links: tuple[Link, ...]

    def frames(self, joints: Sequence[float]) -> list[Matrix]:
        """World from link for base, links 1 to 7 and hand, (4, 4) each."""
        out = [np.eye(4)]
        for origin, angle in zip(self.origins[:7], joints, strict=True):
            s, c = sin_cos(angle)
            turn = np.array([[c, -s, 0.0, 0.0], [s, c, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
            out.append(compose(out[-1], compose(origin, turn)))
        return [*out, compose(out[-1], self.origins[7])]

    def poses(self, joints: Sequence[float], opening: float) -> list[Pose]:
        """World from link of every link that is drawn, rounded as all poses are."""
        frames = self.frames(joints)
        for side in (1.0, -1.0):
            shift = np.eye(4)
            shift[:3, 3] = (0.0, side * 0.5 * opening, _FINGER)
            frames.append(compose(frames[HAND], shift))
        return [pose_of(frame) for frame in frames]


def pose_of(matrix: Matrix) -> Pose:
    """A rigid transform as a rounded pose."""
    x, y, z = (float(value) for value in matrix[:3, 3])
    return Pose((x, y, z), quaternion_of(matrix))


def tip_from_hand() -> Matrix:
    """The frame between the fingers' tips, seen from the hand's: (4, 4)."""
    matrix = np.eye(4)
    matrix[2, 3] = TIP
    return matrix


def hand_of(tip: Matrix) -> Matrix:
    """Where the hand is if the frame between the fingers' tips is at ``tip``."""
    return compose(tip, invert(tip_from_hand()))


def data_folder() -> Path:
    """Where the installed ``pybullet_data`` keeps the arm."""
    try:
        found = Path(str(import_module("pybullet_data").getDataPath())) / "franka_panda"
    except ImportError as error:
        raise UsageError("the tabletop needs PyBullet's data: run pip install '.[build]' in a clone.") from error
    if not (found / "panda.urdf").is_file():
        raise UsageError(f"{found / 'panda.urdf'} is missing, expected the Franka Panda: install pybullet again.")
    return found


@cache
def panda() -> Panda:
    """The arm, read once."""
    folder = data_folder()
    root = ElementTree.fromstring((folder / "panda.urdf").read_text(encoding="utf-8"))
    joints = {str(joint.get("name")): joint for joint in root.iter("joint")}
    names = [f"panda_joint{n}" for n in range(1, 8)]
    origins = [_origin(joints[name]) for name in names]
    hand = compose(_origin(joints["panda_joint8"]), _origin(joints["panda_hand_joint"]))
    limits = []
    for name in names:
        limit = joints[name].find("limit")
        assert limit is not None
        limits.append((float(limit.attrib["lower"]), float(limit.attrib["upper"])))
    links = {str(link.get("name")): link for link in root.iter("link")}
    return Panda((*origins, hand), tuple(limits), tuple(_link(folder, links[name]) for name in DRAWN))


def _link(folder: Path, element: ElementTree.Element) -> Link:
    """A link's mesh and hull; the right finger's are turned."""
    mesh = read_mesh(folder / _file(element, "visual"))
    hull = read_vertices(folder / _file(element, "collision"))
    turn = _origin(element.find("visual"))
    hull_turn = _origin(element.find("collision"))
    return Link(placed(mesh, turn), ConvexParts.of([_thinned(hull)]).placed(hull_turn))


def _thinned(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The points without repetitions."""
    return np.unique(np.round(points, 5), axis=0)


def _file(element: ElementTree.Element, kind: str) -> str:
    mesh = element.find(f"{kind}/geometry/mesh")
    assert mesh is not None
    return mesh.attrib["filename"].removeprefix("package://")


def _origin(element: ElementTree.Element | None) -> Matrix:
    """The transform of an element's ``origin``: roll, pitch, yaw, then a shift."""
    origin = None if element is None else element.find("origin")
    if origin is None:
        return np.eye(4)
    roll, pitch, yaw = (_snapped(float(text)) for text in origin.attrib.get("rpy", "0 0 0").split())
    x, y, z = (float(text) for text in origin.attrib.get("xyz", "0 0 0").split())
    turn = compose(rotation("z", yaw), compose(rotation("y", pitch), rotation("x", roll)))
    turn[:3, 3] = (x, y, z)
    return turn


def _snapped(angle: float) -> float:
    """An angle that was written with eleven digits as the multiple of 45 degrees that it stands for."""
    steps = round(angle / (0.25 * math.pi))
    return 0.25 * math.pi * steps if abs(angle - 0.25 * math.pi * steps) < 1e-6 else angle
