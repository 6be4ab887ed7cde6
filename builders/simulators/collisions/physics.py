"""How a scene moves: Bullet, ten substeps a frame, contacts read after every one.

A run is a function of its setup alone. It stays exact when a body is left out: whatever the missing body would not
have touched, directly or through others, moves in the same bits, since Bullet solves each heap of bodies for itself.
Two of its settings would spoil that: a residual threshold ends the solver's iterations when all heaps together have
converged, and a least size of islands changes which heaps are solved in one go.

Bullet turns bodies with the C library's sine and cosine, whose last bits depend on the CPU, and a scene of collisions
makes metres of them. So Bullet only says how fast bodies move after a substep; where that takes them is computed here,
and put back. For the same reason bodies have maximal coordinates (Bullet's multibodies turn friction by an arc tangent)
and no damping (a power).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from flowbench.builders.simulators.bullet.bindings import pybullet
from flowbench.collisions.oracle import FPS, FRAMES, SUBSTEPS, Body, Collision
from flowbench.collisions.run import Run, Touch
from flowbench.collisions.setup import RADIUS, Quaternion, Setup, Start, Vector, start_pose

STEP = 1.0 / (FPS * SUBSTEPS)
"""Seconds of a substep."""
APART = 2 * SUBSTEPS
"""Substeps without contact after which two bodies that touched count as apart."""
LEAST_SPEED = 0.05
"""m/s of approach along the normal from which a first contact is a collision."""

MASSES = {"rubber": 1.0, "metal": 2.0}
"""Kilograms."""
_SURFACES = {
    "rubber": {"lateralFriction": 0.55, "restitution": 0.75},
    "metal": {"lateralFriction": 0.40, "restitution": 0.90},
}
_DYNAMICS = {"rollingFriction": 0.003, "spinningFriction": 0.004, "linearDamping": 0.0, "angularDamping": 0.0}
_GROUND = {"lateralFriction": 0.30, "restitution": 0.20, "rollingFriction": 0.003, "spinningFriction": 0.004}
_GROUND_HALF = (60.0, 60.0, 0.5)
_SETTLING = 4 * SUBSTEPS
"""Substeps in which residents come to rest before frame 0."""


class State(NamedTuple):
    """Where a body is (metres; quaternion x, y, z, w) and how it moves (m/s; rad/s), world frame."""

    place: Vector
    turn: Quaternion
    velocity: Vector
    spin: Vector


def simulate(setup: Setup, without: int | None = None) -> Run:
    """All frames of a scene, or of the same scene without one of its bodies.

    Raises:
        ValueError: there is no body ``without``.
    """
    if without is not None and not 0 <= without < len(setup.bodies):
        raise ValueError(f"no body {without} in a scene of {len(setup.bodies)}.")
    client = pybullet.connect(pybullet.DIRECT)
    try:
        return _World(client, setup, without).run()
    finally:
        pybullet.disconnect(client)


class _World:
    """The bodies of one scene in one physics client."""

    def __init__(self, client: int, setup: Setup, without: int | None) -> None:
        self._client, self._setup = client, setup
        self._present = [k for k in range(len(setup.bodies)) if k != without]
        self._ids: dict[int, int] = {}
        """Bullet's body of each index."""
        self._states = [State(*start_pose(start), (0.0,) * 3, (0.0,) * 3) for start in setup.starts]
        self._indices: dict[int, int] = {}
        """Index of each of Bullet's bodies; the ground is missing."""
        self._current: dict[tuple[int, int], int] = {}
        """Place in ``touches`` of each pair's latest."""
        self._collisions: list[Collision] = []
        self._touches: list[Touch] = []
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=STEP,
            numSolverIterations=50,
            solverResidualThreshold=0,
            deterministicOverlappingPairs=1,
            restitutionVelocityThreshold=0.05,
            physicsClientId=client,
        )
        pybullet.setGravity(0.0, 0.0, -9.81, physicsClientId=client)
        box = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=_GROUND_HALF, physicsClientId=client)
        ground = pybullet.createMultiBody(
            0.0, box, basePosition=(0.0, 0.0, -_GROUND_HALF[2]), useMaximalCoordinates=1, physicsClientId=client
        )
        pybullet.changeDynamics(ground, -1, **_GROUND, physicsClientId=client)

    def run(self) -> Run:
        """Simulate all frames."""
        shape = (FRAMES, len(self._setup.bodies))
        poses, velocities, spins = (np.full((*shape, n), np.nan) for n in (7, 3, 3))
        for k in self._present:
            if self._setup.bodies[k].enters is None:
                self._enter(k)
        for _ in range(_SETTLING):
            self._advance()
        for frame in range(FRAMES):
            for k in self._present:
                if self._setup.bodies[k].enters == frame:
                    self._enter(k)
                state = self._states[k]
                poses[frame, k] = (*state.place, *state.turn)
                velocities[frame, k], spins[frame, k] = state.velocity, state.spin
            for substep in range(SUBSTEPS):
                self._step(frame * SUBSTEPS + substep)
        return Run(poses, velocities, spins, tuple(self._collisions), tuple(self._touches))

    def _enter(self, k: int) -> None:
        """Put a body into the world at its start."""
        body, start, client = self._setup.bodies[k], self._setup.starts[k], self._client
        state = State(*start_pose(start), (*start.velocity, 0.0), start_spin(body, start))
        made = pybullet.createMultiBody(
            MASSES[body.material],
            self._shape(body),
            -1,
            state.place,
            state.turn,
            useMaximalCoordinates=1,
            physicsClientId=client,
        )
        pybullet.changeDynamics(made, -1, **_DYNAMICS, **_SURFACES[body.material], physicsClientId=client)
        pybullet.resetBaseVelocity(made, state.velocity, state.spin, physicsClientId=client)
        self._ids[k], self._indices[made], self._states[k] = made, k, state

    def _shape(self, body: Body) -> int:
        """Bullet's shape of a body."""
        sizes: dict[str, dict[str, Any]] = {
            "cube": {"shapeType": pybullet.GEOM_BOX, "halfExtents": (RADIUS,) * 3},
            "cylinder": {"shapeType": pybullet.GEOM_CYLINDER, "radius": RADIUS, "height": 2.0 * RADIUS},
            "sphere": {"shapeType": pybullet.GEOM_SPHERE, "radius": RADIUS},
        }
        made: int = pybullet.createCollisionShape(**sizes[body.shape], physicsClientId=self._client)
        return made

    def _advance(self) -> None:
        """One substep of all bodies."""
        client = self._client
        pybullet.stepSimulation(physicsClientId=client)
        for k, body in self._ids.items():
            velocity, spin = pybullet.getBaseVelocity(body, physicsClientId=client)
            self._states[k] = state = moved(self._states[k], velocity, spin)
            pybullet.resetBasePositionAndOrientation(body, state.place, state.turn, physicsClientId=client)
            pybullet.resetBaseVelocity(body, velocity, spin, physicsClientId=client)

    def _step(self, step: int) -> None:
        """One substep; notes the pairs that begin to touch in it."""
        before = list(self._states)
        self._advance()
        contacts: dict[tuple[int, int], list[Any]] = {}
        for contact in pybullet.getContactPoints(physicsClientId=self._client):
            a, b = self._indices.get(contact[1]), self._indices.get(contact[2])
            if a is not None and b is not None and (contact[9] > 0.0 or contact[8] <= 0.0):
                contacts.setdefault((min(a, b), max(a, b)), []).append((a, b, contact))
        for pair in sorted(contacts):
            latest = self._current.get(pair)
            if latest is not None and step - self._touches[latest].last <= APART:
                self._touches[latest] = replace(self._touches[latest], last=step)
                continue
            self._current[pair] = len(self._touches)
            self._touches.append(Touch(step, step, pair))
            self._collisions.extend(_collision(step, pair, contacts[pair], before))


def moved(state: State, velocity: Vector, spin: Vector) -> State:
    """Where a substep at these velocities takes a body: the turn is exact, its sine and cosine are short series.

    They are as good as a float for up to a quarter of a radian a substep, 62 rad/s.
    """
    (x, y, z), (a, b, c, d), (vx, vy, vz), (wx, wy, wz) = state.place, state.turn, velocity, spin
    half = 0.5 * STEP
    square = (wx * wx + wy * wy + wz * wz) * half * half
    share = half * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0))))
    e = 1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0)))
    p, q, r = wx * share, wy * share, wz * share
    turned = (
        e * a + p * d + q * c - r * b,
        e * b - p * c + q * d + r * a,
        e * c + p * b - q * a + r * d,
        e * d - p * a - q * b - r * c,
    )
    over = 1.0 / math.sqrt(math.fsum(part * part for part in turned))
    a, b, c, d = turned
    return State(
        (x + vx * STEP, y + vy * STEP, z + vz * STEP), (a * over, b * over, c * over, d * over), velocity, spin
    )


def start_spin(body: Body, start: Start) -> Vector:
    """rad/s with which a body starts: a sphere rolls without sliding."""
    x, y = start.velocity
    return (-y / RADIUS, x / RADIUS, 0.0) if body.shape == "sphere" else (0.0, 0.0, 0.0)


def _collision(step: int, pair: tuple[int, int], contacts: list[Any], before: Sequence[State]) -> Iterator[Collision]:
    """The collision that a pair's first contact points make, if they meet fast enough."""
    force = math.fsum(contact[9] for _, _, contact in contacts)
    a, b, contact = max(contacts, key=lambda entry: entry[2][9])
    normal, place = contact[7], contact[6]
    apart = [p - q for p, q in zip(_velocity_at(before[a], place), _velocity_at(before[b], place), strict=True)]
    speed = -(apart[0] * normal[0] + apart[1] * normal[1] + apart[2] * normal[2])
    if speed >= LEAST_SPEED:
        yield Collision(step // SUBSTEPS, step % SUBSTEPS, pair, speed, force * STEP, tuple(place))


def _velocity_at(state: State, place: Vector) -> Vector:
    """m/s of the point of a body that is at ``place``, world frame."""
    (vx, vy, vz), (wx, wy, wz) = state.velocity, state.spin
    x, y, z = place[0] - state.place[0], place[1] - state.place[1], place[2] - state.place[2]
    return vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x
