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


_STROKES = {
    "|": (-0.38, 0.0, 0.24, 1.0),
    "]": (0.38, 0.0, 0.24, 1.0),
    "!": (0.0, 0.0, 0.24, 1.0),
    "'": (0.38, 0.25, 0.24, 0.5),
    "^": (0.0, 0.44, 1.0, 0.12),
    "-": (0.0, 0.0, 1.0, 0.12),
    "_": (0.0, -0.44, 1.0, 0.12),
}
"""A stroke's middle and size (x, z, width, height), as shares of a letter's."""
_LETTERS = {
    "E": "|^-_",
    "H": "|-]",
    "I": "!",
    "L": "|_",
    "O": "|]^_",
    "P": "|^-'",
    "T": "!^",
    " ": "",
}


def letters(assembly: Assembly, text: str, size: tuple[float, float], ink: Material, *, at: Matrix) -> None:
    """Capitals made of strokes, filling (width, height) about the frame ``at``, facing its -y; of E H I L O P T."""
    step, high = size[0] / len(text), size[1]
    wide = 0.72 * step
    for i, letter in enumerate(text):
        for stroke in _LETTERS[letter]:
            x, z, w, h = _STROKES[stroke]
            place = translation((i + 0.5) * step - size[0] / 2 + x * wide, 0.0, z * high)
            assembly.picture(w * wide, h * high, ink, at=compose(at, place))
