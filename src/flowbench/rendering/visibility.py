"""What a camera sees of a scene: culling, bins of rows, and the faces at pixel centres."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._jit import in_bands
from ..geometry import Camera
from .portals import Cells, Sight
from .rasterizing import NEAR, RECORD, count_bins, fill_bins, rasterize_centres, set_up
from .scene import Scene

Float = NDArray[np.float64]
Int = NDArray[np.int32]
Index = NDArray[np.int64]

BIN_ROWS = 8
"""Rows of a bin of an antialiased picture: its samples stay in a core's cache."""

_INSTANCES = 16
_SLACK = 0.01
"""More than a point that was computed from its depth can lie outside the bounds of its object, metres."""


def lens(camera: Camera) -> Float:
    """(5,) focal length, principal point, width, height, all in pixels."""
    cx, cy = camera.centre
    return np.array([camera.focal, cx, cy, float(camera.width), float(camera.height)])


class Triangles:
    """The front faces of a scene as one camera sees them, and the buffers they need."""

    def __init__(self, scene: Scene, cells: Cells | None = None) -> None:
        """Make room for a scene; ``cells`` tell what need not be looked at."""
        self._scene = scene
        self._sight = Sight(cells) if cells is not None else None
        vertices, faces = len(scene.points), len(scene.faces)
        self._local = np.empty((vertices, 3))
        self._pixels = np.empty((vertices, 2))
        self._records = np.empty((faces, RECORD))
        self._face_of = np.empty(faces, dtype=np.int32)
        self._visible = np.empty(0, dtype=np.int32)
        self._shape = (0, 0)
        self._centres = np.empty((0, 0)), np.empty((0, 0), dtype=np.int32)

    def set_up(self, camera: Camera, *, antialiased: bool) -> None:
        """Project, cull, and sort into bins of rows.

        Args:
            camera: who looks.
            antialiased: keep also faces that meet no pixel centre.
        """
        scene = self._scene
        visible = in_view(scene.spheres, camera)
        if self._sight is not None:
            visible = visible[self._sight.visible(camera, scene.bounds[visible])]
        self._visible = visible
        sizes = scene.face_start[visible + 1] - scene.face_start[visible]
        first = np.cumsum(sizes) - sizes
        kept = np.zeros(len(visible), dtype=np.int64)
        arrays = (visible, first, scene.vertex_start, scene.face_start, scene.points, scene.faces)
        place = (np.array(camera.camera_from_world, order="C"), lens(camera), 0.5 if antialiased else 0.0)
        out = (self._local, self._pixels, self._records, self._face_of, kept)
        in_bands(set_up, len(visible), _INSTANCES, *arrays, *place, *out)
        self._shape = (camera.height, camera.width)
        self._rows = BIN_ROWS if antialiased else 4 * BIN_ROWS
        self.bins = -(-camera.height // self._rows)
        self._bin_start = np.empty(self.bins + 1, dtype=np.int64)
        total = count_bins(first, kept, self._records, self._rows, self._bin_start)
        self._items = np.empty(total, dtype=np.int32)
        fill_bins(first, kept, self._records, self._rows, self._bin_start, self._items)

    @property
    def binned(self) -> tuple[int, Index, Int, Float, Int]:
        """Rows of a bin, ``bin_start``, ``items``, ``records``, ``face_of``: what drawing kernels take."""
        return self._rows, self._bin_start, self._items, self._records, self._face_of

    def touched(self, lows: Float, highs: Float) -> NDArray[np.bool_]:
        """Which axis-aligned boxes, corners (n, 3) each, may hold a point that the last camera sees, (n,) bool."""
        bounds = self._scene.bounds[self._visible]
        apart = (lows[:, None] > bounds[:, 1] + _SLACK) | (highs[:, None] < bounds[:, 0] - _SLACK)
        return np.asarray((~apart.any(axis=-1)).any(axis=-1))

    def draw_centres(self) -> tuple[Float, Int]:
        """1/z and face index at every pixel centre, (H, W) each; 0 and NOTHING where nothing is hit.

        The arrays are overwritten by the next call.
        """
        if self._centres[0].shape != self._shape:
            self._centres = np.empty(self._shape), np.empty(self._shape, dtype=np.int32)
        in_bands(rasterize_centres, self.bins, 1, *self.binned, *self._centres)
        return self._centres


def in_view(spheres: Float, camera: Camera) -> Int:
    """Positions of the bounding spheres (I, 4) that reach into the view frustum, ascending."""
    m = camera.camera_from_world
    x, y, z = (m[k, 0] * spheres[:, 0] + m[k, 1] * spheres[:, 1] + m[k, 2] * spheres[:, 2] + m[k, 3] for k in range(3))
    radius = spheres[:, 3]
    # Half a pixel beyond the outermost pixel centres; the side planes go through the eye.
    tan_x, tan_y = 0.5 * camera.width / camera.focal, 0.5 * camera.height / camera.focal
    reach_x = radius * math.sqrt(1.0 + tan_x * tan_x)
    reach_y = radius * math.sqrt(1.0 + tan_y * tan_y)
    seen = (z + radius >= NEAR) & (np.abs(x) <= z * tan_x + reach_x) & (np.abs(y) <= z * tan_y + reach_y)
    return np.flatnonzero(seen).astype(np.int32)
