"""A collision scene before anything moves, as plain values: enough to simulate and to film it again.

World frame and units are those of :mod:`flowbench.collisions.oracle`. Python writes floats so that they are read
back digit for digit: a setup that went through JSON gives the same run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from flowbench.errors import UsageError
from flowbench.geometry import Camera, cos, sin

from .oracle import COLOURS, FRAMES, HEIGHT, MATERIALS, SHAPES, WIDTH, Body

RADIUS = 0.25
"""Half of every body's width and height, metres."""

YAW = 0.9
"""Where all cameras look, give or take; radians, counter-clockwise from +x."""

GROUNDS = ("concrete", "plaster", "stucco", "linen")
"""Textures that a ground can have."""

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
"""x, y, z, w."""
Part = TypeVar("Part")


@dataclass(frozen=True)
class Start:
    """Where a body stands or enters; its lowest point touches the ground.

    Attributes:
        place: (x, y) of its centre, metres.
        yaw: radians about z.
        velocity: (x, y), m/s; zero of a resident. Spheres enter rolling, the others sliding.
    """

    place: tuple[float, float]
    yaw: float
    velocity: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class View:
    """The camera: it looks at the ground near the origin from above; the horizon lies above the picture.

    Attributes:
        eye: metres.
        yaw: radians, the direction it looks in seen from above, counter-clockwise from +x.
        pitch: radians below level.
        focal: pixels.
    """

    eye: Vector
    yaw: float
    pitch: float
    focal: float

    @property
    def camera(self) -> Camera:
        """As the rasterizer takes it."""
        level = Camera.standing(self.eye, self.yaw, self.pitch, width=WIDTH, height=HEIGHT)
        return Camera(WIDTH, HEIGHT, self.focal, level.camera_from_world)


@dataclass(frozen=True)
class Light:
    """The lamps of a scene.

    Attributes:
        key: direction towards the key light, which casts shadows.
        key_colour: linear RGB.
        fill: place of the fill lamp, metres.
        fill_colour: linear RGB intensity.
        ambient: linear grey level of the light from all around.
    """

    key: Vector
    key_colour: Vector
    fill: Vector
    fill_colour: Vector
    ambient: float


@dataclass(frozen=True)
class Ground:
    """The ground: a texture, its tint, and where it lies.

    Attributes:
        texture: of :data:`GROUNDS`.
        tint: sRGB in 0..1, multiplied with the texture in linear light.
        shift: (x, y) metres by which the texture is moved.
    """

    texture: str
    tint: Vector
    shift: tuple[float, float]


@dataclass(frozen=True)
class Setup:
    """A scene at its start.

    Attributes:
        scene: index in the pool ``collisions``.
        twin: 0 of the scene itself; others have the same bodies, view, light and ground, and other motions.
        bodies: 3 to 6.
        starts: one for each body.
        view, light, ground: how it looks.
    """

    scene: int
    twin: int
    bodies: tuple[Body, ...]
    starts: tuple[Start, ...]
    view: View
    light: Light
    ground: Ground


def as_json(setup: Setup) -> dict[str, Any]:
    """Plain lists, numbers and texts."""
    plain: dict[str, Any] = _plain(asdict(setup))
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return value


def from_json(plain: Mapping[str, Any]) -> Setup:
    """The setup that :func:`as_json` wrote.

    Raises:
        UsageError: a key is missing or one too many, or a value is none that a setup can have.
    """
    try:
        return _checked(
            Setup(
                **{
                    **plain,
                    "bodies": tuple(_part(Body, body) for body in plain["bodies"]),
                    "starts": tuple(_part(Start, start) for start in plain["starts"]),
                    "view": _part(View, plain["view"]),
                    "light": _part(Light, plain["light"]),
                    "ground": _part(Ground, plain["ground"]),
                }
            )
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"a scene's setup cannot be read ({error}); expected what flowbench wrote.") from error


def _part(kind: type[Part], plain: Mapping[str, Any]) -> Part:
    """A dataclass of plain values; lists become tuples."""
    return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in plain.items()})


def _checked(setup: Setup) -> Setup:
    """The setup, if its names are known, its numbers finite and its starts as many as its bodies."""
    if len(setup.starts) != len(setup.bodies):
        raise ValueError(f"{len(setup.starts)} starts of {len(setup.bodies)} bodies")
    for body in setup.bodies:
        for value, known in ((body.shape, SHAPES), (body.material, MATERIALS), (body.colour, COLOURS)):
            if value not in known:
                raise ValueError(f"{value!r} is none of {', '.join(known)}")
        if body.enters is not None and not 0 <= body.enters < FRAMES:
            raise ValueError(f"a body that enters at frame {body.enters}")
    if setup.ground.texture not in GROUNDS:
        raise ValueError(f"{setup.ground.texture!r} is none of {', '.join(GROUNDS)}")
    for name, value in _leaves(asdict(setup)):
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{name} {value}")
    return setup


def _leaves(value: Any, name: str = "setup") -> Iterator[tuple[str, Any]]:
    """All plain values within a value, and the name each stands under."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves(part, key)
    elif isinstance(value, tuple):
        for part in value:
            yield from _leaves(part, name)
    else:
        yield name, value


def start_pose(start: Start) -> tuple[Vector, Quaternion]:
    """Position and orientation (x, y, z, w) of a body at its start."""
    return (*start.place, RADIUS), (0.0, 0.0, sin(0.5 * start.yaw), cos(0.5 * start.yaw))
