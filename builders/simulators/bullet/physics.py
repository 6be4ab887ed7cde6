"""The PyBullet world of one home: exact contact queries, and settling of one object while all others stand still.

The state of a body is its rounded :class:`~flowbench.geometry.Pose`; after every change that pose is pushed
back into Bullet, so what is published is what Bullet collides.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import Pose, atan2, rotate, rotation_angle, transform
from flowbench.geometry.frames import Points

from .bindings import pybullet
from .collision import Quaternion, create_shape
from .model import Part

PENETRATION = 0.002
"""Deepest overlap that still counts as touching, metres."""
FOOTING = 0.005
"""An object is carried by what lies at most this far below its lowest contact, metres."""
MOST_TILT = math.radians(15.0)
"""What comes to rest with a greater tilt has fallen over (architecture.md, "PyBullet")."""
_STEP = 1.0 / 240.0
_MOST_STEPS = 600
_QUIET_STEPS = 10
_UPWARD = 0.7
_STANDS_TILT = math.radians(1.5)
_STANDS_DRIFT = 0.004
_LEANS_TILT = math.radians(0.1)
_AWAY = (0.0, 0.0, 500.0)
_DYNAMICS = {
    "lateralFriction": 0.8,
    "rollingFriction": 0.003,
    "spinningFriction": 0.003,
    "restitution": 0.0,
    "linearDamping": 0.05,
    "angularDamping": 0.2,
}


@dataclass(frozen=True)
class Contact:
    """A pair of near surface points.

    Attributes:
        other: index of the other body.
        distance: metres; negative where they overlap.
        up: z of the unit normal from the other body towards this one; near 1 where the other lies below.
    """

    other: int
    distance: float
    up: float


@dataclass(frozen=True)
class Rest:
    """Where a body came to rest.

    Attributes:
        pose: the rounded pose.
        supporter: index of the body that carries it; None if it did not come to rest on anything.
        tilt: radians between its up axis before and after.
        rotation: radians turned in all.
    """

    pose: Pose
    supporter: int | None
    tilt: float
    rotation: float


@final
class World:
    """Bodies numbered from 0 in the order they are added; all stand still but for the one being settled."""

    def __init__(self) -> None:
        self._client: int = pybullet.connect(pybullet.DIRECT)
        self._scratch = tempfile.NamedTemporaryFile(  # noqa: SIM115, close() closes it
            "w", encoding="ascii", prefix="flowbench-hulls-", suffix=".obj"
        )
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=_STEP,
            numSolverIterations=50,
            deterministicOverlappingPairs=1,
            enableFileCaching=0,
            physicsClientId=self._client,
        )
        pybullet.setGravity(0.0, 0.0, -9.81, physicsClientId=self._client)
        self._bodies: list[int] = []
        self._parts: list[tuple[Part, ...]] = []
        self._centres: list[NDArray[np.float64]] = []
        self._masses: list[float] = []
        self._poses: list[Pose] = []
        self._low: NDArray[np.float64] = np.empty((0, 3))
        self._high: NDArray[np.float64] = np.empty((0, 3))

    def close(self) -> None:
        """Disconnect and remove the scratch file."""
        pybullet.disconnect(self._client)
        self._scratch.close()

    def add(
        self,
        parts: Sequence[Part],
        pose: Pose,
        mass: float = 0.0,
        centre: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> int:
        """Add a body and return its index.

        Args:
            parts: convex parts in its own frame, metres; none makes it immaterial.
            pose: where it stands.
            mass: kilograms, felt only while it settles.
            centre: its centre of mass, its own frame, metres.
        """
        self._parts.append(tuple(parts))
        self._poses.append(pose)
        self._masses.append(mass)
        self._centres.append(np.array(centre))
        body = -1
        if parts:
            shape = create_shape(self._client, parts, self._scratch)
            body = pybullet.createMultiBody(0.0, shape, baseInertialFramePosition=centre, physicsClientId=self._client)
            pybullet.changeDynamics(body, -1, **_DYNAMICS, physicsClientId=self._client)
        self._bodies.append(body)
        self._low = np.vstack([self._low, np.full((1, 3), np.inf)])
        self._high = np.vstack([self._high, np.full((1, 3), -np.inf)])
        self.place(len(self._bodies) - 1, pose)
        return len(self._bodies) - 1

    def remove(self, index: int) -> None:
        """Take a body out of the world; its index is not used again."""
        if self._bodies[index] >= 0:
            pybullet.removeBody(self._bodies[index], physicsClientId=self._client)
        self._bodies[index] = -1
        self._low[index], self._high[index] = np.inf, -np.inf

    def pose(self, index: int) -> Pose:
        """Where a body stands."""
        return self._poses[index]

    def bounds(self, index: int) -> tuple[Points, Points]:
        """Lower and upper corner (3,) of a body's parts, world frame, metres."""
        return self._low[index], self._high[index]

    def place(self, index: int, pose: Pose) -> None:
        """Put a body somewhere, whatever is there."""
        self._poses[index] = pose
        if self._bodies[index] < 0:
            return
        matrix = pose.matrix
        centre = transform(matrix, self._centres[index])
        pybullet.resetBasePositionAndOrientation(
            self._bodies[index], centre.tolist(), pose.quaternion, physicsClientId=self._client
        )
        points = transform(matrix, np.concatenate(self._parts[index]))
        self._low[index], self._high[index] = points.min(axis=0), points.max(axis=0)

    def contacts(self, index: int, within: float) -> list[Contact]:
        """Surface points of all other bodies at most ``within`` metres away, by body index."""
        low, high = self._low[index] - within, self._high[index] + within
        near = ((self._low <= high) & (self._high >= low)).all(axis=1)
        found = []
        for other in np.flatnonzero(near):
            if other == index:
                continue
            points = pybullet.getClosestPoints(
                self._bodies[index], self._bodies[other], within, physicsClientId=self._client
            )
            found += [Contact(int(other), float(p[8]), float(p[7][2])) for p in points]
        return found

    def overlaps(self, index: int) -> bool:
        """Whether a body penetrates any other by more than :data:`PENETRATION`."""
        return any(contact.distance < -PENETRATION for contact in self.contacts(index, 0.0))

    def supporter(self, index: int, footing: float = FOOTING) -> int | None:
        """The body that carries this one: the nearest below it within ``footing`` metres, or None."""
        below = [c for c in self.contacts(index, footing) if c.up > _UPWARD]
        return min(below, key=lambda c: (round(c.distance, 4), c.other)).other if below else None

    def stand(self, index: int) -> Rest:
        """Lower or lift a body by the small gap to what carries it, without dynamics: for level floors."""
        self._touch_down(index)
        return Rest(self._poses[index], self.supporter(index), 0.0, 0.0)

    def settle(self, index: int) -> Rest | None:
        """Let a body fall and come to rest; None if it does not. It stays where the result says.

        A body that ends upright where it was put (tilt under 1.5 degrees, drift under 4 mm) keeps its exact
        orientation and place on the floor plane and is lowered until it touches: dynamics only judge whether
        it stands, so the pose does not depend on a solver's last bits. What leans on something beside it does not.
        """
        start = self._poses[index]
        settled = self._fall(index)
        if settled is None:
            return None
        tilt, turned = _tilt(start, settled), rotation_angle(start.matrix, settled.matrix)
        drift = max(abs(settled.position[k] - start.position[k]) for k in (0, 1))
        stands = tilt < _STANDS_TILT and turned < 2 * _STANDS_TILT and drift < _STANDS_DRIFT
        if stands and not (tilt > _LEANS_TILT and self._leans(index)):
            self.place(index, Pose((*start.position[:2], round(settled.position[2], 4)), start.quaternion))
            self._touch_down(index)
            tilt, turned = 0.0, 0.0
        else:
            self.place(index, settled)
        return Rest(self._poses[index], self.supporter(index), tilt, turned)

    def _fall(self, index: int) -> Pose | None:
        """Simulate one body until it is quiet; contact caches are emptied first, so the past has no say."""
        body, client = self._bodies[index], self._client
        start = self._poses[index]
        pybullet.resetBasePositionAndOrientation(body, _AWAY, start.quaternion, physicsClientId=client)
        pybullet.performCollisionDetection(physicsClientId=client)
        self.place(index, start)
        pybullet.changeDynamics(body, -1, mass=self._masses[index], physicsClientId=client)
        quiet = 0
        for _ in range(_MOST_STEPS):
            pybullet.stepSimulation(physicsClientId=client)
            linear, angular = pybullet.getBaseVelocity(body, physicsClientId=client)
            still = max(map(abs, linear)) < 0.01 and max(map(abs, angular)) < 0.05
            quiet = quiet + 1 if still else 0
            if quiet == _QUIET_STEPS:
                break
        centre, quaternion = pybullet.getBasePositionAndOrientation(body, physicsClientId=client)
        pybullet.changeDynamics(body, -1, mass=0.0, physicsClientId=client)
        pybullet.resetBaseVelocity(body, [0.0] * 3, [0.0] * 3, physicsClientId=client)
        pose = _pose_of(centre, quaternion, self._centres[index])
        self.place(index, pose)
        return pose if quiet == _QUIET_STEPS else None

    def _leans(self, index: int) -> bool:
        """Whether something beside a body touches it."""
        return any(abs(contact.up) <= _UPWARD for contact in self.contacts(index, PENETRATION))

    def _touch_down(self, index: int) -> None:
        """Move a body along z until the nearest surface below is in contact."""
        for _ in range(4):
            below = [c.distance for c in self.contacts(index, 2 * FOOTING) if c.up > _UPWARD]
            gap = min(below, default=0.0)
            if abs(gap) < 6e-5:
                return
            x, y, z = self._poses[index].position
            self.place(index, Pose((x, y, round(z - gap, 4)), self._poses[index].quaternion))


def _pose_of(centre: Sequence[float], quaternion: Quaternion, local: NDArray[np.float64]) -> Pose:
    """The object frame's pose from the pose of its centre of mass."""
    turned = Pose((0.0, 0.0, 0.0), quaternion).matrix
    x, y, z = (np.array(centre) - rotate(turned, local)).tolist()
    return Pose((x, y, z), quaternion)


def _tilt(before: Pose, after: Pose) -> float:
    """Radians between the two up axes."""
    difference = before.matrix[:3, 2] - after.matrix[:3, 2]
    half = min(1.0, math.sqrt(float((difference * difference).sum())) / 2.0)
    return 2.0 * atan2(half, math.sqrt(1.0 - half * half))
