"""Lamps, windows and all other light as the kernels read them, and how much sun a window lets in."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel
from .colour import linear_from_srgb
from .mesh import Lighting, Pane, PointLight

Float = NDArray[np.float64]

# Columns of a lamp's row; before these its position (0), intensity (3), and the corners of its region (6, 9).
DIRECTION, ALL_ROUND, SAME_REGION, PANE, BAR, BEAM = 12, 15, 16, 17, 21, 22
COLUMNS = BEAM + 12

MIRROR = 19
"""Place, in the light, of the row of the picture that metal mirrors; -1 without."""

_EVERYWHERE = ((-1e30, -1e30, -1e30), (1e30, 1e30, 1e30))
_FILM = 0.75
"""Exposure at which white paper in the key light stays short of white on the screen."""
_BLUR = 0.012
"""Half-width of the edge of a patch of sun, metres for each metre from the window."""


def unit(direction: tuple[float, float, float], whose: str) -> tuple[float, float, float]:
    """A direction of length 1.

    Raises:
        ValueError: it is zero.
    """
    x, y, z = direction
    length = math.sqrt(x * x + y * y + z * z)
    if not length > 0.0:
        raise ValueError(f"{whose} direction is zero; switch the light off by its colour instead.")
    return x / length, y / length, z / length


def light_of(lighting: Lighting, textures: Mapping[str, int]) -> Float:
    """(20,) key direction (unit), its colour, ambient up and down, exposure, linear background, sun, mirrored row.

    Args:
        lighting: the lights.
        textures: row of each texture name.

    Raises:
        ValueError: the key direction is zero, or the environment names an unknown texture.
    """
    if lighting.environment is not None and lighting.environment not in textures:
        raise ValueError(f"the environment {lighting.environment!r} is not in the texture set.")
    background = linear_from_srgb(np.array(lighting.background))
    return np.array(
        [
            *unit(lighting.key_direction, "the key light's"),
            *lighting.key_colour,
            *lighting.ambient_up,
            *lighting.ambient_down,
            lighting.exposure * _FILM,
            *background,
            *lighting.sun_colour,
            -1.0 if lighting.environment is None else float(textures[lighting.environment]),
        ]
    )


def lamps_of(lighting: Lighting) -> Float:
    """(L, COLUMNS) a row for each lamp, those of one region one after another.

    Columns: position, intensity, lower and upper corner of the region, direction (zero if all round), 1 if all
    round, how many rows from here on have this region, the pane (columns, rows, width, height; zeros without),
    its bars' width, and its beam (see :func:`sun_share`).
    """
    regions = list(dict.fromkeys(lamp.region for lamp in lighting.lamps))
    towards_sun = unit(lighting.key_direction, "the key light's")
    rows: list[list[float]] = []
    for region in regions:
        group = [lamp for lamp in lighting.lamps if lamp.region == region]
        rows += [_row(lamp, len(group) - k, towards_sun) for k, lamp in enumerate(group)]
    return np.array(rows, dtype=np.float64).reshape(-1, COLUMNS)


def _row(lamp: PointLight, same_region: int, towards_sun: tuple[float, float, float]) -> list[float]:
    low, high = lamp.region or _EVERYWHERE
    direction = unit(lamp.direction, "a lamp's") if lamp.direction else (0.0, 0.0, 0.0)
    row = [*lamp.position, *lamp.intensity, *low, *high, *direction, float(lamp.direction is None), float(same_region)]
    return row + (_pane(lamp.pane, towards_sun) if lamp.pane else [0.0] * (COLUMNS - PANE))


def _pane(pane: Pane, towards_sun: tuple[float, float, float]) -> list[float]:
    """Columns from ``PANE`` on; zeros where the sun runs along the pane.

    From a point p toward the sun L the pane's plane is met at t = n (corner - p) / (n L), and there
    a = u (p + t L - corner) / |u| metres along each of its edges: all affine in p.
    """
    u, v = np.array(pane.across), np.array(pane.up)
    n = np.array([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])
    sun, corner = np.array(towards_sun), np.array(pane.corner)
    facing = _dot(n, sun)
    if abs(facing) < 1e-6 * math.sqrt(_dot(n, n)):
        return [0.0] * (COLUMNS - PANE)
    reach = -n / facing
    beam = [*reach.tolist(), -_dot(reach, corner)]
    for edge in (u, v):
        along = edge / math.sqrt(_dot(edge, edge))
        slope = along + reach * _dot(along, sun)
        beam += [*slope.tolist(), -_dot(slope, corner)]
    sides = [math.sqrt(_dot(edge, edge)) for edge in (u, v)]
    return [float(pane.columns), float(pane.rows), *sides, pane.bar, *beam]


def _dot(a: Float, b: Float) -> float:
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


@kernel
def elsewhere(x: float, y: float, z: float, lamps: Float, k: int) -> bool:
    """Whether a point (world frame) lies outside the region of lamp ``k``."""
    return bool(
        x < lamps[k, 6] or y < lamps[k, 7] or z < lamps[k, 8] or x > lamps[k, 9] or y > lamps[k, 10] or z > lamps[k, 11]
    )


@kernel
def sun_share(x: float, y: float, z: float, lamps: Float, k: int) -> float:
    """Share of the sun that comes to a point (world frame) through the pane of lamp ``k``, 0..1.

    Bars cut it; edges are the softer the farther the point is from the window. What stands in the room is left
    to the key light's shadow.
    """
    away = lamps[k, 22] * x + lamps[k, 23] * y + lamps[k, 24] * z + lamps[k, 25]
    if away <= 0.0:
        return 0.0
    a = lamps[k, 26] * x + lamps[k, 27] * y + lamps[k, 28] * z + lamps[k, 29]
    if a <= 0.0 or a >= lamps[k, 19]:
        return 0.0
    b = lamps[k, 30] * x + lamps[k, 31] * y + lamps[k, 32] * z + lamps[k, 33]
    if b <= 0.0 or b >= lamps[k, 20]:
        return 0.0
    wide, high = lamps[k, 19] / lamps[k, 17], lamps[k, 20] / lamps[k, 18]
    a -= wide * math.floor(a / wide)
    b -= high * math.floor(b / high)
    blur = 0.5 / (0.004 + _BLUR * away)
    bar = 0.5 * lamps[k, 21]
    a = min(max((min(a, wide - a) - bar) * blur + 0.5, 0.0), 1.0)
    b = min(max((min(b, high - b) - bar) * blur + 0.5, 0.0), 1.0)
    return float(a * b)


@kernel
def sun_light(x: float, y: float, z: float, lamps: Float) -> float:
    """Sum of :func:`sun_share` over the panes of the regions that a point (world frame) lies in."""
    total = 0.0
    after = 0
    while after < len(lamps):
        k = after
        if elsewhere(x, y, z, lamps, k):
            after += int(lamps[k, SAME_REGION])
            continue
        after += 1
        if lamps[k, PANE] > 0.0:
            total += sun_share(x, y, z, lamps, k)
    return total


@kernel
def lamp_light(
    x: float,
    y: float,
    z: float,
    nx: float,
    ny: float,
    nz: float,
    rough: float,
    shiny: bool,
    view: Float,
    lamps: Float,
    place: int,
    out: Float,
) -> int:
    """Light of all lamps at a point, unobstructed: inverse square, with highlights.

    Returns a number that tells which lamps' regions the point lies in, and which of these lamps shine on it: between
    points with the same one, light changes smoothly.

    Args:
        x, y, z: the point, world frame.
        nx, ny, nz: its normal.
        rough: roughness of its surface.
        shiny: whether there are highlights; 0 otherwise.
        view: see shading.view_of.
        lamps: see :func:`lamps_of`.
        place: row of ``out``.
        out: out, (n, 6) what falls on the surface, and what a mirror of its roughness sends to the eye.
    """
    for c in range(6):
        out[place, c] = 0.0
    alpha = max(rough, 0.08)
    g = 0.5 * alpha * alpha
    alpha = max(rough, 0.2)
    gloss = alpha * alpha * alpha * alpha
    vx, vy, vz = view[3] - x, view[4] - y, view[5] - z
    over = 1.0 / math.sqrt(vx * vx + vy * vy + vz * vz)
    vx *= over
    vy *= over
    vz *= over
    smooth = max(nx * vx + ny * vy + nz * vz, 0.02) * (1.0 - g) + g
    within = 0
    after = 0
    while after < len(lamps):
        k = after
        if elsewhere(x, y, z, lamps, k):
            after += int(lamps[k, SAME_REGION])
            continue
        after += 1
        within = within * 31 + after
        lx, ly, lz = lamps[k, 0] - x, lamps[k, 1] - y, lamps[k, 2] - z
        # Cosines times the distance: what faces away is found before there is a root to take.
        facing = nx * lx + ny * ly + nz * lz
        if facing <= 0.0:
            continue
        square = lx * lx + ly * ly + lz * lz
        distance = math.sqrt(square)
        lobe = lamps[k, ALL_ROUND] * distance - (
            lx * lamps[k, DIRECTION] + ly * lamps[k, DIRECTION + 1] + lz * lamps[k, DIRECTION + 2]
        )
        if lobe <= 0.0:
            continue
        within = within * 31 + 7
        lit = facing * lobe / (square * (square + 0.3))
        out[place, 0] += lit * lamps[k, 3]
        out[place, 1] += lit * lamps[k, 4]
        out[place, 2] += lit * lamps[k, 5]
        if shiny:
            hx, hy, hz = lx + distance * vx, ly + distance * vy, lz + distance * vz
            hh = hx * hx + hy * hy + hz * hz
            nh = nx * hx + ny * hy + nz * hz
            d = nh * nh * (gloss - 1.0) + hh
            lit *= gloss * hh * hh * 0.0795775 * distance / (d * d * (facing * (1.0 - g) + g * distance) * smooth)
            out[place, 3] += lit * lamps[k, 3]
            out[place, 4] += lit * lamps[k, 4]
            out[place, 5] += lit * lamps[k, 5]
    return within
