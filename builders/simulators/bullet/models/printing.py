"""What several models have in common: flat panels of any outline, and lines of print."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flowbench.geometry import compose
from flowbench.geometry.frames import Matrix
from flowbench.rendering import Material, Mesh
from flowbench.rendering.placing import translation
from flowbench.rendering.shapes import circle, solid
from flowbench.rendering.sweeps import two_sided

from .assembly import Assembly
from .draw import Draw

Outline = list[tuple[float, float]]


def ellipse(x: float, y: float, sides: int = 36) -> Outline:
    """Corners round an ellipse with half axes x and y, counter-clockwise."""
    return [(x * c, y * s) for c, s in circle(sides)]


def panel(outline: Sequence[tuple[float, float]], material: Material) -> Mesh:
    """A convex outline (x, z), counter-clockwise, metres, that faces -y and shows one repeat of its texture."""
    points = np.array(outline)
    low, high = points.min(axis=0), points.max(axis=0)
    vertices = np.stack([points[:, 0], np.zeros(len(points)), points[:, 1]], axis=-1)
    faces = np.array([(0, i, i + 1) for i in range(1, len(points) - 1)], dtype=np.int32)
    facing = np.tile([0.0, -1.0, 0.0], (len(points), 1))
    # Seen from both sides, it weighs nothing in a centre of mass.
    return two_sided(solid(vertices, facing, (points - low) / (high - low), faces, material))


def lines(
    assembly: Assembly,
    draw: Draw,
    size: tuple[float, float],
    rows: int,
    ink: Material,
    *,
    at: Matrix,
    fill: float = 0.5,
) -> None:
    """Rows of print, ragged on the right, within (width, height) about the frame ``at``, facing its -y."""
    width, height = size
    step = height / rows
    for row in range(rows):
        long = width * draw.between(0.72, 1.0)
        place = compose(at, translation((long - width) / 2, 0.0, height / 2 - step * (row + 0.5)))
        assembly.picture(long, fill * step, ink, at=place)
