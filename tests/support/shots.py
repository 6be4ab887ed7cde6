"""Small scenes for the rasterizer's tests, and what exact arithmetic says they must look like."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import Camera, Pose, invert, rotate, transform
from flowbench.rendering import Frame, Instance, Lighting, Material, Mesh, PointLight, Renderer
from flowbench.rendering.placing import placed, translation
from flowbench.rendering.shapes import box, cylinder, sphere

Float = NDArray[np.float64]

WHITE = {"plain": np.full((1, 1, 3), 255, dtype=np.uint8)}
SIZE = {"width": 160, "height": 120}
AHEAD = Camera.standing((0.0, 0.0, 0.0), math.pi / 2, **SIZE)
"""Looks from the origin along +y."""


def checks() -> dict[str, NDArray[np.uint8]]:
    """A uniform texture and a checkerboard."""
    pattern = (np.indices((64, 64)) // 8).sum(axis=0) % 2
    return {**WHITE, "check": np.repeat((80 + 150 * pattern)[..., None], 3, axis=2).astype(np.uint8)}


def room() -> tuple[list[Instance], Lighting]:
    """A lit corner of a room: floor and walls (ids 1, 2, 3), a table (300), a ball (301), a mug (65535)."""
    floor = box((6.0, 6.0, 0.1), (0.0, 0.0, -0.05), Material("check", (0.9, 0.8, 0.7), 0.5))
    wall = box((0.1, 6.0, 2.6), (2.05, 0.0, 1.3), Material("plain", (0.75, 0.8, 0.85), 0.9))
    side = box((6.0, 0.1, 2.6), (0.0, 2.05, 1.3), Material("plain", (0.85, 0.7, 0.6), 0.9))
    wood = Material("plain", (0.55, 0.35, 0.2), 0.4)
    top = placed(box((1.2, 0.8, 0.04), (0.0, 0.0, 0.7), wood, rounding=0.01), np.eye(4))
    legs = [box((0.05, 0.05, 0.68), (0.55 * i, 0.35 * j, 0.34), wood) for i in (-1, 1) for j in (-1, 1)]
    ball = sphere(0.2, material=Material("plain", (0.8, 0.2, 0.15), 0.25))
    mug = cylinder(0.05, 0.12, material=Material("plain", (0.2, 0.4, 0.8), 0.3))
    table = Pose.upright(0.9, 0.6, 0.0, 0.4).matrix
    instances = [
        Instance(1, floor, casts_shadow=False),
        Instance(2, wall, casts_shadow=False),
        Instance(3, side, casts_shadow=False),
        Instance(300, top, table),
        *(Instance(300, leg, table) for leg in legs),
        Instance(301, ball, translation(0.1, -0.6, 0.2)),
        Instance(65535, mug, translation(0.9, 0.6, 0.72)),
    ]
    lamp = PointLight((0.0, 0.0, 2.3), (1.6, 1.5, 1.3), ((-3.0, -3.0, -0.1), (2.1, 2.1, 2.7)))
    return instances, Lighting(lamps=(lamp,))


def eye(yaw: float = 0.5, pitch: float = 0.35, **size: int) -> Camera:
    """A camera that looks into :func:`room`."""
    return Camera.standing((-1.6, -1.2, 1.5), yaw, pitch, **{**SIZE, **size})


def drawn(instances: list[Instance], camera: Camera, lighting: Lighting | None = None) -> Frame:
    """Everything about a scene from a fresh renderer."""
    renderer = Renderer(checks())
    renderer.load(instances, lighting or Lighting())
    return renderer.render(camera, rgb=True, depth=True, ids=True)


def rays(camera: Camera) -> Float:
    """(H, W, 3) world directions through the pixel centres whose camera z is 1."""
    v, u = np.indices((camera.height, camera.width)).astype(np.float64)
    cx, cy = camera.centre
    local = np.stack([(u - cx) / camera.focal, (v - cy) / camera.focal, np.ones_like(u)], axis=-1)
    return rotate(camera.world_from_camera, local)


def ray_box(camera: Camera, world_from_box: Float, half: Float) -> Float:
    """(H, W) planar depth at which pixel rays enter a solid box in front of the camera; inf where they miss."""
    box_from_world = invert(world_from_box)
    origin = transform(box_from_world, camera.eye)
    direction = rotate(box_from_world, rays(camera))
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two = (-half - origin) / direction, (half - origin) / direction
    enter = np.fmin(one, two).max(axis=-1)
    leave = np.fmax(one, two).min(axis=-1)
    return np.where((enter <= leave) & (enter > 0.0), enter, np.inf)


def mesh_of(corners: list[list[float]], faces: list[list[int]]) -> Mesh:
    """A white mesh; its normals look along -y."""
    vertices = np.array(corners, dtype=np.float64)
    normals = np.tile([0.0, -1.0, 0.0], (len(vertices), 1))
    triangles = np.array(faces, dtype=np.int32)
    material = np.zeros(len(triangles), dtype=np.int32)
    return Mesh(vertices, normals, vertices[:, [0, 2]].copy(), triangles, material, (Material(),))


def square(distance: float, half: float = 1.0) -> Mesh:
    """A square that faces a camera at the origin looking along +y."""
    corners = [[x, distance, z] for x, z in ((-half, -half), (half, -half), (half, half), (-half, half))]
    return mesh_of(corners, [[0, 1, 2], [0, 2, 3]])
