"""The renderer: a scene is loaded once, instances move, cameras look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .._jit import in_bands, require_numba
from ..geometry import Camera
from ..geometry.frames import Matrix
from .colour import encoding_table
from .lamps import lamps_of, light_of
from .mesh import Frame, Instance, Lighting
from .mipmaps import pack_textures
from .occlusion import halve, occlude, smooth, spirals
from .portals import Cells
from .rasterizing import resolve_centres
from .scene import pack
from .shading import shade, view_of
from .shadow import ShadowMap
from .visibility import Triangles, lens

_ROWS = 64
"""Rows of a piece of work that needs no bins."""


class Renderer:
    """Draws one scene at a time; the same bytes whatever the CPU, the threads, and what was drawn before."""

    def __init__(self, textures: Mapping[str, NDArray[np.uint8]]) -> None:
        """Prepare the textures.

        Args:
            textures: name -> (n, n, 3) uint8 sRGB, n a power of two.

        Raises:
            UsageError: numba is not installed.
            ValueError: a texture has another shape.
        """
        require_numba("drawing pictures")
        self._textures = pack_textures(textures)
        self._encode = encoding_table()
        self._spirals = spirals()
        self.load((), Lighting())

    def load(self, instances: Sequence[Instance], lighting: Lighting, cells: Cells | None = None) -> None:
        """Replace the scene; the order of instances decides who is seen where depths are equal.

        ``cells`` save the work for rooms that cannot be seen; the picture is the same without them.

        Raises:
            ValueError: an instance id out of 1..65535, or a material or an environment with an unknown texture.
        """
        self._scene = pack(instances, self._textures.rows)
        self._triangles = Triangles(self._scene, cells)
        self._lighting = lighting
        self._light, self._lamps = light_of(lighting, self._textures.rows), lamps_of(lighting)
        self._shadow: ShadowMap | None = None

    def move(self, instance_id: int, world_from_object: Matrix) -> None:
        """Put every instance with this id at a pose, (4, 4) float64.

        Raises:
            KeyError: no instance has this id.
        """
        indices = np.flatnonzero(self._scene.ids == instance_id)
        if not len(indices):
            raise KeyError(f"no instance has the id {instance_id}.")
        for index in indices:
            self._scene.place(int(index), world_from_object)
            if self._shadow is not None:
                self._shadow.moved(int(index))

    def render(self, camera: Camera, *, rgb: bool = False, depth: bool = False, ids: bool = False) -> Frame:
        """One observation; only the passes asked for are made."""
        triangles, scene = self._triangles, self._scene
        triangles.set_up(camera, antialiased=rgb)
        inverse_depth, seen = triangles.draw_centres()
        picture = self._shade(camera, inverse_depth, seen) if rgb else None
        if not (depth or ids):
            return Frame(picture)
        out_depth = np.empty(seen.shape, dtype=np.float32)
        out_ids = np.empty(seen.shape, dtype=np.uint16)
        arrays = (inverse_depth, seen, scene.face_instance, scene.ids, out_depth, out_ids)
        in_bands(resolve_centres, camera.height, _ROWS, *arrays)
        return Frame(picture, out_depth if depth else None, out_ids if ids else None)

    def _shade(self, camera: Camera, inverse_depth: NDArray[np.float64], seen: NDArray[np.int32]) -> NDArray[np.uint8]:
        """The picture, (H, W, 3) uint8."""
        scene, triangles, textures = self._scene, self._triangles, self._textures
        if self._shadow is None:
            self._shadow = ShadowMap(scene, self._lighting)
        self._shadow.refresh()
        shadow = self._shadow
        height, width = seen.shape
        # Lamps of rooms out of sight shine on nothing in the picture; a region's lamps stay or go together.
        lamps = self._lamps[triangles.touched(self._lamps[:, 6:9], self._lamps[:, 9:12])]
        view, half = view_of(camera), ((height + 1) // 2, (width + 1) // 2)
        half_depth = np.empty(half, dtype=np.float32)
        in_bands(halve, half[0], _ROWS, inverse_depth, half_depth)
        noisy, shares = np.empty((2, *half, 2), dtype=np.float32)
        surface = (half_depth, seen, scene.points, scene.faces, view, lens(camera), self._spirals)
        in_bands(occlude, half[0], _ROWS // 4, *surface, lamps, shadow.heights, shadow.highest, shadow.frame, noisy)
        in_bands(smooth, half[0], _ROWS // 2, half_depth, noisy, shares)
        picture = np.empty((height, width, 3), dtype=np.uint8)
        in_bands(
            shade,
            triangles.bins,
            2,
            *triangles.binned,
            *(inverse_depth, seen, half_depth, shares),
            *(scene.points, scene.normals, scene.uvs, scene.faces),
            *(scene.face_material, scene.face_patch, scene.face_density, scene.materials),
            *(textures.texels, textures.starts, textures.sizes, textures.counts),
            *(shadow.heights, shadow.highest, shadow.lowest, shadow.frame),
            *(view, self._light, lamps, self._encode, picture),
        )
        return picture
