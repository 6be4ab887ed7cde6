"""Lamps, windows and all other light as the kernels read them, and how much sun a window lets in."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel
from .colour import linear_from_srgb
from .mesh import Lighting, Pane, PointLight

Float = NDArray[np.float64]

# Columns of a lamp's row; before these its position (0), intensity (3), and the corners of its region (6, 9).
DIRECTION, ALL_ROUND, SAME_REGION, PANE, BAR, BEAM = 12, 15, 16, 17, 21, 22
COLUMNS = BEAM + 12

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


def light_of(lighting: Lighting) -> Float:
    """(19,) key direction (unit) and colour, ambient up and down, exposure, background in linear light, sun.

    Raises:
        ValueError: the key direction is zero.
    """
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
