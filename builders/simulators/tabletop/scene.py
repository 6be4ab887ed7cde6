"""A table with things on it and one move, as plain values: enough to draw every frame of an episode again.

World frame: right-handed, z up, metres; the table's top is z = 0. The arm stands at the origin and works towards +x.
Python writes floats so that they are read back digit for digit.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from flowbench.geometry import Camera
from flowbench.schema.frozen import Frozen

POOL = "tabletop"
"""Pool of all scenes; one scene of five, the last, is for testing."""
WIDTH, HEIGHT = 640, 480
FOCAL = 610.0
"""Pixels; the paper assumes this for all sources without recorded intrinsics (B.2)."""
FPS = 12

Setup = Literal["bridge", "topdown"]
SETUPS: tuple[Setup, ...] = ("bridge", "topdown")
"""``bridge``: household things seen at a slant, as in Bridge V2; ``topdown``: toy blocks seen from above, as in
Language-Table."""

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Colour = tuple[Share, Share, Share]
"""sRGB."""
Part = Annotated[list[Vector], Field(min_length=1, max_length=256)]
Name = Annotated[str, Field(min_length=1, max_length=80)]


class Recipe(Frozen):
    """What a thing is made from; its mesh and parts follow.

    Attributes:
        kind: name of its type, e.g. ``"mug"``, as the catalogue has it.
        colour: name of its colour, e.g. ``"red"``; "" of types that have just one.
        tint: sRGB of what the colour's name is about.
        sizes: what the type's maker needs, metres unless it says else.
        style: a whole number from which the maker takes what else varies.
    """

    kind: Name
    colour: Annotated[str, Field(max_length=40)]
    tint: Colour
    sizes: Annotated[dict[str, float], Field(max_length=16)]
    style: Annotated[int, Field(ge=0, lt=1 << 31)]


class TableObject(Frozen):
    """One thing on the table.

    Its frame: origin in the middle of its footprint on the table, z up.

    Attributes:
        name: what a text calls it without an article; no two of a scene have the same: ``"red mug"``.
        kind: its type, ``"mug"``.
        label: the noun of its type in words, ``"mug"``, ``"salt shaker"``.
        colour: word for its colour; "" where none is said.
        size: (x, y, z) true extents in its own frame, metres.
        parts: convex parts that follow its surface, each a list of vertices in its own frame, metres.
        recipe: how its mesh is made.
    """

    name: Name
    kind: Name
    label: Name
    colour: Annotated[str, Field(max_length=40)]
    size: Vector
    parts: Annotated[list[Part], Field(min_length=1, max_length=64)]
    recipe: Recipe


class View(Frozen):
    """The camera stands still.

    Attributes:
        eye: metres, world.
        yaw: radians, the direction it looks in seen from above, counter-clockwise from +x.
        pitch: radians below level.
    """

    eye: Vector
    yaw: float
    pitch: float


class Surface(Frozen):
    """How a plane looks: a texture of the rasterizer's, its sRGB tint, its repeats a metre."""

    texture: Name
    tint: Colour
    scale: Annotated[float, Field(gt=0.0, le=64.0)]


class Surroundings(Frozen):
    """What stands round the things.

    Attributes:
        table: its top.
        table_size: (x, y) metres; it begins behind the arm.
        board: a board that lies on the table under the things; None without.
        wall, floor: of the room.
        wall_distance: how far behind the arm and beside the table walls stand, metres.
        style: a whole number from which furniture takes what else varies.
        key: direction towards the key light; ``key_colour`` linear RGB.
        fill: place of a lamp, metres; ``fill_colour`` linear RGB.
        ambient: linear grey level of the light from all around.
    """

    table: Surface
    table_size: tuple[float, float]
    board: Surface | None
    wall: Surface
    floor: Surface
    wall_distance: float
    style: Annotated[int, Field(ge=0, lt=1 << 31)]
    key: Vector
    key_colour: Vector
    fill: Vector
    fill_colour: Vector
    ambient: Share


class Scene(Frozen):
    """An episode without its motion.

    Attributes:
        seed, pool, index: where it comes from.
        setup: see :data:`SETUPS`.
        task: what the arm was told, e.g. ``"push the red mug to the left"``.
        objects: five to nine.
        mover: index of the one that is moved.
        view: the camera.
        surroundings: table, room and light.
    """

    seed: int
    pool: Name
    index: Annotated[int, Field(ge=0)]
    setup: Setup
    task: Annotated[str, Field(min_length=1, max_length=200)]
    objects: Annotated[tuple[TableObject, ...], Field(min_length=1, max_length=32)]
    mover: Annotated[int, Field(ge=0)]
    view: View
    surroundings: Surroundings

    @cached_property
    def camera(self) -> Camera:
        """As the rasterizer takes it."""
        return camera_of(self.view)


def camera_of(view: View) -> Camera:
    """The pinhole camera of a view: 640x480, focal length 610 px."""
    level = Camera.standing(view.eye, view.yaw, view.pitch, width=WIDTH, height=HEIGHT)
    return Camera(WIDTH, HEIGHT, FOCAL, level.camera_from_world)


def is_for_testing(index: int) -> bool:
    """Whether a scene of the pool is for testing: one of five, the last."""
    return index % 5 == 4
