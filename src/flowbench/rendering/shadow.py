"""The key light's shadow: a map of the highest caster, seen along the light.

The map is sheared instead of turned: with c the world axis nearest to the light's direction L (the vertical one
unless L is nearly level, as the way to lamps is looked up in the map from above), a point p lies
at u = p_a - p_c L_a / L_c, v = p_b - p_c L_b / L_c, and its height is p_c toward the light. So a floor has one
height all over, a texel has one place in the world whatever else there is, and moving an object needs a
redraw of two small rectangles, with the same result as drawing everything anew.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._jit import in_bands, kernel
from .mesh import Lighting
from .scene import Scene

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
Int = NDArray[np.int32]
Index = NDArray[np.int64]

TEXEL = 0.008
"""Side of a texel, metres."""

TILE = 8
"""Texels a side of a tile of the coarse maps; also the widest filter radius."""

EMPTY = np.float32(-1e9)
"""Height where there is no caster."""

_MOST_TEXELS = 4096
_LEVEL = 0.4
"""Sine of the elevation below which the light counts as level."""
_BAND = 8


class ShadowMap:
    """Heights of the casters of one scene along one light.

    Attributes:
        heights: (V, U) float32, metres toward the light; EMPTY where there is nothing.
        highest, lowest: (V / TILE, U / TILE) float32 over each tile and its eight neighbours.
        frame: (10,) float64: axes a, b, c; sign of L_c; L_a / L_c; L_b / L_c; texels a metre; u and v of the
            map's corner in whole texels; |L_c| / |L|.
    """

    def __init__(self, scene: Scene, lighting: Lighting) -> None:
        """Draw the whole map."""
        self._scene = scene
        direction = [float(value) for value in lighting.key_direction]
        length = math.sqrt(math.fsum(value * value for value in direction))
        steep = abs(direction[2]) > _LEVEL * length
        c = 2 if steep else max(range(3), key=lambda axis: abs(direction[axis]))
        a, b = [axis for axis in range(3) if axis != c]
        self._axes = np.array([a, b, c], dtype=np.int64)
        self._sign = 1.0 if direction[c] > 0.0 else -1.0
        self._shear = np.array([direction[a] / direction[c], direction[b] / direction[c]])
        self._cosine = abs(direction[c]) / length
        self._projected = np.empty((len(scene.points), 3))
        self._casters = np.flatnonzero(scene.casts_shadow)
        self._bounds = np.zeros((len(scene.ids), 4))
        self._stale: set[int] = set()
        for index in self._casters:
            self._project(int(index))
        self._lay_out()

    def moved(self, index: int) -> None:
        """Remember that the instance at ``index`` has another pose."""
        if self._scene.casts_shadow[index]:
            self._stale.add(index)

    def refresh(self) -> None:
        """Redraw what moved since the last time."""
        stale, self._stale = sorted(self._stale), set()
        before = [self._bounds[index].copy() for index in stale]
        for index in stale:
            self._project(index)
        after = [self._bounds[index] for index in stale]
        if any(not self._holds(bounds) for bounds in after):
            self._lay_out()
            return
        for window in _joined([self._window(bounds) for bounds in (*before, *after)]):
            self._redraw(*window)

    def _project(self, index: int) -> None:
        """Sheared coordinates (u, v, height) of an instance's vertices, metres, and their bounds."""
        part = slice(int(self._scene.vertex_start[index]), int(self._scene.vertex_start[index + 1]))
        a, b, c = self._axes
        points, out = self._scene.points[part], self._projected[part]
        out[:, 0] = points[:, a] - points[:, c] * self._shear[0]
        out[:, 1] = points[:, b] - points[:, c] * self._shear[1]
        out[:, 2] = points[:, c] * self._sign
        if len(out):
            low, high = out.min(axis=0), out.max(axis=0)
            self._bounds[index] = low[0], high[0], low[1], high[1]

    def _lay_out(self) -> None:
        """Choose the window of the endless grid of texels that holds all casters, and draw it."""
        bounds = self._bounds[self._casters]
        extent = [0.0, 0.0, 0.0, 0.0]
        if len(bounds):
            extent = [bounds[:, 0].min(), bounds[:, 1].max(), bounds[:, 2].min(), bounds[:, 3].max()]
        texel = TEXEL
        while max(extent[1] - extent[0], extent[3] - extent[2]) / texel > _MOST_TEXELS:
            texel *= 2.0
        self._scale = 1.0 / texel
        margin = 4 * TILE
        self._corner = [math.floor(extent[k] * self._scale / TILE) * TILE - margin for k in (0, 2)]
        counts = [
            math.ceil((extent[2 * k + 1] * self._scale - self._corner[k] + margin) / TILE) * TILE for k in range(2)
        ]
        self.heights = np.empty((counts[1], counts[0]), dtype=np.float32)
        self.highest = np.empty((counts[1] // TILE, counts[0] // TILE), dtype=np.float32)
        self.lowest = np.empty_like(self.highest)
        self._tile_high = np.empty_like(self.highest)
        self._tile_low = np.empty_like(self.highest)
        a, b, c = (float(axis) for axis in self._axes)
        self.frame = np.array(
            [a, b, c, self._sign, *self._shear, self._scale, *self._corner, self._cosine], dtype=np.float64
        )
        self._redraw(0, counts[0], 0, counts[1])

    def _holds(self, bounds: Float) -> bool:
        """Whether bounds lie in the window with room for the filter around them."""
        u0, u1, v0, v1 = self._window(bounds)
        height, width = self.heights.shape
        return u0 > TILE and v0 > TILE and u1 < width - TILE and v1 < height - TILE

    def _window(self, bounds: Float) -> tuple[int, int, int, int]:
        """Whole tiles (as texels u0, u1, v0, v1) that hold the bounds (u0, u1, v0, v1) in metres."""
        out = []
        for k in range(2):
            low = math.floor((bounds[2 * k] * self._scale - self._corner[k]) / TILE) * TILE
            high = math.ceil((bounds[2 * k + 1] * self._scale - self._corner[k]) / TILE) * TILE
            out += [low, high]
        return out[0], out[1], out[2], out[3]

    def _redraw(self, u0: int, u1: int, v0: int, v1: int) -> None:
        """Draw the texels of a rectangle of whole tiles anew, then the coarse maps that depend on it."""
        height, width = self.heights.shape
        u0, u1, v0, v1 = max(u0, 0), min(u1, width), max(v0, 0), min(v1, height)
        box = np.array([u0, u1, v0, v1], dtype=np.int64)
        grid = np.array([self._scale, *self._corner], dtype=np.float64)
        casters, bounds = self._casters, self._bounds
        arrays = (casters, bounds, self._scene.face_start, self._scene.faces, self._projected, grid)
        maps = (self.heights, self._tile_high, self._tile_low)
        in_bands(_draw_tiles, (v1 - v0) // TILE, _BAND, box, *arrays, *maps)
        spread = np.array([u0, u1, v0, v1], dtype=np.int64) // TILE
        _spread(spread, self._tile_high, self._tile_low, self.highest, self.lowest)


def _joined(windows: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """The windows (u0, u1, v0, v1), or the one that holds them all where drawing that is less work."""
    if not windows:
        return []
    low_u, high_u, low_v, high_v = zip(*windows, strict=True)
    whole = min(low_u), max(high_u), min(low_v), max(high_v)
    apart = sum(int((u1 - u0) * (v1 - v0)) for u0, u1, v0, v1 in windows)
    return [whole] if (whole[1] - whole[0]) * (whole[3] - whole[2]) < apart else windows


@kernel
def _draw_tiles(
    start: int,
    stop: int,
    box: Index,
    casters: Index,
    bounds: Float,
    face_start: Index,
    faces: Int,
    projected: Float,
    grid: Float,
    heights: Float32,
    tile_high: Float32,
    tile_low: Float32,
) -> None:
    """Heights and tile extremes of the tile rows ``start..stop - 1`` of the box (u0, u1, v0, v1; texels)."""
    # Texels are counted from the world's origin, so that no rounding depends on where the map begins.
    scale, corner_u, corner_v = grid[0], int(grid[1]), int(grid[2])
    left, right = box[0] + corner_u, box[1] + corner_u
    top, bottom = box[2] + corner_v + start * TILE, box[2] + corner_v + stop * TILE
    for y in range(top, bottom):
        for x in range(left, right):
            heights[y - corner_v, x - corner_u] = EMPTY
    for o in casters:
        if (
            bounds[o, 1] * scale < left
            or bounds[o, 0] * scale > right
            or bounds[o, 3] * scale < top
            or bounds[o, 2] * scale > bottom
        ):
            continue
        for f in range(face_start[o], face_start[o + 1]):
            i, j, k = faces[f, 0], faces[f, 1], faces[f, 2]
            v0, v1, v2 = projected[i, 1] * scale - 0.5, projected[j, 1] * scale - 0.5, projected[k, 1] * scale - 0.5
            low, high = min(v0, v1, v2), max(v0, v1, v2)
            if high < top or low > bottom - 1:
                continue
            u0, u1, u2 = projected[i, 0] * scale - 0.5, projected[j, 0] * scale - 0.5, projected[k, 0] * scale - 0.5
            near, far = min(u0, u1, u2), max(u0, u1, u2)
            area = (u1 - u0) * (v2 - v0) - (u2 - u0) * (v1 - v0)
            if far < left or near > right - 1 or abs(area) < 1e-9:
                continue
            h0, h1, h2 = projected[i, 2], projected[j, 2], projected[k, 2]
            slope_u = ((h1 - h0) * (v2 - v0) - (h2 - h0) * (v1 - v0)) / area
            slope_v = ((h2 - h0) * (u1 - u0) - (h1 - h0) * (u2 - u0)) / area
            turn = 1.0 if area > 0.0 else -1.0
            for y in range(max(math.ceil(low), top), min(math.floor(high), bottom - 1) + 1):
                line = heights[y - corner_v]
                for x in range(max(math.ceil(near), left), min(math.floor(far), right - 1) + 1):
                    if (
                        ((u1 - u0) * (y - v0) - (x - u0) * (v1 - v0)) * turn >= 0.0
                        and ((u2 - u1) * (y - v1) - (x - u1) * (v2 - v1)) * turn >= 0.0
                        and ((u0 - u2) * (y - v2) - (x - u2) * (v0 - v2)) * turn >= 0.0
                    ):
                        h = np.float32(h0 + slope_u * (x - u0) + slope_v * (y - v0))
                        line[x - corner_u] = max(line[x - corner_u], h)
    _find_extremes(box, start, stop, heights, tile_high, tile_low)


@kernel
def _find_extremes(box: Index, start: int, stop: int, heights: Float32, tile_high: Float32, tile_low: Float32) -> None:
    """Highest and lowest texel of each tile in the tile rows ``start..stop - 1`` of the box."""
    first = box[2] // TILE
    for q in range(first + start, first + stop):
        for p in range(box[0] // TILE, box[1] // TILE):
            most, least = heights[q * TILE, p * TILE], heights[q * TILE, p * TILE]
            for y in range(q * TILE, q * TILE + TILE):
                for x in range(p * TILE, p * TILE + TILE):
                    most = max(most, heights[y, x])
                    least = min(least, heights[y, x])
            tile_high[q, p] = most
            tile_low[q, p] = least


@kernel
def _spread(box: Index, tile_high: Float32, tile_low: Float32, highest: Float32, lowest: Float32) -> None:
    """Extremes over each tile and its neighbours, wherever the box of tiles (p0, p1, q0, q1) has a say."""
    rows, columns = highest.shape
    for q in range(max(box[2] - 1, 0), min(box[3] + 1, rows)):
        for p in range(max(box[0] - 1, 0), min(box[1] + 1, columns)):
            most, least = tile_high[q, p], tile_low[q, p]
            for y in range(max(q - 1, 0), min(q + 2, rows)):
                for x in range(max(p - 1, 0), min(p + 2, columns)):
                    most = max(most, tile_high[y, x])
                    least = min(least, tile_low[y, x])
            highest[q, p] = most
            lowest[q, p] = least
