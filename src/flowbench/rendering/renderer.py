"""The renderer: a scene is loaded once, instances move, cameras look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .._jit import in_bands, require_numba
from ..geometry import Camera
from ..geometry.frames import Matrix
from .mesh import Frame, Instance, Lighting
from .scene import Scene, pack
from .shading import shade
from .visibility import RECORD, count_bins, fill_bins, in_view, lens, rasterize_centres, resolve_centres, set_up

_BIN_ROWS = 16


class Renderer:
    """Draws one scene at a time; the same bytes whatever the CPU, the threads, and what was drawn before."""

    def __init__(self, textures: Mapping[str, NDArray[np.uint8]]) -> None:
        """Prepare the textures.

        Args:
            textures: name -> (n, n, 3) uint8 sRGB, n a power of two.

        Raises:
            UsageError: numba is not installed.
        """
        require_numba("drawing pictures")
        self._texture_rows = {name: row for row, name in enumerate(textures)}
        self._scene: Scene = pack((), self._texture_rows)
        self._lighting = Lighting()

    def load(self, instances: Sequence[Instance], lighting: Lighting) -> None:
        """Replace the scene."""
        self._scene = pack(instances, self._texture_rows)
        self._lighting = lighting
        faces, vertices = len(self._scene.faces), len(self._scene.points)
        self._local = np.empty((vertices, 3))
        self._pixels = np.empty((vertices, 2))
        self._records = np.empty((faces, RECORD))
        self._face_of = np.empty(faces, dtype=np.int32)

    def move(self, instance_id: int, world_from_object: Matrix) -> None:
        """Put every instance with this id at a pose, (4, 4) float64."""
        for index in np.flatnonzero(self._scene.ids == instance_id):
            self._scene.place(int(index), world_from_object)

    def render(self, camera: Camera, *, rgb: bool = False, depth: bool = False, ids: bool = False) -> Frame:
        """One observation; only the passes asked for are made."""
        scene = self._scene
        visible = in_view(scene.spheres, camera)
        sizes = scene.face_start[visible + 1] - scene.face_start[visible]
        first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)[: len(visible)]
        kept = np.zeros(len(visible), dtype=np.int64)
        in_bands(
            set_up,
            len(visible),
            16,
            visible,
            first,
            scene.vertex_start,
            scene.face_start,
            scene.points,
            scene.faces,
            camera.camera_from_world,
            lens(camera),
            0.0,
            self._local,
            self._pixels,
            self._records,
            self._face_of,
            kept,
        )
        bins = -(-camera.height // _BIN_ROWS)
        bin_start = np.empty(bins + 1, dtype=np.int64)
        items = np.empty(count_bins(first, kept, self._records, _BIN_ROWS, bin_start), dtype=np.int32)
        fill_bins(first, kept, self._records, _BIN_ROWS, bin_start, np.empty(bins, dtype=np.int64), items)
        shape = (camera.height, camera.width)
        inverse = np.empty(shape)
        seen = np.empty(shape, dtype=np.int32)
        in_bands(rasterize_centres, bins, 4, _BIN_ROWS, bin_start, items, self._records, self._face_of, inverse, seen)
        out_depth = np.empty(shape, dtype=np.float32)
        out_ids = np.empty(shape, dtype=np.uint16)
        in_bands(resolve_centres, camera.height, 64, inverse, seen, scene.face_instance, scene.ids, out_depth, out_ids)
        picture = None
        if rgb:
            light = self._lighting
            picture = shade(seen, scene, light)
        return Frame(picture, out_depth if depth else None, out_ids if ids else None)
