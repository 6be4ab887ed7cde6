"""Convex collision parts from shapes and from loose points."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from flowbench.rendering.shapes import circle

from ..model import Part

Triple = Sequence[float] | NDArray[np.float64]

MAX_VERTICES = 32
PART_DECIMALS = 5
_SIDES = 16
# A 16-gon between the inscribed and the circumscribed one: nowhere off the circle by more than 1%.
_GROWN = 1.0098
# A bevel that touches the rounded edge from outside: 2 - sqrt(2) of its radius.
_BEVEL = 0.5858
_GOLDEN = 1.618033988749895
_BALL_GROWN = 1.045
"""Puts the faces of the 32-cornered ball below half as far inside the sphere as its corners lie outside."""


def _ball_corners() -> NDArray[np.float64]:
    """The 12 corners of an icosahedron and the 20 of a dodecahedron on the unit sphere, (32, 3), evenly spread."""
    corners = [list(signs) for signs in product((-1.0, 1.0), repeat=3)]
    for a, b in product((-1.0, 1.0), repeat=2):
        for first, second in ((1.0, _GOLDEN), (_GOLDEN, 1.0 / _GOLDEN)):
            corners += [[0.0, a * first, b * second], [a * first, b * second, 0.0], [b * second, 0.0, a * first]]
    # The first rectangles are the icosahedron's; the second, with the cube, its dual dodecahedron's.
    return np.array([[v / sqrt(x * x + y * y + z * z) for v in (x, y, z)] for x, y, z in corners])


_CORNERS = _ball_corners()
_DIRECTIONS = np.array([d for d in product((-1.0, -0.5, 0.0, 0.5, 1.0), repeat=3) if max(map(abs, d)) == 1.0])


def box_part(size: Triple, centre: Triple, rounding: float = 0.0) -> Part:
    """A box along the axes, metres; its edges are bevelled if their rounding is worth it (24 points, else 8)."""
    signs = np.array(list(product((-1.0, 1.0), repeat=3)))
    half = np.array(size, dtype=np.float64) / 2.0
    bevel = _BEVEL * min(rounding, 0.98 * float(half.min()))
    middle = np.array(centre, dtype=np.float64)
    if bevel < 0.004:
        return middle + signs * half
    insets = bevel * (1.0 - np.eye(3))
    return np.concatenate([middle + signs * (half - inset) for inset in insets])


def ball_part(radius: float, centre: Triple, scale: Triple = (1.0, 1.0, 1.0)) -> Part:
    """A sphere or ellipsoid as 32 corners: within 3.5% of its radius."""
    grown = _CORNERS * (_BALL_GROWN * radius) * np.array(scale, dtype=np.float64)
    return grown + np.array(centre, dtype=np.float64)


def coarse_hull(points: NDArray[np.float64], keep: int = 0) -> Part:
    """At most 32 of (n, 3) points, chosen so that their hull falls short of the points' hull by little.

    One by one the point is added that reaches farthest beyond those chosen, in any of 98 directions that are
    even once the points' box is a cube. The first ``keep`` are chosen to begin with. Few points are taken as they are.
    """
    if len(points) <= MAX_VERTICES:
        return points.copy()
    size = np.maximum(points.max(axis=0) - points.min(axis=0), 1e-3)
    scaled = _DIRECTIONS / size
    length = np.sqrt(scaled[:, 0] * scaled[:, 0] + scaled[:, 1] * scaled[:, 1] + scaled[:, 2] * scaled[:, 2])
    dx, dy, dz = (scaled / length[:, None]).T[:, :, None]
    reach = dx * points[:, 0] + dy * points[:, 1] + dz * points[:, 2]
    farthest = reach.max(axis=1)
    chosen = list(range(keep)) or [int(np.argmax(reach[0]))]
    while len(chosen) < MAX_VERTICES:
        short = farthest - reach[:, chosen].max(axis=1)
        worst = int(np.argmax(short))
        if short[worst] < 1e-3:
            break
        chosen.append(int(np.argmax(reach[worst])))
    return points[sorted(chosen)]


def lathe_parts(profile: Sequence[tuple[float, float]], tolerance: float) -> list[Part]:
    """Stacked frusta that fill a lathed profile's outline (what is hollow counts as full).

    Args:
        profile: (radius, z) points as for :func:`flowbench.rendering.shapes.lathe`.
        tolerance: greatest radial error that fewer frusta may cost, metres.
    """
    outline = _outline(profile)
    parts = []
    start = 0
    while start < len(outline) - 1:
        end = start + 1
        while end + 1 < len(outline) and _straight(outline[start : end + 2], tolerance):
            end += 1
        (r0, z0), (r1, z1) = outline[start], outline[end]
        if z1 > z0:
            parts.append(_frustum(r0, z0, r1, z1))
        start = end
    return parts


def _outline(profile: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The greatest radius over height: (radius, z) by rising z, two points where the radius jumps."""
    heights = sorted({z for _, z in profile})
    segments = [(a, b) if a[1] <= b[1] else (b, a) for a, b in pairwise(profile)]
    rising = [(a, b) for a, b in segments if b[1] > a[1]]
    outline: list[tuple[float, float]] = []
    for low, high in pairwise(heights):
        ends = []
        for z in (low, high):
            crossing = [
                a[0] + (b[0] - a[0]) * (z - a[1]) / (b[1] - a[1]) for a, b in rising if a[1] <= low and b[1] >= high
            ]
            ends.append((max(crossing), z))
        outline += ends if not outline or outline[-1] != ends[0] else ends[1:]
    return outline


def _straight(points: Sequence[tuple[float, float]], tolerance: float) -> bool:
    """Whether a straight line from the first to the last point stays near all of them, without a jump between."""
    (r0, z0), (r1, z1) = points[0], points[-1]
    if z1 <= z0:
        return False
    return all(abs(r0 + (r1 - r0) * (z - z0) / (z1 - z0) - r) <= tolerance for r, z in points[1:-1])


def _frustum(r0: float, z0: float, r1: float, z1: float) -> Part:
    rings = [
        (r * _GROWN * c, r * _GROWN * s, z)
        for r, z in ((r0, z0), (r1, z1))
        for c, s in (circle(_SIDES) if r > 1e-4 else [(0.0, 0.0)])
    ]
    return np.array(rings)
