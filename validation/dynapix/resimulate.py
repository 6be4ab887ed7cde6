"""A published scene run again in Bullet by a script of the checks' own: what follows from its set-up, to the bit.

Written from the set-up and from docs/collisions.md ("For those who run it again"), which gives every number and every
rule below; it shares no line with the simulator that made the release. PyBullet comes with the extra ``[build]`` and is
imported when a scene is run, never with this module.
"""

from __future__ import annotations

import importlib
import math
import os
import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flowbench.collisions.setup import Setup
from flowbench.geometry import cos, sin

NEEDS: Final = "pybullet"
FRAMES: Final = 128
STEPS: Final = 10
"""Steps of the physics a frame."""
DT: Final = 0.004
"""Seconds of a step: 250 a second."""
SETTLE: Final = 40
"""Steps before frame 0, in which what stands there comes to rest."""
PAUSE: Final = 20
"""Steps without contact after which a pair's next contact is a new one."""
SLOWEST: Final = 0.05
"""Metres a second of approach below which a first contact is no collision."""
HALF: Final = 0.25
"""Half of each body's width and height, metres."""
KILOGRAMS: Final = {"rubber": 1.0, "metal": 2.0}
FRICTION: Final = {"rubber": 0.55, "metal": 0.40}
RESTITUTION: Final = {"rubber": 0.75, "metal": 0.90}
ROLLING: Final = {"rollingFriction": 0.003, "spinningFriction": 0.004}
GROUND: Final = {"lateralFriction": 0.30, "restitution": 0.20}

Triple = tuple[float, float, float]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Bump:
    """A collision as a rerun finds it.

    Attributes:
        frame, substep: when.
        pair: indices of the two bodies, ascending.
        speed: m/s of approach along the normal.
        impulse: N s of the step of first contact.
        position: world, metres.
    """

    frame: int
    substep: int
    pair: tuple[int, int]
    speed: float
    impulse: float
    position: Triple


@dataclass(frozen=True, eq=False)
class Rerun:
    """What a scene does.

    Attributes:
        poses: (128, K, 7): place in metres, then the turn as a quaternion x, y, z, w; NaN of a body left out.
        velocities, spins: (128, K, 3): m/s, rad/s, world axes; NaN of a body left out.
        bumps: in order of time, then of pair.
    """

    poses: Floats
    velocities: Floats
    spins: Floats
    bumps: tuple[Bump, ...]


def resimulate(setup: Setup, without: int | None = None) -> Rerun:
    """All frames of a scene, or of the same scene without one body.

    Raises:
        ImportError: PyBullet is not installed.
        IndexError: no such body.
    """
    bullet = _bullet()
    client = bullet.connect(bullet.DIRECT)
    try:
        return _Script(bullet, client, setup, without).play()
    finally:
        bullet.disconnect(client)


def _bullet() -> ModuleType:
    """The module; on its first import it greets on stderr, from C."""
    if NEEDS in sys.modules:
        return importlib.import_module("pybullet")
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        return importlib.import_module("pybullet")
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


@dataclass
class _Mover:
    """A body in the world: Bullet's number, place, turn, velocity, spin."""

    number: int
    place: Triple
    turn: tuple[float, float, float, float]
    velocity: Triple
    spin: Triple

    def advance(self, velocity: Triple, spin: Triple) -> None:
        """Move for a step at these velocities: a straight way, and the exact turn about the spin's axis.

        Sine and cosine of half the angle are their series up to the ninth and the eighth power.
        """
        h = 0.5 * DT
        self.place = (
            self.place[0] + velocity[0] * DT,
            self.place[1] + velocity[1] * DT,
            self.place[2] + velocity[2] * DT,
        )
        q = (spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]) * h * h
        sine = h * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0 * (1.0 - q / 72.0))))
        w = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0 * (1.0 - q / 56.0)))
        i, j, k = spin[0] * sine, spin[1] * sine, spin[2] * sine
        x, y, z, s = self.turn
        product = (
            w * x + i * s + j * z - k * y,
            w * y - i * z + j * s + k * x,
            w * z + i * y - j * x + k * s,
            w * s - i * x - j * y - k * z,
        )
        scale = 1.0 / math.sqrt(math.fsum(each * each for each in product))
        self.turn = (product[0] * scale, product[1] * scale, product[2] * scale, product[3] * scale)
        self.velocity, self.spin = velocity, spin

    def velocity_at(self, point: Triple) -> Triple:
        """m/s of the body's matter at a point of the world."""
        (vx, vy, vz), (wx, wy, wz) = self.velocity, self.spin
        rx, ry, rz = point[0] - self.place[0], point[1] - self.place[1], point[2] - self.place[2]
        return vx + wy * rz - wz * ry, vy + wz * rx - wx * rz, vz + wx * ry - wy * rx


@dataclass
class _Script:
    """One scene in one client of Bullet's."""

    bullet: Any
    client: int
    setup: Setup
    without: int | None
    movers: dict[int, _Mover] = field(default_factory=dict)
    names: dict[int, int] = field(default_factory=dict)
    last: dict[tuple[int, int], int] = field(default_factory=dict)
    bumps: list[Bump] = field(default_factory=list)

    def play(self) -> Rerun:
        """Everything from the settling to the last frame."""
        count = len(self.setup.bodies)
        if self.without is not None and not 0 <= self.without < count:
            raise IndexError(f"no body {self.without} among {count}")
        self._world()
        poses, velocities, spins = (np.full((FRAMES, count, n), np.nan) for n in (7, 3, 3))
        self._let_in(None)
        for _ in range(SETTLE):
            self._step()
        for frame in range(FRAMES):
            self._let_in(frame)
            for k in range(count):
                if k != self.without:
                    poses[frame, k], velocities[frame, k], spins[frame, k] = self._state(k)
            for substep in range(STEPS):
                self._step()
                self._contacts(frame, substep)
        return Rerun(poses, velocities, spins, tuple(self.bumps))

    def _world(self) -> None:
        bullet, client = self.bullet, self.client
        bullet.setPhysicsEngineParameter(
            fixedTimeStep=DT,
            numSolverIterations=50,
            solverResidualThreshold=0,
            deterministicOverlappingPairs=1,
            restitutionVelocityThreshold=0.05,
            physicsClientId=client,
        )
        bullet.setGravity(0.0, 0.0, -9.81, physicsClientId=client)
        slab = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=(60.0, 60.0, 0.5), physicsClientId=client)
        ground = bullet.createMultiBody(
            0.0, slab, basePosition=(0.0, 0.0, -0.5), useMaximalCoordinates=1, physicsClientId=client
        )
        bullet.changeDynamics(ground, -1, **GROUND, **ROLLING, physicsClientId=client)

    def _let_in(self, frame: int | None) -> None:
        """Put the bodies that come at a frame into the world, in their order; None: those that stand there."""
        bullet, client = self.bullet, self.client
        for k, body in enumerate(self.setup.bodies):
            if k == self.without or body.enters != frame:
                continue
            if body.shape == "cube":
                shape = bullet.createCollisionShape(
                    bullet.GEOM_BOX, halfExtents=(HALF, HALF, HALF), physicsClientId=client
                )
            elif body.shape == "sphere":
                shape = bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=HALF, physicsClientId=client)
            else:
                shape = bullet.createCollisionShape(
                    bullet.GEOM_CYLINDER, radius=HALF, height=2.0 * HALF, physicsClientId=client
                )
            place, turn = self._start(k)
            number = bullet.createMultiBody(
                KILOGRAMS[body.material], shape, -1, place, turn, useMaximalCoordinates=1, physicsClientId=client
            )
            bullet.changeDynamics(
                number,
                -1,
                lateralFriction=FRICTION[body.material],
                restitution=RESTITUTION[body.material],
                linearDamping=0.0,
                angularDamping=0.0,
                **ROLLING,
                physicsClientId=client,
            )
            vx, vy = self.setup.starts[k].velocity
            rolling = (-vy / HALF, vx / HALF, 0.0) if body.shape == "sphere" else (0.0, 0.0, 0.0)
            bullet.resetBaseVelocity(number, (vx, vy, 0.0), rolling, physicsClientId=client)
            self.movers[k] = _Mover(number, place, turn, (vx, vy, 0.0), rolling)
            self.names[number] = k

    def _start(self, k: int) -> tuple[Triple, tuple[float, float, float, float]]:
        start = self.setup.starts[k]
        half = 0.5 * start.yaw
        return (start.place[0], start.place[1], HALF), (0.0, 0.0, sin(half), cos(half))

    def _state(self, k: int) -> tuple[tuple[float, ...], Triple, Triple]:
        """Pose, velocity and spin; of a body that waits its start, at rest."""
        mover = self.movers.get(k)
        if mover is None:
            place, turn = self._start(k)
            return (*place, *turn), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        return (*mover.place, *mover.turn), mover.velocity, mover.spin

    def _step(self) -> None:
        """Bullet finds the velocities, the places follow from them."""
        bullet, client = self.bullet, self.client
        self.before = {k: _Mover(**vars(mover)) for k, mover in self.movers.items()}
        bullet.stepSimulation(physicsClientId=client)
        for mover in self.movers.values():
            velocity, spin = bullet.getBaseVelocity(mover.number, physicsClientId=client)
            mover.advance(velocity, spin)
            bullet.resetBasePositionAndOrientation(mover.number, mover.place, mover.turn, physicsClientId=client)
            bullet.resetBaseVelocity(mover.number, velocity, spin, physicsClientId=client)

    def _contacts(self, frame: int, substep: int) -> None:
        """Note the pairs whose first contact this step was."""
        now = frame * STEPS + substep
        touching: dict[tuple[int, int], list[Any]] = {}
        for point in self.bullet.getContactPoints(physicsClientId=self.client):
            one, other, distance, force = self.names.get(point[1]), self.names.get(point[2]), point[8], point[9]
            if one is not None and other is not None and (force > 0.0 or distance <= 0.0):
                touching.setdefault((min(one, other), max(one, other)), []).append(point)
        for pair in sorted(touching):
            known = self.last.get(pair)
            self.last[pair] = now
            if known is None or now - known > PAUSE:
                self._bump(frame, substep, pair, touching[pair])

    def _bump(self, frame: int, substep: int, pair: tuple[int, int], points: list[Any]) -> None:
        """The collision of a first contact, unless it is too gentle; the point with the largest force stands for it."""
        largest = max(points, key=lambda point: point[9])
        place, normal = largest[6], largest[7]
        one = self.before[self.names[largest[1]]].velocity_at(place)
        other = self.before[self.names[largest[2]]].velocity_at(place)
        gap = [a - b for a, b in zip(one, other, strict=True)]
        speed = -(gap[0] * normal[0] + gap[1] * normal[1] + gap[2] * normal[2])
        if speed >= SLOWEST:
            impulse = math.fsum(point[9] for point in points) * DT
            self.bumps.append(Bump(frame, substep, pair, speed, impulse, (place[0], place[1], place[2])))
