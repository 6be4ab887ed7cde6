"""Shading."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .colour import srgb_from_linear
from .mesh import Lighting
from .scene import Scene
from .visibility import NOTHING


def shade(seen: NDArray[np.int32], scene: Scene, light: Lighting) -> NDArray[np.uint8]:
    """Flat hemisphere light a face."""
    normal = scene.normals[scene.faces[:, 0]].astype(np.float64)
    up = 0.5 + 0.5 * normal[:, 2:]
    tint = scene.materials[scene.face_material, :3]
    colour = tint * (up * np.array(light.ambient_up) + (1 - up) * np.array(light.ambient_down)) * 1.6
    table = np.concatenate([srgb_from_linear(colour), [light.background]])
    index = np.where(seen == NOTHING, len(table) - 1, seen)
    return (table[index] * 255.0 + 0.5).astype(np.uint8)
